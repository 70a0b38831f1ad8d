export function total(items) {
  const unused = 1;
  if (items == null) {
    return 0;
  }
  return sum(items);
}
