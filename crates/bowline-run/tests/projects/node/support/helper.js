import assert from "node:assert/strict";
import { total } from "../src/cart.js";

export function expectTotal(items, expected) {
  assert.equal(total(items), expected);
}
