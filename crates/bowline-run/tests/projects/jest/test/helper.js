const { total } = require("../src/cart.js");

function expectTotal(items, expected) {
  expect(total(items)).toBe(expected);
}

module.exports = { expectTotal };
