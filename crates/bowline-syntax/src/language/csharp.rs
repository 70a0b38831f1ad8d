//! C#. Records are classes whose parameters are properties; delegates are of kind `Class`. A namespace without
//! braces contains the rest of its file.

use bowline_code::SymbolKind;

use crate::{
    grammar::{BIND, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, ScopeKind, child, scope, symbol},
    site::SymbolSite,
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_c_sharp::LANGUAGE.into(),
    tokens: &["identifier", "implicit_parameter"],
    type_fields: &["type", "returns"],
    wrappers: &["generic_name", "nullable_type"],
    patterns: &["tuple_pattern"],
    decorations: &["attribute_list"],
    groups: &[
        ("field_declaration", "variable_declaration"),
        ("event_field_declaration", "variable_declaration"),
        ("variable_declaration", "variable_declarator"),
    ],
    around: &["global_statement"],
    lists: &["enum_member_declaration_list"],
    bodies: &["arrow_expression_clause"],
    verbatim: &[
        "verbatim_string_literal",
        "raw_string_literal",
        "string_literal",
        "interpolated_string_expression",
    ],
    scopes: &[
        scope("namespace_declaration", ScopeKind::Open),
        scope("class_declaration", ScopeKind::Members),
        scope("struct_declaration", ScopeKind::Members),
        scope("record_declaration", ScopeKind::Members),
        scope("interface_declaration", ScopeKind::Members),
        scope("enum_declaration", ScopeKind::Members),
        scope("delegate_declaration", ScopeKind::Function),
        scope("method_declaration", ScopeKind::Function),
        scope("constructor_declaration", ScopeKind::Function),
        scope("destructor_declaration", ScopeKind::Function),
        scope("operator_declaration", ScopeKind::Function),
        scope("conversion_operator_declaration", ScopeKind::Function),
        scope("indexer_declaration", ScopeKind::Function),
        scope("accessor_declaration", ScopeKind::Function),
        scope("local_function_statement", ScopeKind::Function),
        scope("lambda_expression", ScopeKind::Function),
        scope("anonymous_method_expression", ScopeKind::Function),
        scope("block", ScopeKind::Block),
        scope("for_statement", ScopeKind::Block),
        scope("foreach_statement", ScopeKind::Block),
        scope("using_statement", ScopeKind::Block),
        scope("fixed_statement", ScopeKind::Block),
        scope("catch_clause", ScopeKind::Block),
        scope("switch_section", ScopeKind::Block),
        scope("switch_expression_arm", ScopeKind::Block),
        scope("query_expression", ScopeKind::Block),
    ],
    children: &[
        child("parameter", "name", BIND),
        child("parameter_list", "name", BIND),
        child("lambda_expression", "parameters", BIND),
        child("variable_declarator", "name", BIND),
        child("variable_declarator", "", BIND).when(|site| site.node.kind() == "tuple_pattern"),
        child("foreach_statement", "left", BIND),
        child("foreach_statement", "right", Does::Use).outside(),
        child("catch_declaration", "name", BIND),
        child("declaration_expression", "name", BIND),
        child("declaration_pattern", "name", BIND),
        child("var_pattern", "name", BIND),
        child("recursive_pattern", "name", BIND),
        child("list_pattern", "name", BIND),
        child("parenthesized_variable_designation", "name", BIND),
        child("tuple_pattern", "name", BIND),
        child("from_clause", "name", BIND),
        child("let_clause", "", BIND).when(|site| site.follows("let")),
        child("join_clause", "", BIND).when(|site| site.follows("join")),
        child("join_into_clause", "", BIND),
        child("local_function_statement", "name", BIND_ITEM).outside(),
        child("type_parameter", "name", BIND_TYPE),
        child("member_access_expression", "name", Does::Member("expression")),
        child("member_binding_expression", "name", Does::Member("")),
        child("qualified_name", "name", Does::Path("qualifier")),
        child("alias_qualified_name", "name", Does::Path("alias")),
        child("invocation_expression", "function", Does::Call),
        child("attribute", "name", Does::Type),
        child("base_list", "", Does::Type),
        child("type_argument_list", "", Does::Type),
        child("argument", "name", Does::Key),
        child("attribute_argument", "name", Does::Key),
        child("tuple_element", "name", Does::Key),
        child("with_initializer", "", Does::Key).when(|site| site.before().is_none()),
        child("assignment_expression", "left", Does::Key)
            .when(|site| site.above_is(2, "initializer_expression")),
        child("subpattern", "", Does::Key).when(|site| site.before().is_none() && site.parent_has(":")),
        child("labeled_statement", "", Does::Silent).when(|site| site.before().is_none()),
        child("goto_statement", "", Does::Silent),
        child("accessor_declaration", "name", Does::Silent),
        child("preproc_if", "condition", Does::Silent),
        child("preproc_elif", "condition", Does::Silent),
    ],
    symbols: &[
        symbol("namespace_declaration", Kind::Is(SymbolKind::Namespace), NameAt::Whole("name")).nests(),
        symbol("file_scoped_namespace_declaration", Kind::Is(SymbolKind::Namespace), NameAt::Whole("name"))
            .nests()
            .rest(),
        symbol("class_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("record_declaration", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("struct_declaration", Kind::Is(SymbolKind::Struct), NAME).nests(),
        symbol("interface_declaration", Kind::Is(SymbolKind::Interface), NAME).nests(),
        symbol("enum_declaration", Kind::Is(SymbolKind::Enum), NAME).nests(),
        symbol("enum_member_declaration", Kind::Is(SymbolKind::EnumMember), NAME),
        symbol("delegate_declaration", Kind::Is(SymbolKind::Class), NAME),
        symbol("method_declaration", Kind::Is(SymbolKind::Method), NAME).nests(),
        symbol("local_function_statement", Kind::Is(SymbolKind::Function), NAME).nests(),
        symbol("constructor_declaration", Kind::Is(SymbolKind::Constructor), NAME).nests(),
        symbol("destructor_declaration", Kind::Is(SymbolKind::Method), NAME).nests(),
        symbol("operator_declaration", Kind::Is(SymbolKind::Operator), NameAt::Whole("operator")),
        symbol("property_declaration", Kind::Is(SymbolKind::Property), NAME),
        symbol("event_declaration", Kind::Is(SymbolKind::Event), NAME),
        symbol("variable_declarator", Kind::Ask(field), NAME),
        symbol("parameter", Kind::Ask(component), NAME),
    ],
    owners: &["this"],
    qualifies: |name| name.starts_with(char::is_uppercase),
    ..Grammar::NONE
};

fn field(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    let declaration = asked.site.above(2)?;
    match declaration.kind() {
        "event_field_declaration" => Some(SymbolKind::Event),
        "field_declaration" => {
            let mut cursor = declaration.walk();
            let mut modifiers = declaration.children(&mut cursor).filter(|child| child.kind() == "modifier");
            let is_constant = modifiers.any(|modifier| asked.site.text_of(modifier) == "const");
            Some(if is_constant { SymbolKind::Constant } else { SymbolKind::Field })
        }
        _ => None,
    }
}

fn component(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    asked.site.above_is(2, "record_declaration").then_some(SymbolKind::Property)
}
