import { describe, expect, it, test } from "vitest";
import { parse, total } from "../src/cart.js";
import { expectTotal } from "./helper.js";

test("adds prices", () => {
  expect(total([{ price: 1 }, { price: 2 }])).toBe(4);
});

test("passes", () => {
  expect(total([])).toBe(0);
});

describe("parse", () => {
  describe("of text", () => {
    it("reads [lists] (in order)", () => {
      expect(parse("[1,2]")).toEqual([1, 3]);
    });

    it("is not empty", () => {
      parse("");
    });
  });
});

test.each([
  [1, 2],
  [2, 4],
  [3, 7],
])("doubles %i to %i", (one, two) => {
  expect(one * 2).toBe(two);
});

test("fails in a helper", () => {
  expectTotal([{ price: 1 }], 2);
});

test("matches its snapshot", () => {
  expect({ total: 5 }).toMatchInlineSnapshot(`
    {
      "total": 4,
    }
  `);
});

test("never ends", () => new Promise(() => {}), 50);

test.todo("discounts");

test.skip("is skipped", () => {});
