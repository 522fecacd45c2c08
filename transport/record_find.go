package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// notFound is the code of a gateway's answer about a name that it does not know.
const notFound nodes.ErrorCode = "NOT_FOUND"

// keptRecord is a record in its file. Until then nobody needs to be asked.
type keptRecord struct {
	ETag   string
	Until  time.Time
	Record Record
}

// recordFile is where a record is kept; "" for nowhere.
func (c *Cloud) recordFile(name string) string {
	if c.config.Cache == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(c.config.Cache), "registry", url.QueryEscape(name)+".json")
}

// keptRecord reads what was kept of a record; nil if that is nothing, or not what was published under the name.
func (c *Cloud) keptRecord(name string) *keptRecord {
	text, err := os.ReadFile(c.recordFile(name))
	if err != nil {
		return nil
	}
	var k keptRecord
	if json.Unmarshal(text, &k) != nil || !k.Record.Intact() || !k.Record.Answers(name) {
		c.log.Warn("what was kept of a record is not what was published; it is not used", "name", name)
		return nil
	}
	return &k
}

// Record finds a record of the registry by its FQDN or short name: kept ones are asked for again only if they may have
// changed, and serve where the registry cannot be reached. nil and no error: there is no such record. One that is not what
// was asked for is INTEGRITY_MISMATCH.
func (c *Cloud) Record(ctx context.Context, name string) (*Record, error) {
	kept, etag := c.keptRecord(name), ""
	switch {
	case kept != nil && time.Now().Before(kept.Until):
		return &kept.Record, nil
	case kept != nil:
		etag = kept.ETag
	}
	a, err := c.get(ctx, "/mcp/"+url.PathEscape(name), etag)
	var e *Error
	switch {
	case errors.As(err, &e) && e.Code == notFound:
		return nil, nil
	case err != nil && kept != nil:
		c.log.Warn("the registry cannot be reached; what was kept is used", "name", name)
		return &kept.Record, nil
	case err != nil:
		return nil, err
	}
	fresh := &keptRecord{ETag: a.etag}
	if a.status == http.StatusNotModified && kept != nil {
		fresh = kept
	} else if err := fresh.take(name, a.body, kept); err != nil {
		return nil, err
	}
	fresh.Until = time.Now().Add(a.maxAge)
	c.keep(name, fresh)
	return &fresh.Record, nil
}

// keep writes a record down; nil forgets it. That it cannot be kept is no failure.
func (c *Cloud) keep(name string, k *keptRecord) {
	file := c.recordFile(name)
	if file == "" {
		return
	}
	if k == nil {
		_ = os.Remove(file)
		return
	}
	text, err := json.Marshal(k)
	if err == nil {
		err = replaceFile(file, text)
	}
	if err != nil {
		c.log.Warn("a record cannot be kept", "name", name, "error", err)
	}
}

// take reads a record that came for a name, and compares it with the name and with what is known.
func (k *keptRecord) take(name string, body []byte, known *keptRecord) error {
	bad := func(hint, format string, a ...any) error {
		return &Error{Code: nodes.IntegrityMismatch, Message: fmt.Sprintf(format, a...), Hint: hint}
	}
	const ask = "ask who runs the registry; nothing of it was used"
	switch err := json.Unmarshal(body, &k.Record); {
	case err != nil || !k.Record.Intact():
		return bad(ask, "the record %s is not what was published", name)
	case !k.Record.Answers(name):
		return bad(ask, "the registry was asked for %s, and gave %s", name, k.Record.FQDN)
	case known != nil && IsFQDN(name) && known.Record.Integrity != k.Record.Integrity:
		return bad(ask+"; if you trust it, delete what was kept in .pml/registry",
			"the record %s has changed (%.15s… is now %.15s…), and what has a hash in its name never does", name, known.Record.Integrity,
			k.Record.Integrity)
	}
	return nil
}
