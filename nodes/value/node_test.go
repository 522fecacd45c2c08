package value

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

var (
	seed     = flag.Uint64("seed", 2024, "seed of the random cases compared with Node")
	thorough = flag.Bool("thorough", false, "compare ten times as many random cases with Node")
)

// TestNode computes many things both here and in Node, and compares. Node is the reference.
func TestNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: THE DIFFERENTIAL TEST AGAINST NODE DID NOT RUN: node is not on PATH")
	}
	d := &differential{rand: rand.New(rand.NewPCG(*seed, 7))}
	numberCases(d)
	stringCases(d)
	caseMappingCases(d)
	operatorCases(d)
	jsonCases(d)
	d.run(t, node)
}

// differential collects calls and what we make of them.
type differential struct {
	rand  *rand.Rand
	input bytes.Buffer
	calls []call
}

type call struct {
	op   string
	args []Value
	got  string
}

// many is how many random cases to make where n would be thorough.
func (d *differential) many(n int) int {
	if *thorough {
		return n
	}
	return n / 10
}

// check notes that op of args gave got or err here. A document is passed to Node as JSON text.
func (d *differential) check(op string, got Value, err error, args ...Value) {
	d.input.WriteString(op)
	for _, a := range args {
		d.input.WriteByte('\t')
		d.input.WriteString(encode(a))
	}
	d.input.WriteByte('\n')
	d.calls = append(d.calls, call{op, args, encodeResult(got, err)})
}

func encodeResult(v Value, err error) string {
	if err == nil {
		return encode(v)
	}
	var thrown *Throw
	if !errors.As(err, &thrown) {
		return "not a Throw: " + err.Error()
	}
	return "e" + hexUnits(thrown.Error())
}

func encode(v Value) string {
	switch v := Force(v).(type) {
	case Undefined:
		return "u"
	case Null:
		return "z"
	case Bool:
		if v {
			return "t"
		}
		return "f"
	case Number:
		if v != v {
			return "n7ff8000000000001"
		}
		return fmt.Sprintf("n%016x", math.Float64bits(float64(v)))
	case String:
		return "s" + hexUnits(string(v))
	default:
		s, _, err := Stringify(v)
		if err != nil {
			return err.Error()
		}
		return "j" + hexUnits(s)
	}
}

func hexUnits(s string) string {
	var b strings.Builder
	for _, u := range ToUTF16(s) {
		fmt.Fprintf(&b, "%04x", u)
	}
	return b.String()
}

func (d *differential) run(t *testing.T, node string) {
	cmd := exec.Command(node, "testdata/reference.mjs")
	cmd.Stdin = &d.input
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(d.calls) {
		t.Fatalf("node answered %d of %d calls", len(lines), len(d.calls))
	}
	failed := map[string]int{}
	for i, c := range d.calls {
		if lines[i] == c.got {
			continue
		}
		if failed[c.op]++; failed[c.op] <= 8 {
			t.Errorf("%s%s:\n got  %s\n node %s", c.op, renderArgs(c.args), readable(c.got), readable(lines[i]))
		}
	}
	if len(failed) > 0 {
		t.Errorf("mismatches by operation: %v", failed)
	}
	t.Logf("%d calls compared", len(d.calls))
}

func renderArgs(args []Value) string {
	var parts []string
	for _, a := range args {
		parts = append(parts, Inspect(a)+" "+encode(a)[:min(80, len(encode(a)))])
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func readable(encoded string) string {
	if encoded == "" {
		return "nothing"
	}
	switch encoded[0] {
	case 's', 'e', 'j':
		var units []uint16
		for i := 1; i+4 <= len(encoded); i += 4 {
			var u uint16
			fmt.Sscanf(encoded[i:i+4], "%04x", &u)
			units = append(units, u)
		}
		return encoded[:1] + fmt.Sprintf("%+q", FromUTF16(units))
	case 'n':
		var bits uint64
		fmt.Sscanf(encoded[1:], "%016x", &bits)
		return encoded + " " + NumberToString(math.Float64frombits(bits))
	}
	return encoded
}

// double is a random number of awkward magnitude.
func (d *differential) double() float64 {
	r := d.rand
	switch r.IntN(9) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return float64(r.IntN(2000) - 1000)
	case 2:
		return float64(r.IntN(2_000_000)-1_000_000) / math.Pow10(r.IntN(8))
	case 3:
		return float64(r.Int64() - 1<<62)
	case 4:
		return math.Ldexp(float64(r.IntN(1<<20)-1<<19), r.IntN(120)-60)
	case 5:
		return r.NormFloat64()
	case 6:
		return []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0.5, 1e21, 1e-6, 1e-7,
			123456789012345680000, 5e-324, math.MaxFloat64, 1 << 53, 1<<53 - 1, 1 << 31, 1 << 32, -1 << 31, 4294967295,
			2.5, 1.005, 1.45, 0.000001, 1e300, -1e300, 2, 3, 10}[r.IntN(29)]
	case 7:
		return math.Nextafter(math.Pow10(r.IntN(40)-20), float64(r.IntN(3)-1)*1e300)
	}
	return float64(r.IntN(1<<30)) + float64(r.IntN(16))/8
}

// text is a random string of code units, with pairs and lone surrogates.
func (d *differential) text(most int) string {
	pieces := []string{"a", "b", "Z", "0", " ", "é", "ß", "İ", "Σ", "σ", "ς", "\u200b", "\ufeff", "\u2028", "한",
		"\ue000",
		"\uffff", "😀", "😁", "𐀀", "\U0010ffff", "\n", "\t", `"`, `\`, "\x00", "\x1f", "\x7f", "'", "ŉ", "ﬁ"}
	n := d.rand.IntN(most + 1)
	units := make([]uint16, 0, n)
	for range n {
		switch d.rand.IntN(6) {
		case 0:
			units = append(units, uint16(0xD83C+d.rand.IntN(3)))
		case 1:
			units = append(units, uint16(0xDE00+d.rand.IntN(3)))
		default:
			units = append(units, ToUTF16(pieces[d.rand.IntN(len(pieces))])...)
		}
	}
	return FromUTF16(units)
}
