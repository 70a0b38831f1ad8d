//! The body of a declaration: what stands between its braces, below its head, or behind its arrow.

use std::ops::Range;

use tree_sitter::Node;

use super::item::Item;
use crate::{Parsed, compiled::Compiled};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// With its braces, if it has some.
    pub outer: Range<usize>,
    /// What is between them.
    pub inner: Range<usize>,
    pub style: Style,
}

/// How a body is told from its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Style {
    /// By a pair of delimiters, which are the first and the last byte of `outer`.
    Delimited,
    /// By its indentation; or it stands on the line of its head.
    Indented { on_head_line: bool },
    /// It is an expression. A block in braces can take the place of `block`.
    Expression { block: Option<Range<usize>> },
    /// By a word: `end`.
    Keyword,
}

pub(super) fn of(parsed: &Parsed, item: &Item<'_>) -> Option<Body> {
    let compiled = parsed.language().compiled();
    let declares = item.declares;
    if compiled.row(declares.kind_id()).closes {
        return keyword(parsed, declares);
    }
    let (owner, body) = body_node(compiled, declares)?;
    if compiled.row(body.kind_id()).suite && !is_delimited(parsed, body) {
        return indented(parsed, owner, body);
    }
    if is_delimited(parsed, body) {
        let outer = body.byte_range();
        return Some(Body { inner: outer.start + 1..outer.end - 1, outer, style: Style::Delimited });
    }
    expression(parsed, owner, body)
}

/// The node that has a body, and the body.
fn body_node<'t>(compiled: &Compiled, declares: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let own = |node: Node<'t>| {
        let body = compiled.body.iter().find_map(|field| node.child_by_field_id(field.get()));
        body.map(|body| (node, body))
    };
    if let Some(found) = own(declares) {
        return Some(found);
    }
    let mut value = ["value", "right", "type"].iter().find_map(|field| declares.child_by_field_name(field));
    for _ in 0..3 {
        let node = value?;
        if compiled.row(node.kind_id()).body {
            return Some((declares, node));
        }
        if let Some(found) = own(node) {
            return Some(found);
        }
        let mut cursor = node.walk();
        let inner = node.named_children(&mut cursor).find(|child| compiled.row(child.kind_id()).body);
        if let Some(inner) = inner {
            return Some((declares, inner));
        }
        value = (node.named_child_count() == 1).then(|| node.named_child(0)).flatten();
    }
    None
}

fn is_delimited(parsed: &Parsed, body: Node<'_>) -> bool {
    let text = parsed.text().get(body.byte_range()).unwrap_or_default();
    text.len() >= 2
        && ((text.starts_with('{') && text.ends_with('}'))
            || (text.starts_with('(') && text.ends_with(')') && body.kind() == "subshell"))
}

fn indented(parsed: &Parsed, owner: Node<'_>, body: Node<'_>) -> Option<Body> {
    let text = parsed.text();
    let mut cursor = owner.walk();
    let colon = owner.children(&mut cursor).filter(|child| child.kind() == ":").last()?;
    let mut cursor = body.walk();
    let statements: Vec<Node<'_>> =
        body.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
    let (first, last) = (statements.first()?, statements.last()?);
    if first.start_position().row == colon.start_position().row {
        let bytes = first.start_byte()..last.end_byte();
        return Some(Body {
            outer: bytes.clone(),
            inner: bytes,
            style: Style::Indented { on_head_line: true },
        });
    }
    let head_line = text.get(colon.end_byte()..)?;
    let start = colon.end_byte() + head_line.find('\n')? + 1;
    let inside = text.get(start..body.end_byte())?;
    let bytes = start..start + inside.trim_end().len();
    Some(Body { outer: bytes.clone(), inner: bytes, style: Style::Indented { on_head_line: false } })
}

fn keyword(parsed: &Parsed, declares: Node<'_>) -> Option<Body> {
    let mut cursor = declares.walk();
    let children: Vec<Node<'_>> = declares.children(&mut cursor).collect();
    let closing = children.last().filter(|last| last.kind() == "end");
    let body = declares.child_by_field_name("body");
    let Some(closing) = closing else {
        // `def square(x) = x * x`
        let bytes = body?.byte_range();
        return Some(Body { outer: bytes.clone(), inner: bytes, style: Style::Expression { block: None } });
    };
    let until = body.unwrap_or(*closing).start_byte();
    let head = children.iter().rfind(|child| {
        child.end_byte() <= until && child.kind() != ";" && !child.is_extra() && **child != *closing
    })?;
    let mut end = head.end_byte();
    // A comment on the line of the head stays there.
    let comment = children.iter().find(|child| {
        child.is_extra() && child.start_position().row == head.end_position().row && child.start_byte() >= end
    });
    if let Some(comment) = comment {
        end = super::around::trimmed_end(parsed, *comment);
    }
    let bytes = end..closing.start_byte();
    parsed.text().get(bytes.clone())?;
    Some(Body { outer: bytes.clone(), inner: bytes, style: Style::Keyword })
}

fn expression(parsed: &Parsed, owner: Node<'_>, body: Node<'_>) -> Option<Body> {
    let text = parsed.text().get(body.byte_range())?;
    // The fields of a tuple are no body.
    if body.kind().starts_with("ordered_") || text.starts_with('(') && body.kind().contains("list") {
        return None;
    }
    if body.kind() == "arrow_expression_clause" {
        let value = body.named_child(0)?.byte_range();
        let semicolon = owner.child(owner.child_count().checked_sub(1)?);
        let end = semicolon.filter(|last| last.kind() == ";").map_or(body.end_byte(), |last| last.end_byte());
        let block = Some(body.start_byte()..end);
        return Some(Body { outer: value.clone(), inner: value, style: Style::Expression { block } });
    }
    let has_arrow = {
        let mut cursor = owner.walk();
        owner.children(&mut cursor).any(|child| matches!(child.kind(), "=>" | "->"))
    };
    let bytes = body.byte_range();
    let block = has_arrow.then(|| bytes.clone());
    Some(Body { outer: bytes.clone(), inner: bytes, style: Style::Expression { block } })
}
