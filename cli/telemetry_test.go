package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// receiver is a collector: it takes spans by OTLP over HTTP.
type receiver struct {
	web     *httptest.Server
	mu      sync.Mutex
	spans   []*otlp.Span
	headers []http.Header
	about   map[string]string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{about: map[string]string{}}
	r.web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		body, _ := io.ReadAll(rq.Body)
		var in collector.ExportTraceServiceRequest
		if rq.URL.Path != "/v1/traces" || rq.Header.Get("Content-Type") != "application/x-protobuf" || proto.Unmarshal(body, &in) != nil {
			http.Error(w, "no spans", http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.headers = append(r.headers, rq.Header)
		for _, list := range in.ResourceSpans {
			for _, a := range list.Resource.Attributes {
				r.about[a.Key] = a.Value.GetStringValue()
			}
			for _, s := range list.ScopeSpans {
				r.spans = append(r.spans, s.Spans...)
			}
		}
	}))
	t.Cleanup(r.web.Close)
	return r
}

// tree is the spans as name < parent's name, and what else is told of each.
func (r *receiver) tree() (under map[string]string, attributes map[string]map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := map[string]string{}
	for _, s := range r.spans {
		names[string(s.SpanId)] = s.Name
	}
	under, attributes = map[string]string{}, map[string]map[string]string{}
	for _, s := range r.spans {
		under[s.Name] = names[string(s.ParentSpanId)]
		attributes[s.Name] = texts(s.Attributes)
		attributes[s.Name]["status"] = s.Status.GetMessage()
	}
	return under, attributes
}

func texts(list []*common.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		out[a.Key] = a.Value.GetStringValue()
	}
	return out
}

// The spans of a run reach a collector over HTTP, as a tree with its times, named as the environment says; without an
// environment that names one, nothing is sent; one that is not there spoils nothing.
func TestOpenTelemetry(t *testing.T) {
	is := is.New(t)
	r := newReceiver(t)
	w := newWorkspace(t, shop, allowShop)
	program := `const p = await mcp.shop.price({ item: "ada@example.com" });
try { await mcp.shop.price({ item: "missing" }) } catch (e) {} return p.eur`
	is.Equal(w.pml("", "run", "-e", program).stdout, "3\n")
	is.Equal(len(r.spans), 0)
	env := w.env
	w.env = append(env, "OTEL_EXPORTER_OTLP_ENDPOINT="+r.web.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-team=shop", "OTEL_SERVICE_NAME=agents")
	got := w.pml("", "run", "-e", program)
	is.Equal([]string{got.stdout, got.stderr}, []string{"3\n", ""})
	under, attributes := r.tree()
	is.Equal(r.about["service.name"], "agents")
	is.Equal(r.headers[0].Get("X-Team"), "shop")
	is.Equal(under["shop:price"], "pml run")
	is.Equal(under["pml run"], "")
	is.Equal(attributes["pml run"]["pml.status"], "success")
	is.Equal(attributes["shop:price"]["pml.route"], "client")
	var run, failed *otlp.Span
	for _, s := range r.spans {
		switch {
		case s.Name == "pml run":
			run = s
		case texts(s.Attributes)["error.type"] != "":
			failed = s
		}
	}
	is.Equal(texts(failed.Attributes)["error.type"], "TOOL_ERROR")
	for _, s := range r.spans {
		is.True(s.StartTimeUnixNano >= run.StartTimeUnixNano && s.EndTimeUnixNano <= run.EndTimeUnixNano && s.EndTimeUnixNano >= s.StartTimeUnixNano)
		is.Equal(s.TraceId, run.TraceId)
		text := s.String()
		is.True(!strings.Contains(text, "ada@example.com") && !strings.Contains(text, "no such item")) // what is local stays here
	}
	before := len(r.spans)
	for _, off := range []string{"OTEL_SDK_DISABLED=true", "OTEL_TRACES_EXPORTER=none"} {
		w.env = append(env, "OTEL_EXPORTER_OTLP_ENDPOINT="+r.web.URL, off)
		is.Equal(w.pml("", "run", "-e", program).stdout, "3\n")
	}
	is.Equal(len(r.spans), before)
	w.env = append(env, "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT=500")
	began := time.Now()
	got = w.pml("", "run", "-e", program)
	is.Equal([]any{got.code, got.stdout}, []any{0, "3\n"})
	is.True(strings.Contains(got.stderr, "not exported") || strings.Contains(got.stderr, "OpenTelemetry"))
	is.True(time.Since(began) < 30*time.Second)
}

// told is what the gateway was told of runs.
type told struct {
	Traces []struct {
		RunID      string `json:"run_id"`
		WorkflowID string `json:"workflow_id"`
		Status     string
		Code       string
		Tools      []string `json:"tools_used"`
		Spans      []struct {
			ID     string `json:"trace_id"`
			Parent string `json:"parent_trace_id"`
			Tool   string
			Route  string
			Code   string
			Error  string
		}
	}
}

// What runs came to is told to the gateway, in batches, cleaned, and only with a key; what a tool of this machine says is
// not told at all.
func TestTracesToTheGateway(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {"desk": {"tools": [{"name": "fail", "responses": [
		{"error": "ask ada@example.com, token=abcdefgh1234"}]}]}}}`, "")
	w := newWorkspace(t, shop, `"permissions": {"allow": ["*"]}`)
	program := `for (const item of ["a", "missing"]) { try { await mcp.shop.price({ item }) } catch (e) {} }
try { await mcp.desk.fail({ secret: "argument of the user" }) } catch (e) {} throw new Error("in the end")`
	is.Equal(w.pml("", "run", "-e", "return 1").code, 0)
	is.Equal(len(c.traces()), 0) // there is no key
	c.client(w)
	var failed struct {
		RunID string `json:"run_id"`
	}
	w.decode(w.pml("", "run", "--json", "-e", program), &failed)
	list := c.traces()
	is.Equal(len(list), 1)
	var in told
	is.NoErr(json.Unmarshal([]byte(list[0]), &in))
	is.Equal(len(in.Traces), 1)
	r := in.Traces[0]
	is.Equal([]string{r.RunID, r.Status, r.Code}, []string{failed.RunID, "error", "CODE_ERROR"})
	is.Equal(r.Tools, []string{"shop:price", "desk:fail"})
	said := ""
	for _, s := range r.Spans {
		said += s.Tool + " " + s.Route + " " + s.Code + " " + s.Error + "\n"
	}
	is.True(strings.Contains(said, "shop:price client TOOL_ERROR \n"))
	is.True(strings.Contains(said, "desk:fail server TOOL_ERROR ask [mail], token=[key]\n"))
	for _, secret := range []string{"argument of the user", "no such item", "ada@example.com", "in the end", c.key} {
		is.True(!strings.Contains(list[0], secret))
	}
	status, _, body := c.get("/traces/" + failed.RunID)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, failed.RunID))
	w.write(".pml.json", `{"traces": false, "permissions": {"allow": ["*"]}}`)
	is.Equal(w.pml("", "run", "-e", "return 1").code, 0)
	is.Equal(len(c.traces()), 1)
	// Another tenant does not see it.
	c.key = strings.TrimSpace(c.home.pml("", "gateway", "key", "create", "--scope", "other.shop").stdout)
	status, _, _ = c.get("/traces/" + failed.RunID)
	is.Equal(status, http.StatusNotFound)
}

// A server that stays tells of many runs at once.
func TestTracesInBatches(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, `{"servers": {}}`, "")
	w := c.client(newWorkspace(t, shop, allowShop))
	client := w.stdio("{}", nil)
	for range 7 {
		client.execute("return 1")
	}
	client.close()
	runs := 0
	for _, body := range c.traces() {
		var in told
		is.NoErr(json.Unmarshal([]byte(body), &in))
		runs += len(in.Traces)
	}
	is.Equal(runs, 7)
	is.True(len(c.traces()) <= 2)
}

// A program that the gateway has handed back tells what came of it under the name that it was given.
func TestOutcomeOfHandedBack(t *testing.T) {
	is := is.New(t)
	c := startCloud(t, desk, "")
	w := c.client(newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["desk:*"]}`))
	var handed string
	c.pass = func(n int, rw http.ResponseWriter, r *http.Request, next http.Handler) {
		var asked struct {
			ID     int
			Params struct{ Name string }
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &asked)
		if asked.Params.Name != "execute" {
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			next.ServeHTTP(rw, r)
			return
		}
		// as a gateway does that has other tools than its catalogue said
		answer := c.execute(`await mcp.filesystem.read_file({ path: "x" })`, true)
		handed = answer.WorkflowID
		text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{"content": []any{},
			"structuredContent": map[string]any{"status": "execute_locally", "workflow_id": handed}}})
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write(text)
	}
	got := w.pml("", "run", "-e", `const a = await mcp.desk.get({ id: "1" }); const b = await mcp.desk.get({ id: "2" }); return [a.name, b.name].join()`)
	is.Equal(got.stdout+got.stderr, "name of 1,name of 2\n")
	is.True(handed != "")
	status, _, body := c.get("/traces/" + handed)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, `"workflow_id":"`+handed+`"`) && strings.Contains(body, `"status":"success"`))
}
