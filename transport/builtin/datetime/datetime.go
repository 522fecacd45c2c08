// Package datetime is the built-in server for dates and times. It runs at a gateway and changes nothing.
package datetime

import (
	"context"
	"fmt"
	"time"
	_ "time/tzdata" // a gateway's machine may have none

	"github.com/ncruces/go-strftime"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// Tools lists the tools of the server.
func Tools() []tool.Tool {
	when := tool.Req("time", tool.String("A time, as in 2026-01-31T08:30:00Z or 2026-01-31"))
	zone := tool.Opt("timezone", tool.String("IANA name of the time zone, such as Europe/Paris").Or("UTC"))
	whole := func(unit string) tool.Prop {
		return tool.Opt(unit, tool.Schema{Type: "integer", Description: "How many " + unit + "; negative goes back", Default: 0})
	}
	return []tool.Tool{
		{Name: "now", Title: "Now", Hints: tool.Hints{ReadOnly: true}, Run: now, Output: timeOutput(),
			Description: "Tell the time.", Input: tool.Object(zone)},
		{Name: "convert", Title: "Convert", Hints: tool.Reads, Run: convert, Output: timeOutput(),
			Description: "Read a time and give it in a time zone, with its parts.", Input: tool.Object(when, zone)},
		{Name: "format", Title: "Format", Hints: tool.Reads, Run: format,
			Description: "Write a time as a strftime pattern says.",
			Input:       tool.Object(when, tool.Req("pattern", tool.String("For example %d.%m.%Y %H:%M")), zone)},
		{Name: "add", Title: "Add", Hints: tool.Reads, Run: add, Output: timeOutput(),
			Description: "Add to a time. Days and above follow the calendar of the time zone.",
			Input: tool.Object(when, whole("years"), whole("months"), whole("days"), whole("hours"), whole("minutes"),
				whole("seconds"), zone)},
		{Name: "difference", Title: "Difference", Hints: tool.Reads, Run: difference, Output: differenceOutput(),
			Description: "Tell how much time lies between two times.",
			Input:       tool.Object(tool.Req("from", tool.String("A time")), tool.Req("to", tool.String("A later time")), zone)},
	}
}

func timeOutput() *tool.Schema {
	text, number := tool.Schema{Type: "string"}, tool.Schema{Type: "integer"}
	s := tool.Closed(tool.Req("iso", text), tool.Req("unix", number), tool.Req("year", number), tool.Req("month", number),
		tool.Req("day", number), tool.Req("hour", number), tool.Req("minute", number), tool.Req("second", number),
		tool.Req("weekday", text), tool.Req("week", tool.Schema{Type: "integer", Description: "ISO 8601 week"}),
		tool.Req("timezone", text))
	return &s
}

func differenceOutput() *tool.Schema {
	number := tool.Schema{Type: "number"}
	s := tool.Closed(tool.Req("seconds", number), tool.Req("minutes", number), tool.Req("hours", number),
		tool.Req("days", number))
	return &s
}

func zoneOf(args tool.Args) (*time.Location, error) {
	name := args.String("timezone")
	if name == "" {
		name = "UTC"
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fmt.Errorf("there is no time zone %q; write an IANA name such as Europe/Paris", name)
	}
	return zone, nil
}

var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
	time.DateOnly, time.RFC1123Z, time.RFC1123}

// read reads a time; one without an offset is one of the zone.
func read(args tool.Args, name string) (time.Time, error) {
	zone, err := zoneOf(args)
	if err != nil {
		return time.Time{}, err
	}
	text := args.String(name)
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.In(zone), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time that is understood; write 2026-01-31T08:30:00Z or 2026-01-31", text)
}

func shown(t time.Time) (*tool.Result, error) {
	_, week := t.ISOWeek()
	return tool.Data(map[string]any{"iso": t.Format(time.RFC3339Nano), "unix": t.Unix(), "year": t.Year(),
		"month": int(t.Month()), "day": t.Day(), "hour": t.Hour(), "minute": t.Minute(), "second": t.Second(),
		"weekday": t.Weekday().String(), "week": week, "timezone": t.Location().String()})
}

func now(_ context.Context, args tool.Args) (*tool.Result, error) {
	zone, err := zoneOf(args)
	if err != nil {
		return nil, err
	}
	return shown(time.Now().In(zone).Truncate(time.Millisecond))
}

func convert(_ context.Context, args tool.Args) (*tool.Result, error) {
	t, err := read(args, "time")
	if err != nil {
		return nil, err
	}
	return shown(t)
}

func format(_ context.Context, args tool.Args) (*tool.Result, error) {
	t, err := read(args, "time")
	if err != nil {
		return nil, err
	}
	return tool.Text(strftime.Format(args.String("pattern"), t)), nil
}

func add(_ context.Context, args tool.Args) (*tool.Result, error) {
	t, err := read(args, "time")
	if err != nil {
		return nil, err
	}
	n := func(unit string) int { return int(args.Number(unit, 0)) }
	t = t.AddDate(n("years"), n("months"), n("days"))
	return shown(t.Add(time.Duration(n("hours"))*time.Hour + time.Duration(n("minutes"))*time.Minute +
		time.Duration(n("seconds"))*time.Second))
}

func difference(_ context.Context, args tool.Args) (*tool.Result, error) {
	from, err := read(args, "from")
	if err != nil {
		return nil, err
	}
	to, err := read(args, "to")
	if err != nil {
		return nil, err
	}
	d := to.Sub(from)
	return tool.Data(map[string]float64{"seconds": d.Seconds(), "minutes": d.Minutes(), "hours": d.Hours(),
		"days": d.Hours() / 24})
}
