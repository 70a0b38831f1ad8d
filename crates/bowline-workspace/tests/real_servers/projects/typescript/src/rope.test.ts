import { splice } from "./rope";

const joined = splice({ label: "a", metres: 2 }, { label: "b", metres: 3 });
if (joined.metres !== 5) {
  throw new Error(`got ${joined.metres} metres`);
}
