//! What a file brings in from elsewhere: `use`, `import`, `#include`, and what other languages call it.

use std::ops::Range;

use tree_sitter::Node;

use crate::walk::{Place, Visitor, walk};
use crate::{Language, Parsed};

/// Statements that bring something in stand no deeper than this: under a condition, in a namespace, in a group.
const DEEPEST: usize = 6;

/// One statement that brings something in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As it is written, on one line.
    pub text: String,
    pub bytes: Range<usize>,
}

impl Parsed {
    /// In the order of the text.
    pub fn imports(&self) -> Vec<Import> {
        let mut finder = Finder { language: self.language(), text: self.text(), found: Vec::new() };
        walk(self.root().walk(), (), &mut finder);
        finder.found
    }

    /// Whether a text of JavaScript or TypeScript imports or exports something as a whole: what it declares is its own.
    pub fn is_module(&self) -> bool {
        let root = self.root();
        let makes_module = |node: Node<'_>| matches!(node.kind(), "import_statement" | "export_statement");
        !self.has_error() && root.named_children(&mut root.walk()).any(makes_module)
    }
}

struct Finder<'a> {
    language: Language,
    text: &'a str,
    found: Vec<Import>,
}

impl<'t> Visitor<'t> for Finder<'_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let node = place.node;
        if self.brings_in(node) {
            let bytes = node.byte_range();
            let text = self.text.get(bytes.clone()).unwrap_or_default();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.found.push(Import { text, bytes });
            return None;
        }
        (place.parents.len() < DEEPEST).then_some(())
    }
}

impl Finder<'_> {
    fn brings_in(&self, node: Node<'_>) -> bool {
        let kind = node.kind();
        let begins = |words: &[&str]| {
            let text = self.text.get(node.byte_range()).unwrap_or_default();
            words.iter().any(|word| {
                text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '(', '\'', '"']))
            })
        };
        match self.language {
            Language::Rust => matches!(kind, "use_declaration" | "extern_crate_declaration"),
            Language::Python => {
                matches!(kind, "import_statement" | "import_from_statement" | "future_import_statement")
            }
            Language::Go => kind == "import_spec",
            Language::TypeScript | Language::Tsx | Language::JavaScript => match kind {
                "import_statement" => true,
                "export_statement" => node.child_by_field_name("source").is_some(),
                "variable_declarator" => {
                    let value = node.child_by_field_name("value");
                    value.is_some_and(|value| {
                        self.text.get(value.byte_range()).is_some_and(|text| text.starts_with("require("))
                    })
                }
                _ => false,
            },
            Language::Java => kind == "import_declaration",
            Language::C | Language::Cpp => matches!(kind, "preproc_include" | "import_declaration"),
            Language::CSharp => kind == "using_directive",
            Language::Ruby => kind == "call" && begins(&["require", "require_relative", "load"]),
            Language::Php => {
                kind == "namespace_use_declaration"
                    || matches!(
                        kind,
                        "require_expression"
                            | "require_once_expression"
                            | "include_expression"
                            | "include_once_expression"
                    )
            }
            Language::Bash => kind == "command" && begins(&["source", "."]),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Language, parse};

    fn imports(language: Language, text: &str) -> Vec<String> {
        let parsed = parse(language, text, &|| false).unwrap();
        parsed.imports().into_iter().map(|import| import.text).collect()
    }

    #[test]
    fn each_language_has_its_own_words_for_it() {
        let rust = "use std::fs;\nmod m { use super::{a,\n  b}; }\nfn f() { let use_it = 1; }\n";
        assert_eq!(imports(Language::Rust, rust), ["use std::fs;", "use super::{a, b};"]);
        let python =
            "import os\nfrom . import x\ntry:\n    import json\nexcept ImportError:\n    pass\n'import no'\n";
        assert_eq!(imports(Language::Python, python), ["import os", "from . import x", "import json"]);
        let go = "package a\nimport (\n\t\"fmt\"\n\tr \"example.com/rope\"\n)\n";
        assert_eq!(imports(Language::Go, go), ["\"fmt\"", "r \"example.com/rope\""]);
        let script = "import a from './a';\nexport { b } from './b';\nconst c = require('./c');\nexport const d = 1;\n";
        assert_eq!(
            imports(Language::TypeScript, script),
            ["import a from './a';", "export { b } from './b';", "c = require('./c')"]
        );
        assert_eq!(
            imports(Language::Java, "import java.util.List;\nclass A {}\n"),
            ["import java.util.List;"]
        );
        assert_eq!(
            imports(Language::Cpp, "#include <map>\n#include \"a.hpp\"\n"),
            ["#include <map>", "#include \"a.hpp\""]
        );
        assert_eq!(imports(Language::CSharp, "using System;\nclass A {}\n"), ["using System;"]);
        assert_eq!(imports(Language::Ruby, "require 'set'\nrequire_relative \"a\"\nrequired 1\n").len(), 2);
        assert_eq!(imports(Language::Php, "<?php\nuse A\\B;\nrequire 'x.php';\n").len(), 2);
        assert_eq!(
            imports(Language::Bash, "source ./a.sh\n. b.sh\necho source\n"),
            ["source ./a.sh", ". b.sh"]
        );
    }
}
