import { test } from "node:test";

test("never seen", () => {
  const x = ;
});
