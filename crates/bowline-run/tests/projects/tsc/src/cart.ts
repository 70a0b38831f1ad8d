export interface Item {
  name: string;
  price: number;
}

export function total(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.price, 0);
}

export const count: number = "three";

export const wrong: Item = { name: "Käse", price: { amount: 3, currency: "EUR" } };
