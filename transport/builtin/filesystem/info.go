package filesystem

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func (f *files) info(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, err := f.roots.Resolve(args.String("path"), root.Read)
	if err != nil {
		return nil, err
	}
	info, err := place.Dir.Stat(place.Rel)
	if err != nil {
		return nil, root.Explain("stat", err, place.Abs)
	}
	created, accessed := times(place, info)
	times := fmt.Sprintf("created: %s\nmodified: %s\naccessed: %s",
		dateString(created), dateString(info.ModTime()), dateString(accessed))
	return say(fmt.Sprintf("size: %d\n%s\nisDirectory: %t\nisFile: %t\npermissions: %s",
		info.Size(), times, info.IsDir(), info.Mode().IsRegular(), permissions(info.Mode()))), nil
}

// permissions are the last three octal digits of the mode.
func permissions(mode fs.FileMode) string { return fmt.Sprintf("%03o", mode.Perm()) }

// dateString writes a time as JavaScript's Date does, in the local zone.
func dateString(t time.Time) string {
	t = t.Local()
	text := t.Format("Mon Jan 02 2006 15:04:05 GMT-0700")
	if long, known := zoneNames[t.Format("MST")]; known {
		return text + " (" + long + ")"
	}
	return text
}

// zoneNames are the English names JavaScript shows for common zones; dates parse alike without them.
var zoneNames = map[string]string{
	"UTC": "Coordinated Universal Time", "GMT": "Greenwich Mean Time", "BST": "British Summer Time",
	"WET": "Western European Standard Time", "WEST": "Western European Summer Time",
	"CET": "Central European Standard Time", "CEST": "Central European Summer Time",
	"EET": "Eastern European Standard Time", "EEST": "Eastern European Summer Time",
	"EST": "Eastern Standard Time", "EDT": "Eastern Daylight Time",
	"CST": "Central Standard Time", "CDT": "Central Daylight Time",
	"MST": "Mountain Standard Time", "MDT": "Mountain Daylight Time",
	"PST": "Pacific Standard Time", "PDT": "Pacific Daylight Time",
	"JST": "Japan Standard Time", "KST": "Korean Standard Time",
	"AEST": "Australian Eastern Standard Time", "AEDT": "Australian Eastern Daylight Time",
	"MSK": "Moscow Standard Time", "SAST": "South Africa Standard Time",
}
