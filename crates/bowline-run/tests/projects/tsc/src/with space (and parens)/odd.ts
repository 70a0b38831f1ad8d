export function odd(n: number): boolean {
  return n % 2;
}
