//! JavaScript, with or without JSX. `const f = () => {}` is a function, and so is a function assigned to a
//! property; `export` is not part of a symbol's range. `var` belongs to the function, `let` to the block.

use bowline_code::SymbolKind;
use tree_sitter::Node;

use crate::{
    grammar::{BIND, BIND_ITEM, Does, Grammar, Kind, NameAt, Named, ScopeKind, child, scope, symbol},
    site::{Site, SymbolSite, has_child},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_javascript::LANGUAGE.into(),
    tokens: &[
        "identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    ],
    patterns: &[
        "array_pattern",
        "assignment_pattern",
        "formal_parameters",
        "object_assignment_pattern",
        "object_pattern",
        "pair_pattern",
        "rest_pattern",
    ],
    decorations: &["decorator"],
    groups: &[
        ("lexical_declaration", "variable_declarator"),
        ("variable_declaration", "variable_declarator"),
    ],
    hoisting: &["variable_declaration"],
    around: &["export_statement", "expression_statement"],
    beside: &["decorator"],
    lists: &["object"],
    expressions: &["assignment_expression"],
    bodies: &["object"],
    verbatim: &["string", "template_string"],
    scopes: &[
        scope("function_declaration", ScopeKind::Function),
        scope("generator_function_declaration", ScopeKind::Function),
        scope("function_expression", ScopeKind::Function),
        scope("generator_function", ScopeKind::Function),
        scope("arrow_function", ScopeKind::Function),
        scope("method_definition", ScopeKind::Function),
        scope("class_static_block", ScopeKind::Function),
        scope("class_declaration", ScopeKind::HiddenMembers),
        scope("class", ScopeKind::HiddenMembers),
        scope("statement_block", ScopeKind::Block),
        scope("for_statement", ScopeKind::Block),
        scope("for_in_statement", ScopeKind::Block),
        scope("switch_body", ScopeKind::Block),
        scope("catch_clause", ScopeKind::Block),
    ],
    children: &[
        child("function_declaration", "name", BIND_ITEM).outside(),
        child("generator_function_declaration", "name", BIND_ITEM).outside(),
        child("class_declaration", "name", BIND_ITEM).outside(),
        child("function_expression", "name", BIND_ITEM),
        child("generator_function", "name", BIND_ITEM),
        child("variable_declarator", "name", BIND),
        child("formal_parameters", "", BIND),
        child("arrow_function", "parameter", BIND),
        child("catch_clause", "parameter", BIND),
        child("for_in_statement", "left", BIND).when(|site| site.parent_has("const") || declares(site)),
        child("for_in_statement", "right", Does::Use).outside(),
        child("assignment_pattern", "right", Does::Use),
        child("object_assignment_pattern", "right", Does::Use),
        child("pair_pattern", "key", Does::Key),
        child("pair", "key", Does::Key),
        child("member_expression", "property", Does::Member("object")),
        child("call_expression", "function", Does::Call),
        child("new_expression", "constructor", Does::Call),
        child("jsx_attribute", "", Does::Key),
        child("jsx_opening_element", "name", Does::Call),
        child("jsx_closing_element", "name", Does::Call),
        child("jsx_self_closing_element", "name", Does::Call),
    ],
    symbols: &[
        symbol("class_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("function_declaration", Kind::Callable, NAME).nests(),
        symbol("generator_function_declaration", Kind::Callable, NAME).nests(),
        symbol("method_definition", Kind::Ask(method), NAME).nests(),
        symbol("field_definition", Kind::Ask(field), NameAt::Field("property")).nests(),
        symbol("variable_declarator", Kind::Ask(variable), NameAt::Pattern("name")).nests(),
        symbol("pair", Kind::Ask(pair), NameAt::Field("key")).nests(),
        symbol("assignment_expression", Kind::Ask(assigned), NameAt::Ask(assigned_name))
            .nests()
            .lifted()
            .once(),
    ],
    owners: &["this"],
    constructors: &["constructor"],
    ..Grammar::NONE
};

fn declares(site: &Site<'_, '_>) -> bool {
    site.parent_has("let") || site.parent_has("var")
}

fn is_function(node: Option<Node<'_>>) -> bool {
    node.is_some_and(|node| {
        matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
    })
}

fn method(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    Some(if asked.name == "constructor" { SymbolKind::Constructor } else { SymbolKind::Method })
}

pub(super) fn field(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    field_of(asked.site.field("value"))
}

fn field_of(value: Option<Node<'_>>) -> Option<SymbolKind> {
    Some(if is_function(value) { SymbolKind::Method } else { SymbolKind::Field })
}

fn variable(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    let value = asked.site.field("value");
    let is_plain = asked.site.field("name").is_some_and(|name| name.kind() == "identifier");
    if is_plain && is_function(value) {
        return Some(SymbolKind::Function);
    }
    if is_plain && value.is_some_and(|value| value.kind() == "class") {
        return Some(SymbolKind::Class);
    }
    if asked.in_function || asked.site.above_is(2, "for_statement") {
        return None;
    }
    let is_constant = asked.site.above(1).is_some_and(|declaration| has_child(declaration, "const"));
    Some(if is_constant { SymbolKind::Constant } else { SymbolKind::Variable })
}

/// Of object literals, only what can be called is a symbol.
fn pair(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    is_function(asked.site.field("value")).then_some(SymbolKind::Method)
}

/// `this.name = …`, `exports.name = function () {}` and `Type.prototype.name = function () {}`.
fn assigned_name<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let Some(target) = site.field("left").filter(|left| left.kind() == "member_expression") else {
        return Vec::new();
    };
    let object = target.child_by_field_name("object").map(|object| site.text_of(object)).unwrap_or_default();
    let counts = object == "this" || is_function(site.field("right"));
    let Some(node) = target.child_by_field_name("property").filter(|_| counts) else {
        return Vec::new();
    };
    let owner = object.strip_suffix(".prototype").filter(|owner| !owner.contains(char::is_whitespace));
    vec![Named { owner: owner.map(str::to_owned), callable: object == "this", ..Named::plain(node) }]
}

fn assigned(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    match (asked.callable, asked.enclosing) {
        // Of a class, not of a function that is used like one.
        (true, Some(SymbolKind::Class)) => field_of(asked.site.field("right")),
        (true, _) => None,
        (false, _) if asked.owner.is_some() => Some(SymbolKind::Method),
        (false, _) => Some(SymbolKind::Function),
    }
}
