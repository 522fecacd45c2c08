package transport

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// keptCatalog is the catalogue in its file.
type keptCatalog struct {
	URL     string       `json:"url"`
	ETag    string       `json:"etag"`
	Until   time.Time    `json:"until"`
	Catalog CloudCatalog `json:"catalog"`
}

// readKept reads what was kept of a gateway; nil if there is nothing of use.
func readKept(path, url string) *keptCatalog {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var k keptCatalog
	if json.Unmarshal(text, &k) != nil || k.URL != url {
		return nil
	}
	return &k
}

// write keeps the catalogue, whole or not at all. That it cannot be kept is no failure.
func (k *keptCatalog) write(path string, log *slog.Logger) {
	text, err := json.Marshal(k)
	if err == nil {
		err = replaceFile(path, text)
	}
	if err != nil {
		log.Warn("the catalogue of the cloud cannot be kept", "error", err)
	}
}

// replaceFile writes a file that readers see as it was or as it is now. It makes the folder.
func replaceFile(path string, text []byte) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
