package transport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// PartTool is the tool of a gateway that executes a part of a program.
const PartTool = "pml:part"

// PartOutcome is what one call of a part came to, or that it is under way.
type PartOutcome struct {
	// Path is the call's path in the part as its sender has it, Digest that of the arguments it was made with.
	Path   string `json:"path"`
	Digest string `json:"digest"`
	// Result is the tool's result; without one, Code and Error say why there is none.
	Result json.RawMessage `json:"result,omitempty"`
	Code   nodes.ErrorCode `json:"code,omitempty"`
	Error  string          `json:"error,omitempty"`
	// Sent says no more than that the call is under way, so that those behind it need not wait for what it comes to.
	Sent bool `json:"sent,omitempty"`
}

// Outcome is the result of the call, or its error.
func (o *PartOutcome) Outcome(tool nodes.ToolID) (*Result, error) {
	if o.Code != "" {
		return nil, &Error{Code: o.Code, Message: o.Error, Server: tool.Server(), Tool: tool.Name()}
	}
	return ParseResult(o.Result)
}

// ArgsDigest tells arguments apart, however they are spaced.
func ArgsDigest(args []byte) string {
	var text bytes.Buffer
	if json.Compact(&text, args) != nil {
		text.Reset()
		text.Write(args)
	}
	sum := sha256.Sum256(text.Bytes())
	return hex.EncodeToString(sum[:16])
}

// Part is a part of a program that is sent as one request.
type Part struct {
	// Key names the request; every call in Body has a key of its own.
	Key  string
	Body []byte
	// Keys are the caller's own keys for all tools in it; each is used for the tools that declare it.
	Keys map[string]string
	// Sent is called once, when the request has left.
	Sent func()
	// Came is told what the calls come to, as they do; of some only Part's result tells. It is called on the goroutine of
	// Part.
	Came func(PartOutcome)
}

// Part sends a part of a program, and returns what its calls came to. It takes as long as ctx allows. An error with the
// code INVALID_ARGUMENTS says that the gateway does not understand the part.
func (c *Cloud) Part(ctx context.Context, p Part) ([]PartOutcome, error) {
	args, err := json.Marshal(map[string][]byte{"part": p.Body})
	if err != nil {
		return nil, err
	}
	r, err := c.Call(ctx, CloudCall{Tool: PartTool, Args: args, Key: p.Key, Keys: p.Keys, Sent: p.Sent, Patience: partPatience,
		Progress: func(g Progress) {
			var o PartOutcome
			if p.Came != nil && json.Unmarshal([]byte(g.Message), &o) == nil && o.Path != "" {
				p.Came(o)
			}
		}})
	if err != nil {
		return nil, err
	}
	var list []PartOutcome
	if len(r.Content) != 1 || json.Unmarshal([]byte(r.Content[0].Text), &list) != nil {
		return nil, &Error{Code: nodes.CloudUnavailable, Server: c.remote.config.Name, Message: "the gateway did not say what came of a part"}
	}
	return list, nil
}

// partPatience is how long a part may take: as long as a run.
const partPatience = 5 * time.Minute
