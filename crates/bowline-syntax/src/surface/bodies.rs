//! Which bodies nothing outside can see into, and what shows through all the same.

use std::collections::BTreeSet;
use std::path::Path;

use tree_sitter::Node;

use crate::walk::{Place, Visitor, walk};
use crate::{Language, Parsed};

/// Source files of C and C++ that others do not usually include.
const SOURCES: [&str; 5] = ["c", "cc", "cpp", "cxx", "c++"];
/// Words in the head of a C or C++ function that make its body a matter of others.
const EXPOSING: [&str; 7] = ["auto", "constexpr", "consteval", "inline", "template", "decltype", "concept"];
/// Attributes that leave a Rust function as it is written. Any other may be a macro that reads the body.
const PLAIN: [&str; 15] = [
    "test",
    "inline",
    "must_use",
    "allow",
    "warn",
    "deny",
    "expect",
    "doc",
    "cfg",
    "cold",
    "deprecated",
    "track_caller",
    "no_mangle",
    "ignore",
    "should_panic",
];
/// Macros of the standard library that declare nothing.
const DECLARES_NOTHING: [&str; 20] = [
    "println",
    "print",
    "eprintln",
    "eprint",
    "format",
    "write",
    "writeln",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "vec",
    "matches",
    "todo",
    "unimplemented",
    "unreachable",
    "dbg",
];
/// Calls that do not return. Whoever calls a function that never does is checked otherwise.
const NO_RETURN: [&str; 9] =
    ["panic", "Exit", "Fatal", "Fatalf", "Fatalln", "Goexit", "Panic", "Panicf", "Panicln"];

/// Finds bodies that are nobody else's business.
pub(super) struct Hidden<'a> {
    parsed: &'a Parsed,
    is_source: bool,
    /// TypeScript: variables outside functions. That one is assigned to anywhere changes what is inferred of it.
    shared: BTreeSet<&'a str>,
}

impl<'a> Hidden<'a> {
    pub(super) fn new(path: &Path, parsed: &'a Parsed) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_source = SOURCES.contains(&ending.to_ascii_lowercase().as_str());
        let mut hidden = Self { parsed, is_source, shared: BTreeSet::new() };
        if matches!(parsed.language(), Language::TypeScript | Language::Tsx) {
            let mut finder = Variables { hidden: &hidden, found: BTreeSet::new() };
            walk(parsed.root().walk(), (), &mut finder);
            hidden.shared = finder.found;
        }
        hidden
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        self.parsed.text().get(node.byte_range()).unwrap_or_default()
    }

    /// What shows through the body at this place. `None`: it is no body, or all of it can be seen.
    pub(super) fn body(&self, place: &Place<'_, '_>) -> Option<Vec<&'a str>> {
        let owner = *place.parents.last()?;
        if owner.child_by_field_name("body")? != place.node {
            return None;
        }
        let around = &place.parents[..place.parents.len() - 1];
        let is_hidden = match self.parsed.language() {
            Language::Go => self.hides_go(owner),
            Language::Rust => self.hides_rust(owner, around),
            Language::TypeScript | Language::Tsx => self.hides_script(owner),
            Language::C | Language::Cpp => self.hides_c(owner, around),
            _ => false,
        };
        if !is_hidden {
            return None;
        }
        let mut leaks = Leaks { hidden: self, found: Vec::new(), all: false };
        walk(place.node.walk(), (), &mut leaks);
        if leaks.all {
            return None;
        }
        if self.parsed.language() != Language::Rust {
            leaks.found.sort_unstable();
            leaks.found.dedup();
        }
        Some(leaks.found)
    }

    /// Whether what is inside of this node can be seen, however it is declared.
    pub(super) fn exposes(&self, place: &Place<'_, '_>) -> bool {
        match self.parsed.language() {
            // What is inferred of a function depends on the functions in it, too.
            Language::TypeScript | Language::Tsx => place.parents.last().is_some_and(|owner| {
                is_script_function(owner.kind()) && owner.child_by_field_name("body") == Some(place.node)
            }),
            Language::Go | Language::Rust | Language::C | Language::Cpp => {
                matches!(place.node.kind(), "block" | "compound_statement")
            }
            _ => true,
        }
    }

    fn hides_go(&self, owner: Node<'_>) -> bool {
        let is_function = matches!(owner.kind(), "function_declaration" | "method_declaration");
        let parameters = owner.child_by_field_name("parameters").map_or("", |node| self.text(node));
        // `vet` looks into these: whoever hands its arguments on to `Printf` is checked like it, in every package.
        is_function && !parameters.contains("...")
    }

    fn hides_rust(&self, owner: Node<'_>, around: &[Node<'_>]) -> bool {
        if owner.kind() != "function_item" || self.parsed.text().contains("= impl") {
            return false;
        }
        let Some(body) = owner.child_by_field_name("body") else { return false };
        let head = self.parsed.text().get(owner.start_byte()..body.start_byte()).unwrap_or_default();
        let returned = owner.child_by_field_name("return_type").map_or("", |node| self.text(node));
        // Whether a future can be sent to another thread depends on what its body holds.
        let is_plain = !words(head).any(|word| matches!(word, "async" | "const" | "gen"))
            && !words(returned).any(|word| word == "impl");
        is_plain && around.iter().chain([&owner]).all(|node| self.has_plain_attributes(*node))
    }

    fn has_plain_attributes(&self, node: Node<'_>) -> bool {
        let mut before = node.prev_sibling();
        while let Some(sibling) = before {
            if sibling.kind() == "attribute_item" || sibling.kind() == "inner_attribute_item" {
                let name = words(self.text(sibling)).next().unwrap_or_default();
                if !PLAIN.contains(&name) || self.text(sibling).contains("::") {
                    return false;
                }
            } else if !sibling.kind().contains("comment") {
                return true;
            }
            before = sibling.prev_sibling();
        }
        true
    }

    fn hides_script(&self, owner: Node<'_>) -> bool {
        let name = owner.child_by_field_name("name").map_or("", |node| self.text(node));
        is_script_function(owner.kind())
            && owner.child_by_field_name("return_type").is_some()
            // What a constructor assigns is what its members are inferred to be.
            && !name.contains("constructor")
    }

    fn hides_c(&self, owner: Node<'_>, around: &[Node<'_>]) -> bool {
        const OUTSIDE: [&str; 4] =
            ["translation_unit", "namespace_definition", "linkage_specification", "declaration_list"];
        let Some(body) = owner.child_by_field_name("body") else { return false };
        let head = self.parsed.text().get(owner.start_byte()..body.start_byte()).unwrap_or_default();
        self.is_source
            && owner.kind() == "function_definition"
            && owner.child_by_field_name("type").is_some()
            && around.iter().all(|node| OUTSIDE.contains(&node.kind()))
            && !words(head).any(|word| EXPOSING.contains(&word))
    }
}

fn is_script_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration"
            | "generator_function_declaration"
            | "function_expression"
            | "generator_function"
            | "arrow_function"
            | "method_definition"
            | "class_static_block"
    )
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c == '_' || c.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// Collects what shows through a body.
struct Leaks<'h, 'a> {
    hidden: &'h Hidden<'a>,
    found: Vec<&'a str>,
    /// It cannot be told what does.
    all: bool,
}

impl<'t> Visitor<'t> for Leaks<'_, '_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let (node, kind) = (place.node, place.node.kind());
        let text = self.hidden.text(node);
        match self.hidden.parsed.language() {
            Language::Go => {
                let is_endless = kind == "for_statement" && node.named_child_count() == 1
                    || kind == "select_statement" && node.named_child_count() == 0;
                if is_endless {
                    self.found.push("for");
                } else if matches!(kind, "identifier" | "field_identifier") && NO_RETURN.contains(&text) {
                    self.found.push(text);
                }
            }
            Language::Rust => {
                let declares = match kind {
                    "macro_invocation" => {
                        !words(text).next().is_some_and(|name| DECLARES_NOTHING.contains(&name))
                    }
                    "impl_item" | "macro_definition" | "mod_item" | "trait_item" | "foreign_mod_item"
                    | "const_block" | "attribute_item" => true,
                    _ => false,
                };
                if declares {
                    self.found.push(text);
                    return None;
                }
            }
            Language::TypeScript | Language::Tsx => {
                // A file that is brought in may declare something for everybody.
                self.all |= kind == "import" || kind == "identifier" && text == "require";
                let target = match kind {
                    "assignment_expression" | "augmented_assignment_expression" | "for_in_statement" => {
                        "left"
                    }
                    "update_expression" => "argument",
                    _ => return Some(()),
                };
                if let Some(target) = node.child_by_field_name(target) {
                    let assigned = script_words(self.hidden.text(target));
                    self.found.extend(assigned.filter(|name| self.hidden.shared.contains(name)));
                }
            }
            _ => {
                self.all |=
                    kind.starts_with("preproc_") || kind == "storage_class_specifier" && text == "extern";
            }
        }
        Some(())
    }
}

fn script_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c == '_' || c == '$' || c.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// Collects the names of variables that stand in no function.
struct Variables<'h, 'a> {
    hidden: &'h Hidden<'a>,
    found: BTreeSet<&'a str>,
}

impl<'t> Visitor<'t> for Variables<'_, '_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        if is_script_function(place.node.kind()) {
            return None;
        }
        if place.node.kind() == "variable_declarator"
            && let Some(name) = place.node.child_by_field_name("name")
        {
            self.found.extend(script_words(self.hidden.text(name)));
        }
        Some(())
    }
}
