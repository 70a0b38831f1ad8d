import { beforeEach, describe, test } from "node:test";

describe("with a hook", () => {
  beforeEach(() => {
    throw new Error("no database");
  });

  test("first", () => {});

  test("second", () => {});
});
