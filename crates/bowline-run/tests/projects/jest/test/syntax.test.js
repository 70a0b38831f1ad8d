test("never seen", () => {
  const x = ;
});
