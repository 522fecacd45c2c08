package script

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// positionOf is where a thrown value comes from: for an Error where it was made, else where it was thrown.
func (r *realm) positionOf(u *unit, v goja.Value) (line, column int) {
	if u == nil {
		return 0, 0
	}
	if e, ok := v.(*goja.Object); ok && e.ClassName() == "Error" {
		for l := range strings.SplitSeq(textProp(e, "stack", ""), "\n") {
			if m := at.FindStringSubmatch(l); m != nil && m[1] == u.name {
				if textProp(e, "name", "") == "ToolError" {
					return u.place(u.callAt(u.offset(atoi(m[2]), atoi(m[3]))))
				}
				return place(u.text, atoi(m[2]), atoi(m[3]))
			}
		}
	}
	t := r.thrown
	if t.val != nil && t.val.SameAs(v) && u.name == "program-"+strconv.Itoa(t.unit)+".js" {
		return u.place(t.offset - 1)
	}
	return 0, 0
}

// place turns a byte offset in the unit's text into a position in the JavaScript given.
func (u *unit) place(offset int) (line, column int) {
	before := u.text[:max(0, min(offset, len(u.text)))]
	return place(u.text, 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n'))
}

// callAt gives the offset where the call begins whose parenthesis is at offset, which is where goja says that it is.
func (u *unit) callAt(offset int) int {
	prg, err := parse(u.name, u.text)
	if err != nil {
		return offset
	}
	begin := offset
	walk(reflect.ValueOf(prg.Body), visitor{enter: func(node any) {
		if n, ok := node.(*ast.CallExpression); ok && int(n.LeftParenthesis) == offset+1 {
			begin = int(n.Callee.Idx0()) - 1
		}
	}})
	return begin
}

// nearFrames is how far above a native the frame of the program is looked for.
const nearFrames = 8

// caller is the innermost frame of the program.
func (r *realm) caller() goja.StackFrame {
	for _, f := range r.rt.CaptureCallStack(nearFrames, make([]goja.StackFrame, 0, nearFrames)) {
		if r.files[f.SrcName()] != nil {
			return f
		}
	}
	return goja.StackFrame{}
}

// standing makes the error of a rejected call say where the call stands.
func (r *realm) standing(v goja.Value, from goja.StackFrame) goja.Value {
	e, ok := v.(*goja.Object)
	if !ok || e.ClassName() != "Error" || r.files[from.SrcName()] == nil {
		return v
	}
	var b bytes.Buffer
	b.WriteString(textProp(e, "name", "Error") + ": " + textProp(e, "message", "") + "\n\tat ")
	from.Write(&b)
	_ = e.DefineDataProperty("stack", r.string(b.String()), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return v
}

// placeIn is the innermost frame of a stack that lies in u.
func placeIn(u *unit, stack []goja.StackFrame) (line, column int) {
	for _, f := range stack {
		if u != nil && f.SrcName() == u.name {
			p := f.Position()
			return place(u.text, p.Line, p.Column)
		}
	}
	return 0, 0
}
