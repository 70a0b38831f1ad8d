//! Ruby. `attr_reader :name` and its relatives declare properties. A variable belongs to the method it is
//! assigned in, also when the assignment stands in a block: whether the block makes its own cannot be told
//! without knowing which assignment ran first.

use bowline_code::SymbolKind;
use tree_sitter::Node;

use crate::{
    grammar::{BIND, BIND_IN_FUNCTION, Does, Grammar, Kind, NameAt, Named, ScopeKind, child, scope, symbol},
    site::{Site, SymbolSite},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_ruby::LANGUAGE.into(),
    tokens: &[
        "identifier",
        "constant",
        "instance_variable",
        "class_variable",
        "global_variable",
        "simple_symbol",
        "hash_key_symbol",
    ],
    unbound: &["simple_symbol", "constant"],
    patterns: &[
        "alternative_pattern",
        "array_pattern",
        "as_pattern",
        "block_parameters",
        "destructured_left_assignment",
        "destructured_parameter",
        "exception_variable",
        "find_pattern",
        "hash_pattern",
        "keyword_pattern",
        "lambda_parameters",
        "left_assignment_list",
        "method_parameters",
        "parenthesized_pattern",
        "rest_assignment",
        "splat_parameter",
    ],
    splits: &["call"],
    expressions: &["assignment", "call"],
    suites: &["body_statement", "block_body", "then", "begin"],
    closes: &["method", "singleton_method", "class", "module"],
    verbatim: &["string", "heredoc_body", "subshell", "regex", "string_array", "symbol_array"],
    scopes: &[
        scope("method", ScopeKind::Function).barrier(),
        scope("singleton_method", ScopeKind::Function).barrier(),
        scope("class", ScopeKind::Members).barrier(),
        scope("module", ScopeKind::Members).barrier(),
        scope("singleton_class", ScopeKind::Members).barrier(),
        scope("lambda", ScopeKind::Block),
        scope("block", ScopeKind::Block),
        scope("do_block", ScopeKind::Block),
    ],
    children: &[
        child("assignment", "left", BIND_IN_FUNCTION),
        child("operator_assignment", "left", BIND_IN_FUNCTION),
        child("for", "pattern", BIND_IN_FUNCTION),
        child("rescue", "variable", BIND_IN_FUNCTION),
        child("in_clause", "pattern", BIND_IN_FUNCTION),
        child("match_pattern", "pattern", BIND_IN_FUNCTION),
        child("test_pattern", "pattern", BIND_IN_FUNCTION),
        child("array_pattern", "class", Does::Use),
        child("find_pattern", "class", Does::Use),
        child("hash_pattern", "class", Does::Use),
        child("keyword_pattern", "key", Does::Key).when(|site| parent_has_field(site, "value")),
        child("method", "parameters", BIND),
        child("singleton_method", "parameters", BIND),
        child("block", "parameters", BIND),
        child("do_block", "parameters", BIND),
        child("lambda", "parameters", BIND),
        child("optional_parameter", "name", BIND),
        child("keyword_parameter", "name", BIND),
        child("splat_parameter", "name", BIND),
        child("hash_splat_parameter", "name", BIND),
        child("block_parameter", "name", BIND),
        child("call", "method", Does::Method("receiver")),
        child("scope_resolution", "name", Does::Path("scope")),
        child("pair", "key", Does::Key),
    ],
    symbols: &[
        symbol("class", Kind::Is(SymbolKind::Class), NAME).nests(),
        symbol("module", Kind::Is(SymbolKind::Module), NAME).nests(),
        symbol("method", Kind::Ask(method), NAME).nests(),
        symbol("singleton_method", Kind::Is(SymbolKind::Method), NAME).nests(),
        symbol("assignment", Kind::Is(SymbolKind::Constant), NameAt::Ask(constant)).not_local().once(),
        symbol("call", Kind::Is(SymbolKind::Property), NameAt::Ask(attributes)).not_local(),
    ],
    // Constants and instance variables are assigned like variables, but are seen by everyone.
    binds: |name| !name.starts_with(|c: char| c.is_uppercase() || matches!(c, '@' | '$')),
    owners: &["self"],
    qualifies: |name| name.starts_with(char::is_uppercase),
    ..Grammar::NONE
};

fn parent_has_field(site: &Site<'_, '_>, field: &str) -> bool {
    site.above(1).is_some_and(|parent| parent.child_by_field_name(field).is_some())
}

fn method(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    Some(match asked.enclosing {
        Some(SymbolKind::Class | SymbolKind::Module) if asked.name == "initialize" => SymbolKind::Constructor,
        Some(SymbolKind::Class | SymbolKind::Module) => SymbolKind::Method,
        _ => SymbolKind::Function,
    })
}

fn constant<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let left = site.field("left").filter(|left| left.kind() == "constant");
    left.map(Named::plain).into_iter().collect()
}

fn attributes<'t>(site: &Site<'_, 't>) -> Vec<Named<'t>> {
    let declares = |method: Node<'_>| {
        matches!(site.text_of(method), "attr_reader" | "attr_writer" | "attr_accessor")
            && site.field("receiver").is_none()
    };
    let Some(arguments) =
        site.field("method").filter(|method| declares(*method)).and(site.field("arguments"))
    else {
        return Vec::new();
    };
    let mut cursor = arguments.walk();
    let symbols = arguments.named_children(&mut cursor).filter(|argument| argument.kind() == "simple_symbol");
    symbols.take(100).map(Named::plain).collect()
}
