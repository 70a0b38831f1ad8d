//! TypeScript and TSX: all of JavaScript, and types. Type aliases are of kind `Class`.

use bowline_code::SymbolKind;

use super::javascript;
use crate::{
    grammar::{
        BIND, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, Named, ScopeKind, child, scope, symbol,
    },
    site::{Site, SymbolSite, has_child},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static TSX: Grammar =
    Grammar { parser: || tree_sitter_typescript::LANGUAGE_TSX.into(), ..GRAMMAR_VALUE };

pub(super) static GRAMMAR: Grammar = GRAMMAR_VALUE;

const GRAMMAR_VALUE: Grammar = Grammar {
    parser: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    base: Some(&javascript::GRAMMAR),
    tokens: &["type_identifier"],
    types: &["type_identifier"],
    patterns: &["required_parameter", "optional_parameter"],
    wrappers: &["generic_type", "instantiation_expression", "non_null_expression"],
    around: &["ambient_declaration"],
    lists: &["enum_body"],
    bodies: &["object_type"],
    scopes: &[
        scope("abstract_class_declaration", ScopeKind::HiddenMembers),
        scope("interface_declaration", ScopeKind::HiddenMembers),
        scope("enum_declaration", ScopeKind::HiddenMembers),
        scope("internal_module", ScopeKind::Open),
        scope("module", ScopeKind::Open),
        scope("type_alias_declaration", ScopeKind::Function),
        scope("function_signature", ScopeKind::Function),
        scope("method_signature", ScopeKind::Function),
        scope("abstract_method_signature", ScopeKind::Function),
        scope("call_signature", ScopeKind::Function),
        scope("construct_signature", ScopeKind::Function),
        scope("function_type", ScopeKind::Function),
        scope("constructor_type", ScopeKind::Function),
        scope("index_signature", ScopeKind::Function),
        scope("conditional_type", ScopeKind::Block),
    ],
    children: &[
        child("abstract_class_declaration", "name", BIND_ITEM).outside(),
        child("interface_declaration", "name", BIND_ITEM).outside(),
        child("enum_declaration", "name", BIND_ITEM).outside(),
        child("type_alias_declaration", "name", BIND_ITEM).outside(),
        child("required_parameter", "pattern", BIND),
        child("optional_parameter", "pattern", BIND),
        child("required_parameter", "", Does::Use),
        child("required_parameter", "type", Does::Use),
        child("required_parameter", "value", Does::Use),
        child("required_parameter", "decorator", Does::Use),
        child("optional_parameter", "type", Does::Use),
        child("optional_parameter", "value", Does::Use),
        child("type_parameter", "name", BIND_TYPE),
        child("infer_type", "", BIND_TYPE).when(|site| site.node.kind() == "type_identifier"),
        child("mapped_type_clause", "name", BIND_TYPE),
        child("index_signature", "name", BIND),
        child("nested_type_identifier", "name", Does::Path("module")),
        child("nested_identifier", "property", Does::Path("object")),
    ],
    symbols: &[
        symbol("abstract_class_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("interface_declaration", Kind::Is(SymbolKind::Interface), NAME).nests(),
        symbol("enum_declaration", Kind::Is(SymbolKind::Enum), NAME).nests(),
        symbol("enum_body", Kind::Is(SymbolKind::EnumMember), NameAt::Ask(enum_members)),
        symbol("type_alias_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("internal_module", Kind::Is(SymbolKind::Namespace), NameAt::Whole("name")).nests(),
        symbol("module", Kind::Is(SymbolKind::Module), NameAt::Whole("name")).nests(),
        symbol("function_signature", Kind::Callable, NAME),
        symbol("method_signature", Kind::Ask(|asked| in_named_type(asked, SymbolKind::Method)), NAME),
        symbol("abstract_method_signature", Kind::Is(SymbolKind::Method), NAME),
        symbol("property_signature", Kind::Ask(|asked| in_named_type(asked, SymbolKind::Property)), NAME),
        symbol("public_field_definition", Kind::Ask(javascript::field), NAME).nests(),
        // `constructor(private name: string)` declares a field of the class.
        symbol(
            "required_parameter",
            Kind::Ask(|asked| {
                has_child(asked.site.node, "accessibility_modifier").then_some(SymbolKind::Field)
            }),
            NameAt::Pattern("pattern"),
        )
        .lifted(),
    ],
    owners: &["this"],
    constructors: &["constructor"],
    ..Grammar::NONE
};

/// A member without a value has no node of its own around its name.
fn enum_members<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let mut cursor = site.node.walk();
    let members = site.node.named_children(&mut cursor).filter(|member| !member.is_extra());
    let named = members.take(10_000).map(|member| match member.child_by_field_name("name") {
        Some(name) => Named::part(name, member),
        None => Named::part(member, member),
    });
    named.collect()
}

/// Members of types that are written where they are used have nobody to belong to.
fn in_named_type(asked: &SymbolSite<'_, '_>, kind: SymbolKind) -> Option<SymbolKind> {
    let site = &asked.site;
    let is_alias = site.above_is(1, "object_type") && site.above_is(2, "type_alias_declaration");
    (is_alias || site.above_is(1, "interface_body") || site.above_is(1, "class_body")).then_some(kind)
}
