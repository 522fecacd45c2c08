// Package crypto is the built-in server for digests, encodings and randomness. It runs at a gateway and changes nothing.
package crypto

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

var algorithms = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New}

var encodings = map[string]func([]byte) string{"hex": hex.EncodeToString, "base64": base64.StdEncoding.EncodeToString,
	"base64url": base64.RawURLEncoding.EncodeToString}

// random are the hints of a tool that changes nothing and says something else each time.
var random = tool.Hints{ReadOnly: true}

// mostRandom is how many random bytes one call gives.
const mostRandom = 1024

// Tools lists the tools of the server.
func Tools() []tool.Tool {
	algorithm := choice("The digest", algorithms).Or("sha256")
	encoding := choice("How bytes are written", encodings).Or("hex")
	text := tool.Req("text", tool.String("The text; its UTF-8 bytes count"))
	return []tool.Tool{
		{Name: "hash", Title: "Hash", Hints: tool.Reads, Run: digest, Description: "Compute the digest of a text.",
			Input: tool.Object(text, tool.Opt("algorithm", algorithm), tool.Opt("encoding", encoding))},
		{Name: "hmac", Title: "HMAC", Hints: tool.Reads, Run: mac,
			Description: "Compute the keyed digest of a text (RFC 2104).",
			Input: tool.Object(text, tool.Req("key", tool.String("The key")), tool.Opt("algorithm", algorithm),
				tool.Opt("encoding", encoding))},
		{Name: "encode", Title: "Encode", Hints: tool.Reads, Run: encode,
			Description: "Write the bytes of a text in hexadecimal or base64.",
			Input:       tool.Object(text, tool.Opt("encoding", choice("How bytes are written", encodings).Or("base64")))},
		{Name: "decode", Title: "Decode", Hints: tool.Reads, Run: decode, Output: textOutput(),
			Description: "Read a text that was written in hexadecimal or base64.",
			Input:       tool.Object(text, tool.Opt("encoding", choice("How bytes are written", encodings).Or("base64")))},
		{Name: "uuid", Title: "UUID", Hints: random, Run: newUUID, Description: "Make a random UUID (version 4).",
			Input: tool.Object()},
		{Name: "random", Title: "Random Bytes", Hints: random, Run: randomBytes, Description: "Make random bytes.",
			Input: tool.Object(tool.Opt("bytes", tool.Integer("How many, at most 1024", 1).Or(16)), tool.Opt("encoding", encoding))},
	}
}

// textOutput is the schema of a result that is a text, even if that looks like JSON.
func textOutput() *tool.Schema {
	s := tool.Closed(tool.Req("text", tool.Schema{Type: "string"}))
	return &s
}

// choice is the schema of one of the names.
func choice[T any](description string, from map[string]T) tool.Schema {
	s := tool.String(description)
	s.Enum = slices.Sorted(maps.Keys(from))
	return s
}

func named[T any](from map[string]T, name, otherwise string) T {
	if name == "" {
		name = otherwise
	}
	return from[name]
}

func digest(_ context.Context, args tool.Args) (*tool.Result, error) {
	h := named(algorithms, args.String("algorithm"), "sha256")()
	h.Write([]byte(args.String("text")))
	return tool.Text(named(encodings, args.String("encoding"), "hex")(h.Sum(nil))), nil
}

func mac(_ context.Context, args tool.Args) (*tool.Result, error) {
	h := hmac.New(named(algorithms, args.String("algorithm"), "sha256"), []byte(args.String("key")))
	h.Write([]byte(args.String("text")))
	return tool.Text(named(encodings, args.String("encoding"), "hex")(h.Sum(nil))), nil
}

func encode(_ context.Context, args tool.Args) (*tool.Result, error) {
	return tool.Text(named(encodings, args.String("encoding"), "base64")([]byte(args.String("text")))), nil
}

func decode(_ context.Context, args tool.Args) (*tool.Result, error) {
	var raw []byte
	var err error
	switch text := args.String("text"); args.String("encoding") {
	case "hex":
		raw, err = hex.DecodeString(text)
	case "base64url":
		raw, err = base64.RawURLEncoding.DecodeString(text)
	default:
		raw, err = base64.StdEncoding.DecodeString(text)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("it cannot be decoded: %w", err)
	case !utf8.Valid(raw):
		return nil, fmt.Errorf("its %d bytes are no text in UTF-8", len(raw))
	}
	text := string(raw)
	return tool.Structured(map[string]any{"text": text}, text), nil
}

func newUUID(context.Context, tool.Args) (*tool.Result, error) {
	return tool.Text(uuid.NewString()), nil
}

func randomBytes(_ context.Context, args tool.Args) (*tool.Result, error) {
	n := int(args.Number("bytes", 16))
	if n > mostRandom {
		return nil, fmt.Errorf("at most %d bytes at once", mostRandom)
	}
	raw := make([]byte, n)
	_, _ = rand.Read(raw)
	return tool.Text(named(encodings, args.String("encoding"), "hex")(raw)), nil
}
