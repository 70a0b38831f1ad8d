//! `SKILL.md` from its bytes: the head as fields, everything that is wrong with it, and where the body begins.

use std::collections::BTreeMap;

use crate::head::{MOST, Split};
use crate::yaml::{self, Limits, Node};
use crate::{AllowedTools, Finding, Location, Scope, Summary, lines};

mod fields;
mod mend;
mod seen;
mod typed;

/// The file that a skill is.
pub(crate) const FILE: &str = "SKILL.md";

/// The line above the YAML.
const ABOVE: usize = 1;

const LIMITS: Limits = Limits { depth: 16, nodes: 2_000 };

/// What happens to a head that is not quite right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// It is refused, with every reason.
    #[default]
    Strict,
    /// What can be mended is mended, with a warning that says how.
    Lenient,
}

/// A head that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fields {
    pub name: String,
    pub description: String,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    pub allowed_tools: Option<AllowedTools>,
    pub metadata: BTreeMap<String, String>,
    /// The line of `metadata.phases`.
    pub phases_line: Option<usize>,
    /// `metadata.tool_permissions`, where it is a map. Its lines are those of the file.
    pub table: Option<Node<'static>>,
}

impl Fields {
    pub(crate) fn summary(self, scope: Scope, location: Location) -> Summary {
        Summary {
            name: self.name,
            description: self.description,
            license: self.license,
            compatibility: self.compatibility,
            allowed_tools: self.allowed_tools,
            has_phases: self.table.is_some() || self.metadata.contains_key("phases"),
            metadata: self.metadata,
            scope,
            location,
        }
    }
}

/// What became of a file.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// None where there are errors.
    pub fields: Option<Fields>,
    pub errors: Vec<Finding>,
    pub warnings: Vec<Finding>,
    /// Where the body begins: the byte, and the line.
    pub body: Option<(usize, usize)>,
}

impl Document {
    fn error(&mut self, line: impl Into<Option<usize>>, message: impl Into<String>) {
        push(&mut self.errors, line.into(), message.into());
    }

    fn warn(&mut self, line: impl Into<Option<usize>>, message: impl Into<String>) {
        push(&mut self.warnings, line.into(), message.into());
    }

    /// An error where reading is strict, and a warning that says what is done about it where it is not.
    fn fault(&mut self, reading: Reading, line: usize, what: impl Into<String>, mended: &str) {
        let what = what.into();
        match reading {
            Reading::Strict => self.error(line, what),
            Reading::Lenient => self.warn(line, format!("{what}; {mended}")),
        }
    }
}

/// More than so many help nobody.
const MOST_FINDINGS: usize = 50;

fn push(findings: &mut Vec<Finding>, line: Option<usize>, message: String) {
    match findings.len() {
        0..MOST_FINDINGS => findings.push(Finding::new(FILE, line, message)),
        MOST_FINDINGS => {
            findings.push(Finding::new(FILE, line, "there is more from here on, which is not told"));
        }
        _ => {}
    }
}

/// Reads the head of a file that was split. `directory` is the name of the directory that the file is in.
pub(crate) fn read(bytes: &[u8], split: Split, directory: &str, reading: Reading) -> Document {
    let mut document = Document::default();
    let Some(text) = head_text(&mut document, bytes, split, reading) else {
        return document;
    };
    let Some(root) = tree(&mut document, text, reading) else {
        return document;
    };
    let fields = fields::read(&mut document, root, directory, reading);
    document.fields = fields.filter(|_| document.errors.is_empty());
    document
}

/// The YAML of the head as text.
fn head_text<'a>(
    document: &mut Document,
    bytes: &'a [u8],
    split: Split,
    reading: Reading,
) -> Option<&'a str> {
    let head = match split {
        Split::Head(head) => head,
        Split::NotOpened(why) => {
            document.error(1, why);
            return None;
        }
        Split::NotClosed { dots: None } => {
            document.error(1, "the head has no end: no line after the first is `---` alone");
            return None;
        }
        Split::NotClosed { dots: Some(line) } => {
            document.error(line, "`...` does not end a head: write `---`");
            return None;
        }
        Split::More => {
            let opened = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
            if opened.starts_with(b"---") {
                document.error(1, format!("the head does not end within {MOST} bytes"));
            } else {
                document.error(1, "the first line must be `---`");
            }
            return None;
        }
    };
    document.body = Some((head.body, head.body_line));
    if head.byte_order_mark {
        document.fault(reading, 1, "the file begins with a byte-order mark", "it is left out");
    }
    if head.indented {
        document.fault(reading, 1, "there are blanks before the first `---`", "they are left out");
    }
    if let Some(line) = head.lone_return {
        document.fault(
            reading,
            line,
            "a line ends with a lone carriage return (CR)",
            "it is taken for the end of the line",
        );
    }
    let yaml = &bytes[head.yaml];
    let line_at = |at: usize| 1 + ABOVE + lines::ends(&yaml[..at]);
    if let Some(at) = yaml.iter().position(|b| *b == 0) {
        document.error(line_at(at), "there is a NUL byte in the head");
        return None;
    }
    match std::str::from_utf8(yaml) {
        Ok(text) if document.errors.is_empty() => Some(text),
        Ok(_) => None,
        Err(error) => {
            document.error(line_at(error.valid_up_to()), "the head is not UTF-8");
            None
        }
    }
}

/// The head as a tree, its lines those of the file.
fn tree<'a>(document: &mut Document, text: &'a str, reading: Reading) -> Option<Node<'a>> {
    let read = match yaml::read(text, &LIMITS) {
        Err(fault) if reading == Reading::Lenient => match mend::quote_colons(text) {
            None => Err(fault),
            Some((quoted, lines)) => {
                // The first reason is the one to tell: the second try is ours.
                let again = yaml::read(&quoted, &LIMITS).map_err(|_| fault);
                let again = again.map(|root| root.map(Node::into_owned));
                if again.is_ok() {
                    for line in lines {
                        let what = "a value has `: ` in it and no quotes; it is read as if it had quotes";
                        document.warn(line + ABOVE, what);
                    }
                }
                again
            }
        },
        read => read,
    };
    match read {
        Ok(Some(mut root)) => {
            root.shift(ABOVE);
            Some(root)
        }
        Ok(None) => {
            document.error(1, "the head is empty: `name` and `description` are missing");
            None
        }
        Err(fault) => {
            document.error(fault.line + ABOVE, format!("cannot be read as YAML: {}", fault.message));
            None
        }
    }
}

#[cfg(test)]
mod tests;
