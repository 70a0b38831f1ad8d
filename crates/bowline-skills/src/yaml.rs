//! YAML as a tree of text: no value is made into a number or a truth value, and every node knows its line.
//!
//! What makes YAML dangerous is not read at all: anchors, aliases, tags, directives, a second document. The rest is
//! bounded in depth and in number.

use std::borrow::Cow;

use serde_saphyr::granit_parser::{self, Event, Parser, ScalarStyle, Span};

mod simple;

/// How deep and how many.
pub(crate) struct Limits {
    pub depth: usize,
    pub nodes: usize,
}

/// Where reading stopped, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub line: usize,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node<'a> {
    /// From 1, in the text that was given.
    pub line: usize,
    pub value: Value<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Text {
        text: Cow<'a, str>,
        /// Written without quotes, so that other readers may take it for a number.
        plain: bool,
    },
    List(Vec<Node<'a>>),
    /// In the order of the text; a key may be there twice.
    Map(Vec<(Key<'a>, Node<'a>)>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key<'a> {
    pub line: usize,
    pub text: Cow<'a, str>,
}

impl Node<'_> {
    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Text { .. } => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    /// Nothing at all was written there.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(&self.value, Value::Text { text, plain: true } if text.is_empty())
    }

    /// Moves it down by so many lines.
    pub(crate) fn shift(&mut self, lines: usize) {
        self.line += lines;
        match &mut self.value {
            Value::Text { .. } => {}
            Value::List(items) => items.iter_mut().for_each(|item| item.shift(lines)),
            Value::Map(pairs) => {
                for (key, value) in pairs {
                    key.line += lines;
                    value.shift(lines);
                }
            }
        }
    }

    /// The same, whatever becomes of the text that it was read from.
    pub(crate) fn into_owned(self) -> Node<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let value = match self.value {
            Value::Text { text, plain } => Value::Text { text: owned(text), plain },
            Value::List(items) => Value::List(items.into_iter().map(Node::into_owned).collect()),
            Value::Map(pairs) => Value::Map(
                pairs
                    .into_iter()
                    .map(|(key, value)| (Key { line: key.line, text: owned(key.text) }, value.into_owned()))
                    .collect(),
            ),
        };
        Node { line: self.line, value }
    }

    /// Everything on one line, as text.
    pub(crate) fn flat(&self) -> String {
        let list = |parts: Vec<String>| parts.join(", ");
        match &self.value {
            Value::Text { text, .. } => text.to_string(),
            Value::List(items) => format!("[{}]", list(items.iter().map(Node::flat).collect())),
            Value::Map(pairs) => {
                format!(
                    "{{{}}}",
                    list(pairs.iter().map(|(k, v)| format!("{}: {}", k.text, v.flat())).collect())
                )
            }
        }
    }
}

/// The one document of the text. None where there is nothing in it.
pub(crate) fn read<'a>(text: &'a str, limits: &Limits) -> Result<Option<Node<'a>>, Fault> {
    // A text of fewer bytes has fewer nodes.
    if text.len() < limits.nodes
        && let Some(node) = simple::read(text)
    {
        return Ok(Some(node));
    }
    parse(text, limits)
}

fn parse<'a>(text: &'a str, limits: &Limits) -> Result<Option<Node<'a>>, Fault> {
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
    };
    let mut tree = Tree { open: Vec::new(), root: None, nodes: 0, documents: 0 };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| {
            let info = error.info();
            // The parser's own words for its limit say nothing to an author.
            let message = if info.contains("recursion limit") { too_deep(limits) } else { info };
            Fault { line: error.marker().line().max(1), message }
        })?;
        tree.take(event, &span, limits)?;
    }
    Ok(tree.root)
}

fn too_deep(limits: &Limits) -> String {
    format!("nested more than {} deep", limits.depth)
}

/// A list or map whose end has not come yet.
enum Open<'a> {
    List(usize, Vec<Node<'a>>),
    Map(usize, Vec<(Key<'a>, Node<'a>)>, Option<Key<'a>>),
}

struct Tree<'a> {
    open: Vec<Open<'a>>,
    root: Option<Node<'a>>,
    nodes: usize,
    documents: usize,
}

impl<'a> Tree<'a> {
    fn take(&mut self, event: Event<'a>, span: &Span, limits: &Limits) -> Result<(), Fault> {
        let line = span.start.line().max(1);
        let fault = |message: &str| Err(Fault { line, message: message.into() });
        let (anchored, tagged) = match &event {
            Event::Scalar(_, _, anchor, tag)
            | Event::SequenceStart(_, anchor, tag)
            | Event::MappingStart(_, anchor, tag) => (*anchor != 0, tag.is_some()),
            _ => (false, false),
        };
        if anchored {
            return fault("anchors (`&name`) are not read here: write the value out");
        }
        if tagged {
            return fault("tags (`!name`) are not read here: write the plain value");
        }
        match event {
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                fault("aliases (`*name`) are not read here: write the value out, or put it in quotes")
            }
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 { fault("a second document begins here") } else { Ok(()) }
            }
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain;
                // The parser says `~` where nothing was written.
                let text = if plain && span.is_empty() { Cow::Borrowed("") } else { text };
                self.put(Node { line, value: Value::Text { text, plain } }, limits)
            }
            Event::SequenceStart(..) => self.enter(Open::List(line, Vec::new()), line, limits),
            Event::MappingStart(..) => self.enter(Open::Map(line, Vec::new(), None), line, limits),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(line, items)) => self.put(Node { line, value: Value::List(items) }, limits),
                Some(Open::Map(line, pairs, _)) => self.put(Node { line, value: Value::Map(pairs) }, limits),
                None => fault("an end without a beginning"),
            },
            _ => Ok(()),
        }
    }

    fn enter(&mut self, open: Open<'a>, line: usize, limits: &Limits) -> Result<(), Fault> {
        if self.open.len() >= limits.depth {
            return Err(Fault { line, message: too_deep(limits) });
        }
        self.open.push(open);
        Ok(())
    }

    fn put(&mut self, node: Node<'a>, limits: &Limits) -> Result<(), Fault> {
        self.nodes += 1;
        if self.nodes > limits.nodes {
            let message = format!("more than {} values", limits.nodes);
            return Err(Fault { line: node.line, message });
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, pairs, key)) => match key.take() {
                Some(key) => pairs.push((key, node)),
                None => match node {
                    Node { line, value: Value::Text { text, .. } } => *key = Some(Key { line, text }),
                    other => {
                        let message = format!("a key is {}, and must be text", other.kind());
                        return Err(Fault { line: other.line, message });
                    }
                },
            },
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { depth: 4, nodes: 20 };

    fn flat(text: &str) -> String {
        match read(text, &LIMITS) {
            Ok(Some(node)) => node.flat(),
            Ok(None) => "nothing".into(),
            Err(fault) => format!("{}: {}", fault.line, fault.message),
        }
    }

    #[test]
    fn every_scalar_is_the_text_that_was_written() {
        assert_eq!(
            flat("a: 010\nb: no\nc: ~\nd: 1e3\ne: 2024-01-01\nf: \"x\\ty\""),
            "{a: 010, b: no, c: ~, d: 1e3, e: 2024-01-01, f: x\ty}"
        );
        assert_eq!(flat("a: [1, {b: c}]\n"), "{a: [1, {b: c}]}");
        assert_eq!(flat("a:\nb: \"\"\nc: ~\nd:"), "{a: , b: , c: ~, d: }");
        assert_eq!(flat(""), "nothing");
        assert_eq!(flat("# only\n"), "nothing");
    }

    #[test]
    fn what_makes_yaml_dangerous_is_refused_with_its_line() {
        for (text, says) in [
            ("a: 1\nb: &x 2", "2: anchors (`&name`)"),
            ("a: *x", "1: aliases (`*name`)"),
            ("a: !!python/object/apply:os.getcwd []", "1: tags (`!name`)"),
            ("a: !!str 1", "1: tags (`!name`)"),
            ("a: 1\n--- b", "2: a second document"),
            ("%YAML 1.2\n---\na: 1", "1: "),
            ("[[[[[1]]]]]", "1: nested more than 4 deep"),
            ("a:\n  b:\n    c:\n      d:\n        e: 1", "5: nested more than 4 deep"),
            ("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21]", "1: more than 20 values"),
            ("? [a]\n: b", "1: a key is a list"),
            ("a: b: c", "1: "),
        ] {
            assert!(flat(text).starts_with(says), "{text:?} says {:?}", flat(text));
        }
    }

    #[test]
    fn nodes_know_their_lines() {
        let Some(Node { value: Value::Map(pairs), .. }) =
            read("a: 1\n\nb:\n  - x\n  - y\n", &LIMITS).unwrap()
        else {
            panic!()
        };
        assert_eq!((pairs[0].0.line, pairs[1].0.line), (1, 3));
        let Value::List(items) = &pairs[1].1.value else { panic!() };
        assert_eq!((items[0].line, items[1].line), (4, 5));
    }
}
