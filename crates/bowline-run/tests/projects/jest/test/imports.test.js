const { gone } = require("../src/gone.js");

test("never seen either", () => gone());
