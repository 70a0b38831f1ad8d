package rope

import "testing"

func TestSpliceAddsLengths(t *testing.T) {
	joined := Splice(Rope{Label: "a", Metres: 2}, Rope{Label: "b", Metres: 3})
	if joined.Metres != 5 {
		t.Errorf("got %v metres", joined.Metres)
	}
}
