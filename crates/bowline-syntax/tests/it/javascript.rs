//! JavaScript, with JSX.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_what_is_called_and_kept() {
    let text = r#"import { a } from './a';
export const LIMIT = 10, other = 2;
let { x, y: z } = require('x');
export const arrow = async (a) => {
  const inner = 1;
  const helper = () => {};
  function nested() {}
};
export default class Point extends Base {
  static count = 0;
  #secret = 1;
  handler = () => {};
  constructor(x) { this.x = x; this.x = 2; }
  get area() { return 1; }
  static *make() {}
}
function* gen() {}
const object = { method() {}, key: function () {}, plain: 1 };
module.exports.run = function () {};
Point.prototype.far = function () {};
const Named = class {};
for (const i of []) {}
const App = () => <Widget size={LIMIT} />;
"#;
    assert_snapshot!(outline(Language::JavaScript, text), @"
    LIMIT [Constant] :2  | LIMIT = 10
    other [Constant] :2  | other = 2
    x [Variable] :3  | let { x, y: z } = require('x')
    z [Variable] :3  | let { x, y: z } = require('x')
    arrow [Function] :4-8  | const arrow = async (a)
      helper [Function] :6  in arrow  | const helper = ()
      nested [Function] :7  in arrow  | function nested()
    Point [Class] :9-16  | class Point extends Base
      count [Field] :10  in Point  | static count = 0
      #secret [Field] :11  in Point  | #secret = 1
      handler [Method] :12  in Point  | handler = ()
      constructor [Constructor] :13  in Point  | constructor(x)
      x [Field] :13  in Point  | this.x = x
      area [Method] :14  in Point  | get area()
      make [Method] :15  in Point  | static *make()
    gen [Function] :17  | function* gen()
    object [Constant] :18  | const object = { method() {}, key: function () {}, plain: 1 }
      method [Method] :18  in object  | method()
      key [Method] :18  in object  | key: function ()
    run [Function] :19  | module.exports.run = function ()
    far [Method] :20  in Point  | Point.prototype.far = function ()
    Named [Class] :21  | const Named = class
    App [Function] :23  | const App = ()
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::JavaScript,
        &[
            (
                "function f(a, { b, c: [d] }, ...e) { return d$0 + e; }",
                "function f(a, { b, c: [‹d›] }, ...e) { return «d» + e; }",
            ),
            ("function f(a = 1, b = a$0) {}", "function f(‹a› = 1, b = «a») {}"),
            (
                "function f() { if (1) { var x = 1; } return x$0; }",
                "function f() { if (1) { var ‹x› = 1; } return «x»; }",
            ),
            ("function f() { if (1) { let x = 1; } return x$0; }", "not local"),
            (
                "function f() { let x = 1; { let x = 2; x$0; } x; }",
                "function f() { let x = 1; { let ‹x› = 2; «x»; } x; }",
            ),
            (
                "function f() { let x = 1; { let x = 2; x; } x$0; }",
                "function f() { let ‹x› = 1; { let x = 2; x; } «x»; }",
            ),
            (
                "function f() { return g$0(); function g() {} }",
                "function f() { return «g»(); function ‹g›() {} }",
            ),
            ("const f = x => x$0 + 1;", "const f = ‹x› => «x» + 1;"),
            ("const f = (x) => () => x$0;", "const f = (‹x›) => () => «x»;"),
            ("for (const i of list) { i$0; }", "for (const ‹i› of list) { «i»; }"),
            ("for (let i = 0; i < 3; i++) { i$0; }", "for (let ‹i› = 0; «i» < 3; «i»++) { «i»; }"),
            ("try {} catch (e) { e$0; }", "try {} catch (‹e›) { «e»; }"),
            ("try {} catch ({ code }) { code$0; }", "try {} catch ({ ‹code› }) { «code»; }"),
            ("function f(x) { return { x$0 }; }", "function f(‹x›) { return { «x» }; }"),
            ("function f(x) { return { x$0: 1 }; }", "not local"),
            ("function f(x) { return o.x$0; }", "not local"),
            ("function f() { return class C { m() { return C$0; } }; }", "not local"),
            (
                "const g = function me(n) { return me$0(n); };",
                "const g = function ‹me›(n) { return «me»(n); };",
            ),
            ("const top = 1; top$0;", "not local"),
            (
                "const f = (name) => <a href={name$0} name=\"x\">{name}</a>;",
                "const f = (‹name›) => <a href={«name»} name=\"x\">{«name»}</a>;",
            ),
            ("const f = (name) => <a name$0=\"x\"/>;", "not local"),
            ("function f(x) { return `${x$0}`; }", "function f(‹x›) { return `${«x»}`; }"),
            (
                "function f() { let [a, b = a] = g(); [a, b] = [b, a$0]; }",
                "function f() { let [‹a›, b = «a»] = g(); [«a», b] = [b, «a»]; }",
            ),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"// make
class S { make() { this.make(); S.make; x.y.make(); make(); 'make'; f({ make: 1 }); new make(); } }
function take(make) { make.make; }
"#;
    assert_snapshot!(uses(Language::JavaScript, "make", text), @"
    2:11 Plain declares
    2:25 Qualified by S
    2:35 Qualified by S
    2:45 MemberCall
    2:53 Call
    2:73 Key
    2:89 Call
    3:15 Plain declares local
    3:23 Plain local
    3:28 Member
    ");
}
