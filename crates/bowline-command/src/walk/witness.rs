//! A second look at the same text, by a grammar that shares nothing with the first: what only one of them sees is a doubt.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::parser::Sight;

/// How often the grammar may report progress before it is stopped: a few seconds at the very most.
const PATIENCE: usize = 200_000;

/// Every kind of node that is understood. Another one may hold commands in a way that nobody has thought of.
const KINDS: &[&str] = &[
    "ansi_c_string",
    "arithmetic_expansion",
    "array",
    "binary_expression",
    "brace_expression",
    "c_style_for_statement",
    "case_item",
    "case_statement",
    "command",
    "command_name",
    "command_substitution",
    "comment",
    "compound_statement",
    "concatenation",
    "declaration_command",
    "do_group",
    "elif_clause",
    "else_clause",
    "expansion",
    "extglob_pattern",
    "file_descriptor",
    "file_redirect",
    "for_statement",
    "function_definition",
    "heredoc_body",
    "heredoc_content",
    "heredoc_end",
    "heredoc_redirect",
    "heredoc_start",
    "herestring_redirect",
    "if_statement",
    "list",
    "negated_command",
    "number",
    "parenthesized_expression",
    "pipeline",
    "postfix_expression",
    "process_substitution",
    "program",
    "raw_string",
    "redirected_statement",
    "regex",
    "simple_expansion",
    "special_variable_name",
    "string",
    "string_content",
    "subscript",
    "subshell",
    "ternary_expression",
    "test_command",
    "test_operator",
    "translated_string",
    "unary_expression",
    "unset_command",
    "variable_assignment",
    "variable_assignments",
    "variable_name",
    "while_statement",
    "word",
];

/// What the grammar has to say.
#[derive(Debug, Default)]
pub(super) struct Witnessed {
    pub(super) doubts: Vec<String>,
    /// Commands that the first look did not see.
    pub(super) missed: Vec<String>,
}

/// Looks at a text of which `sights` have been seen.
pub(super) fn look(text: &str, sights: &[(Sight, usize)]) -> Witnessed {
    let mut witnessed = Witnessed::default();
    let Some(tree) = parse(text) else {
        witnessed.doubts.push("the grammar did not come to an end".to_owned());
        return witnessed;
    };
    let seen = collect(text, &tree, &mut witnessed);
    let mine: BTreeSet<(Sight, usize)> = sights.iter().copied().collect();
    let theirs: BTreeSet<(Sight, usize)> = seen.iter().map(|(sight, at, _)| (*sight, *at)).collect();
    if mine != theirs {
        let at = mine.symmetric_difference(&theirs).next().map_or(0, |(_, at)| *at);
        let near: String = text.get(at..).unwrap_or_default().chars().take(20).collect();
        witnessed.doubts.push(format!("it can be read in two ways at `{}`", near.escape_debug()));
    }
    for (sight, at, end) in seen {
        if sight == Sight::Command && !mine.contains(&(sight, at)) {
            witnessed.missed.extend(text.get(at..end).map(str::to_owned));
        }
    }
    witnessed
}

fn parse(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let mut calls = 0usize;
    let mut progress = |_: &ParseState| {
        calls += 1;
        if calls > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut |at, _| text.as_bytes().get(at..).unwrap_or_default(), None, Some(options))
}

/// Walks the whole tree without recursion.
fn collect(text: &str, tree: &Tree, witnessed: &mut Witnessed) -> Vec<(Sight, usize, usize)> {
    let mut seen = Vec::new();
    let (mut is_broken, mut is_strange) = (false, false);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            is_broken = true;
        } else if node.is_named() {
            is_strange |= !KINDS.contains(&node.kind());
            seen.extend(sight(text, node));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                if is_broken {
                    witnessed.doubts.push("the grammar does not know such text".to_owned());
                }
                if is_strange {
                    witnessed.doubts.push("the grammar sees something that is not known".to_owned());
                }
                return seen;
            }
        }
    }
}

fn sight(text: &str, node: Node<'_>) -> Option<(Sight, usize, usize)> {
    let _ = text;
    let sight = match node.kind() {
        "command" => {
            let name = node.child_by_field_name("name")?;
            return Some((Sight::Command, name.start_byte(), node.end_byte()));
        }
        "declaration_command" | "unset_command" | "test_command" => Sight::Command,
        "command_substitution" | "process_substitution" => Sight::Substitution,
        "file_redirect" | "heredoc_redirect" | "herestring_redirect" => Sight::Redirect,
        _ => return None,
    };
    Some((sight, node.start_byte(), node.end_byte()))
}
