//! C++: all of C, and classes. `void A::b() {}` outside its class belongs to `A`; whether `A` is a class or a
//! namespace cannot be seen there, so it counts as a class. `template <…>` is part of a symbol's range.

use bowline_code::SymbolKind;

use super::c;
use crate::{
    grammar::{BIND, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, ScopeKind, child, scope, symbol},
    site::Site,
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_cpp::LANGUAGE.into(),
    base: Some(&c::GRAMMAR),
    tokens: &["namespace_identifier"],
    patterns: &["reference_declarator", "structured_binding_declarator", "variadic_declarator"],
    wrappers: &["dependent_name", "template_function", "template_method", "template_type"],
    decorations: &["attribute_declaration"],
    groups: &[
        ("template_declaration", "alias_declaration"),
        ("template_declaration", "class_specifier"),
        ("template_declaration", "concept_definition"),
        ("template_declaration", "declaration"),
        ("template_declaration", "function_definition"),
        ("template_declaration", "struct_specifier"),
        ("template_declaration", "template_declaration"),
    ],
    around: &["linkage_specification"],
    verbatim: &["raw_string_literal"],
    scopes: &[
        scope("namespace_definition", ScopeKind::Open),
        scope("class_specifier", ScopeKind::Members),
        scope("template_declaration", ScopeKind::Members),
        scope("lambda_expression", ScopeKind::Function),
        scope("requires_expression", ScopeKind::Function),
        scope("if_statement", ScopeKind::Block),
        scope("while_statement", ScopeKind::Block),
        scope("switch_statement", ScopeKind::Block),
        scope("for_range_loop", ScopeKind::Block),
        scope("catch_clause", ScopeKind::Block),
    ],
    children: &[
        child("parameter_declaration", "declarator", BIND_TYPE).when(in_template),
        child("optional_parameter_declaration", "declarator", BIND_TYPE).when(in_template),
        child("optional_parameter_declaration", "declarator", BIND).when(c::binds_parameter),
        child("optional_parameter_declaration", "declarator", Does::Silent),
        child("variadic_parameter_declaration", "declarator", BIND).when(c::binds_parameter),
        child("variadic_parameter_declaration", "declarator", Does::Silent),
        child("type_parameter_declaration", "", BIND_TYPE),
        child("variadic_type_parameter_declaration", "", BIND_TYPE),
        child("optional_type_parameter_declaration", "name", BIND_TYPE),
        child("for_range_loop", "declarator", BIND),
        child("for_range_loop", "right", Does::Use).outside(),
        child("lambda_capture_initializer", "left", BIND),
        child("class_specifier", "name", BIND_ITEM).outside().when(c::parent_has_body),
        child("alias_declaration", "name", BIND_ITEM),
        child("qualified_identifier", "name", Does::Path("scope")),
        child("field_initializer", "", Does::Key).when(|site| site.node.kind() == "field_identifier"),
    ],
    symbols: &[
        symbol("class_specifier", Kind::Ask(|asked| c::with_body(asked, SymbolKind::Class)), NAME).nests(),
        symbol("namespace_definition", Kind::Is(SymbolKind::Namespace), NameAt::Whole("name")).nests(),
        symbol("alias_declaration", Kind::Is(SymbolKind::Class), NAME),
        symbol("concept_definition", Kind::Is(SymbolKind::Interface), NAME),
    ],
    owners: &["this"],
    qualifies: |_| false,
    ..Grammar::NONE
};

/// A template's parameters belong to the template, values too.
fn in_template(site: &Site<'_, '_>) -> bool {
    site.above_is(2, "template_parameter_list")
}
