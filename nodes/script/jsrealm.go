package script

import (
	crand "crypto/rand"
	"embed"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

//go:embed prelude/*.js
var preludeFS embed.FS

// preludeFiles run in this order; the first makes the object that the others are called with.
var preludeFiles = []string{"base.js", "host.js", "tools.js", "clone.js", "url.js", "inspect.js"}

// preludes are the compiled files, made once per process.
var preludes = sync.OnceValues(func() ([]*goja.Program, error) {
	var list []*goja.Program
	for _, name := range preludeFiles {
		text, err := preludeFS.ReadFile("prelude/" + name)
		if err != nil {
			return nil, err
		}
		prg, err := goja.Parse(name, string(text), parser.WithDisableSourceMaps)
		if err != nil {
			return nil, err
		}
		compiled, err := goja.CompileAST(prg, true)
		if err != nil {
			return nil, err
		}
		list = append(list, compiled)
	}
	return list, nil
})

// maxCallDepth is how deep JavaScript calls may nest; Node's default stack holds about as many plain calls.
const maxCallDepth = 10400

// realm is the JavaScript side of a child: one goja runtime with its event loop. One goroutine owns it.
type realm struct {
	c     *child
	rt    *goja.Runtime
	units map[string]*unit // by text
	files map[string]*unit // by name

	objectProto, arrayProto *goja.Object
	errorProtos             map[*goja.Object]bool
	errorClasses            map[string]*goja.Object
	stringify               goja.Callable
	rich                    map[string]richClass
	richProtos              map[*goja.Object]string
	// arriving is set while arguments are being made, arrived while an execution has them.
	arriving, arrived *arrivals

	loop
	// thrown is the last value that a throw statement threw, and where.
	thrown struct {
		val    goja.Value
		unit   int
		offset int
	}
	// stopped says why the realm must stop, if it must; it is set by other goroutines.
	stopped atomic.Value
	wake    chan struct{}
	// began is where performance.now() begins, in µs since 1970; clock and random are the program's.
	began int64
	clock clock
	again []byte // what the clock must say in the next fragment
	// firedThen are the timers that must fire again in the next fragment.
	firedThen []firing
	random    *rand.ChaCha8
	// orders are made on demand, by their options.
	orders map[string]*order
}

// newRealm makes a realm and runs the prelude in it.
func newRealm(c *child) (*realm, error) {
	r := &realm{c: c, rt: goja.New(), units: map[string]*unit{}, files: map[string]*unit{}, began: time.Now().UnixMicro(),
		wake: make(chan struct{}, 1)}
	r.loop.calls = map[int]pendingCall{}
	r.reseed(nil)
	r.rt.SetTimeSource(r.clock.now)
	r.rt.SetRandSource(func() float64 { return float64(r.random.Uint64()>>11) / (1 << 53) })
	r.rt.SetMaxCallStackSize(maxCallDepth)
	list, err := preludes()
	if err != nil {
		return nil, err
	}
	native := r.natives()
	var tools goja.Value
	for i, prg := range list {
		fn, err := r.rt.RunProgram(prg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", preludeFiles[i], err)
		}
		call, _ := goja.AssertFunction(fn)
		arg := tools
		if i == 0 {
			arg = native
		}
		out, err := call(goja.Undefined(), arg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", preludeFiles[i], err)
		}
		if i == 0 {
			tools = out
		}
	}
	r.stringify, _ = goja.AssertFunction(r.rt.Get("JSON").(*goja.Object).Get("stringify"))
	r.remember()
	return r, nil
}

// reseed makes all randomness come from seed; without one it is anybody's guess.
func (r *realm) reseed(seed []byte) {
	var s [32]byte
	if copy(s[:], seed) == 0 {
		_, _ = crand.Read(s[:])
	}
	r.random = rand.NewChaCha8(s)
}

// remember keeps the intrinsics that values are recognised by, before the program can change them.
func (r *realm) remember() {
	proto := func(class string) *goja.Object { return r.rt.Get(class).(*goja.Object).Get("prototype").(*goja.Object) }
	r.objectProto, r.arrayProto = proto("Object"), proto("Array")
	r.rememberRich()
	r.errorProtos, r.errorClasses = map[*goja.Object]bool{}, map[string]*goja.Object{}
	for _, name := range []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError",
		"URIError", "AggregateError", "ToolError", "DOMException"} {
		r.errorProtos[proto(name)] = true
		if name != "AggregateError" && name != "DOMException" {
			r.errorClasses[name] = r.rt.Get(name).(*goja.Object)
		}
	}
}

// stop makes the realm stop as soon as it can; safe for other goroutines.
func (r *realm) stop(reason stopReason) {
	if r.stopped.CompareAndSwap(nil, reason) {
		r.rt.Interrupt(reason)
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}
