package script
import ("testing";"os";"strings";"errors")
func TestZZ(t *testing.T){
 b,_:=os.ReadFile("/tmp/p.txt")
 var ps []string
 for _,l := range strings.Split(strings.TrimSpace(string(b)),"\n") { ps=append(ps,strings.ReplaceAll(l,"\\n","\n")) }
 want := runNode(t,ps)
 p := newPool(t, Limits{}, 2)
 for i,js := range ps { g := runOurs(t,p,js); m:="ok  "; if g.Error!=want[i].Error||g.Result!=want[i].Result {m="DIFF"}; t.Logf("%s %q\n   ours %s%s\n   node %s%s",m,js,g.Result,g.Error,want[i].Result,want[i].Error)
 _ = errors.As }
}
