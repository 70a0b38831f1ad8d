//! C. Prototypes are symbols like definitions. A `typedef` of a struct without a name of its own is that
//! struct; other typedefs are of kind `Class`. Macros are constants, or functions if they have parameters;
//! their replacement text is searched for names, without a tree.

use bowline_code::SymbolKind;
use tree_sitter::Node;

use crate::{
    grammar::{
        BIND, BIND_FROM_NAME, BIND_ITEM, Does, Grammar, Kind, NameAt, Named, ScopeKind, child, scope, symbol,
    },
    site::{Site, SymbolSite},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_c::LANGUAGE.into(),
    tokens: &["identifier", "type_identifier", "field_identifier"],
    types: &["type_identifier"],
    raw: &["preproc_arg"],
    patterns: &[
        "array_declarator",
        "attributed_declarator",
        "function_declarator",
        "init_declarator",
        "parenthesized_declarator",
        "pointer_declarator",
    ],
    lists: &["enumerator_list"],
    splits: &["declaration", "field_declaration", "type_definition"],
    verbatim: &["string_literal"],
    scopes: &[
        scope("function_definition", ScopeKind::Function),
        scope("preproc_function_def", ScopeKind::Function),
        scope("struct_specifier", ScopeKind::Members),
        scope("union_specifier", ScopeKind::Members),
        scope("compound_statement", ScopeKind::Block),
        scope("for_statement", ScopeKind::Block),
    ],
    children: &[
        child("declaration", "declarator", BIND_FROM_NAME),
        child("init_declarator", "value", Does::Use),
        child("array_declarator", "size", Does::Use),
        child("parameter_declaration", "declarator", BIND).when(binds_parameter),
        // The parameters of a prototype name nothing.
        child("parameter_declaration", "declarator", Does::Silent),
        child("type_definition", "declarator", BIND_ITEM),
        child("struct_specifier", "name", BIND_ITEM).outside().when(parent_has_body),
        child("union_specifier", "name", BIND_ITEM).outside().when(parent_has_body),
        child("enum_specifier", "name", BIND_ITEM).when(parent_has_body),
        child("enumerator", "name", BIND_ITEM),
        child("preproc_params", "", BIND),
        child("field_expression", "field", Does::Member("argument")),
        child("initializer_pair", "designator", Does::Key),
        child("field_designator", "", Does::Key),
        child("call_expression", "function", Does::Call),
        child("attribute", "name", Does::Silent),
    ],
    symbols: &[
        symbol("function_definition", Kind::Ask(declared_kind), NameAt::Ask(declared)).nests(),
        symbol("declaration", Kind::Ask(declared_kind), NameAt::Ask(declared)).not_local(),
        symbol("field_declaration", Kind::Ask(declared_kind), NameAt::Ask(declared)),
        symbol("struct_specifier", Kind::Ask(|asked| with_body(asked, SymbolKind::Struct)), NAME).nests(),
        symbol("union_specifier", Kind::Ask(|asked| with_body(asked, SymbolKind::Struct)), NAME).nests(),
        symbol("enum_specifier", Kind::Ask(|asked| with_body(asked, SymbolKind::Enum)), NAME).nests(),
        symbol("enumerator", Kind::Is(SymbolKind::EnumMember), NAME),
        symbol("type_definition", Kind::Ask(typedef_kind), NameAt::Ask(typedef_names))
            .nests_when(is_anonymous),
        symbol("preproc_def", Kind::Is(SymbolKind::Constant), NAME),
        symbol("preproc_function_def", Kind::Is(SymbolKind::Function), NAME),
    ],
    qualifies: |_| false,
    ..Grammar::NONE
};

pub(super) fn parent_has_body(site: &Site<'_, '_>) -> bool {
    site.above(1).is_some_and(|parent| parent.child_by_field_name("body").is_some())
}

/// Whether the parameter list around belongs to something with a body.
pub(super) fn binds_parameter(site: &Site<'_, '_>) -> bool {
    for parent in site.parents.iter().rev().skip(1) {
        match parent.kind() {
            "function_definition"
            | "lambda_expression"
            | "catch_clause"
            | "template_parameter_list"
            | "requires_expression" => return true,
            kind if kind.ends_with("_declarator") || kind == "parameter_list" => {}
            _ => return false,
        }
    }
    false
}

pub(super) fn with_body(asked: &SymbolSite<'_, '_>, kind: SymbolKind) -> Option<SymbolKind> {
    asked.site.field("body").map(|_| kind)
}

/// The names that a declaration declares, however deep in pointers and parameter lists.
pub(super) fn declared<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let mut cursor = site.node.walk();
    let declarators: Vec<_> =
        site.node.children_by_field_name("declarator", &mut cursor).take(1000).collect();
    declarators.into_iter().filter_map(|declarator| name_of(site, declarator)).collect()
}

fn name_of<'t>(site: &Site<'_, 't>, mut node: Node<'t>) -> Option<Named<'t>> {
    let mut owner = None;
    let mut callable = false;
    for _ in 0..64 {
        node = match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "operator_name" | "operator_cast"
            | "destructor_name" => {
                callable |= node.kind() == "operator_cast";
                return Some(Named { owner, callable, ..Named::plain(node) });
            }
            "qualified_identifier" => {
                let scope = node.child_by_field_name("scope").map(|scope| site.text_of(scope));
                owner = match (owner, scope) {
                    (Some(outer), Some(scope)) => Some(format!("{outer}::{scope}")),
                    (outer, scope) => outer.or(scope.map(str::to_owned)),
                };
                node.child_by_field_name("name")?
            }
            "template_function" | "template_method" => node.child_by_field_name("name")?,
            "function_declarator" => {
                let inner = node.child_by_field_name("declarator")?;
                // `int (*f)(void)` declares a variable.
                callable = inner.kind() != "parenthesized_declarator";
                inner
            }
            kind if kind.ends_with("_declarator") && kind != "structured_binding_declarator" => {
                node.child_by_field_name("declarator").or_else(|| last_named(node))?
            }
            _ => return None,
        };
    }
    None
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    let count = u32::try_from(node.named_child_count()).ok()?;
    node.named_child(count.checked_sub(1)?)
}

pub(super) fn declared_kind(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    let is_field = asked.site.node.kind() == "field_declaration";
    let in_type = is_field || asked.in_type() || asked.owner.is_some();
    let class = match asked.owner {
        Some(owner) => owner.rsplit("::").next().and_then(|last| last.split('<').next()),
        None => enclosing_class(asked),
    };
    Some(match (asked.callable || asked.site.node.kind() == "function_definition", in_type) {
        (true, true) if class == Some(asked.name) => SymbolKind::Constructor,
        (true, true) => SymbolKind::Method,
        (true, false) => SymbolKind::Function,
        (false, true) => SymbolKind::Field,
        (false, false) => SymbolKind::Variable,
    })
}

fn enclosing_class<'a>(asked: &SymbolSite<'a, '_>) -> Option<&'a str> {
    let mut around = asked.site.parents.iter().rev().take(4);
    let class = around.find(|node| matches!(node.kind(), "class_specifier" | "struct_specifier"))?;
    class.child_by_field_name("name").map(|name| asked.site.text_of(name))
}

fn typedef_names<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let tag = site.field("type").and_then(|of| of.child_by_field_name("name")).map(|name| site.text_of(name));
    let mut names = declared(site);
    // `typedef struct Foo {…} Foo;` declares one thing.
    names.retain(|named| tag != Some(site.text_of(named.node)));
    names
}

/// The type has no name of its own, so its members belong to the typedef.
fn is_anonymous(site: &Site<'_, '_>) -> bool {
    site.field("type").is_some_and(|of| of.child_by_field_name("name").is_none())
}

fn typedef_kind(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    let of = asked.site.field("type").filter(|_| is_anonymous(&asked.site));
    Some(match of.map(|of| of.kind()) {
        Some("struct_specifier" | "union_specifier") => SymbolKind::Struct,
        Some("enum_specifier") => SymbolKind::Enum,
        _ => SymbolKind::Class,
    })
}
