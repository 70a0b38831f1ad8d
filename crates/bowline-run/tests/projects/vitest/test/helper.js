import { expect } from "vitest";
import { total } from "../src/cart.js";

export function expectTotal(items, expected) {
  expect(total(items)).toBe(expected);
}
