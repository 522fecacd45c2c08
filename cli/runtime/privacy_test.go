package runtime_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/fixtures"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport"
)

// TestWhatIsLocalStaysHere runs every fixture with some of its servers here and some in the cloud, and looks at all that is
// sent: a text that a tool of this machine was given, or has given, is in it only if the program hands it to a tool of the
// cloud.
func TestWhatIsLocalStaysHere(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: starts many processes")
	}
	cases, err := fixtures.Load()
	if err != nil {
		t.Fatal(err)
	}
	mixed := 0
	for _, c := range cases {
		var config struct{ Servers map[string]json.RawMessage }
		if err := json.Unmarshal(c.Tools, &config); err != nil {
			t.Fatal(err)
		}
		if len(config.Servers) < 2 {
			continue
		}
		mixed++
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			stays(t, c)
		})
	}
	if mixed < 20 {
		t.Errorf("only %d fixtures have several servers", mixed)
	}
}

func stays(t *testing.T, c *fixtures.Case) {
	local := func(i int) bool { return i%2 == 0 }
	there, here := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "log")
	logging := func(path string) func(*runtime.Config) {
		return func(c *runtime.Config) {
			for i := range c.Servers {
				c.Servers[i].Args = append(slices.Clone(c.Servers[i].Args), "-log", path)
			}
		}
	}
	cloud := newCloudSide(t, string(c.Tools), logging(there))
	var mine []string
	s := open(t, string(c.Tools), logging(here), func(config *runtime.Config) {
		config.Servers = slices.DeleteFunc(config.Servers, func(e runtime.ServerEntry) bool {
			return !e.BuiltIn && !local(slices.IndexFunc(config.Servers, func(x runtime.ServerEntry) bool { return x.Name == e.Name }))
		})
		for _, e := range config.Servers {
			mine = append(mine, e.Name)
		}
		config.Cloud = transport.NewCloud(transport.CloudConfig{URL: cloud.web.URL, Key: cloud.key}, transport.PoolOptions{})
	})
	p, err := s.Plan(t.Context(), c.Program, runtime.PlanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var secrets []string
	s.Run(t.Context(), p, nil, runtime.RunOptions{Received: func(id nodes.ToolID, r call.Reply) {
		if !slices.Contains(mine, id.Server()) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, b := range r.Content {
			var v any
			if json.Unmarshal([]byte(b.Text), &v) != nil {
				v = b.Text
			}
			secrets = append(secrets, textsIn(v)...)
		}
	}})
	for _, args := range argsIn(t, here) {
		secrets = append(secrets, textsIn(args)...)
	}
	given := ""
	for _, args := range argsIn(t, there) {
		given += strings.Join(textsIn(args), "\x00") + "\x00"
	}
	sent := strings.Join(cloud.sent, "\n")
	for _, text := range secrets {
		if len(text) >= 6 && strings.Contains(sent, text) && !strings.Contains(given, text) {
			t.Errorf("%q was sent, and the program hands it to no tool of the cloud", text)
		}
	}
}

// argsIn are the arguments and the tools of the calls in a log of a test server.
func argsIn(t *testing.T, path string) (list []any) {
	t.Helper()
	log, err := os.ReadFile(path)
	if err != nil {
		return nil // nothing was called
	}
	for line := range strings.Lines(string(log)) {
		var e struct {
			Event, Server, Tool string
			Args                any
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == "start" {
			list = append(list, e.Args, e.Server+":"+e.Tool) // which tool is called may depend on what is local
		}
	}
	return list
}

// textsIn are the texts in a JSON value.
func textsIn(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, x := range v {
			list = append(list, textsIn(x)...)
		}
	case map[string]any:
		for _, x := range v {
			list = append(list, textsIn(x)...)
		}
	}
	return list
}
