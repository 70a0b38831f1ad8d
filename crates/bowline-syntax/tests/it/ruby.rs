//! Ruby.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_modules_classes_and_methods() {
    let text = r#"require 'a'

# Doc.
module Geo
  LIMIT = 10
  class Point < Base
    include Comparable
    attr_accessor :x, :y
    attr_reader :name

    def initialize(x, y = 0, *rest, key: 1, &block)
      @x = x
      local = 1
    end

    def self.make(x) = new(x)

    def area?
      1
    end

    def name=(value)
      @name = value
    end

    def ==(other)
      true
    end

    class << self
      def build; end
    end

    private

    def hidden; end
  end
  class Point::Deep; end
end

def free
end
"#;
    assert_snapshot!(outline(Language::Ruby, text), @"
    Geo [Module] :4-39  | module Geo
      LIMIT [Constant] :5  in Geo  | LIMIT = 10
      Point [Class] :6-37  in Geo  | class Point < Base
        x [Property] :8  in Geo.Point  | attr_accessor :x, :y
        y [Property] :8  in Geo.Point  | attr_accessor :x, :y
        name [Property] :9  in Geo.Point  | attr_reader :name
        initialize [Constructor] :11-14  in Geo.Point  | def initialize(x, y = 0, *rest, key: 1, &block)
        make [Method] :16  in Geo.Point  | def self.make(x)
        area? [Method] :18-20  in Geo.Point  | def area?
        name= [Method] :22-24  in Geo.Point  | def name=(value)
        == [Method] :26-28  in Geo.Point  | def ==(other)
        build [Method] :31  in Geo.Point  | def build; end
        hidden [Method] :36  in Geo.Point  | def hidden; end
      Deep [Class] :38  in Geo.Point  | class Point::Deep; end
    free [Function] :41-42  | def free end
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::Ruby,
        &[
            (
                "def f(a, b = 1, *c, d:, **e, &g)\n  d$0 + a\nend",
                "def f(a, b = 1, *c, ‹d›:, **e, &g)\n  «d» + a\nend",
            ),
            ("def f\n  x = 1\n  x$0 += 2\nend", "def f\n  ‹x› = 1\n  «x» += 2\nend"),
            ("def f\n  x = 1\n  g { |y| x$0 + y }\nend", "def f\n  ‹x› = 1\n  g { |y| «x» + y }\nend"),
            (
                "def f\n  g do |a, (b, c)|\n    c$0\n  end\nend",
                "def f\n  g do |a, (b, ‹c›)|\n    «c»\n  end\nend",
            ),
            ("x = 1\ndef f\n  x$0\nend", "not local"),
            ("def f\n  a, *b = g\n  b$0\nend", "def f\n  a, *‹b› = g\n  «b»\nend"),
            ("h = ->(n) { n$0 * 2 }", "h = ->(‹n›) { «n» * 2 }"),
            ("def f\n  g\nrescue E => e\n  e$0\nend", "def f\n  g\nrescue E => ‹e›\n  «e»\nend"),
            ("def f\n  for i in x do i$0 end\nend", "def f\n  for ‹i› in x do «i» end\nend"),
            (
                "def f(v)\n  case v\n  in {name:, age: a} then a$0\n  end\nend",
                "def f(v)\n  case v\n  in {name:, age: ‹a›} then «a»\n  end\nend",
            ),
            ("def f(x)\n  @x$0 = x\nend", "not local"),
            ("def f(x)\n  o.x$0\nend", "not local"),
            ("def f(x)\n  \"#{x$0}\"\nend", "def f(‹x›)\n  \"#{«x»}\"\nend"),
            ("def f(x)\n  g(x$0: x)\nend", "not local"),
            ("def f(x)\n  g(:x$0)\nend", "not local"),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"# make
class S
  before :make
  def make
    self.make; S.make; o.make; make; make(1); 'make'; A::B.make; f(make: 1)
  end
end
"#;
    assert_snapshot!(uses(Language::Ruby, "make", text), @"
    3:11 Plain
    4:7 Plain declares
    5:10 Qualified by S
    5:18 Qualified by S
    5:26 MemberCall
    5:32 Plain
    5:38 Call
    5:60 Qualified by B
    5:68 Key
    ");
}
