package script

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// numberOptions are the options of Number.prototype.toLocaleString that are there.
type numberOptions struct {
	Style                 string `json:"style"`
	Currency              string `json:"currency"`
	CurrencyDisplay       string `json:"currencyDisplay"`
	MinimumFractionDigits *int   `json:"minimumFractionDigits"`
	MaximumFractionDigits *int   `json:"maximumFractionDigits"`
	UseGrouping           *bool  `json:"useGrouping"`
}

var currencies = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CAD": "CA$",
	"AUD": "A$", "CNY": "CN¥", "KRW": "₩", "BRL": "R$", "MXN": "MX$", "CHF": "CHF\u00a0", "SEK": "SEK\u00a0"}

// nativeNumber formats a number as en-US does (ECMA-402 §15), or throws naming the option that is missing.
func (r *realm) nativeNumber(c goja.FunctionCall) goja.Value {
	o := numberOptions{}
	if raw := argText(c, 1); raw != "" {
		r.options(raw, &o)
	}
	low, high, prefix, suffix, scale := 0, 3, "", "", 1.0
	switch o.Style {
	case "", "decimal":
	case "percent":
		high, suffix, scale = 0, "%", 100
	case "currency":
		symbol, ok := currencies[o.Currency]
		if !ok || (o.CurrencyDisplay != "" && o.CurrencyDisplay != "symbol") {
			return r.raise("RangeError", "toLocaleString: the currency %q is not available", o.Currency)
		}
		low, high, prefix = 2, 2, symbol
		if o.Currency == "JPY" || o.Currency == "KRW" {
			low, high = 0, 0
		}
	default:
		return r.raise("RangeError", "toLocaleString: the style %q is not available", o.Style)
	}
	low, high = r.digits(o, low, high)
	text := formatNumber(c.Argument(0).ToFloat()*scale, low, high, o.UseGrouping == nil || *o.UseGrouping)
	if strings.HasPrefix(text, "-") {
		return r.rt.ToValue("-" + prefix + text[1:] + suffix)
	}
	return r.rt.ToValue(prefix + text + suffix)
}

// options decodes options, or throws naming the one that is missing.
func (r *realm) options(raw string, into any) {
	d := json.NewDecoder(strings.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		r.raise("RangeError", "toLocaleString: an option is not available (%s)",
			strings.TrimPrefix(err.Error(), "json: "))
	}
}

func (r *realm) digits(o numberOptions, low, high int) (int, int) {
	if m := o.MinimumFractionDigits; m != nil {
		low, high = *m, max(high, *m)
	}
	if m := o.MaximumFractionDigits; m != nil {
		high = *m
		if o.MinimumFractionDigits == nil {
			low = min(low, high)
		}
	}
	if low < 0 || high > 100 || low > high {
		r.raise("RangeError", "maximumFractionDigits value is out of range.")
	}
	return low, high
}

// formatNumber writes f with between low and high fraction digits, rounded half away from zero on its shortest
// decimal form, as ICU does.
func formatNumber(f float64, low, high int, group bool) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.Replace(strconv.FormatFloat(f, 'f', -1, 64), "Inf", "∞", 1)[b2i(f > 0):]
	}
	sign := ""
	if math.Signbit(f) {
		sign, f = "-", -f
	}
	whole, frac := roundDecimal(strconv.FormatFloat(f, 'f', -1, 64), high)
	for len(frac) > low && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	for len(frac) < low {
		frac += "0"
	}
	if group {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if frac != "" {
		whole += "." + frac
	}
	return sign + whole
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// roundDecimal rounds decimal digits to n fraction digits, half up.
func roundDecimal(text string, n int) (whole, frac string) {
	whole, frac, _ = strings.Cut(text, ".")
	if len(frac) <= n {
		return whole, frac
	}
	up := frac[n] >= '5'
	digits := []byte(whole + frac[:n])
	for i := len(digits) - 1; up && i >= 0; i-- {
		if digits[i]++; digits[i] > '9' {
			digits[i] = '0'
		} else {
			up = false
		}
	}
	whole, frac = string(digits[:len(whole)]), string(digits[len(whole):])
	if up {
		whole = "1" + whole
	}
	return whole, frac
}

// dateOptions are the options of Date.prototype.toLocale…String that are there.
type dateOptions struct {
	TimeZone string `json:"timeZone"`
	Weekday  string `json:"weekday"`
	Year     string `json:"year"`
	Month    string `json:"month"`
	Day      string `json:"day"`
	Hour     string `json:"hour"`
	Minute   string `json:"minute"`
	Second   string `json:"second"`
	Hour12   *bool  `json:"hour12"`
}

// nativeDate formats a time in milliseconds as en-US does: parts is "date", "time" or "any".
func (r *realm) nativeDate(c goja.FunctionCall) goja.Value {
	o := dateOptions{}
	if raw := argText(c, 1); raw != "" {
		r.options(raw, &o)
	}
	ms := c.Argument(0).ToFloat()
	if math.IsNaN(ms) {
		return r.rt.ToValue("Invalid Date")
	}
	t := time.UnixMilli(int64(ms)).In(r.location(o.TimeZone))
	date := o.Weekday+o.Year+o.Month+o.Day != ""
	clock := o.Hour+o.Minute+o.Second != ""
	parts := c.Argument(2).String()
	if !date && !clock || (parts == "date" && !date) || (parts == "time" && !clock) {
		if parts != "time" {
			o.Year, o.Month, o.Day = "numeric", "numeric", "numeric"
		}
		if parts != "date" {
			o.Hour, o.Minute, o.Second = "numeric", "2-digit", "2-digit"
		}
	}
	return r.rt.ToValue(r.dateText(t, o))
}

func (r *realm) location(zone string) *time.Location {
	switch zone {
	case "":
		return time.Local
	case "UTC", "GMT", "Etc/UTC":
		return time.UTC
	}
	r.raise("RangeError", "toLocaleString: the time zone %q is not available", zone)
	return nil
}

// zoneName is the name of the local time zone.
func zoneName() string {
	if name := time.Local.String(); name != "Local" {
		return name
	}
	return "UTC"
}

func (r *realm) dateText(t time.Time, o dateOptions) string {
	date := r.dayText(t, o)
	if o.Hour == "" {
		if o.Minute+o.Second != "" {
			r.raise("RangeError", "toLocaleString: minutes without hours are not available")
		}
		return date
	}
	clock := clockText(t, o)
	switch {
	case date == "":
		return clock
	case o.Month == "long":
		return date + " at " + clock
	}
	return date + ", " + clock
}

func clockText(t time.Time, o dateOptions) string {
	layout := "3"
	if o.Hour == "2-digit" {
		layout = "03"
	}
	if o.Hour12 != nil && !*o.Hour12 {
		layout = "15"
	}
	if o.Minute != "" {
		layout += ":04"
	}
	if o.Second != "" {
		layout += ":05"
	}
	if layout[:2] != "15" {
		layout += " PM"
	}
	return t.Format(layout)
}

func (r *realm) dayText(t time.Time, o dateOptions) string {
	weekday := map[string]string{"": "", "long": "Monday", "short": "Mon"}[o.Weekday]
	switch o.Month {
	case "long", "short":
		layout := map[string]string{"long": "January", "short": "Jan"}[o.Month]
		if o.Day != "" {
			layout += " 2"
		}
		if o.Year != "" && o.Day != "" {
			layout += ","
		}
		if o.Year != "" {
			layout += " 2006"
		}
		if weekday != "" {
			layout = weekday + ", " + layout
		}
		return t.Format(layout)
	case "", "numeric", "2-digit":
		var parts []string
		for _, p := range [][3]string{{o.Month, "1", "01"}, {o.Day, "2", "02"}, {o.Year, "2006", "06"}} {
			switch p[0] {
			case "numeric":
				parts = append(parts, p[1])
			case "2-digit":
				parts = append(parts, p[2])
			}
		}
		text := t.Format(strings.Join(parts, "/"))
		switch {
		case weekday != "" && text != "":
			return t.Format(weekday) + ", " + text
		case weekday != "":
			return t.Format(weekday)
		}
		return text
	}
	r.raise("RangeError", "toLocaleString: the month %q is not available", o.Month)
	return ""
}
