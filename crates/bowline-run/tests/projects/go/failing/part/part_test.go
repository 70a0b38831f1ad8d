package part

import "testing"

func TestPanics(t *testing.T) {
	var names map[string]int
	names["a"] = 1
}
