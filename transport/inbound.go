package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
)

// Progress is one progress notification of a call.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total"` // 0 if unknown
	Message  string  `json:"message"`
}

// parseProgress reads the params of notifications/progress; the token is the id of the call.
func parseProgress(params []byte) (p Progress, id int64, ok bool) {
	if json.Unmarshal(params, &p) != nil {
		return p, 0, false
	}
	id, ok = message{id: field(params, "progressToken")}.number()
	return p, id, ok
}

// levels are the log levels of MCP (RFC 5424) as slog's.
var levels = map[string]slog.Level{
	"debug": slog.LevelDebug, "info": slog.LevelInfo, "notice": slog.LevelInfo, "warning": slog.LevelWarn,
	"error": slog.LevelError, "critical": slog.LevelError, "alert": slog.LevelError, "emergency": slog.LevelError,
}

// logMessage logs the params of notifications/message.
func logMessage(log *slog.Logger, params []byte) {
	var m struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}
	_ = json.Unmarshal(params, &m)
	text, ok := unquote(m.Data)
	if !ok {
		text = string(m.Data)
	}
	log.Log(context.Background(), levels[m.Level], "server: "+text, "logger", m.Logger)
}

// rootsResult is the answer to roots/list: the workspace, if there is one.
func rootsResult(root string) []byte {
	if root == "" {
		return []byte(`{"roots":[]}`)
	}
	path := filepath.ToSlash(root)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	uri := url.URL{Scheme: "file", Path: path}
	return []byte(`{"roots":[{"uri":` + quoteJSON(uri.String()) + `,"name":"workspace"}]}`)
}

// relays reports whether what a server asks is somebody else's to answer.
func (x *session) relays(method string) bool {
	return x.server.pool.opts.Events.Asked != nil && (method == "sampling/createMessage" || method == "elicitation/create")
}

// relay lets Events.Asked answer a request of the server. The message's bytes are the reader's again when this returns.
func (x *session) relay(m message) {
	id, params := bytes.Clone(m.id), bytes.Clone(m.params)
	x.server.pool.run(func() {
		ctx, cancel := x.lifetime()
		defer cancel()
		out := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
		result, err := x.server.pool.opts.Events.Asked(ctx, x.server.config.Name, m.method, params)
		if err != nil {
			out = append(append(out, `,"error":{"code":-32603,"message":`...), quoteJSON(err.Error())+"}"...)
		} else {
			out = append(append(out, `,"result":`...), oneLine(result)...)
		}
		x.conn.send(append(out, "}\n"...))
	})
}

// lifetime is a context that ends with the session.
func (x *session) lifetime() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(x.server.pool.ctx)
	x.server.pool.run(func() {
		select {
		case <-x.gone:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, cancel
}
