import { test } from "node:test";
import { gone } from "../src/gone.js";

test("never seen either", () => gone());
