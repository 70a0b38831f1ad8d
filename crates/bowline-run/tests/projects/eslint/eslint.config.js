export default [
  {
    files: ["**/*.js"],
    rules: {
      "no-undef": "error",
      "no-unused-vars": "warn",
      eqeqeq: ["error", "always"],
    },
  },
];
