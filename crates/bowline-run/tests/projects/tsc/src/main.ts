import { total, missing } from "./cart";
import { format } from "./nowhere";

console.log(format(total([{ name: "tea" }])));
