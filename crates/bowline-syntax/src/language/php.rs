//! PHP. Names are given without their `$`. A namespace without braces contains what follows it; traits are
//! classes. Only variables can be local, and functions do not see those around them.

use bowline_code::SymbolKind;

use crate::grammar::{BIND, BIND_IN_FUNCTION, Does, Grammar, Kind, NameAt, ScopeKind, child, scope, symbol};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_php::LANGUAGE_PHP.into(),
    tokens: &["name", "variable_name"],
    unbound: &["name"],
    patterns: &["by_ref", "list_literal", "pair"],
    decorations: &["attribute_list"],
    groups: &[("property_declaration", "property_element"), ("const_declaration", "const_element")],
    verbatim: &["string", "encapsed_string", "heredoc", "nowdoc", "text"],
    scopes: &[
        scope("class_declaration", ScopeKind::Members),
        scope("interface_declaration", ScopeKind::Members),
        scope("trait_declaration", ScopeKind::Members),
        scope("enum_declaration", ScopeKind::Members),
        scope("anonymous_class", ScopeKind::Members),
        scope("function_definition", ScopeKind::Function).barrier(),
        scope("method_declaration", ScopeKind::Function).barrier(),
        scope("anonymous_function", ScopeKind::Function).barrier(),
        scope("property_hook", ScopeKind::Function).barrier(),
        scope("arrow_function", ScopeKind::Function),
    ],
    children: &[
        child("simple_parameter", "name", BIND),
        child("variadic_parameter", "name", BIND),
        child("property_promotion_parameter", "name", BIND),
        child("assignment_expression", "left", BIND_IN_FUNCTION),
        child("augmented_assignment_expression", "left", BIND_IN_FUNCTION),
        child("reference_assignment_expression", "left", BIND_IN_FUNCTION),
        child("foreach_statement", "", BIND_IN_FUNCTION).when(|site| site.follows("as")),
        child("catch_clause", "name", BIND_IN_FUNCTION),
        child("static_variable_declaration", "name", BIND_IN_FUNCTION),
        child("global_declaration", "", Does::Global),
        child("anonymous_function_use_clause", "", Does::Outer),
        child("member_access_expression", "name", Does::Member("object")),
        child("nullsafe_member_access_expression", "name", Does::Member("object")),
        child("member_call_expression", "name", Does::Method("object")),
        child("nullsafe_member_call_expression", "name", Does::Method("object")),
        child("scoped_call_expression", "name", Does::Path("scope")),
        child("scoped_property_access_expression", "name", Does::Path("scope")),
        child("class_constant_access_expression", "", Does::Path("")).when(|site| site.follows("::")),
        child("qualified_name", "", Does::Path("prefix")),
        child("namespace_name", "", Does::Path("")),
        child("function_call_expression", "function", Does::Call),
        child("object_creation_expression", "", Does::Type),
        child("named_type", "", Does::Type),
        child("base_clause", "", Does::Type),
        child("class_interface_clause", "", Does::Type),
        child("attribute", "", Does::Type),
        child("argument", "name", Does::Key),
        child("goto_statement", "", Does::Silent),
        child("named_label_statement", "", Does::Silent),
        child("namespace_definition", "name", Does::Silent),
    ],
    symbols: &[
        symbol("namespace_definition", Kind::Is(SymbolKind::Namespace), NameAt::Whole("name")).nests().rest(),
        symbol("class_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("trait_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("interface_declaration", Kind::Is(SymbolKind::Interface), NAME).nests(),
        symbol("enum_declaration", Kind::Is(SymbolKind::Enum), NAME).nests(),
        symbol("enum_case", Kind::Is(SymbolKind::EnumMember), NAME),
        symbol("function_definition", Kind::Is(SymbolKind::Function), NAME).nests(),
        symbol("method_declaration", Kind::Callable, NAME).nests(),
        symbol("const_element", Kind::Is(SymbolKind::Constant), NameAt::Child("name")).not_local(),
        symbol("property_element", Kind::Is(SymbolKind::Property), NAME),
        symbol("property_promotion_parameter", Kind::Is(SymbolKind::Property), NAME).lifted(),
    ],
    owners: &["$this", "self", "static"],
    constructors: &["__construct"],
    qualifies: |_| false,
    ..Grammar::NONE
};
