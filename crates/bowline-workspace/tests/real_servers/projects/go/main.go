package main

import (
	"fmt"

	"example.com/rigging/knots"
	"example.com/rigging/rope"
)

func describe(knot rope.Knot, line rope.Rope) string {
	return fmt.Sprintf("%s holds %.1f", knot.Name(), knot.Strength(line))
}

func main() {
	main := rope.Rope{Label: "main", Metres: 10}
	spare := rope.Rope{Label: "spare", Metres: 5}
	fmt.Println("é 😀", rope.Splice(main, spare).Metres, describe(knots.Bowline{}, spare))
	fmt.Println(knots.Doubled(main).Label)
}
