import { type Rope, splice } from "../rope";

/** A rope with a metre more. */
export function lengthened(rope: Rope): Rope {
  return splice(rope, { label: "more", metres: 1 });
}
