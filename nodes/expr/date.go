package expr

import (
	"fmt"
	"math"
	"time"

	"github.com/casys-ai/pml/nodes/value"
)

// maxTime is the largest time value (ECMAScript §21.4.1.1).
const maxTime = 8.64e15

const msPerDay = 86400000

func timeClip(t float64) float64 {
	if !isFinite(t) || math.Abs(t) > maxTime {
		return math.NaN()
	}
	return math.Trunc(t) + 0
}

// daysFromCivil counts days since the epoch; month counts from 0 and may be any integer.
func daysFromCivil(year, month float64) float64 {
	year += math.Floor(month / 12)
	month = math.Mod(math.Mod(month, 12)+12, 12)
	if month <= 1 {
		year--
	}
	era := math.Floor(year / 400)
	yoe := year - era*400
	mp := math.Mod(month+10, 12)
	doy := math.Floor((153*mp + 2) / 5)
	doe := yoe*365 + math.Floor(yoe/4) - math.Floor(yoe/100) + doy
	return era*146097 + doe - 719468
}

// civil is a date in UTC.
type civil struct {
	year                                     int
	month, day, hour, minute, second, ms, wd int
}

func civilOf(t float64) civil {
	days := math.Floor(t / msPerDay)
	rest := int(t - days*msPerDay)
	z := int(days) + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	month := (mp + 2) % 12
	year := yoe + era*400
	if month <= 1 {
		year++
	}
	wd := (int(days)%7 + 11) % 7
	return civil{year, month, doy - (153*mp+2)/5 + 1, rest / 3600000, rest / 60000 % 60, rest / 1000 % 60, rest % 1000, wd}
}

// iso writes t as toISOString does.
func iso(t float64) string {
	c := civilOf(t)
	year := fmt.Sprintf("%04d", c.year)
	if c.year < 0 {
		year = fmt.Sprintf("-%06d", -c.year)
	} else if c.year > 9999 {
		year = fmt.Sprintf("+%06d", c.year)
	}
	return fmt.Sprintf("%s-%02d-%02dT%02d:%02d:%02d.%03dZ", year, c.month+1, c.day, c.hour, c.minute, c.second, c.ms)
}

type dateNative = func(m *machine, d *date, args []value.Value) value.Value

// getter makes one of the getUTC methods.
func getter(pick func(civil) int) dateNative {
	return func(_ *machine, d *date, _ []value.Value) value.Value {
		if math.IsNaN(d.t) {
			return nan
		}
		return integer(pick(civilOf(d.t)))
	}
}

// dateNatives are the methods of Date.prototype that do not depend on the place of the host (ECMAScript §21.4.4).
var dateNatives = map[string]dateNative{
	"getTime":            func(_ *machine, d *date, _ []value.Value) value.Value { return number(d.t) },
	"valueOf":            func(_ *machine, d *date, _ []value.Value) value.Value { return number(d.t) },
	"getUTCFullYear":     getter(func(c civil) int { return c.year }),
	"getUTCMonth":        getter(func(c civil) int { return c.month }),
	"getUTCDate":         getter(func(c civil) int { return c.day }),
	"getUTCDay":          getter(func(c civil) int { return c.wd }),
	"getUTCHours":        getter(func(c civil) int { return c.hour }),
	"getUTCMinutes":      getter(func(c civil) int { return c.minute }),
	"getUTCSeconds":      getter(func(c civil) int { return c.second }),
	"getUTCMilliseconds": getter(func(c civil) int { return c.ms }),
	"toISOString": func(m *machine, d *date, _ []value.Value) value.Value {
		if math.IsNaN(d.t) {
			m.rangeError("Invalid time value")
		}
		return str(iso(d.t))
	},
	"toJSON": func(_ *machine, d *date, _ []value.Value) value.Value {
		if math.IsNaN(d.t) {
			return value.Null{}
		}
		return str(iso(d.t))
	},
	"toUTCString": func(_ *machine, d *date, _ []value.Value) value.Value {
		if math.IsNaN(d.t) {
			return str("Invalid Date")
		}
		c := civilOf(d.t)
		year := fmt.Sprintf("%04d", c.year)
		if c.year < 0 {
			year = fmt.Sprintf("-%04d", -c.year)
		}
		return str(fmt.Sprintf("%s, %02d %s %s %02d:%02d:%02d GMT", dayNames[c.wd], c.day, monthNames[c.month], year,
			c.hour, c.minute, c.second))
	},
}

var (
	dayNames   = [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
	monthNames = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

var dateStatics = map[string]value.Value{
	"parse": builtin("parse", func(m *machine, args []value.Value) value.Value {
		return number(m.parseDate(m.toString(arg(args, 0))))
	}),
	"UTC": builtin("UTC", func(m *machine, args []value.Value) value.Value {
		part := [7]float64{math.NaN(), 0, 1}
		for i := range part {
			if i < len(args) {
				part[i] = m.toNumber(args[i])
			}
		}
		for i, f := range part {
			if !isFinite(f) {
				return nan
			}
			part[i] = math.Trunc(f)
		}
		if part[0] >= 0 && part[0] <= 99 {
			part[0] += 1900
		}
		if math.Abs(part[0]) > 400000 || math.Abs(part[1]) > 5e6 {
			return nan
		}
		days := daysFromCivil(part[0], part[1]) + part[2] - 1
		t := part[3]*3600000 + part[4]*60000 + part[5]*1000 + part[6]
		return number(timeClip(days*msPerDay + t))
	}),
}

// newDate is new Date(value).
func newDate(m *machine, _ value.Value, args []value.Value) value.Value {
	v := arg(args, 0)
	if d, ok := v.(*date); ok {
		return &date{d.t}
	}
	v = m.toPrimitive(v, "default")
	if s, ok := v.(value.String); ok {
		return &date{m.parseDate(string(s))}
	}
	return &date{timeClip(m.toNumber(v))}
}

// dateText reads the date time string format (§21.4.1.32).
type dateText struct {
	s  string
	ok bool
}

func (d *dateText) digits(n int) float64 {
	if len(d.s) < n {
		d.ok = false
		return 0
	}
	f := 0.0
	for i := 0; i < n; i++ {
		c := d.s[i]
		if c < '0' || c > '9' {
			d.ok = false
			return 0
		}
		f = f*10 + float64(c-'0')
	}
	d.s = d.s[n:]
	return f
}

func (d *dateText) eat(c byte) bool {
	if d.s != "" && d.s[0] == c {
		d.s = d.s[1:]
		return true
	}
	return false
}

func (d *dateText) year() float64 {
	switch {
	case d.eat('+'):
		return d.digits(6)
	case d.eat('-'):
		y := d.digits(6)
		if y == 0 {
			d.ok = false
		}
		return -y
	}
	return d.digits(4)
}

// parseDate is Date.parse of the ISO forms. What V8's legacy parser would have to read is refused.
func (m *machine) parseDate(s string) float64 {
	d := &dateText{s: s, ok: true}
	year, month, day := d.year(), 1.0, 1.0
	if d.ok && d.eat('-') {
		month = d.digits(2)
		if d.ok && d.eat('-') {
			day = d.digits(2)
		}
	}
	t, local := 0.0, false
	if d.ok && d.eat('T') {
		t, local = d.time()
	}
	if !d.ok || d.s != "" {
		m.legacyDate(s)
		return math.NaN()
	}
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || math.IsNaN(t) {
		m.legacyDate(s)
		return math.NaN()
	}
	ms := (daysFromCivil(year, month-1)+day-1)*msPerDay + t
	if local {
		ms = m.localToUTC(ms)
	}
	return timeClip(ms)
}

func daysIn(year, month float64) float64 {
	return daysFromCivil(year, month) - daysFromCivil(year, month-1)
}

// time reads what follows the T.
func (d *dateText) time() (t float64, local bool) {
	h := d.digits(2)
	if !d.eat(':') {
		d.ok = false
	}
	mins, sec, ms := d.digits(2), 0.0, 0.0
	if d.ok && d.eat(':') {
		sec = d.digits(2)
		if d.ok && d.eat('.') {
			ms = d.fraction()
		}
	}
	if h > 24 || mins > 59 || sec > 59 || h == 24 && (mins > 0 || sec > 0 || ms > 0) {
		return math.NaN(), false
	}
	t = h*3600000 + mins*60000 + sec*1000 + ms
	switch {
	case d.eat('Z'):
	case d.eat('+'):
		return t - d.offset(), false
	case d.eat('-'):
		return t + d.offset(), false
	default:
		return t, true
	}
	return t, false
}

// fraction reads one or more digits; those after the third do not count.
func (d *dateText) fraction() float64 {
	n, ms := 0, 0.0
	for d.s != "" && d.s[0] >= '0' && d.s[0] <= '9' {
		if n < 3 {
			ms = ms*10 + float64(d.s[0]-'0')
		}
		n++
		d.s = d.s[1:]
	}
	d.ok = d.ok && n > 0
	for ; n < 3; n++ {
		ms *= 10
	}
	return ms
}

func (d *dateText) offset() float64 {
	h := d.digits(2)
	if !d.eat(':') {
		d.ok = false
	}
	mins := d.digits(2)
	if h > 23 || mins > 59 {
		d.ok = false
	}
	return h*3600000 + mins*60000
}

// legacyDate refuses a text unless it is certain that V8 finds no date in it: without a digit there is none.
func (m *machine) legacyDate(s string) {
	if len(s) > 100 {
		m.unsupported("Date.parse of this text")
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			m.unsupported("Date.parse of %q", s)
		}
	}
}

// localToUTC reads ms as a time of the host's zone. Where the clock is put back it takes the first of two, where it is
// put forward the time as it was before (§21.4.1.26).
func (m *machine) localToUTC(ms float64) float64 {
	if math.Abs(ms) > maxTime {
		return math.NaN()
	}
	offset := func(t float64) float64 {
		_, sec := time.UnixMilli(int64(t)).Zone()
		return float64(sec) * 1000
	}
	before, after := offset(ms-msPerDay), offset(ms+msPerDay)
	if before == after && offset(ms-before) == before {
		return ms - before
	}
	if t := ms - before; offset(t) == before {
		return t
	}
	if t := ms - after; offset(t) == after {
		return t
	}
	return ms - before
}
