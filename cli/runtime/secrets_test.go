package runtime

import (
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/engine/journal"
)

// What was added is kept quiet about whatever the list becomes.
func TestAddedSecretsStay(t *testing.T) {
	is := is.New(t)
	var s secrets
	s.set([]journal.Secret{{Name: "OLD", Value: "old-value"}})
	s.add(journal.Secret{Name: "ADDED", Value: "added-value"})
	is.Equal(s.text("old-value added-value"), "[OLD] [ADDED]")
	s.set([]journal.Secret{{Name: "NEW", Value: "new-value"}})
	is.Equal(s.text("new-value added-value"), "[NEW] [ADDED]")
}
