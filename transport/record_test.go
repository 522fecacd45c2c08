package transport

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
