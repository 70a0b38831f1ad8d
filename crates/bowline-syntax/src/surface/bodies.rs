//! Which bodies nothing outside can see into, and what shows through all the same.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use tree_sitter::Node;

use super::assignments::{Variables as Assigned, assigned_by, own_attributes};
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
    /// TypeScript and Python: how often each word is written.
    counts: HashMap<&'a str, usize>,
}

/// Types of TypeScript that are no unions, so that a variable keeps the declared type whatever is assigned to it.
const PLAIN_TYPES: [&str; 8] = ["string", "number", "bigint", "symbol", "any", "unknown", "object", "void"];
/// The same of Python. A variable of any other class is narrowed to the class of what is assigned to it.
const PLAIN_PYTHON: [&str; 5] = ["int", "str", "float", "bytes", "complex"];
/// Containers of Python, whatever they hold.
const CONTAINERS: [&str; 4] = ["list[", "dict[", "set[", "frozenset["];

impl<'a> Hidden<'a> {
    pub(super) fn new(path: &Path, parsed: &'a Parsed) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_source = SOURCES.contains(&ending.to_ascii_lowercase().as_str());
        let mut hidden = Self { parsed, is_source, shared: BTreeSet::new(), counts: HashMap::new() };
        if matches!(parsed.language(), Language::TypeScript | Language::Tsx) {
            script_words(parsed.text()).for_each(|word| *hidden.counts.entry(word).or_default() += 1);
            let mut finder = Variables { hidden: &hidden, found: BTreeSet::new() };
            walk(parsed.root().walk(), (), &mut finder);
            hidden.shared = finder.found;
        }
        if parsed.language() == Language::Python {
            words(parsed.text()).for_each(|word| *hidden.counts.entry(word).or_default() += 1);
        }
        hidden
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        self.parsed.text().get(node.byte_range()).unwrap_or_default()
    }

    /// What shows through what is hidden at this place. `None`: all of it can be seen.
    pub(super) fn leaks_at(&self, place: &Place<'_, '_>) -> Option<Vec<&'a str>> {
        self.docstring(place)
            .or_else(|| self.statement(place))
            .or_else(|| self.typed_value(place))
            .or_else(|| self.body(place))
    }

    /// The docstring of a module, a class or a function of Python: nothing shows through it.
    pub(super) fn docstring(&self, place: &Place<'_, '_>) -> Option<Vec<&'a str>> {
        let (node, owner) = (place.node, *place.parents.last()?);
        let is_text = self.parsed.language() == Language::Python
            && node.kind() == "expression_statement"
            && node.named_child_count() == 1
            && node.named_child(0)?.kind() == "string";
        let is_first = owner.named_child(0) == Some(node);
        (is_text && is_first && matches!(owner.kind(), "module" | "block")).then(Vec::new)
    }

    /// A call that stands by itself, outside of every declaration, declares nothing.
    fn statement(&self, place: &Place<'_, '_>) -> Option<Vec<&'a str>> {
        let (node, owner) = (place.node, *place.parents.last()?);
        if node.kind() != "expression_statement" {
            return None;
        }
        let text = self.text(node);
        let child = node.named_child(0)?;
        match self.parsed.language() {
            Language::TypeScript | Language::Tsx => {
                let is_call = matches!(child.kind(), "call_expression" | "await_expression");
                // An assertion says of what type its argument is from then on, whatever it is called; a file that is
                // imported may declare something for everybody.
                let shows = text.contains("ssert")
                    || text.contains("import(")
                    || text.contains("require(")
                    || self.may_assert(child);
                let leaks = if shows { vec![text] } else { Vec::new() };
                (owner.kind() == "program" && is_call).then_some(leaks)
            }
            Language::Python => {
                let is_call = owner.kind() == "module" && matches!(child.kind(), "call" | "await");
                // What it calls may never return, and then nothing below counts.
                let called = &text[..text.find('(').unwrap_or(text.len())];
                (is_call && !called.starts_with("__all__")).then(|| vec![called])
            }
            _ => None,
        }
    }

    /// Whether a call of TypeScript may be an assertion about a variable of the module: it is given one, or a condition on
    /// one.
    fn may_assert(&self, call: Node<'_>) -> bool {
        let call = if call.kind() == "await_expression" { call.named_child(0) } else { Some(call) };
        let Some(given) = call.and_then(|call| call.child_by_field_name("arguments")) else { return false };
        let is_about = |argument: Node<'_>| {
            const ABOUT: [&str; 6] = [
                "identifier",
                "member_expression",
                "binary_expression",
                "unary_expression",
                "call_expression",
                "parenthesized_expression",
            ];
            ABOUT.contains(&argument.kind())
                && script_words(self.text(argument)).any(|word| self.shared.contains(word))
        };
        (0..given.named_child_count()).filter_map(|index| given.named_child(index as u32)).any(is_about)
    }

    /// A value beside a declared type. That there is one is seen.
    fn typed_value(&self, place: &Place<'_, '_>) -> Option<Vec<&'a str>> {
        let owner = *place.parents.last()?;
        let declared = owner.child_by_field_name("type")?;
        let is_hidden = match (self.parsed.language(), owner.kind()) {
            (Language::TypeScript | Language::Tsx, "variable_declarator") => {
                owner.child_by_field_name("value") == Some(place.node) && self.keeps_type(owner, declared)
            }
            (Language::TypeScript | Language::Tsx, "public_field_definition") => {
                owner.child_by_field_name("value") == Some(place.node)
            }
            (Language::Go, "var_spec") => owner.child_by_field_name("value") == Some(place.node),
            (Language::Python, "assignment") => {
                // `field(init=False)` says how an object is made.
                let says_more = place.node.kind() == "call";
                let is_inferred =
                    ["Final", "Alias", "ClassVar"].iter().any(|word| self.text(declared).contains(word));
                let is_list = owner.child_by_field_name("left").is_some_and(|it| self.text(it) == "__all__");
                let is_value = owner.child_by_field_name("right") == Some(place.node);
                is_value && !says_more && !is_inferred && !is_list && self.keeps_type(owner, declared)
            }
            _ => false,
        };
        is_hidden.then(Vec::new)
    }

    /// Whether a variable has its declared type wherever it is used. One that is declared as a union is narrowed to what is
    /// assigned to it, and what the file infers from it with it.
    fn keeps_type(&self, variable: Node<'_>, declared: Node<'_>) -> bool {
        let declared = self.text(declared).trim_start_matches(':').trim();
        let name = ["name", "left"].iter().find_map(|field| variable.child_by_field_name(field));
        let name = name.map_or("", |name| self.text(name));
        let is_plain = match self.parsed.language() {
            Language::Python => {
                let is_container = CONTAINERS.iter().any(|kind| declared.starts_with(kind));
                PLAIN_PYTHON.contains(&declared) || is_container && declared.ends_with(']')
            }
            _ => PLAIN_TYPES.contains(&declared) || declared.ends_with("[]") && !declared.contains('|'),
        };
        is_plain || self.counts.get(name).is_none_or(|count| *count < 2)
    }

    fn body(&self, place: &Place<'_, '_>) -> Option<Vec<&'a str>> {
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
            Language::Python => {
                owner.kind() == "function_definition" && owner.child_by_field_name("return_type").is_some()
            }
            _ => false,
        };
        if !is_hidden {
            return None;
        }
        let variables = match self.parsed.language() {
            Language::Python => Assigned::of(self.parsed, owner),
            _ => Assigned::default(),
        };
        let mut leaks = Leaks { hidden: self, function: owner, variables, found: Vec::new(), all: false };
        walk(place.node.walk(), (), &mut leaks);
        if leaks.all {
            return None;
        }
        if !matches!(self.parsed.language(), Language::Rust | Language::Python) {
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
            Language::Python => place.parents.last().is_some_and(|owner| {
                matches!(owner.kind(), "function_definition" | "lambda")
                    && owner.child_by_field_name("body") == Some(place.node)
            }),
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

/// Whether what is declared around this place gets its type from it.
pub(super) fn is_inferred_from(place: &Place<'_, '_>) -> bool {
    let Some(owner) = place.parents.last() else { return false };
    let is = |field: &str| owner.child_by_field_name(field) == Some(place.node);
    if matches!(owner.kind(), "variable_declarator" | "assignment")
        && owner.child_by_field_name("type").is_some()
    {
        return false;
    }
    match owner.kind() {
        "function_definition" | "lambda" => is("body"),
        "assignment" | "assignment_expression" => is("right"),
        "variable_declarator"
        | "public_field_definition"
        | "field_definition"
        | "enum_assignment"
        | "var_spec"
        | "const_spec" => is("value"),
        kind => is_script_function(kind) && is("body"),
    }
}

/// Where the declaration begins that the decorator or the `export` at this place belongs to.
pub(super) fn anchor(place: &Place<'_, '_>) -> Option<usize> {
    let node = place.node;
    if node.kind() == "decorator" {
        let mut next = node.next_sibling();
        while let Some(sibling) = next.filter(|sibling| sibling.kind() == "decorator" || sibling.is_extra()) {
            next = sibling.next_sibling();
        }
        return next.map(|declaration| declaration.start_byte());
    }
    let owner =
        place.parents.last().filter(|owner| owner.kind() == "export_statement" && !node.is_named())?;
    owner.child_by_field_name("declaration").map(|declaration| declaration.start_byte())
}

pub(super) fn is_import(kind: &str) -> bool {
    matches!(kind, "import_statement" | "import_from_statement" | "import_declaration")
}

pub(super) fn is_script_function(kind: &str) -> bool {
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

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c == '_' || c.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// Collects what shows through a body.
struct Leaks<'h, 'a, 't> {
    hidden: &'h Hidden<'a>,
    function: Node<'t>,
    /// Its variables, in Python.
    variables: Assigned<'a>,
    found: Vec<&'a str>,
    /// It cannot be told what does.
    all: bool,
}

impl<'t> Visitor<'t> for Leaks<'_, '_, 't> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let (node, kind) = (place.node, place.node.kind());
        let text = self.hidden.text(node);
        match self.hidden.parsed.language() {
            Language::Python => {
                // What a method assigns to itself, its class has; what is global is the module's.
                self.all |= kind == "global_statement";
                let parsed = self.hidden.parsed;
                let is_own = assigned_by(node)
                    .is_some_and(|left| !own_attributes(parsed, self.function, left).is_empty());
                if is_own {
                    // What is assigned from a variable has its type, which the whole body decides.
                    self.all |= self.variables.decide(parsed, node);
                    self.found.push(text);
                }
                // A function that yields is a generator.
                if kind == "yield" && !self.found.contains(&"yield") {
                    self.found.push("yield");
                }
            }
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
