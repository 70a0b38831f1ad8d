import { test } from "vitest";
import { gone } from "../src/gone.js";

test("never seen either", () => gone());
