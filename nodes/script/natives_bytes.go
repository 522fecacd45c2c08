package script

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/casys-ai/pml/nodes/value"
	"github.com/dop251/goja"
)

func (r *realm) nativeWellFormed(c goja.FunctionCall) goja.Value {
	s := argText(c, 0)
	if c.Argument(1).ToBoolean() {
		return r.rt.ToValue(value.IsWellFormed(s))
	}
	return r.string(value.ToWellFormed(s))
}

func (r *realm) nativeUTF8(c goja.FunctionCall) goja.Value {
	return r.rt.ToValue(r.rt.NewArrayBuffer([]byte(value.ToWellFormed(argText(c, 0)))))
}

func (r *realm) nativeFromUTF8(c goja.FunctionCall) goja.Value {
	buf, ok := c.Argument(0).Export().(goja.ArrayBuffer)
	if !ok || (c.Argument(1).ToBoolean() && !utf8.Valid(buf.Bytes())) {
		return goja.Undefined()
	}
	return r.string(value.DecodeUTF8(buf.Bytes()))
}

// nativeBtoa encodes a string of bytes, undefined if it is none.
func (r *realm) nativeBtoa(c goja.FunctionCall) goja.Value {
	text := argText(c, 0)
	raw := make([]byte, 0, len(text))
	for _, p := range text {
		if p > 0xFF {
			return goja.Undefined()
		}
		raw = append(raw, byte(p))
	}
	return r.rt.ToValue(base64.StdEncoding.EncodeToString(raw))
}

// nativeAtob is the forgiving-base64 decode of the Infra standard, undefined on failure.
func (r *realm) nativeAtob(c goja.FunctionCall) goja.Value {
	text := strings.Map(func(p rune) rune {
		if strings.ContainsRune(" \t\n\f\r", p) {
			return -1
		}
		return p
	}, argText(c, 0))
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return goja.Undefined()
	}
	out := make([]rune, len(raw))
	for i, b := range raw {
		out[i] = rune(b)
	}
	return r.rt.ToValue(string(out))
}

func (r *realm) nativeUUID(goja.FunctionCall) goja.Value {
	var b [16]byte
	_, _ = r.random.Read(b[:])
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80
	return r.rt.ToValue(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}

func (r *realm) nativeRandom(c goja.FunctionCall) goja.Value {
	n := c.Argument(0).ToInteger()
	if n > 65536 {
		return r.raise("RangeError", "The requested length exceeds 65,536 bytes")
	}
	b := make([]byte, n)
	_, _ = r.random.Read(b)
	return r.rt.ToValue(r.rt.NewArrayBuffer(b))
}

func (r *realm) nativeUptime(goja.FunctionCall) goja.Value {
	return r.rt.ToValue(float64(r.clock.read(time.Microsecond)-r.began) / 1000)
}
