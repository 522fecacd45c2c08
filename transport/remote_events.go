package transport

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/url"
)

// eventReader reads the data of server-sent events (HTML §9.2).
type eventReader struct {
	lines *lineReader
	most  int
}

func newEventReader(in io.Reader, most int) *eventReader {
	return &eventReader{newLineReader(in, most), most}
}

// next returns the data of the next event that has any.
func (e *eventReader) next() ([]byte, error) {
	var data []byte
	for {
		line, err := e.lines.next()
		if err != nil {
			return nil, err // an event that is not finished does not count
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		switch {
		case len(line) == 0 && len(data) > 0:
			return data, nil
		case bytes.HasPrefix(line, []byte("data:")):
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(line[len("data:"):], []byte(" "))...)
		}
		if len(data) > e.most {
			return nil, errTooLong
		}
	}
}

// isDial reports whether an error is one of connecting: nothing was sent then.
func isDial(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// plainNetError words an error of the network without the address, which may hold a secret.
func plainNetError(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var op *net.OpError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return "there is no host " + dns.Name
	case errors.As(err, &op):
		return op.Err.Error()
	}
	return err.Error()
}
