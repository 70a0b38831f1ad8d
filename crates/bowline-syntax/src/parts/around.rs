//! What belongs to a symbol without being inside of it: comments, attributes, separators.

use std::ops::Range;

use tree_sitter::Node;

use super::{Place, Shared, item::Item};
use crate::{Parsed, compiled::Compiled};

/// Comments of the whole file, if they are its first: nobody's doc comment.
const OF_THE_FILE: [&str; 9] = [
    "#!",
    "coding:",
    "coding=",
    "frozen_string_literal",
    "opyright",
    "SPDX-",
    "@ts-",
    "@flow",
    "auto-generated",
];

/// More comments than this in a row belong to nobody. Finding a sibling takes as long as there are siblings.
const MOST_COMMENTS: usize = 300;

/// The first of the nodes on one side that is something else.
pub(super) fn first_not<'t>(
    node: Node<'t>,
    step: impl Fn(Node<'t>) -> Option<Node<'t>>,
    is_skipped: impl Fn(Node<'t>) -> bool,
) -> Option<Node<'t>> {
    std::iter::successors(step(node), |node| step(*node)).take(MOST_COMMENTS).find(|node| !is_skipped(*node))
}

pub(super) fn whole(parsed: &Parsed, item: &Item<'_>) -> Range<usize> {
    match &item.place {
        // Comments beside one name of several may be about any of them.
        Place::Part { .. } => item.node.byte_range(),
        Place::Bound { of, .. } => of.clone(),
        Place::Element(_) => leading(parsed, item.node.start_byte())..behind(parsed, item.node, &[","]),
        Place::Alone => of_statement(parsed, item.node),
    }
}

pub(super) fn of_statement(parsed: &Parsed, node: Node<'_>) -> Range<usize> {
    leading(parsed, node.start_byte())..behind(parsed, node, &[";", ","])
}

/// Some grammars end a declaration behind its line.
pub(super) fn trimmed_end(parsed: &Parsed, node: Node<'_>) -> usize {
    let text = parsed.text().get(node.byte_range()).unwrap_or_default();
    node.start_byte() + text.trim_end().len()
}

/// Where the comments, attributes and decorators in front begin.
fn leading(parsed: &Parsed, start: usize) -> usize {
    let compiled = parsed.language().compiled();
    let text = parsed.text();
    let mut start = start;
    for _ in 0..MOST_COMMENTS {
        let before = text.get(..start).unwrap_or_default().trim_end();
        let Some(last) = before.len().checked_sub(1) else { return start };
        let gap = text.get(before.len()..start).unwrap_or_default().matches('\n').count();
        let Some(found) = node_ending_at(parsed, compiled, last) else { return start };
        let row = compiled.row(found.kind_id());
        let is_comment = is_comment(found);
        if !is_comment && !row.beside {
            return start;
        }
        if is_comment && (gap > 1 || !stands_alone(text, found) || is_of_the_file(text, found)) {
            return start;
        }
        start = found.start_byte();
    }
    start
}

/// The comment or attribute whose last byte is this one.
fn node_ending_at<'t>(parsed: &'t Parsed, compiled: &Compiled, last: usize) -> Option<Node<'t>> {
    let mut node = parsed.root().descendant_for_byte_range(last, last + 1)?;
    loop {
        if is_comment(node) || compiled.row(node.kind_id()).beside {
            let parent = node.parent();
            // The comment that a documentation comment is a part of.
            return parent.filter(|parent| is_comment(*parent)).or(Some(node));
        }
        let parent = node.parent()?;
        if trimmed_end_of(parsed, parent) != last + 1 {
            return None;
        }
        node = parent;
    }
}

fn trimmed_end_of(parsed: &Parsed, node: Node<'_>) -> usize {
    trimmed_end(parsed, node)
}

pub(super) fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// Nothing but white space is before it on its line.
fn stands_alone(text: &str, node: Node<'_>) -> bool {
    let before = text.get(..node.start_byte()).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}').trim().is_empty()
}

fn is_of_the_file(text: &str, node: Node<'_>) -> bool {
    let comment = text.get(node.byte_range()).unwrap_or_default();
    if comment.starts_with("//!") || comment.starts_with("/*!") {
        return true;
    }
    if !OF_THE_FILE.iter().any(|mark| comment.contains(mark)) {
        return false;
    }
    // Nothing but other comments before it.
    let is_head = |node: Node<'_>| is_comment(node) || node.kind() == "php_tag";
    let is_outermost = node.parent().is_some_and(|parent| parent.parent().is_none());
    is_outermost && first_not(node, |node| node.prev_sibling(), is_head).is_none()
}

/// Where the separator and the comment behind a node end.
fn behind(parsed: &Parsed, node: Node<'_>, separators: &[&str]) -> usize {
    let text = parsed.text();
    let mut end = trimmed_end(parsed, node);
    // What ends with its line has nothing behind it.
    if text.get(node.byte_range()).is_some_and(|text| text.ends_with('\n')) {
        return end;
    }
    if let Some((at, found)) = next_on_line(parsed, end)
        && separators.contains(&found.kind())
        && at == found.start_byte()
    {
        end = found.end_byte();
    }
    if let Some((at, found)) = next_on_line(parsed, end)
        && is_comment(found)
        && at == found.start_byte()
    {
        let comment = text.get(found.byte_range()).unwrap_or_default().trim_end();
        if !comment.contains('\n') && is_last_on_line(text, at + comment.len()) {
            end = at + comment.len();
        }
    }
    end
}

fn is_last_on_line(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.split('\n').next().unwrap_or_default().trim().is_empty()
}

/// The next thing that stands on the same line.
fn next_on_line(parsed: &Parsed, from: usize) -> Option<(usize, Node<'_>)> {
    let rest = parsed.text().get(from..)?;
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let at = from + blank;
    let node = parsed.root().descendant_for_byte_range(at, at + 1)?;
    let parent = node.parent();
    let node = parent.filter(|parent| is_comment(*parent)).unwrap_or(node);
    (!rest[blank..].starts_with(['\n', '\r'])).then_some((at, node))
}

/// Whether there is something else in the same container, before and behind.
pub(super) fn neighbours(parsed: &Parsed, item: &Item<'_>, whole: &Range<usize>) -> (bool, bool) {
    let root = parsed.root();
    let text = parsed.text();
    let (container, whole) = match &item.place {
        Place::Alone | Place::Element(_) => (item.node.parent(), whole),
        Place::Part { of, .. } | Place::Bound { of, .. } => (around(root, of), of),
    };
    let is_inside = |at: usize| container.is_none_or(|container| container.byte_range().contains(&at));
    let before = text.get(..whole.start).unwrap_or_default().trim_end().len();
    let after = text.get(whole.end..).unwrap_or_default();
    let after = whole.end + (after.len() - after.trim_start().len());
    let counts = |at: usize| {
        let Some(found) = root.descendant_for_byte_range(at, at + 1) else { return false };
        let is_opening = !found.is_named() && matches!(found.kind(), "{" | "}" | "(" | ")" | ":" | "end");
        let of_container = found.parent() == container;
        !(is_opening && of_container)
    };
    let follows = before > 0 && is_inside(before - 1) && counts(before - 1);
    let precedes = after < text.len() && is_inside(after) && counts(after);
    (follows, precedes)
}

/// The node that these bytes, which are a statement, stand in.
fn around<'t>(root: Node<'t>, bytes: &Range<usize>) -> Option<Node<'t>> {
    let mut node = root.descendant_for_byte_range(bytes.start, bytes.end);
    while node.is_some_and(|node| bytes.start <= node.start_byte() && node.end_byte() <= bytes.end) {
        node = node.and_then(|node| node.parent());
    }
    node
}

/// Whether the suite that holds these bytes has no other statement.
pub(super) fn is_alone_in_suite(parsed: &Parsed, whole: &Range<usize>) -> bool {
    let compiled = parsed.language().compiled();
    let mut node = parsed.root().descendant_for_byte_range(whole.start, whole.end);
    while let Some(found) = node {
        if found.start_byte() < whole.start || found.end_byte() > whole.end {
            break;
        }
        let parent = found.parent();
        if parent.is_some_and(|parent| compiled.row(parent.kind_id()).suite) {
            node = parent;
            break;
        }
        node = parent;
    }
    let Some(suite) = node.filter(|node| compiled.row(node.kind_id()).suite) else { return false };
    let mut cursor = suite.walk();
    let mut others = suite
        .named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .filter(|child| child.start_byte() < whole.start || child.end_byte() > whole.end);
    others.next().is_none()
}

/// Go repeats the value of the constant before in a constant that has none.
pub(super) fn shared(item: &Item<'_>) -> Shared {
    if item.declares.kind() != "const_spec" {
        return Shared::default();
    }
    let has_value = |spec: Node<'_>| spec.child_by_field_name("value").is_some();
    let next = first_not(item.declares, |node| node.next_named_sibling(), is_comment);
    let taker = next.filter(|next| next.kind() == "const_spec" && !has_value(*next));
    Shared { is_taken: !has_value(item.declares), taken_by: taker.map(|next| next.byte_range()) }
}
