package journal

import (
	"os"
	"path/filepath"
)

// SaveCatalog keeps the text of a catalogue under its digest; runs with the same tools share one.
func (s *Store) SaveCatalog(digest string, text []byte) error {
	path := s.catalog(digest)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Catalog reads what SaveCatalog has kept.
func (s *Store) Catalog(digest string) ([]byte, error) { return os.ReadFile(s.catalog(digest)) }

func (s *Store) catalog(digest string) string {
	return filepath.Join(s.dir, "catalogs", filepath.Base(digest)+".json")
}
