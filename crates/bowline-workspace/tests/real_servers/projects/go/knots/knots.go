// Package knots holds the knots themselves.
package knots

import "example.com/rigging/rope"

// Bowline is a loop that does not slip.
type Bowline struct{}

// Name is how sailors call it.
func (Bowline) Name() string { return "bowline" }

// Strength is what is left of the rope's own.
func (Bowline) Strength(line rope.Rope) float64 { return line.Metres * 0.65 }

// Doubled is a rope spliced to itself.
func Doubled(line rope.Rope) rope.Rope { return rope.Splice(line, line) }
