//! Bash. Functions and the file's variables are symbols; only what `local`, `declare` or `typeset` names
//! inside a function is local. Arguments of commands are keys: they may name a function, but mostly do not.

use bowline_code::SymbolKind;

use crate::{
    grammar::{BIND_AFTER, Does, Grammar, Kind, NameAt, ScopeKind, child, scope, symbol},
    site::{Site, SymbolSite},
};

const NAME: NameAt = NameAt::Field("name");

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_bash::LANGUAGE.into(),
    // tree-sitter-bash 0.25.1 calls C's `isdigit` with whatever follows a brace; `{` and a character beyond the
    // basic plane end the process.
    ascii: true,
    tokens: &["variable_name", "word"],
    unbound: &["word"],
    patterns: &["variable_assignment"],
    around: &["declaration_command"],
    expressions: &["variable_assignment"],
    verbatim: &["string", "raw_string", "ansi_c_string", "heredoc_redirect"],
    scopes: &[scope("function_definition", ScopeKind::Function)],
    children: &[
        child("declaration_command", "", BIND_AFTER).when(makes_local),
        child("variable_assignment", "value", Does::Use),
        child("command_name", "", Does::Call),
        child("command", "argument", Does::Key),
        child("for_statement", "value", Does::Key),
        child("file_redirect", "destination", Does::Key),
        child("case_item", "value", Does::Key),
        child("array", "", Does::Key),
    ],
    symbols: &[
        symbol("function_definition", Kind::Is(SymbolKind::Function), NAME).nests(),
        symbol("variable_assignment", Kind::Ask(assigned), NAME).not_local().once(),
    ],
    ..Grammar::NONE
};

fn makes_local(site: &Site<'_, '_>) -> bool {
    ["local", "declare", "typeset"].iter().any(|keyword| site.parent_has(keyword))
}

/// `NAME=value command` changes nothing but that command's environment.
fn assigned(asked: &SymbolSite<'_, '_>) -> Option<SymbolKind> {
    let is_prefix = asked.site.above_is(1, "command");
    (!is_prefix).then_some(SymbolKind::Variable)
}
