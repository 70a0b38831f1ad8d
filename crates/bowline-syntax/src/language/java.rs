//! Java. Records are classes whose components are fields; annotation types are interfaces. The package is no
//! container.

use bowline_code::SymbolKind;

use crate::{
    grammar::{
        BIND, BIND_FROM_NAME, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, ScopeKind, child, scope,
        symbol,
    },
    site::{Site, SymbolSite, first_child},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_java::LANGUAGE.into(),
    tokens: &["identifier", "type_identifier"],
    types: &["type_identifier"],
    patterns: &["inferred_parameters"],
    wrappers: &["generic_type"],
    decorations: &["annotation", "marker_annotation"],
    modifiers: &["modifiers"],
    groups: &[("field_declaration", "variable_declarator"), ("constant_declaration", "variable_declarator")],
    lists: &["enum_body"],
    verbatim: &["string_literal"],
    scopes: &[
        scope("class_declaration", ScopeKind::Members),
        scope("interface_declaration", ScopeKind::Members),
        scope("enum_declaration", ScopeKind::Members),
        scope("record_declaration", ScopeKind::Members),
        scope("annotation_type_declaration", ScopeKind::Members),
        scope("class_body", ScopeKind::Members),
        scope("method_declaration", ScopeKind::Function),
        scope("constructor_declaration", ScopeKind::Function),
        scope("compact_constructor_declaration", ScopeKind::Function),
        scope("static_initializer", ScopeKind::Function),
        scope("lambda_expression", ScopeKind::Function),
        scope("block", ScopeKind::Block),
        scope("for_statement", ScopeKind::Block),
        scope("enhanced_for_statement", ScopeKind::Block),
        scope("try_with_resources_statement", ScopeKind::Block),
        scope("catch_clause", ScopeKind::Block),
        scope("switch_block_statement_group", ScopeKind::Block),
        scope("switch_rule", ScopeKind::Block),
    ],
    children: &[
        child("variable_declarator", "name", BIND_FROM_NAME),
        child("formal_parameter", "name", BIND),
        child("catch_formal_parameter", "name", BIND),
        child("enhanced_for_statement", "name", BIND),
        child("enhanced_for_statement", "value", Does::Use).outside(),
        child("resource", "name", BIND_FROM_NAME),
        child("lambda_expression", "parameters", BIND),
        child("instanceof_expression", "name", BIND_FROM_NAME),
        child("type_pattern", "", BIND_FROM_NAME).when(is_identifier),
        child("record_pattern_component", "", BIND_FROM_NAME).when(is_identifier),
        child("record_pattern", "", Does::Type).when(is_identifier),
        child("type_parameter", "", BIND_TYPE).when(|site| site.node.kind() == "type_identifier"),
        child("class_declaration", "name", BIND_ITEM).outside(),
        child("interface_declaration", "name", BIND_ITEM).outside(),
        child("enum_declaration", "name", BIND_ITEM).outside(),
        child("record_declaration", "name", BIND_ITEM).outside(),
        child("method_invocation", "name", Does::Method("object")),
        child("field_access", "field", Does::Member("object")),
        child("scoped_identifier", "name", Does::Path("scope")),
        child("method_reference", "", Does::Member("")).when(|site| site.before().is_some()),
        child("element_value_pair", "key", Does::Key),
        child("annotation", "name", Does::Type),
        child("marker_annotation", "name", Does::Type),
        child("labeled_statement", "", Does::Silent).when(|site| site.before().is_none()),
        child("break_statement", "", Does::Silent),
        child("continue_statement", "", Does::Silent),
        child("package_declaration", "", Does::Silent),
    ],
    symbols: &[
        symbol("class_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("record_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("interface_declaration", Kind::Is(SymbolKind::Interface), NAME).nests(),
        symbol("annotation_type_declaration", Kind::Is(SymbolKind::Interface), NAME).nests(),
        symbol("enum_declaration", Kind::Is(SymbolKind::Enum), NAME).nests(),
        symbol("enum_constant", Kind::Is(SymbolKind::EnumMember), NAME).nests(),
        symbol("method_declaration", Kind::Is(SymbolKind::Method), NAME).nests(),
        symbol("annotation_type_element_declaration", Kind::Is(SymbolKind::Method), NAME),
        symbol("constructor_declaration", Kind::Is(SymbolKind::Constructor), NAME).nests(),
        symbol("compact_constructor_declaration", Kind::Is(SymbolKind::Constructor), NAME).nests(),
        symbol("variable_declarator", Kind::Ask(field), NAME),
        symbol("formal_parameter", Kind::Ask(component), NAME),
    ],
    owners: &["this"],
    qualifies: |name| name.starts_with(char::is_uppercase),
    ..Grammar::NONE
};

fn is_identifier(site: &Site<'_, '_>) -> bool {
    site.node.kind() == "identifier"
}

fn field(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    let declaration = asked.site.above(1)?;
    match declaration.kind() {
        "constant_declaration" => Some(SymbolKind::Constant),
        "field_declaration" => {
            let modifiers = first_child(declaration, "modifiers").map(|node| asked.site.text_of(node));
            let is_constant = modifiers.is_some_and(|text| text.contains("static") && text.contains("final"));
            Some(if is_constant { SymbolKind::Constant } else { SymbolKind::Field })
        }
        _ => None,
    }
}

fn component(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    asked.site.above_is(2, "record_declaration").then_some(SymbolKind::Field)
}
