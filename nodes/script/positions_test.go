package script

import (
	"errors"
	"strings"
	"testing"
)

// TestPlacesOfExceptions: an exception stands where | is: an Error where it was made, a failed call where it was made.
func TestPlacesOfExceptions(t *testing.T) {
	for _, marked := range []string{
		"const a = 1;\nawait |mcp.t.fail({ a })",
		"/* é😀 */ const p = |mcp.t.fail();\nawait mcp.t.echo(1)\nawait p",
		"const f = async (x) => {\n  return await |mcp.t['fail'](x) }\ntry { await f(1) } catch (e) { throw e }",
		"await Promise.all(|[1, 2].map(mcp.t.fail))",
		"const { t } = mcp; await Promise.all([mcp.t.slow({ ms: 5 }), 2].map((x) => |t.fail(x)))",
		"await null; const { fail } = mcp.t\nfor (const x of [1]) await\n  |fail(x)",
		"try { await mcp.t.fail() } catch (e) {\n  throw |new Error('x', { cause: e }) }",
		"try { await mcp.t.fail() } catch (e) {\n  throw |new ToolError('x') }",
		"throw |'text'",
	} {
		js := strings.Replace(marked, "|", "", 1)
		before := marked[:strings.IndexByte(marked, '|')]
		line := 1 + strings.Count(before, "\n")
		column := 1
		for _, c := range before[strings.LastIndexByte(before, '\n')+1:] {
			column++
			if c > 0xffff {
				column++
			}
		}
		_, err := run(t, Fragment{JS: js})
		var ex *Exception
		if !errors.As(err, &ex) || ex.Line != line || ex.Column != column {
			t.Errorf("%s: got %v %+v, want %d:%d", marked, err, ex, line, column)
		}
	}
}
