//! Go. Methods are named without their receiver, whose type is their container. A type that is neither struct
//! nor interface is of kind `Class`.

use bowline_code::SymbolKind;

use crate::{
    grammar::{
        BIND, BIND_AFTER, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, ScopeKind, child, scope, symbol,
    },
    site::{Site, SymbolSite},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_go::LANGUAGE.into(),
    tokens: &["identifier", "type_identifier", "field_identifier", "package_identifier"],
    types: &["type_identifier"],
    patterns: &["expression_list"],
    wrappers: &["generic_type", "literal_element", "type_instantiation_expression"],
    groups: &[
        ("const_declaration", "const_spec"),
        ("var_declaration", "var_spec"),
        ("type_declaration", "type_spec"),
        ("type_declaration", "type_alias"),
    ],
    verbatim: &["raw_string_literal"],
    bodies: &["field_declaration_list", "interface_type"],
    suites: &["statement_list"],
    scopes: &[
        scope("function_declaration", ScopeKind::Function),
        scope("method_declaration", ScopeKind::Function),
        scope("func_literal", ScopeKind::Function),
        scope("function_type", ScopeKind::Function),
        scope("method_elem", ScopeKind::Function),
        scope("type_spec", ScopeKind::Members),
        scope("type_alias", ScopeKind::Members),
        scope("block", ScopeKind::Block),
        scope("if_statement", ScopeKind::Block),
        scope("for_statement", ScopeKind::Block),
        scope("expression_switch_statement", ScopeKind::Block),
        scope("type_switch_statement", ScopeKind::Block),
        scope("expression_case", ScopeKind::Block),
        scope("type_case", ScopeKind::Block),
        scope("communication_case", ScopeKind::Block),
        scope("default_case", ScopeKind::Block),
    ],
    children: &[
        child("short_var_declaration", "left", BIND_AFTER),
        child("range_clause", "left", BIND_AFTER).when(|site| site.parent_has(":=")),
        child("receive_statement", "left", BIND_AFTER).when(|site| site.parent_has(":=")),
        child("var_spec", "name", BIND_AFTER),
        child("const_spec", "name", BIND_AFTER),
        child("type_switch_statement", "alias", BIND),
        child("type_switch_statement", "value", Does::Use).outside(),
        child("parameter_declaration", "name", BIND),
        child("variadic_parameter_declaration", "name", BIND),
        child("type_parameter_declaration", "name", BIND_TYPE),
        child("type_spec", "name", BIND_ITEM).outside(),
        child("type_alias", "name", BIND_ITEM).outside(),
        child("selector_expression", "field", Does::Member("operand")),
        child("qualified_type", "name", Does::Path("package")),
        child("keyed_element", "key", Does::Key).when(names_field),
        child("call_expression", "function", Does::Call),
        child("package_clause", "", Does::Silent),
    ],
    symbols: &[
        symbol("function_declaration", Kind::Is(SymbolKind::Function), NAME).nests(),
        symbol("method_declaration", Kind::Is(SymbolKind::Method), NAME).nests().owner(receiver),
        symbol("type_spec", Kind::Ask(type_kind), NAME).nests(),
        symbol("type_alias", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("field_declaration", Kind::Is(SymbolKind::Field), NAME),
        symbol("method_elem", Kind::Is(SymbolKind::Method), NAME),
        symbol("const_spec", Kind::Is(SymbolKind::Constant), NAME).not_local(),
        symbol("var_spec", Kind::Is(SymbolKind::Variable), NAME).not_local().nests(),
    ],
    ..Grammar::NONE
};

fn type_kind(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    Some(match asked.site.field("type").map(|node| node.kind()) {
        Some("struct_type") => SymbolKind::Struct,
        Some("interface_type") => SymbolKind::Interface,
        _ => SymbolKind::Class,
    })
}

/// `T` of `(t *T[K])`.
fn receiver(site: &Site<'_, '_>) -> Option<String> {
    let mut node = site.field("receiver")?.named_child(0)?.child_by_field_name("type")?;
    for _ in 0..8 {
        if node.kind() == "type_identifier" {
            return Some(site.text_of(node).to_owned());
        }
        node = node.child_by_field_name("type").or_else(|| node.named_child(0))?;
    }
    None
}

/// A key names a field, unless the literal is a map or a list.
fn names_field(site: &Site<'_, '_>) -> bool {
    let literal = site.above(3).filter(|literal| literal.kind() == "composite_literal");
    let of = literal.and_then(|literal| literal.child_by_field_name("type"));
    of.is_none_or(|of| {
        !matches!(of.kind(), "map_type" | "array_type" | "slice_type" | "implicit_length_array_type")
    })
}
