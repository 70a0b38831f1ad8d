import { Bowline, doubled } from "./knots";
import { lengthened } from "./odd names/with #1 100%";
import { type Knot, type Rope, splice } from "./rope";

function describe(knot: Knot, rope: Rope): string {
  return `${knot.name()} holds ${knot.strength(rope)}`;
}

const line: Rope = { label: "main", metres: 10 };
const spare: Rope = { label: "spare", metres: 5 };
console.log("é 😀", splice(line, spare).metres, describe(new Bowline(), spare));
console.log(doubled(line).label, lengthened(line).label);
