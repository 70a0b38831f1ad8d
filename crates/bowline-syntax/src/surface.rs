//! How far the difference between two texts of a file can be seen: what other files know of it is its surface.
//!
//! Both trees are written down token by token, and what no other file can see is left out: comments, white space, and
//! the bodies of functions that say by themselves what they give back. If what is left is the same, the difference
//! cannot be seen. Everything that is not known to be hidden is surface.

mod bodies;

use std::path::Path;

use tree_sitter::Node;

use crate::walk::{Place, Visitor, walk};
use crate::{Language, Parsed};

/// Who can see that a text is another now. The smaller the safer to say of it that nothing broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Nobody but the file itself.
    File,
    /// What is compiled together with it: the package of a Go file, the crate of a Rust file. A body can close a cycle
    /// of initialisation there, and leave a function unused.
    Unit,
    Anywhere,
}

/// Comments with one of these in them may mean something to other files: build constraints, directives, declared types,
/// deprecations, exports.
const MEANS_SOMETHING: [&str; 16] = [
    "@",
    "eprecated",
    "DEPRECATED",
    "pragma",
    "IWYU",
    "type:",
    "go:",
    "+build",
    "#cgo",
    "//export",
    "//line ",
    "/*line ",
    "coding:",
    "coding=",
    "<reference",
    "pyright:",
];

/// Whoever can see the difference between two texts of the file of this name. Only its ending counts.
pub fn extent(path: &Path, before: &Parsed, after: &Parsed) -> Extent {
    if before.language() != after.language() {
        return Extent::Anywhere;
    }
    if before.text() == after.text() {
        return Extent::File;
    }
    // What a grammar cannot read may be anything.
    if before.has_error() || after.has_error() {
        return Extent::Anywhere;
    }
    let same = |bodies: Bodies| Writer::write(path, before, bodies) == Writer::write(path, after, bodies);
    if same(Bodies::Written) {
        Extent::File
    } else if !same(Bodies::LeftOut) {
        Extent::Anywhere
    } else if matches!(before.language(), Language::Go | Language::Rust) {
        Extent::Unit
    } else {
        Extent::File
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Written,
    LeftOut,
}

/// One node or token. With the depth of each, the order of the text tells the shape of the tree: where ends of lines or
/// indentation mean something, the same tokens can be another program.
#[derive(Debug, PartialEq, Eq)]
struct Token<'a> {
    depth: usize,
    kind: u16,
    text: &'a str,
}

struct Writer<'a> {
    parsed: &'a Parsed,
    bodies: Option<bodies::Hidden<'a>>,
    /// All comments are code: C in a Go file stands in one.
    comments_count: bool,
    tokens: Vec<Token<'a>>,
    /// Up to here everything is written.
    end: usize,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Inside something whose body is surface, or that a macro reads.
    exposed: bool,
    in_macro: bool,
}

impl<'a> Writer<'a> {
    fn write(path: &Path, parsed: &'a Parsed, bodies: Bodies) -> Vec<Token<'a>> {
        let mut writer = Writer {
            parsed,
            bodies: (bodies == Bodies::LeftOut).then(|| bodies::Hidden::new(path, parsed)),
            comments_count: parsed.language() == Language::Go && parsed.text().contains("\"C\""),
            tokens: Vec::new(),
            end: 0,
        };
        walk(parsed.root().walk(), State { exposed: false, in_macro: false }, &mut writer);
        writer.gap(usize::MAX, parsed.text().len());
        writer.tokens
    }

    fn text(&self, from: usize, to: usize) -> &'a str {
        self.parsed.text().get(from..to).unwrap_or_default()
    }

    /// What stands between two tokens and is in none of them.
    fn gap(&mut self, depth: usize, until: usize) {
        let between = self.text(self.end, until).trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if !between.is_empty() {
            self.tokens.push(Token { depth, kind: 0, text: between });
        }
        self.end = self.end.max(until);
    }

    fn whole(&mut self, depth: usize, node: Node<'_>) {
        self.gap(depth, node.start_byte());
        let text = self.text(node.start_byte(), node.end_byte());
        self.tokens.push(Token { depth, kind: node.kind_id(), text });
        self.end = self.end.max(node.end_byte());
    }

    fn is_silent(&self, comment: Node<'_>, state: State) -> bool {
        let text = self.text(comment.start_byte(), comment.end_byte());
        !(self.comments_count || state.in_macro || MEANS_SOMETHING.iter().any(|words| text.contains(words)))
    }
}

impl<'t> Visitor<'t> for Writer<'_> {
    type State = State;

    fn enter(&mut self, place: &Place<'_, 't>, above: &mut State) -> Option<State> {
        let (node, depth) = (place.node, place.parents.len());
        let kind = node.kind();
        if kind.contains("comment") && node.is_named() {
            if self.is_silent(node, *above) {
                self.gap(depth, node.start_byte());
                self.end = self.end.max(node.end_byte());
            } else {
                self.whole(depth, node);
            }
            return None;
        }
        if let Some(hidden) = &self.bodies
            && !above.exposed
            && let Some(leaks) = hidden.body(place)
        {
            self.gap(depth, node.start_byte());
            self.tokens.push(Token { depth, kind: 0, text: "" });
            for leak in leaks {
                self.tokens.push(Token { depth: depth + 1, kind: 0, text: leak });
            }
            self.end = self.end.max(node.end_byte());
            return None;
        }
        // White space counts in these, and not all of their text is in a token.
        const RAW: [&str; 9] =
            ["string", "char", "template", "heredoc", "regex", "preproc_arg", "jsx_text", "text", "raw"];
        let is_code = kind.contains("template_") && !kind.ends_with("_string");
        let is_raw = node.is_named() && !is_code && RAW.iter().any(|word| kind.contains(word));
        if is_raw || node.child_count() == 0 {
            self.whole(depth, node);
            return None;
        }
        self.gap(depth, node.start_byte());
        self.tokens.push(Token { depth, kind: node.kind_id(), text: "" });
        let in_macro =
            above.in_macro || matches!(kind, "token_tree" | "macro_invocation" | "macro_definition");
        let exposed = above.exposed || in_macro || self.bodies.as_ref().is_some_and(|it| it.exposes(place));
        Some(State { exposed, in_macro })
    }
}

#[cfg(test)]
mod tests;
