package script

import (
	"errors"
	"testing"
)

// TestOverflowIsCaught: a program can catch what endless recursion throws, as often as it likes, and go on.
func TestOverflowIsCaught(t *testing.T) {
	programs := []string{
		"const f = () => f(); try { f() } catch (e) { return [e.name, e.message, e instanceof RangeError] }",
		"const f = (n) => f(n + 1) + 1; let r; try { r = f(0) } catch (e) { r = e.message } return r",
		"function f() { try { return f() } finally { } } try { f() } catch (e) { return String(e) }",
		"const f = async () => { await f() }; try { await f() } catch (e) { return e.message }",
		"const f = async () => { await f() }; return f().catch((e) => e.message)",
		"class A { m() { return this.m() } } try { new A().m() } catch (e) { return e.message }",
		"class A { constructor() { new A() } } try { new A() } catch (e) { return e.message }",
		"const f = () => [1].map(f); try { f() } catch (e) { return e.message }",
		"const o = { toString() { return `${this}` } }; try { return String(o) } catch (e) { return e.message }",
		"const even = (n) => n === 0 || odd(n - 1), odd = (n) => n !== 0 && even(n - 1)\n" +
			"try { return even(1e6) } catch (e) { return e.message }",
		"const f = () => f(); return await Promise.resolve().then(f).then(() => 1, (e) => e.message)",
		"const depth = (n) => n === 0 ? 0 : 1 + depth(n - 1)\ntry { return depth(7000) } catch (e) { return e.message }",
		"const f = () => f(); for (let i = 0; i < 5; i++) try { f() } catch (e) { console.log(i, e.message, [{ i }]) }",
		"const s = JSON.stringify, o = { toJSON() { return s(o) } }; try { s(o) } catch (e) { return e.message }",
	}
	want := runNode(t, programs)
	p := newPool(t, Limits{}, 2)
	for i, js := range programs {
		if got := runOurs(t, p, js); got.Result != want[i].Result || got.Error != want[i].Error {
			t.Errorf("%s\n got %s%s\nwant %s%s", js, got.Result, got.Error, want[i].Result, want[i].Error)
		}
	}
}

// TestOverflowPosition: caught and thrown again, or never caught, it stands at the same call.
func TestOverflowPosition(t *testing.T) {
	for _, js := range []string{
		"const f = () => f(); f()", "const f = () => f(); f() // catch",
		"const f = () => f(); try { f() } catch (e) { throw e }",
	} {
		_, err := run(t, Fragment{JS: js})
		var ex *Exception
		if !errors.As(err, &ex) || ex.Line != 1 || ex.Column != 18 {
			t.Errorf("%s: got %v %+v", js, err, ex)
		}
	}
}
