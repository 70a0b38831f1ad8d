// Package rope is what the other packages tie knots into.
package rope

// Rope is a length of line.
type Rope struct {
	Label  string
	Metres float64
}

// Knot is anything that can be tied into a rope.
type Knot interface {
	Name() string
	Strength(rope Rope) float64
}

// Splice joins two ropes into one.
func Splice(first, second Rope) Rope {
	return Rope{Label: first.Label + "+" + second.Label, Metres: first.Metres + second.Metres}
}
