//! The body of a declaration: what stands between its braces, or below its head.

use std::ops::Range;

use tree_sitter::Node;

use crate::Parsed;

impl Parsed {
    /// The bytes of the body of the declaration that takes up these bytes, braces included where there are some.
    pub fn body_within(&self, declaration: Range<usize>) -> Option<Range<usize>> {
        let outermost = self.root().descendant_for_byte_range(declaration.start, declaration.end)?;
        body_of(outermost, &declaration, 0)
    }
}

/// Declarations are wrapped: by decorators, exports, or the variable that an arrow function is given to.
const DEEPEST: usize = 4;

fn body_of(node: Node<'_>, within: &Range<usize>, depth: usize) -> Option<Range<usize>> {
    let inside = node.start_byte() >= within.start && node.end_byte() <= within.end;
    if inside && let Some(body) = node.child_by_field_name("body") {
        return Some(body.byte_range());
    }
    if depth == DEEPEST {
        return None;
    }
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    let touching = children
        .into_iter()
        .filter(|child| child.start_byte() < within.end && within.start < child.end_byte());
    touching.into_iter().find_map(|child| body_of(child, within, depth + 1))
}

#[cfg(test)]
mod tests {
    use crate::{Language, parse};

    fn body(language: Language, text: &str, name: &str) -> Option<String> {
        let parsed = parse(language, text, &|| false).unwrap();
        let symbol = parsed.flat_symbols().into_iter().find(|symbol| symbol.name == name).unwrap();
        let at = |at| parsed.lines().offset(text, at, bowline_code::Encoding::Utf16).unwrap();
        let range = at(symbol.range.start)..at(symbol.range.end);
        parsed.body_within(range).map(|bytes| text[bytes].to_owned())
    }

    #[test]
    fn bodies_in_many_languages() {
        for (language, text, name, expected) in [
            (Language::Rust, "fn f<T>(\n  a: T,\n) -> T { a }\n", "f", Some("{ a }")),
            (Language::Rust, "const N: u8 = 1;\n", "N", None),
            (
                Language::Go,
                "package p\n\nfunc (t *T) M() int {\n\treturn 1\n}\n",
                "M",
                Some("{\n\treturn 1\n}"),
            ),
            (Language::Python, "@d\ndef f(\n    a,\n):\n    return a\n", "f", Some("return a")),
            (
                Language::TypeScript,
                "export const f = (a: number) => { return a; };\n",
                "f",
                Some("{ return a; }"),
            ),
            (Language::TypeScript, "export class C { m(): void { g(); } }\n", "m", Some("{ g(); }")),
            (Language::Cpp, "int f(int a)\n{\n  return a;\n}\n", "f", Some("{\n  return a;\n}")),
        ] {
            assert_eq!(body(language, text, name).as_deref(), expected, "{text}");
        }
    }
}
