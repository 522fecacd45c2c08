package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Apply makes a change. What was there is kept beside it if the change says so; a file is replaced whole or not at all.
// It gives the path of the backup, "" if there is none.
func (c Change) Apply() (backup string, err error) {
	if c.Backup {
		if backup, err = keep(c.Path, c.Before); err != nil {
			return "", err
		}
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(c.Path); err == nil {
		mode = info.Mode().Perm()
	}
	if c.Secret {
		mode = 0o600
	}
	return backup, replace(c.Path, c.After, mode)
}

// keep writes a backup that does not take the place of an earlier one.
func keep(path string, text []byte) (string, error) {
	for i := range 1000 {
		name := path + ".backup"
		if i > 0 {
			name = fmt.Sprintf("%s.%d", name, i)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(text)
		return name, errors.Join(err, f.Close())
	}
	return "", fmt.Errorf("there are too many backups of %s", path)
}

func replace(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".pml-init-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
