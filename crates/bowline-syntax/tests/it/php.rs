//! PHP.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_namespaces_types_and_members() {
    let text = r#"<html><?php
namespace App\Models;

use App\Other;

const LIMIT = 10;
/** Doc. */
#[Entity]
abstract class Point extends Base implements Shape {
    use Helper;
    public const A = 1, B = 2;
    private ?int $x = 0;
    protected static $y, $z;
    public function __construct(private readonly int $left, int $right) { $this->x = $left; }
    #[Route('/')]
    abstract public function area(): float;
    public static function make(array $a = []): static { $local = 1; function inner() {} return new static(); }
}
interface Shape { public function draw(); }
trait Helper { private $help; }
enum Color: string { case Red = 'r'; case Blue = 'b'; const C = 1; public function label() {} }
function free(int &$a, ...$rest): ?string { return null; }

namespace App\Second;
class Next {}
"#;
    assert_snapshot!(outline(Language::Php, text), @r"
    App\Models [Namespace] :2-24  | namespace App\Models
      LIMIT [Constant] :6  in App.Models  | const LIMIT = 10
      Point [Class] :9-18  in App.Models  | abstract class Point extends Base implements Shape
        A [Constant] :11  in App.Models.Point  | A = 1
        B [Constant] :11  in App.Models.Point  | B = 2
        x [Property] :12  in App.Models.Point  | private ?int $x = 0
        y [Property] :13  in App.Models.Point  | $y
        z [Property] :13  in App.Models.Point  | $z
        __construct [Constructor] :14  in App.Models.Point  | public function __construct(private readonly int $left, int $right)
        left [Property] :14  in App.Models.Point  | private readonly int $left
        area [Method] :16  in App.Models.Point  | abstract public function area(): float
        make [Method] :17  in App.Models.Point  | public static function make(array $a = []): static
          inner [Function] :17  in App.Models.Point.make  | function inner()
      Shape [Interface] :19  in App.Models  | interface Shape
        draw [Method] :19  in App.Models.Shape  | public function draw()
      Helper [Class] :20  in App.Models  | trait Helper
        help [Property] :20  in App.Models.Helper  | private $help
      Color [Enum] :21  in App.Models  | enum Color: string
        Red [EnumMember] :21  in App.Models.Color  | case Red = 'r'
        Blue [EnumMember] :21  in App.Models.Color  | case Blue = 'b'
        C [Constant] :21  in App.Models.Color  | const C = 1
        label [Method] :21  in App.Models.Color  | public function label()
      free [Function] :22  in App.Models  | function free(int &$a, ...$rest): ?string
    App\Second [Namespace] :24-25  | namespace App\Second
      Next [Class] :25  in App.Second  | class Next
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    let cases = [
        ("function f($a, &$b, ...$c) { return $b$0; }", "function f($a, &$‹b›, ...$c) { return $«b»; }"),
        (
            "function f() { if (1) { $x = 1; } return $x$0; }",
            "function f() { if (1) { $‹x› = 1; } return $«x»; }",
        ),
        ("$x = 1; function f() { return $x$0; }", "not local"),
        ("function f() { global $x; $x$0 = 1; }", "not local"),
        (
            "function f() { foreach ($xs as $k => $v) { g($k, $v$0); } }",
            "function f() { foreach ($xs as $k => $‹v›) { g($k, $«v»); } }",
        ),
        ("function f() { [$a, $b] = g(); return $b$0; }", "function f() { [$a, $‹b›] = g(); return $«b»; }"),
        (
            "function f($x) { return function ($y) use ($x) { return $x$0 + $y; }; }",
            "function f($‹x›) { return function ($y) use ($«x») { return $«x» + $y; }; }",
        ),
        ("function f($x) { return function ($y) { return $x$0; }; }", "not local"),
        (
            "function f($x) { return fn($y) => $x$0 + $y; }",
            "function f($‹x›) { return fn($y) => $«x» + $y; }",
        ),
        (
            "function f() { try { } catch (E $e) { g($e$0); } }",
            "function f() { try { } catch (E $‹e›) { g($«e»); } }",
        ),
        ("function f() { static $n = 0; $n$0++; }", "function f() { static $‹n› = 0; $«n»++; }"),
        ("function f($x) { return $this->x$0; }", "not local"),
        ("function f($f) { return f$0(); }", "not local"),
        ("function f($x) { return \"a {$x$0} $x\"; }", "function f($‹x›) { return \"a {$«x»} $«x»\"; }"),
        ("function f($x) { return self::$x$0; }", "not local"),
    ];
    let wrap = |text: &str| {
        if text == "not local" { text.to_owned() } else { format!("<?php {text}") }
    };
    let cases = cases.map(|(text, expected)| (wrap(text), wrap(expected)));
    let cases: Vec<_> = cases.iter().map(|(text, expected)| (text.as_str(), expected.as_str())).collect();
    check(Language::Php, &cases);
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"<?php // make
class S {
  public $make;
  function make() { $this->make(); self::make(); S::make(); \A\B::make(); $o->make(); make(); 'make'; $o->make; S::make; A\make(); }
  function g($make): make { return new make($make, make: 1); }
}
"#;
    assert_snapshot!(uses(Language::Php, "make", text), @"
    3:11 Plain declares
    4:12 Plain declares
    4:28 Qualified by S
    4:42 Qualified by S
    4:53 Qualified by S
    4:67 Qualified by B
    4:79 MemberCall
    4:87 Call
    4:107 Member
    4:116 Qualified by S
    4:124 Qualified by A
    5:15 Plain declares local
    5:22 Type
    5:40 Type
    5:46 Plain local
    5:52 Key
    ");
}
