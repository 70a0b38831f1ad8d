import { type Knot, type Rope, splice } from "./rope";

/** A loop that does not slip. */
export class Bowline implements Knot {
  name(): string {
    return "bowline";
  }

  strength(rope: Rope): number {
    return rope.metres * 0.65;
  }
}

/** A rope spliced to itself. */
export function doubled(rope: Rope): Rope {
  return splice(rope, rope);
}
