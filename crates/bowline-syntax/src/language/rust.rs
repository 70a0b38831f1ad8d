//! Rust. An `impl` is shown in the tree as it is written; its members belong to the type it names.
//! Type aliases and associated types are of kind `Class`, macros of kind `Function`.

use bowline_code::SymbolKind;
use tree_sitter::Node;

use crate::{
    detail::one_line,
    grammar::{
        Again, BIND, BIND_AFTER, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, ScopeKind, child, scope,
        symbol,
    },
    site::Site,
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_rust::LANGUAGE.into(),
    tokens: &["identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"],
    types: &["type_identifier"],
    loose: &["token_tree", "token_tree_pattern", "token_repetition", "token_repetition_pattern"],
    silent: &["lifetime", "label"],
    patterns: &[
        "captured_pattern",
        "closure_parameters",
        "field_pattern",
        "match_pattern",
        "mut_pattern",
        "or_pattern",
        "ref_pattern",
        "reference_pattern",
        "slice_pattern",
        "struct_pattern",
        "tuple_pattern",
        "tuple_struct_pattern",
    ],
    wrappers: &["generic_function", "generic_type", "generic_type_with_turbofish"],
    beside: &["attribute_item"],
    lists: &["enum_variant_list", "field_declaration_list"],
    verbatim: &["string_literal", "raw_string_literal"],
    scopes: &[
        scope("mod_item", ScopeKind::Open),
        scope("trait_item", ScopeKind::Members),
        scope("impl_item", ScopeKind::Members),
        scope("struct_item", ScopeKind::Members),
        scope("enum_item", ScopeKind::Members),
        scope("union_item", ScopeKind::Members),
        scope("type_item", ScopeKind::Function),
        scope("function_item", ScopeKind::Function).barrier(),
        scope("function_signature_item", ScopeKind::Function).barrier(),
        scope("macro_definition", ScopeKind::Function).barrier(),
        scope("closure_expression", ScopeKind::Function),
        scope("block", ScopeKind::Block),
        scope("match_arm", ScopeKind::Block),
        scope("for_expression", ScopeKind::Block),
        scope("if_expression", ScopeKind::Block),
        scope("while_expression", ScopeKind::Block),
    ],
    children: &[
        child("let_declaration", "pattern", BIND_AFTER),
        child("let_condition", "pattern", BIND_AFTER),
        child("if_expression", "alternative", Does::Use).outside(),
        child("for_expression", "pattern", BIND),
        child("for_expression", "value", Does::Use).outside(),
        child("match_arm", "pattern", BIND),
        child("match_pattern", "condition", Does::Use),
        child("parameter", "pattern", BIND),
        child("closure_expression", "parameters", BIND),
        child("tuple_struct_pattern", "type", Does::Use),
        child("struct_pattern", "type", Does::Use),
        child("field_pattern", "name", Does::Key).when(|site| site.node.kind() == "field_identifier"),
        child("type_parameter", "name", BIND_TYPE),
        child("const_parameter", "name", BIND_TYPE),
        child("function_item", "name", BIND_ITEM).outside(),
        child("macro_definition", "name", BIND_ITEM).outside(),
        child("struct_item", "name", BIND_ITEM).outside(),
        child("enum_item", "name", BIND_ITEM).outside(),
        child("union_item", "name", BIND_ITEM).outside(),
        child("trait_item", "name", BIND_ITEM).outside(),
        child("type_item", "name", BIND_ITEM).outside(),
        child("const_item", "name", BIND_ITEM),
        child("static_item", "name", BIND_ITEM),
        child("field_expression", "field", Does::Member("value")),
        child("scoped_identifier", "name", Does::Path("path")),
        child("scoped_type_identifier", "name", Does::Path("path")),
        child("field_initializer", "field", Does::Key),
        child("call_expression", "function", Does::Call),
        child("macro_invocation", "macro", Does::Call),
    ],
    symbols: &[
        symbol("mod_item", Kind::Is(SymbolKind::Module), NAME).nests(),
        symbol("struct_item", Kind::Is(SymbolKind::Struct), NAME).nests(),
        symbol("union_item", Kind::Is(SymbolKind::Struct), NAME).nests(),
        symbol("enum_item", Kind::Is(SymbolKind::Enum), NAME).nests(),
        symbol("enum_variant", Kind::Is(SymbolKind::EnumMember), NAME).nests(),
        symbol("field_declaration", Kind::Is(SymbolKind::Field), NAME),
        symbol("trait_item", Kind::Is(SymbolKind::Interface), NAME).nests(),
        symbol("impl_item", Kind::Is(SymbolKind::Object), NameAt::Whole("type"))
            .nests()
            .owner(implementing_type)
            .stands_for(impl_head),
        symbol("function_item", Kind::Callable, NAME).nests(),
        symbol("function_signature_item", Kind::Callable, NAME).nests(),
        symbol("macro_definition", Kind::Is(SymbolKind::Function), NAME),
        symbol("const_item", Kind::Is(SymbolKind::Constant), NAME).not_local(),
        symbol("static_item", Kind::Is(SymbolKind::Variable), NAME).not_local(),
        symbol("type_item", Kind::Is(SymbolKind::Class), NAME),
        symbol("associated_type", Kind::Is(SymbolKind::Class), NAME),
    ],
    // Constants and variants are written in patterns like bindings; only their case tells.
    binds: |name| !name.starts_with(char::is_uppercase),
    again: Again::New,
    owners: &["self", "Self"],
    qualifies: |_| false,
    ..Grammar::NONE
};

fn impl_head(site: &Site<'_, '_>) -> String {
    let written = |field| site.field(field).map(|node| one_line(site.text_of(node))).unwrap_or_default();
    match site.field("trait") {
        Some(_) => format!("impl {} for {}", written("trait"), written("type")),
        None => format!("impl {}", written("type")),
    }
}

/// `Foo` of `Foo<T>`, `&mut a::Foo` and `dyn Foo`.
fn implementing_type(site: &Site<'_, '_>) -> Option<String> {
    let mut node = site.field("type")?;
    for _ in 0..16 {
        match node.kind() {
            "type_identifier" | "primitive_type" => return Some(site.text_of(node).to_owned()),
            "scoped_type_identifier" => node = node.child_by_field_name("name")?,
            _ => node = inner_type(node)?,
        }
    }
    None
}

fn inner_type(node: Node<'_>) -> Option<Node<'_>> {
    ["type", "trait", "element"]
        .iter()
        .find_map(|field| node.child_by_field_name(field))
        .or_else(|| node.named_child(0))
}
