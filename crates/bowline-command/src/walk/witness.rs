//! A second look at the same text, by a grammar that shares nothing with the first: what only one of them sees is a doubt.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

use super::parser::Sight;

/// How often the grammar may report progress before it is stopped: once for a hundred of its steps.
const MAX_REPORTS: usize = 800;

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
    let seen = collect(&tree, &mut witnessed);
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
        if calls > MAX_REPORTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut |at, _| text.as_bytes().get(at..).unwrap_or_default(), None, Some(options))
}

/// What a kind of node is a sign of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Nothing,
    /// A command whose name is a field.
    Named,
    Seen(Sight),
    Strange,
}

/// What each kind is a sign of, by its number.
fn signs() -> &'static (Vec<Sign>, u16) {
    static SIGNS: OnceLock<(Vec<Sign>, u16)> = OnceLock::new();
    SIGNS.get_or_init(|| {
        let language: Language = tree_sitter_bash::LANGUAGE.into();
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let sign = |id: u16| {
            let kind = language.node_kind_for_id(id).unwrap_or_default();
            match kind {
                "command" => Sign::Named,
                "declaration_command" | "unset_command" | "test_command" => Sign::Seen(Sight::Command),
                "command_substitution" | "process_substitution" => Sign::Seen(Sight::Substitution),
                "file_redirect" | "heredoc_redirect" | "herestring_redirect" => Sign::Seen(Sight::Redirect),
                _ if !language.node_kind_is_named(id) || KINDS.contains(&kind) => Sign::Nothing,
                _ => Sign::Strange,
            }
        };
        let name = language.field_id_for_name("name").map_or(0, u16::from);
        ((0..count).map(sign).collect(), name)
    })
}

/// Walks the whole tree without recursion.
fn collect(tree: &Tree, witnessed: &mut Witnessed) -> Vec<(Sight, usize, usize)> {
    let (signs, name) = signs();
    let mut seen = Vec::new();
    let (mut is_broken, mut is_strange) = (tree.root_node().has_error(), false);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        is_broken |= node.is_missing();
        match signs.get(usize::from(node.kind_id())) {
            Some(Sign::Nothing) => {}
            Some(Sign::Named) => {
                if let Some(name) = node.child_by_field_id(*name) {
                    seen.push((Sight::Command, name.start_byte(), node.end_byte()));
                }
            }
            Some(Sign::Seen(sight)) => seen.push((*sight, node.start_byte(), node.end_byte())),
            // An error is a kind beyond the table.
            Some(Sign::Strange) | None => is_strange |= !node.is_error(),
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
