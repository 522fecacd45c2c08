package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"time"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// interruptEvery is how often a cancelled statement is told to stop: SQLite forgets an interrupt that comes just before
// the statement begins.
const interruptEvery = 10 * time.Millisecond

// interruptible has everything that conn does until stop is called end soon after ctx does. The driver itself sees to
// that only until the first row is there.
func interruptible(ctx context.Context, conn *sql.Conn) (stop func(), err error) {
	handle, err := handleOf(conn)
	if err != nil {
		return nil, err
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-ctx.Done():
			interrupt(handle, over)
		case <-over:
		}
	}()
	return func() { close(over); <-ended }, nil
}

// interrupt stops what runs, until over is closed.
func interrupt(handle uintptr, over <-chan struct{}) {
	tls := libc.NewTLS()
	defer tls.Close()
	tick := time.NewTicker(interruptEvery)
	defer tick.Stop()
	for {
		lib.Xsqlite3_interrupt(tls, handle)
		select {
		case <-tick.C:
		case <-over:
			return
		}
	}
}

// handleOf is SQLite's handle of a connection. The driver does not give it out.
func handleOf(conn *sql.Conn) (handle uintptr, err error) {
	err = conn.Raw(func(c any) error {
		v := reflect.ValueOf(c)
		if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
			if db := v.Elem().FieldByName("db"); db.IsValid() && db.Kind() == reflect.Uintptr && db.Uint() != 0 {
				handle = uintptr(db.Uint())
				return nil
			}
		}
		return errors.New("the SQLite driver is not the one this was made for")
	})
	return handle, err
}
