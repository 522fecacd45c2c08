package transport

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// message is one JSON-RPC message as it arrived; its slices point into the line.
type message struct {
	id      []byte // raw; nil for a notification
	method  string // "" for a response
	params  []byte
	result  []byte
	failure []byte // the raw error
}

// parseMessage finds the fields of the message that starts at i of line and the offset behind it; -1 if it is none.
func parseMessage(line []byte, i int) (m message, end int) {
	end = scanObject(line, i, func(key []byte, at int) int {
		end := skipValue(line, at)
		if end < 0 {
			return -1
		}
		raw := line[at:end:end]
		switch string(key) {
		case "id":
			if string(raw) != "null" {
				m.id = raw
			}
		case "method":
			m.method, _ = unquote(raw)
		case "params":
			m.params = raw
		case "result":
			m.result = raw
		case "error":
			if string(raw) != "null" {
				m.failure = raw
			}
		}
		return end
	})
	return m, end
}

// parseLine calls handle for the message in line, or for each one of a batch. false: the line is something else.
func parseLine(line []byte, handle func(message)) bool {
	i := skipSpace(line, 0)
	if i < len(line) && line[i] == '[' {
		var batch []message
		end := scanArray(line, i, func(at int) int {
			m, end := parseMessage(line, at)
			batch = append(batch, m)
			return end
		})
		if end < 0 || skipSpace(line, end) != len(line) {
			return false
		}
		for _, m := range batch {
			handle(m)
		}
		return true
	}
	m, end := parseMessage(line, i)
	if end < 0 || skipSpace(line, end) != len(line) {
		return false
	}
	handle(m)
	return true
}

// number reads the id of a response to one of our requests, which some servers send back as a string.
func (m message) number() (int64, bool) {
	n, err := strconv.ParseInt(string(bytes.Trim(m.id, `"`)), 10, 64)
	return n, err == nil
}

// rpcError is a JSON-RPC error object.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (m message) rpcError() *rpcError {
	if m.failure == nil {
		return nil
	}
	var e rpcError
	if json.Unmarshal(m.failure, &e) != nil {
		e.Message = string(m.failure)
	}
	return &e
}

// appendRequest writes a request line.
func appendRequest(out []byte, id int64, method string, params []byte) []byte {
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = strconv.AppendInt(out, id, 10)
	out = append(append(append(out, `,"method":"`...), method...), `","params":`...)
	return append(append(out, params...), "}\n"...)
}

// notification is a notification line.
func notification(method, params string) []byte {
	return []byte(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + "}\n")
}

// oneLine makes JSON text fit on a line: a raw line break can only stand between tokens.
func oneLine(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	raw = bytes.ReplaceAll(raw, []byte("\n"), []byte(" "))
	return bytes.ReplaceAll(raw, []byte("\r"), []byte(" "))
}

// quoteJSON is s as a JSON string.
func quoteJSON(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}
