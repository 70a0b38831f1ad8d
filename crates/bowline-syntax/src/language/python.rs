//! Python. A name bound anywhere in a function belongs to all of it; comprehensions are scopes of their own,
//! blocks are not. Attributes that a method gives to `self` are fields of its class, listed where they are
//! first assigned.

use bowline_code::SymbolKind;
use tree_sitter::Node;

use crate::{
    grammar::{
        BIND, BIND_IN_FUNCTION, BIND_ITEM, BIND_TYPE, Does, Grammar, Kind, NameAt, Named, ScopeKind, child,
        scope, symbol,
    },
    site::{Site, SymbolSite, sibling_before},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_python::LANGUAGE.into(),
    tokens: &["identifier"],
    patterns: &[
        "as_pattern_target",
        "case_pattern",
        "class_pattern",
        "dict_pattern",
        "dictionary_splat_pattern",
        "dotted_name",
        "keyword_pattern",
        "lambda_parameters",
        "list_pattern",
        "list_splat_pattern",
        "parameters",
        "pattern_list",
        "splat_pattern",
        "tuple_pattern",
        "type",
        "type_parameter",
        "typed_parameter",
        "union_pattern",
    ],
    around: &["decorated_definition", "expression_statement"],
    expressions: &["assignment"],
    suites: &["block"],
    verbatim: &["string"],
    scopes: &[
        scope("function_definition", ScopeKind::Function),
        scope("lambda", ScopeKind::Function),
        scope("class_definition", ScopeKind::HiddenMembers),
        scope("list_comprehension", ScopeKind::Block),
        scope("set_comprehension", ScopeKind::Block),
        scope("dictionary_comprehension", ScopeKind::Block),
        scope("generator_expression", ScopeKind::Block),
    ],
    children: &[
        child("function_definition", "name", BIND_ITEM).outside(),
        child("class_definition", "name", BIND_ITEM).outside(),
        child("class_definition", "superclasses", Does::Use).outside(),
        child("function_definition", "return_type", Does::Use).outside().when(without_type_parameters),
        child("function_definition", "parameters", BIND),
        child("function_definition", "type_parameters", BIND_TYPE),
        child("class_definition", "type_parameters", BIND_TYPE),
        child("lambda", "parameters", BIND),
        child("default_parameter", "name", BIND),
        child("default_parameter", "value", Does::Use).outside(),
        child("typed_default_parameter", "name", BIND),
        child("typed_default_parameter", "value", Does::Use).outside(),
        child("typed_parameter", "type", Does::Use),
        child("assignment", "left", BIND_IN_FUNCTION),
        child("augmented_assignment", "left", BIND_IN_FUNCTION),
        child("named_expression", "name", BIND_IN_FUNCTION),
        child("for_statement", "left", BIND_IN_FUNCTION),
        child("for_in_clause", "left", BIND),
        child("for_in_clause", "right", Does::Use).outside().when(is_first_clause),
        child("as_pattern", "alias", BIND_IN_FUNCTION),
        child("except_clause", "alias", BIND_IN_FUNCTION),
        child("case_clause", "", BIND_IN_FUNCTION).when(|site| site.node.kind() == "case_pattern"),
        child("case_pattern", "", Does::Use).when(is_dotted),
        child("keyword_pattern", "", Does::Key).when(|site| site.before().is_none()),
        child("keyword_pattern", "", Does::Use).when(is_dotted),
        child("class_pattern", "", Does::Use).when(|site| site.node.kind() == "dotted_name"),
        child("union_pattern", "", Does::Use).when(|site| site.node.kind() == "dotted_name"),
        child("dict_pattern", "key", Does::Use),
        child("global_statement", "", Does::Global),
        child("nonlocal_statement", "", Does::Outer),
        child("attribute", "attribute", Does::Member("object")),
        child("keyword_argument", "name", Does::Key),
        child("call", "function", Does::Call),
    ],
    symbols: &[
        symbol("class_definition", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("function_definition", Kind::Callable, NAME).nests(),
        symbol("assignment", Kind::Ask(assigned), NameAt::Ask(assigned_names)).lifted().once(),
        symbol("type_alias_statement", Kind::Is(SymbolKind::Class), NameAt::Ask(alias_name)).not_local(),
    ],
    owners: &["self", "cls"],
    constructors: &["__init__"],
    ..Grammar::NONE
};

/// Type parameters are seen by the return type, which is otherwise read outside.
fn without_type_parameters(site: &Site<'_, '_>) -> bool {
    site.above(1).is_some_and(|function| function.child_by_field_name("type_parameters").is_none())
}

/// `[x for x in x]` reads the last `x` before it binds the first.
fn is_first_clause(site: &Site<'_, '_>) -> bool {
    let comprehension = site.above(2).zip(site.above(1));
    let before = comprehension.and_then(|(comprehension, clause)| sibling_before(comprehension, clause));
    before.is_none_or(|before| before.kind() != "for_in_clause")
}

/// `case a.b` compares, `case a` binds.
fn is_dotted(site: &Site<'_, '_>) -> bool {
    site.node.kind() == "dotted_name" && site.node.named_child_count() > 1
}

fn assigned_names<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let Some(left) = site.field("left") else {
        return Vec::new();
    };
    match left.kind() {
        "identifier" => vec![Named::plain(left)],
        "attribute" => own_attribute(site, left).into_iter().collect(),
        "pattern_list" | "tuple_pattern" => {
            let mut cursor = left.walk();
            let names = left.named_children(&mut cursor).filter(|child| child.kind() == "identifier");
            names.take(100).map(Named::plain).collect()
        }
        _ => Vec::new(),
    }
}

/// `name` of `self.name = …`, marked by being callable: it is not local.
fn own_attribute<'t>(site: &Site<'_, 't>, target: Node<'t>) -> Option<Named<'t>> {
    let object = target.child_by_field_name("object")?;
    let node = target.child_by_field_name("attribute")?;
    matches!(site.text_of(object), "self" | "cls").then_some(Named { callable: true, ..Named::plain(node) })
}

fn assigned(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    if asked.callable {
        return asked.enclosing.filter(|kind| *kind == SymbolKind::Class).map(|_| SymbolKind::Field);
    }
    if asked.in_function {
        return None;
    }
    let is_constant = asked.name.contains(char::is_uppercase) && !asked.name.contains(char::is_lowercase);
    Some(match (is_constant, asked.in_type()) {
        (true, _) => SymbolKind::Constant,
        (false, true) => SymbolKind::Field,
        (false, false) => SymbolKind::Variable,
    })
}

fn alias_name<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let mut name = site.field("left");
    // `Pair` of `type Pair[T]`: the first leaf.
    while let Some(node) = name.filter(|node| node.kind() != "identifier") {
        name = node.named_child(0);
    }
    name.map(Named::plain).into_iter().collect()
}
