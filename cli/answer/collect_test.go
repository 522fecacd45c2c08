package answer

import (
	"testing"

	"github.com/matryer/is"
)

func TestNumbers(t *testing.T) {
	is := is.New(t)
	is.Equal(numbers("n7[12].n2#3"), []int{7, 12, 2, 3})
}
