import { beforeEach, describe, expect, test } from "vitest";

describe("with a hook", () => {
  beforeEach(() => {
    throw new Error("no database");
  });

  test("first", () => {
    expect(1).toBe(1);
  });

  test("second", () => {
    expect(1).toBe(1);
  });
});
