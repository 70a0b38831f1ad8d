//! TypeScript, by typescript-language-server.

use super::{Accepted, Breaks, Compiler, New, Removed, Renamed, Row, Table, Text, compare, compilers};

#[tokio::test(flavor = "multi_thread")]
async fn verdicts_of_typescript() {
    compare(&TABLE).await;
}

static TABLE: Table = Table {
    title: "TypeScript, by typescript-language-server",
    language: "typescript",
    servers: &[("typescript", "BOWLINE_SERVER_TYPESCRIPT")],
    project: PROJECT,
    crlf: &["src/tools/crlf.ts"],
    compiler: Compiler::InPlace(compilers::tsc),
    rows: ROWS,
    not_known: 2,
};

const PROJECT: &str = r#"//- /package.json
{"name": "rigging", "private": true}
//- /tsconfig.json
{
  "compilerOptions": {
    "strict": true,
    "target": "es2020",
    "module": "commonjs",
    "lib": ["es2020"],
    "types": [],
    "skipLibCheck": true
  },
  "include": ["src"]
}
//- /src/rigging/index.ts
export { Rope } from "./rope";
export * from "./spare";
//- /src/rigging/rope.ts
export class Rope {
  constructor(public label: string, public metres: number) {}
}

export interface Knot {
  name(): string;
}

export function splice(first: Rope, second: Rope): Rope {
  return new Rope(first.label + second.label, first.metres + second.metres);
}

export function describe(rope: Rope): string {
  return `${rope.label}: ${rope.metres}`;
}

function forgotten(): number {
  return 1;
}

export function länge(größe: Rope): number {
  return größe.metres;
}
//- /src/rigging/spare.ts
export function spare(): number {
  return 3;
}

export function other(): number {
  return 4;
}
//- /src/rigging/lonely.ts
export function lonely(): number {
  return 4;
}
//- /src/knots/knots.ts
import { Knot, Rope, splice } from "../rigging/rope";

export class Bowline implements Knot {
  name(): string {
    return "bowline";
  }
}

export function tie(one: Rope, other: Rope): Rope {
  return splice(one, other);
}
//- /src/chain/first.ts
export function count() {
  return 1;
}

export const mode = "fast";
//- /src/chain/second.ts
import { count } from "./first";

export function total() {
  return count();
}
//- /src/chain/third.ts
import { total } from "./second";

export const amount: number = total();
//- /src/chain/handed.ts
export * from "./first";
//- /src/chain/through.ts
import { mode } from "./handed";

export const chosen: "fast" | "slow" = mode;
//- /src/chain/types.ts
export type Shape = { kind: "round" } | { kind: "flat" };
//- /src/chain/exhaustive.ts
import type { Shape } from "./types";

export function sides(shape: Shape): number {
  switch (shape.kind) {
    case "round":
      return 1;
    case "flat":
      return 2;
  }
}
//- /src/globals.d.ts
declare const VERSION: string;
//- /src/tools/crlf.ts
export function twice(n: number): number {
  return n * 2;
}
//- /src/broken.ts
export const wrong: number = "text";

export function fine(): number {
  return 1;
}
//- /src/rigging/rope.test.ts
import { Rope, splice } from "./rope";

const joined = splice(new Rope("a", 1), new Rope("b", 2));
if (joined.metres !== 3) {
  throw new Error(joined.label);
}
//- /src/main.ts
import { amount } from "./chain/third";
import { Bowline, tie } from "./knots/knots";
import { other, Rope, spare } from "./rigging";
import { describe, länge } from "./rigging/rope";
import { twice } from "./tools/crlf";

const long = new Rope("größer 😀", 3);
const short = new Rope("klein", 1);
const doubled: number = twice(2);
export const said: string[] = [describe(tie(long, short)), new Bowline().name(), VERSION];
export const counted: number[] = [länge(long), doubled, amount, spare(), other()];
//- /src/ways/impl.ts
export function run(): number {
  return 1;
}

export function pair(): { left: number; right: number } {
  return { left: 1, right: 2 };
}
//- /src/ways/impl2.ts
export function run(): string {
  return "";
}

export function pair(): { left: string; right: string } {
  return { left: "", right: "" };
}
//- /src/ways/again.ts
import { run } from "./impl";
import { pair } from "./impl";

export { run };
export const { left, right } = pair();
//- /src/ways/wrapped.ts
function wrap<T>(of: T): { of: T } {
  return { of };
}

function size(of: number): number {
  return of;
}

export default wrap(size);
//- /src/ways/service.ts
export class Service {
  get(): number {
    return 1;
  }
}

export interface Options {
  a: number;
}
//- /src/ways/one.ts
export const alone = 1;
//- /src/ways/two.ts
export const shared = 2;
//- /src/ways/all.ts
export * from "./one";
export * from "./two";
//- /src/ways/users.ts
import { left, run } from "./again";
import { Options, Service } from "./service";
import wrapped from "./wrapped";
import { alone } from "./all";

export const ran: number = run();
export const first: number = left;
export const sized: number = wrapped.of(1);
export const mock: Service = { get: () => alone };
export const labels: Record<keyof Options, string> = { a: "" };
//- /src/forms/inner.ts
export interface Inner {
  a: number;
}
//- /src/forms/outer.ts
import type { Inner } from "./inner";

export interface Outer {
  inner: Inner;
}
//- /src/forms/make.ts
export const make = () => ({ inner: { a: 1 } });
//- /src/forms/fits.ts
import { make } from "./make";
import type { Outer } from "./outer";

export const outer: Outer = make();
//- /src/forms/thing.ts
export class Thing {}
//- /src/forms/handed.ts
import { Thing } from "./thing";

export { Thing };
//- /src/forms/things.ts
import { Thing } from "./handed";

export const thing = new Thing();
//- /src/forms/invariant.ts
export function invariant(value: unknown): asserts value {
  if (!value) {
    throw new Error("no value");
  }
}
//- /src/forms/known.ts
import { invariant } from "./invariant";

declare function get(): string | undefined;

const value: string | undefined = get();
invariant(value);
export const known = value;
//- /src/forms/first.ts
export interface Settings {
  a: number;
}

export const first = (): Settings => ({ a: 1 });
//- /src/forms/second.ts
export interface Settings {
  b: number;
}

export const second = (): Settings => ({ b: 1 });
//- /src/forms/chosen.ts
import { first } from "./first";
import { second } from "./second";

export function chosen() {
  return first();
}

export const other = second;
//- /src/forms/uses.ts
import { chosen } from "./chosen";
import { known } from "./known";

export const length = known.length;
export const a: number = chosen().a;
"#;

static ROWS: &[Row] = &[
    Row {
        name: "a type error",
        changes: &[Text("src/main.ts", "new Rope(\"klein\", 1)", "new Rope(\"klein\", \"one\")")],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "a parameter more, its callers elsewhere",
        changes: &[Text(
            "src/rigging/rope.ts",
            "first: Rope, second: Rope",
            "first: Rope, second: Rope, third: Rope",
        )],
        expected: Breaks("src/knots/knots.ts"),
    },
    Row {
        name: "a parameter more that may be left out",
        changes: &[Text("src/rigging/rope.ts", "second: Rope)", "second: Rope, mark?: string)")],
        expected: Accepted,
    },
    Row {
        name: "an export deleted that is used elsewhere",
        changes: &[Text("src/rigging/spare.ts", "export function spare(): number {\n  return 3;\n}\n", "")],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "a function deleted that nobody uses",
        changes: &[Text("src/rigging/rope.ts", "function forgotten(): number {\n  return 1;\n}\n\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a function moved within its file",
        changes: &[
            Text("src/rigging/rope.ts", "function forgotten(): number {\n  return 1;\n}\n\n", ""),
            Text(
                "src/rigging/rope.ts",
                "export interface",
                "function forgotten(): number {\n  return 1;\n}\n\nexport interface",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users follow",
        changes: &[
            Text("src/rigging/spare.ts", "export function other(): number {\n  return 4;\n}\n", ""),
            Text(
                "src/rigging/lonely.ts",
                "export function lonely",
                "export function other(): number {\n  return 4;\n}\n\nexport function lonely",
            ),
            Text(
                "src/main.ts",
                "import { other, Rope, spare } from \"./rigging\";",
                "import { Rope, spare } from \"./rigging\";\nimport { other } from \"./rigging/lonely\";",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users stay",
        changes: &[
            Text("src/rigging/spare.ts", "export function other(): number {\n  return 4;\n}\n", ""),
            Text(
                "src/rigging/lonely.ts",
                "export function lonely",
                "export function other(): number {\n  return 4;\n}\n\nexport function lonely",
            ),
        ],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "the error that there was is fixed",
        changes: &[Text("src/broken.ts", "\"text\"", "1")],
        expected: Accepted,
    },
    Row {
        name: "one error fixed, another made",
        changes: &[Text("src/broken.ts", "\"text\"", "1"), Text("src/broken.ts", "return 1", "return true")],
        expected: Breaks("src/broken.ts"),
    },
    Row {
        name: "white space",
        changes: &[Text("src/rigging/rope.ts", "return größe.metres", "return  größe.metres")],
        expected: Accepted,
    },
    Row {
        name: "a comment",
        changes: &[Text(
            "src/rigging/rope.ts",
            "export function splice",
            "/** Joins: größer 😀. */\nexport function splice",
        )],
        expected: Accepted,
    },
    Row {
        name: "letters outside ASCII, as text and as names",
        changes: &[
            Text("src/main.ts", "größer 😀", "𝔤rößte 😀😀"),
            Text(
                "src/rigging/rope.ts",
                "länge(größe: Rope): number {\n  return größe.",
                "länge(maß: Rope): number {\n  return maß.",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a name outside ASCII, at its declaration only",
        changes: &[Text("src/rigging/rope.ts", "function länge", "function größe")],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "an import more, and used",
        changes: &[
            Text(
                "src/knots/knots.ts",
                "import { Knot",
                "import { lonely } from \"../rigging/lonely\";\nimport { Knot",
            ),
            Text("src/knots/knots.ts", "return \"bowline\"", "return `bowline ${lonely()}`"),
        ],
        expected: Accepted,
    },
    Row {
        name: "an import more, and not used",
        changes: &[Text(
            "src/knots/knots.ts",
            "import { Knot",
            "import { lonely } from \"../rigging/lonely\";\nimport { Knot",
        )],
        expected: Accepted,
    },
    Row {
        name: "an import of what is not there",
        changes: &[Text(
            "src/knots/knots.ts",
            "import { Knot",
            "import { none } from \"./nowhere\";\nimport { Knot",
        )],
        expected: Breaks("src/knots/knots.ts"),
    },
    Row {
        name: "a syntax error",
        changes: &[Text("src/knots/knots.ts", "function tie(one", "function tie((one")],
        expected: Breaks("src/knots/knots.ts"),
    },
    Row {
        name: "a rename by the server",
        changes: &[Renamed("src/rigging/rope.ts", "function s", "join")],
        expected: Accepted,
    },
    Row {
        name: "a rename of the declaration only",
        changes: &[Text("src/rigging/rope.ts", "function splice", "function join")],
        expected: Breaks("src/knots/knots.ts"),
    },
    Row {
        name: "an inferred type that only a user of a user minds",
        changes: &[Text("src/chain/first.ts", "return 1", "return \"one\"")],
        expected: Breaks("src/chain/third.ts"),
    },
    Row {
        name: "a value that is handed on by a star",
        changes: &[Text("src/chain/first.ts", "\"fast\"", "\"faster\"")],
        expected: Breaks("src/chain/through.ts"),
    },
    Row {
        name: "a case more that a switch elsewhere lacks",
        changes: &[Text(
            "src/chain/types.ts",
            "{ kind: \"flat\" }",
            "{ kind: \"flat\" } | { kind: \"odd\" }",
        )],
        expected: Breaks("src/chain/exhaustive.ts"),
    },
    Row {
        name: "a global that others use without an import",
        changes: &[Text("src/globals.d.ts", "VERSION: string", "VERSION: number")],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "a new file that an edited one imports",
        changes: &[
            New("src/rigging/fresh.ts", "export function one(): number {\n  return 1;\n}\n"),
            Text(
                "src/main.ts",
                "import { twice }",
                "import { one } from \"./rigging/fresh\";\nimport { twice }",
            ),
            Text("src/main.ts", "[länge(long),", "[länge(long), one(),"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a new file with an error",
        changes: &[New("src/rigging/fresh.ts", "export function one(): number {\n  return \"one\";\n}\n")],
        expected: Breaks("src/rigging/fresh.ts"),
    },
    Row {
        name: "a file removed that is used elsewhere",
        changes: &[Removed("src/tools/crlf.ts")],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "a body in a file with CRLF",
        changes: &[Text("src/tools/crlf.ts", "  return n * 2;\n", "  n += n;\n  return n;\n")],
        expected: Accepted,
    },
    Row {
        name: "a result in a file with CRLF",
        changes: &[Text("src/tools/crlf.ts", "): number {\n  return n * 2", "): string {\n  return `${n}`")],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "a test",
        changes: &[Text("src/rigging/rope.test.ts", "!== 3", "!== 3 || joined.label === \"\"")],
        expected: Accepted,
    },
    Row {
        name: "a type error in a test",
        changes: &[Text("src/rigging/rope.test.ts", "new Rope(\"b\", 2)", "new Rope(2, 2)")],
        expected: Breaks("src/rigging/rope.test.ts"),
    },
    Row {
        name: "a method more that implementers elsewhere lack",
        changes: &[Text(
            "src/rigging/rope.ts",
            "  name(): string;",
            "  name(): string;\n  strength(): number;",
        )],
        expected: Breaks("src/knots/knots.ts"),
    },
    Row {
        name: "a body only",
        changes: &[Text(
            "src/rigging/rope.ts",
            "  return `${rope.label}: ${rope.metres}`;",
            "  const text = `${rope.label}: ${rope.metres}`;\n  return text;",
        )],
        expected: Accepted,
    },
    Row {
        name: "a body whose inferred result changes",
        changes: &[Text("src/chain/second.ts", "return count();", "return `${count()}`;")],
        expected: Breaks("src/chain/third.ts"),
    },
    Row {
        name: "a variable that is not used",
        changes: &[Text("src/rigging/rope.ts", "  return `${rope", "  const unused = 1;\n  return `${rope")],
        expected: Accepted,
    },
    Row {
        name: "a sound edit in a file with an error",
        changes: &[Text("src/broken.ts", "return 1;", "const one = 1;\n  return one;")],
        expected: Accepted,
    },
    Row {
        name: "a field renamed that is used elsewhere",
        changes: &[
            Text("src/rigging/rope.ts", "public metres", "public length"),
            Text("src/rigging/rope.ts", "first.metres + second.metres", "first.length + second.length"),
            Text("src/rigging/rope.ts", "${rope.metres}", "${rope.length}"),
            Text("src/rigging/rope.ts", "größe.metres", "größe.length"),
        ],
        expected: Breaks("src/rigging/rope.test.ts"),
    },
    Row {
        name: "a name that an index no longer hands on",
        changes: &[Text(
            "src/rigging/index.ts",
            "export * from \"./spare\";\n",
            "export { spare } from \"./spare\";\n",
        )],
        expected: Breaks("src/main.ts"),
    },
    Row {
        name: "a name that is handed on from elsewhere",
        changes: &[Text("src/ways/again.ts", "{ run } from \"./impl\"", "{ run } from \"./impl2\"")],
        expected: Breaks("src/ways/users.ts"),
    },
    Row {
        name: "the first of two names that are taken apart",
        changes: &[Text("src/ways/again.ts", "{ pair } from \"./impl\"", "{ pair } from \"./impl2\"")],
        expected: Breaks("src/ways/users.ts"),
    },
    Row {
        name: "a function that is exported only as a part of something",
        changes: &[Text(
            "src/ways/wrapped.ts",
            "size(of: number): number {\n  return of;",
            "size(of: string): number {\n  return of.length;",
        )],
        expected: Breaks("src/ways/users.ts"),
    },
    Row {
        name: "a method more of a class that a literal stands for",
        changes: &[Text(
            "src/ways/service.ts",
            "export class Service {",
            "export class Service {\n  set(): void {}",
        )],
        expected: Breaks("src/ways/users.ts"),
    },
    Row {
        name: "a member more that may be left out, where all are listed",
        changes: &[Text("src/ways/service.ts", "  a: number;", "  a: number;\n  b?: string;")],
        expected: Breaks("src/ways/users.ts"),
    },
    Row {
        name: "a name more that another file hands on as well",
        changes: &[Text(
            "src/ways/one.ts",
            "export const alone = 1;",
            "export const alone = 1;\nexport const shared = 1;",
        )],
        expected: Breaks("src/ways/all.ts"),
    },
    Row {
        name: "a member more of what a member is",
        changes: &[Text("src/forms/inner.ts", "  a: number;\n", "  a: number;\n  b: string;\n")],
        expected: Breaks("src/forms/fits.ts"),
    },
    Row {
        name: "a class that is handed on as a type alone",
        changes: &[Text("src/forms/handed.ts", "import { Thing }", "import type { Thing }")],
        expected: Breaks("src/forms/things.ts"),
    },
    Row {
        name: "an assertion less that a type follows from",
        changes: &[Text("src/forms/known.ts", "invariant(value);\n", "")],
        expected: Breaks("src/forms/uses.ts"),
    },
    Row {
        name: "another type of the same name",
        changes: &[Text("src/forms/chosen.ts", "return first();", "return second();")],
        expected: Breaks("src/forms/uses.ts"),
    },
];
