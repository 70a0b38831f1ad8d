/** A length of line. */
export interface Rope {
  label: string;
  metres: number;
}

/** Anything that can be tied into a rope. */
export interface Knot {
  name(): string;
  strength(rope: Rope): number;
}

/** Joins two ropes into one. */
export function splice(first: Rope, second: Rope): Rope {
  return { label: `${first.label}+${second.label}`, metres: first.metres + second.metres };
}
