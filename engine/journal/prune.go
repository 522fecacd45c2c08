package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Prune removes runs and gives their ids: those named; or, if none are, what is beyond the Store's limits, and with all
// every run that has ended. A run that somebody works on stays. Catalogues that no run needs any more go, too.
func (s *Store) Prune(ids []string, all bool) (removed []string, err error) {
	if len(ids) == 0 {
		if ids, err = s.old(all); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		if err := s.Remove(id); err != nil {
			return removed, err
		}
		removed = append(removed, id)
	}
	return removed, s.pruneCatalogs()
}

// Tidy prunes if there are more runs, or older or larger ones, than are kept.
func (s *Store) Tidy() error {
	entries, err := os.ReadDir(filepath.Join(s.dir, "runs"))
	if err != nil {
		return nil // there are none
	}
	size := int64(0)
	old := slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err == nil && time.Since(info.ModTime()) > s.limits.Age
	})
	if !old && size <= s.limits.Total && len(entries) <= s.limits.Runs {
		return nil
	}
	_, err = s.Prune(nil, false)
	return err
}

// old lists the runs that are not to be kept.
func (s *Store) old(all bool) (ids []string, err error) {
	list, err := s.List()
	ended, size := 0, int64(0)
	for _, i := range list {
		if i.End != nil {
			ended++
			size += i.Size
		}
		tooMany := i.End != nil && (all || ended > s.limits.Runs || size > s.limits.Total)
		if i.Status != Running && (tooMany || time.Since(i.Created) > s.limits.Age) {
			ids = append(ids, i.ID)
		}
	}
	return ids, err
}

func (s *Store) pruneCatalogs() error {
	list, err := s.List()
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, i := range list {
		needed[i.Catalog] = true
	}
	files, _ := filepath.Glob(filepath.Join(s.dir, "catalogs", "*.json"))
	for _, file := range files {
		info, err := os.Stat(file)
		fresh := err == nil && time.Since(info.ModTime()) < time.Minute // a run that begins just now may need it
		if !fresh && !needed[strings.TrimSuffix(filepath.Base(file), ".json")] {
			_ = os.Remove(file)
		}
	}
	return nil
}
