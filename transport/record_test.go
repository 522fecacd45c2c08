package transport

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/nodes"
)

// A record that is not what was published is never used: not from the registry, and not from what was kept of it.
func TestRecordThatWasChanged(t *testing.T) {
	is := is.New(t)
	r := Record{Name: "a:b", Type: RecordCapability, Code: "return 1"}
	is.NoErr(r.Check())
	r.Seal("acme.shop")
	is.True(r.Intact())
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(r)
	}))
	defer web.Close()
	cache := filepath.Join(t.TempDir(), "cloud.json")
	c := NewCloud(CloudConfig{URL: web.URL, Key: "k", Cache: cache}, PoolOptions{})
	defer c.Close()
	got, err := c.Record(t.Context(), "a:b")
	is.NoErr(err)
	is.Equal(got.Code, "return 1")
	file := filepath.Join(filepath.Dir(cache), "registry", "a%3Ab.json")
	kept, err := os.ReadFile(file)
	is.NoErr(err)

	r.Code = "return await mcp.shell.exec({})"
	_, err = c.Record(t.Context(), "a:b")
	is.Equal(codeOf(err), nodes.IntegrityMismatch)
	web.Close()
	is.NoErr(os.WriteFile(file, []byte(string(kept[:len(kept)-20])+`"return 2"`), 0o600))
	_, err = c.Record(t.Context(), "a:b") // what was kept was changed, and the registry is not there
	is.Equal(codeOf(err), nodes.CloudUnavailable)
}

// What came is compared with what was asked for, and what has a hash in its name with what is known of it.
func TestRecordIsWhatWasAskedFor(t *testing.T) {
	is := is.New(t)
	made := func(name, code string) Record {
		r := Record{Name: name, Type: RecordCapability, Code: code}
		r.Seal("acme.shop")
		return r
	}
	is.Equal(made("a:b", "return 1").FQDN[:len("acme.shop.a.b.")], "acme.shop.a.b.")
	good, other := made("a:b", "return 1"), made("a:c", "return 1")
	twin := twinOf(t, good)
	lying := good // its hash is that of its content, and not the one in its name
	lying.FQDN = other.FQDN
	served := good
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(served) }))
	defer web.Close()
	ask := func(cache, name string) (*Record, error) {
		c := NewCloud(CloudConfig{URL: web.URL, Key: "k", Cache: cache}, PoolOptions{})
		defer c.Close()
		return c.Record(t.Context(), name)
	}
	cache := filepath.Join(t.TempDir(), "cloud.json")
	for _, name := range []string{"a:b", good.FQDN, good.FQDN[:len(good.FQDN)-5]} {
		r, err := ask(cache, name)
		is.NoErr(err)
		is.Equal(r.Code, "return 1")
	}
	for _, x := range []struct {
		name, says string
		served     Record
	}{
		{good.FQDN, "was asked for " + good.FQDN + ", and gave " + other.FQDN, other},
		{good.FQDN[:len(good.FQDN)-5], "and gave " + other.FQDN, other},
		{"a:b", "was asked for a:b, and gave " + other.FQDN, other},
		{other.FQDN, "is not what was published", lying},
		{good.FQDN, "has changed", twin}, // kept is what was published first
	} {
		served = x.served
		_, err := ask(cache, x.name)
		is.Equal(codeOf(err), nodes.IntegrityMismatch)
		is.True(strings.Contains(err.Error(), x.says))
	}
	// A file of one record under the name of another is not used.
	served = other
	file := func(name string) string {
		return filepath.Join(filepath.Dir(cache), "registry", url.QueryEscape(name)+".json")
	}
	text, err := os.ReadFile(file("a:b"))
	is.NoErr(err)
	is.NoErr(os.WriteFile(file("a:c"), text, 0o600))
	r, err := ask(cache, "a:c")
	is.NoErr(err)
	is.Equal(r.FQDN, other.FQDN)
}

// twinOf is another record whose hash begins alike, so that it has the same FQDN.
func twinOf(t *testing.T, r Record) Record {
	t.Helper()
	twin := r
	for i := range 1 << 22 {
		twin.Code = fmt.Sprintf("return %d", i+2)
		if twin.Seal(scopeOf(r.FQDN)); twin.FQDN == r.FQDN {
			return twin
		}
	}
	t.Fatal("no twin")
	return r
}

// A record that was kept is not asked for while the registry's headers say that it holds, and then only whether it has
// changed.
func TestRecordIsNotAskedForAgain(t *testing.T) {
	is := is.New(t)
	r := Record{Name: "a:b", Type: RecordCapability, Code: "return 1"}
	r.Seal("acme.shop")
	age, asked := "60", []string{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		asked = append(asked, rq.Method+" "+rq.Header.Get("If-None-Match"))
		w.Header().Set("Cache-Control", "private, max-age="+age)
		w.Header().Set("ETag", `"v1"`)
		if rq.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_ = json.NewEncoder(w).Encode(r)
	}))
	defer web.Close()
	cache := filepath.Join(t.TempDir(), "cloud.json")
	find := func() {
		c := NewCloud(CloudConfig{URL: web.URL, Key: "k", Cache: cache}, PoolOptions{}) // as another process would
		defer c.Close()
		got, err := c.Record(t.Context(), "a:b")
		is.NoErr(err)
		is.Equal(got.Code, "return 1")
	}
	find()
	find()
	is.Equal(asked, []string{"GET "})
	age = "0"
	c := NewCloud(CloudConfig{URL: web.URL, Key: "k", Cache: cache}, PoolOptions{})
	defer c.Close()
	_, err := c.Publish(t.Context(), r) // what was kept may be an older version
	is.NoErr(err)
	find()
	find()
	is.Equal(asked, []string{"GET ", "PUT ", "GET ", `GET "v1"`})
}
