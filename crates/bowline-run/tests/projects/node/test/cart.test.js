import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { parse, total } from "../src/cart.js";
import { expectTotal } from "../support/helper.js";

test("adds prices", () => {
  assert.equal(total([{ price: 1 }, { price: 2 }]), 4);
});

test("passes", () => {
  assert.equal(total([]), 0);
});

describe("parse", () => {
  describe("of text", () => {
    it("reads [lists] (in order)", () => {
      assert.deepEqual(parse("[1,2]"), [1, 3]);
    });

    it("is not empty", () => {
      parse("");
    });
  });
});

for (const [one, two] of [
  [1, 2],
  [3, 7],
]) {
  test(`doubles ${one} to ${two}`, () => {
    assert.equal(one * 2, two);
  });
}

test("fails in a helper", () => {
  expectTotal([{ price: 1 }], 2);
});

test("has steps", async (t) => {
  await t.test("step one", () => {
    assert.ok(false, "step one is not ready");
  });
});

test("never ends", { timeout: 50 }, () => new Promise((resolve) => setTimeout(resolve, 300)));

test.todo("discounts");

test.skip("is skipped", () => {});
