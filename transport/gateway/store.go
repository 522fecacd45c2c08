package gateway

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/casys-ai/pml/transport"
)

// Store is the gateway's memory: keys, records, and what calls came to. It is one SQLite file.
type Store struct {
	db *sql.DB
}

// The errors of Scope.
var (
	ErrNoKey  = errors.New("no key")
	ErrBadKey = errors.New("no such key")
)

const tables = `
CREATE TABLE IF NOT EXISTS keys (
	id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, created INTEGER NOT NULL, revoked INTEGER);
CREATE TABLE IF NOT EXISTS calls (
	scope TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, outcome BLOB, at INTEGER NOT NULL,
	PRIMARY KEY (scope, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_at ON calls (at);
CREATE TABLE IF NOT EXISTS records (
	scope TEXT NOT NULL, name TEXT NOT NULL, fqdn TEXT NOT NULL, record BLOB NOT NULL, at INTEGER NOT NULL,
	UNIQUE (scope, fqdn));
CREATE TABLE IF NOT EXISTS workflows (scope TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (scope, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS traces (
	scope TEXT NOT NULL, run TEXT NOT NULL, workflow TEXT, status TEXT NOT NULL, trace BLOB NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (scope, run));
CREATE INDEX IF NOT EXISTS traces_workflow ON traces (scope, workflow);`

// OpenStore opens a store, or makes one. Close it.
func OpenStore(ctx context.Context, path string) (*Store, error) {
	q := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(5000)"}}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?"+q.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // writers would only wait for each other
	if _, err := db.ExecContext(ctx, tables); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Store{db}, nil
}

// forget drops what is older than the cloud remembers.
func (s *Store) forget(ctx context.Context) error {
	for _, table := range []string{"calls", "workflows", "traces"} {
		if _, err := s.db.ExecContext(ctx, "DELETE FROM "+table+" WHERE at < ?", time.Now().Add(-transport.CloudMemory).Unix()); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Ping reports whether the store can be used.
func (s *Store) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }

// keyPrefix begins every key, so that one that leaks is recognised.
const keyPrefix = "pml_"

var scopePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*\.[a-z0-9][a-z0-9_-]*$`)

// Key is an API key, as it is listed: the key itself is only known when it is made.
type Key struct {
	ID, Scope string
	Created   time.Time
	// Revoked is zero for a key that is valid.
	Revoked time.Time
}

// CreateKey makes a key for a scope, org.project. secret is told once and stored as its hash only.
func (s *Store) CreateKey(ctx context.Context, scope string) (k Key, secret string, err error) {
	if !scopePattern.MatchString(scope) {
		return k, "", fmt.Errorf("%q is no scope; write org.project, in lower case", scope)
	}
	var raw [32]byte
	_, _ = rand.Read(raw[:])
	secret = keyPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
	k = Key{ID: hashOf(secret)[:8], Scope: scope, Created: time.Now().Truncate(time.Second)}
	_, err = s.db.ExecContext(ctx, "INSERT INTO keys (id, hash, scope, created) VALUES (?, ?, ?, ?)", k.ID, hashOf(secret), scope,
		k.Created.Unix())
	return k, secret, err
}

// hashOf is what is stored of a key. Keys are random and long: no salt and no slow hash is needed.
func hashOf(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

// Keys lists the keys, oldest first.
func (s *Store) Keys(ctx context.Context) ([]Key, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, scope, created, COALESCE(revoked, 0) FROM keys ORDER BY created, id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Key
	for rows.Next() {
		var k Key
		var created, revoked int64
		if err := rows.Scan(&k.ID, &k.Scope, &created, &revoked); err != nil {
			return nil, err
		}
		k.Created = time.Unix(created, 0)
		if revoked != 0 {
			k.Revoked = time.Unix(revoked, 0)
		}
		list = append(list, k)
	}
	return list, rows.Err()
}

// RevokeKey makes a key invalid from now on; false if there is no valid key of this id.
func (s *Store) RevokeKey(ctx context.Context, id string) (bool, error) {
	r, err := s.db.ExecContext(ctx, "UPDATE keys SET revoked = ? WHERE id = ? AND revoked IS NULL", time.Now().Unix(), id)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

// Scope is the scope that a key belongs to; ErrNoKey or ErrBadKey if it belongs to none.
func (s *Store) Scope(ctx context.Context, secret string) (scope string, err error) {
	if secret == "" {
		return "", ErrNoKey
	}
	err = s.db.QueryRowContext(ctx, "SELECT scope FROM keys WHERE hash = ? AND revoked IS NULL", hashOf(secret)).Scan(&scope)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrBadKey
	}
	return scope, err
}
