package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"
)

// logger writes warnings to standard error as people read them, and with --verbose everything that is logged.
func (a *App) logger(cmd *cobra.Command) *slog.Logger {
	if on, _ := cmd.Flags().GetBool("verbose"); on {
		o := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: withoutTime}
		return slog.New(slog.NewTextHandler(a.screen, o))
	}
	return slog.New(warnings{a.screen})
}

func withoutTime(_ []string, x slog.Attr) slog.Attr {
	if x.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return x
}

// warnings is a slog.Handler that writes the messages of warnings and errors, without their attributes.
type warnings struct{ out io.Writer }

// Enabled implements slog.Handler.
func (warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle implements slog.Handler.
func (w warnings) Handle(_ context.Context, r slog.Record) error {
	_, err := fmt.Fprintf(w.out, "pml: warning: %s\n", r.Message)
	return err
}

// WithAttrs implements slog.Handler.
func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup implements slog.Handler.
func (w warnings) WithGroup(string) slog.Handler { return w }
