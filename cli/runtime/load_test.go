package runtime_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	goruntime "runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/casys-ai/pml/transport"
)

const echoTools = `{"servers": {"kv": {"tools": [{"name": "put", "effect": "write", "inputSchema": {"type": "object"},
	"responses": [{"result": {"id": "{{id}}"}}]}]}}}`

// TestManyProgramsAtOnce sends many programs of two tenants to a gateway at the same time: none is lost or mixed up, and
// what it takes of memory is bounded. The number is that of the promise unless -short asks for less.
func TestManyProgramsAtOnce(t *testing.T) {
	programs := 1000
	if testing.Short() {
		programs = 100
	}
	cloud := newCloudSide(t, echoTools)
	keys := []string{cloud.key, cloud.tenant(t, "other.shop")}
	client := transport.NewHTTPClient()
	defer client.CloseIdleConnections()
	times := make([]time.Duration, programs)
	var all sync.WaitGroup
	for i := range programs {
		all.Go(func() {
			id := fmt.Sprintf("%s-%d", keys[i%2][:8], i)
			began := time.Now()
			got, err := executeAt(client, cloud.web.URL, keys[i%2], fmt.Sprintf(
				`const a = await mcp.kv.put({ id: %q }); const b = await mcp.kv.put({ id: a.id + "!" }); return [a.id, b.id];`, id))
			times[i] = time.Since(began)
			if want := fmt.Sprintf(`[%q,%q]`, id, id+"!"); err != nil || got != want {
				t.Errorf("program %d: %s %v, want %s", i, got, err, want)
			}
		})
	}
	all.Wait()
	slices.Sort(times)
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&m)
	t.Logf("%d programs: median %s, p99 %s; %d MB in use after", programs, times[programs/2], times[programs*99/100], m.HeapAlloc>>20)
	if m.HeapAlloc > 256<<20 {
		t.Errorf("%d MB are still in use", m.HeapAlloc>>20)
	}
}

// executeAt has a gateway execute a program and gives its result as JSON.
func executeAt(client *http.Client, url, key, code string) (string, error) {
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": "execute", "arguments": map[string]any{"code": code}}})
	rq, err := http.NewRequest(http.MethodPost, url+"/mcp", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	rq.Header.Set("Content-Type", "application/json")
	rq.Header.Set("X-Api-Key", key)
	answer, err := client.Do(rq)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var out struct {
		Result struct {
			StructuredContent struct {
				Result json.RawMessage
				Error  json.RawMessage
			}
		}
	}
	err = json.NewDecoder(answer.Body).Decode(&out)
	if e := out.Result.StructuredContent.Error; e != nil {
		return "", fmt.Errorf("%s", e)
	}
	return string(out.Result.StructuredContent.Result), err
}
