//! TypeScript and TSX.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_types_too() {
    let text = r#"import type { A } from './a';
export interface Shape<T> extends Base {
  readonly side: number;
  area(): number;
  (call: string): void;
}
export type Pair<T> = [T, T];
type Options = { deep: { nested: number }, call(a: { b: string }): void };
export enum Color { Red, Green = 2, 'dark blue' }
declare module 'thing' { export function outside(a: string): void; }
namespace Geo.Inner { export const unit = 1; }
@Component({ a: 1 })
export abstract class Point<T> implements Shape<T> {
  private count = 0;
  declare other: string;
  constructor(private readonly x: number, y: number) { super(); this.count = 1; }
  @Input() handler = (e: Event) => {};
  abstract far(): void;
  get area(): number { return 1; }
  static async make<U>(this: void, u: U): Promise<U> { return u; }
}
export const fn = <T,>(a: T): T => a;
export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) {}
export default function () {}
let a: number, b: string;
"#;
    assert_snapshot!(outline(Language::TypeScript, text), @"
    Shape [Interface] :2-6  | interface Shape<T> extends Base
      side [Property] :3  in Shape  | readonly side: number
      area [Method] :4  in Shape  | area(): number
    Pair [Class] :7  | type Pair<T> = [T, T]
    Options [Class] :8  | type Options = { deep: { nested: number }, call(a: { b: string }): void }
      deep [Property] :8  in Options  | deep: { nested: number }
      call [Method] :8  in Options  | call(a: { b: string }): void
    Color [Enum] :9  | enum Color
      Red [EnumMember] :9  in Color
      Green [EnumMember] :9  in Color  | Green = 2
      dark blue [EnumMember] :9  in Color  | 'dark blue'
    thing [Module] :10  | module 'thing'
      outside [Function] :10  in thing  | function outside(a: string): void
    Geo.Inner [Namespace] :11  | namespace Geo.Inner
      unit [Constant] :11  in Geo.Inner  | const unit = 1
    Point [Class] :13-21  | abstract class Point<T> implements Shape<T>
      count [Field] :14  in Point  | private count = 0
      other [Field] :15  in Point  | declare other: string
      constructor [Constructor] :16  in Point  | constructor(private readonly x: number, y: number)
      x [Field] :16  in Point  | private readonly x: number
      handler [Method] :17  in Point  | handler = (e: Event)
      far [Method] :18  in Point  | abstract far(): void
      area [Method] :19  in Point  | get area(): number
      make [Method] :20  in Point  | static async make<U>(this: void, u: U): Promise<U>
    fn [Function] :22  | const fn = <T,>(a: T): T
    over [Function] :23  | function over(a: string): void
    over [Function] :24  | function over(a: number): void
    over [Function] :25  | function over(a: any)
    a [Variable] :27  | a: number
    b [Variable] :27  | b: string
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::TypeScript,
        &[
            ("function f(a: A, b?: B) { return a$0; }", "function f(‹a›: A, b?: B) { return «a»; }"),
            ("function f<T>(a: T): T$0 { let b: T; }", "function f<‹T›>(a: «T»): «T» { let b: «T»; }"),
            ("function f(A: A$0) {}", "not local"),
            ("class C<T> { x: T$0; m(): T {} }", "class C<‹T›> { x: «T»; m(): «T» {} }"),
            (
                "type P<T> = T extends (infer U)[] ? U$0 : T;",
                "type P<T> = T extends (infer ‹U›)[] ? «U» : T;",
            ),
            ("type M<T> = { [K in keyof T]: T[K$0] };", "type M<T> = { [‹K› in keyof T]: T[«K»] };"),
            (
                "interface I { m(a: string, b: typeof a$0): void }",
                "interface I { m(‹a›: string, b: typeof «a»): void }",
            ),
            (
                "class C { constructor(private x: number) { x$0; this.x; } }",
                "class C { constructor(private ‹x›: number) { «x»; this.x; } }",
            ),
            ("function f() { interface L {} let a: L$0; }", "function f() { interface ‹L› {} let a: «L»; }"),
            ("interface G {} function f(a: G$0) {}", "not local"),
            ("const f = ({ a, b }: P) => a$0 + b;", "const f = ({ ‹a›, b }: P) => «a» + b;"),
        ],
    );
    check(
        Language::Tsx,
        &[("const f = ({ name }: P) => <b>{name$0}</b>;", "const f = ({ ‹name› }: P) => <b>{«name»}</b>;")],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"let a: Make; let b: ns.Make<Make>; new Make(); Make.x; class C extends Make {} f<Make>();
function g<Make>(a: Make) {}
"#;
    assert_snapshot!(uses(Language::TypeScript, "Make", text), @"
    1:8 Type
    1:24 Qualified by ns
    1:29 Type
    1:40 Call
    1:48 Plain
    1:72 Plain
    1:82 Type
    2:12 Type declares local
    2:21 Type local
    ");
}
