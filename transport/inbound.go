package transport

import (
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
