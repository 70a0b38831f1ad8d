//! How far the difference between two texts of a file can be seen: what other files know of it is its surface.
//!
//! Both trees are written down token by token, and what no other file can see is left out: comments, white space, and
//! the bodies of functions that say by themselves what they give back. If what is left is the same, the difference
//! cannot be seen. Everything that is not known to be hidden is surface.
//!
//! - `bodies`: which bodies and values are hidden, and what shows through them.
//! - `assignments`: what functions assign, inside and outside of themselves.
//! - `changes`: which declarations differ, where the difference can be seen.
//! - `lexical`: the same of comments, where there is no tree to go by.

mod assignments;
mod bodies;
mod changes;
mod lexical;

use std::path::Path;

use tree_sitter::Node;

use crate::walk::{Place, Visitor, walk};
use crate::{Language, Parsed};

pub use changes::{
    Changed, Difference, Holder, Mention, Mentioned, Owner, Part, SurfaceChanges, hovers_tell_types,
    mentions_at, surface_changes,
};

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
        let is_c = matches!(before.language(), Language::C | Language::Cpp);
        let is_comment = is_c && lexical::same_but_for_comments(before.text(), after.text());
        return if is_comment { Extent::File } else { Extent::Anywhere };
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

/// Whether a compiler reads the same code in both: only comments and white space differ, and documentation stands at the
/// same places. It is an error where nothing follows that it could describe.
pub fn same_code(path: &Path, before: &Parsed, after: &Parsed) -> bool {
    before.language() == after.language()
        && !before.has_error()
        && !after.has_error()
        && Writer::write(path, before, Bodies::Written) == Writer::write(path, after, Bodies::Written)
        && Documentation::places(before) == Documentation::places(after)
}

/// Finds comments that document something.
struct Documentation<'a> {
    parsed: &'a Parsed,
    /// How many tokens have been passed.
    tokens: usize,
    /// How many stand before each of them.
    places: Vec<usize>,
}

impl<'a> Documentation<'a> {
    fn places(parsed: &'a Parsed) -> Vec<usize> {
        let mut finder = Self { parsed, tokens: 0, places: Vec::new() };
        walk(parsed.root().walk(), (), &mut finder);
        finder.places.dedup();
        finder.places
    }
}

impl<'t> Visitor<'t> for Documentation<'_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let node = place.node;
        if node.kind().contains("comment") && node.is_named() {
            let text = self.parsed.text().get(node.byte_range()).unwrap_or_default();
            if ["///", "//!", "/**", "/*!"].iter().any(|mark| text.starts_with(mark)) {
                self.places.push(self.tokens);
            }
            return None;
        }
        self.tokens += usize::from(node.child_count() == 0);
        Some(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Written,
    LeftOut,
}

/// One node or token. With the depth of each, the order of the text tells the shape of the tree: where ends of lines or
/// indentation mean something, the same tokens can be another program.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    depth: usize,
    kind: u16,
    text: &'a str,
    start: usize,
    /// Which declaration it belongs to: the one around this byte.
    anchor: usize,
    /// It declares nothing by itself: types are inferred from it.
    inferred: bool,
    /// It is part of an import, which begins here.
    import: Option<usize>,
    /// It shows through something that is hidden.
    leak: bool,
}

/// Where a token stands does not count.
impl PartialEq for Token<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.depth, self.kind, self.text) == (other.depth, other.kind, other.text)
    }
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

#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// Inside something whose body is surface, or that a macro reads.
    exposed: bool,
    in_macro: bool,
    inferred: bool,
    import: Option<usize>,
    /// Inside a decorator: where its declaration begins.
    anchor: Option<usize>,
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
        walk(parsed.root().walk(), State::default(), &mut writer);
        writer.gap(usize::MAX, parsed.text().len(), State::default());
        writer.tokens
    }

    fn text(&self, from: usize, to: usize) -> &'a str {
        self.parsed.text().get(from..to).unwrap_or_default()
    }

    /// What stands between two tokens and is in none of them.
    fn gap(&mut self, depth: usize, until: usize, state: State) {
        let between = self.text(self.end, until).trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if !between.is_empty() {
            self.push(depth, 0, between, self.end, state);
        }
        self.end = self.end.max(until);
    }

    fn whole(&mut self, depth: usize, node: Node<'_>, state: State) {
        self.gap(depth, node.start_byte(), state);
        let text = self.text(node.start_byte(), node.end_byte());
        self.push(depth, node.kind_id(), text, node.start_byte(), state);
        self.end = self.end.max(node.end_byte());
    }

    /// Where the declaration begins that a comment on lines of its own stands before.
    fn described_by(&self, comment: Node<'_>) -> Option<usize> {
        let before = self.text(0, comment.start_byte());
        let stands_alone =
            before.lines().next_back().is_none_or(|line| line.trim().is_empty()) || before.ends_with('\n');
        let mut next = comment.next_sibling();
        while let Some(sibling) = next.filter(Node::is_extra) {
            next = sibling.next_sibling();
        }
        let is_python = self.parsed.language() == Language::Python;
        next.filter(|_| stands_alone && !is_python).map(|declaration| declaration.start_byte())
    }

    /// Where a part of the text stands in it.
    fn offset_of(&self, part: &str) -> Option<usize> {
        let offset = (part.as_ptr() as usize).checked_sub(self.parsed.text().as_ptr() as usize)?;
        (offset + part.len() <= self.parsed.text().len()).then_some(offset)
    }

    fn push(&mut self, depth: usize, kind: u16, text: &'a str, start: usize, state: State) {
        let State { inferred, import, anchor, .. } = state;
        let anchor = anchor.unwrap_or(start);
        self.tokens.push(Token { depth, kind, text, start, anchor, inferred, import, leak: false });
    }

    fn is_silent(&self, comment: Node<'_>, state: State) -> bool {
        let text = self.text(comment.start_byte(), comment.end_byte());
        if matches!(self.parsed.language(), Language::TypeScript | Language::Tsx) {
            // Types are written in the code; `@ts-…` is about the file itself, and what is deprecated is no error.
            return !(text.contains("<reference") || text.contains("@jsx"));
        }
        !(self.comments_count || state.in_macro || MEANS_SOMETHING.iter().any(|words| text.contains(words)))
    }
}

impl<'t> Visitor<'t> for Writer<'_> {
    type State = State;

    fn enter(&mut self, place: &Place<'_, 't>, above: &mut State) -> Option<State> {
        let (node, depth) = (place.node, place.parents.len());
        let kind = node.kind();
        let mut state = *above;
        if kind.contains("comment") && node.is_named() {
            if self.is_silent(node, state) {
                self.gap(depth, node.start_byte(), state);
                self.end = self.end.max(node.end_byte());
            } else {
                state.anchor = state.anchor.or_else(|| self.described_by(node));
                self.whole(depth, node, state);
            }
            return None;
        }
        state.anchor = state.anchor.or_else(|| bodies::anchor(place));
        state.import = state.import.or_else(|| bodies::is_import(kind).then_some(node.start_byte()));
        state.inferred |= bodies::is_inferred_from(place);
        if let Some(hidden) = &self.bodies
            && let Some(leaks) = if above.exposed { hidden.docstring(place) } else { hidden.leaks_at(place) }
        {
            self.gap(depth, node.start_byte(), state);
            self.push(depth, 0, "", node.start_byte(), *above);
            for leak in leaks {
                let start = self.offset_of(leak).unwrap_or(node.start_byte());
                self.push(depth + 1, 0, leak, start, state);
                if let Some(token) = self.tokens.last_mut() {
                    token.leak = true;
                }
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
            self.whole(depth, node, state);
            return None;
        }
        self.gap(depth, node.start_byte(), state);
        self.push(depth, node.kind_id(), "", node.start_byte(), state);
        state.in_macro |= matches!(kind, "token_tree" | "macro_invocation" | "macro_definition");
        state.exposed |= state.in_macro || self.bodies.as_ref().is_some_and(|it| it.exposes(place));
        Some(state)
    }
}

#[cfg(test)]
mod tests;
