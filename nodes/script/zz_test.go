package script
import ("testing";"os";"encoding/json";"golang.org/x/text/collate";"golang.org/x/text/language")
func TestZZ(t *testing.T){
 var strs []string; b,_:=os.ReadFile("/tmp/strs.json"); json.Unmarshal(b,&strs)
 var want map[string]string; b,_=os.ReadFile("/tmp/coll.json"); json.Unmarshal(b,&want)
 for k,w := range want {
  var o collateOptions; json.Unmarshal([]byte(k),&o)
  var list []collate.Option
  if o.Numeric { list=append(list, collate.Numeric) }
  switch o.Sensitivity { case "base": list=append(list, collate.IgnoreCase, collate.IgnoreDiacritics); case "accent": list=append(list, collate.IgnoreCase)}
  c := collate.New(language.Und, list...)
  bad:=0; i:=0; byS:=map[string]int{}
  for _,x := range strs { for _,y := range strs { g := "<=>"[c.CompareString(x,y)+1]; if g!=w[i] { bad++; byS[x]++; if bad<8 {t.Logf("%s %q %q got %c want %c",k,x,y,g,w[i])}}; i++ } }
  t.Logf("%s: %d of %d wrong", k, bad, i)
  for s,n := range byS { if n>60 { t.Logf("   %q %d",s,n) } }
 }
}
