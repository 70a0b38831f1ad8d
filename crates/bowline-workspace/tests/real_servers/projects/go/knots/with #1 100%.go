package knots

import "example.com/rigging/rope"

// Lengthened is a rope with a metre more.
func Lengthened(line rope.Rope) rope.Rope {
	return rope.Splice(line, rope.Rope{Label: "more", Metres: 1})
}
