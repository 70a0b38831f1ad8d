//! A table of phases from YAML. Everything that is wrong with it is told at once, with its line.

use std::collections::BTreeMap;

use super::{PhaseSpec, PhaseTable, Word};
use crate::name::{is_unseen, shown};
use crate::reading::{FILE, Fields};
use crate::yaml::{self, Key, Limits, Node, Value};
use crate::{Finding, lines};

/// So large may the file be.
pub(crate) const MOST_BYTES: usize = 256 * 1024;
const MOST_PHASES: usize = 64;
const MOST_WORDS: usize = 1_000;
const LONGEST_WORD: usize = 256;
const LIMITS: Limits = Limits { depth: 16, nodes: 10_000 };

/// The key of `metadata` that names the file.
const KEY: &str = "phases";

/// The table of a skill. `read` has the bytes of a file beside its `SKILL.md`, or says why there are none.
pub(crate) fn of(
    fields: &Fields,
    read: impl FnOnce(&str) -> Result<Vec<u8>, String>,
) -> Result<Option<PhaseTable>, Vec<Finding>> {
    let named = fields.metadata.get(KEY).map(String::as_str);
    match (named, &fields.table) {
        (None, None) => Ok(None),
        (None, Some(node)) => from_node(node.clone(), FILE).map(Some),
        (Some(_), Some(node)) => {
            let what = "there are two tables of phases, `metadata.tool_permissions` and the file of `metadata.phases`";
            Err(vec![Finding::new(FILE, node.line, what)])
        }
        (Some(file), None) if !is_plain(file) => {
            let what = format!(
                "`metadata.phases` is {}; it must be the name of a YAML file beside SKILL.md",
                shown(file)
            );
            Err(vec![Finding::new(FILE, fields.phases_line, what)])
        }
        (Some(file), None) => match read(file) {
            Ok(bytes) => from_bytes(&bytes, file).map(Some),
            Err(why) => {
                Err(vec![Finding::new(FILE, fields.phases_line, format!("`metadata.phases`: {why}"))])
            }
        },
    }
}

/// A file's name and nothing more: no folder, no dot in front.
fn is_plain(file: &str) -> bool {
    (file.ends_with(".yaml") || file.ends_with(".yml"))
        && file.len() <= 128
        && !file.starts_with('.')
        && file.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
}

fn from_bytes(bytes: &[u8], file: &str) -> Result<PhaseTable, Vec<Finding>> {
    let fault = |line: Option<usize>, message: String| vec![Finding::new(file, line, message)];
    if bytes.len() > MOST_BYTES {
        return Err(fault(None, format!("it has more than {MOST_BYTES} bytes")));
    }
    let line_at = |at: usize| 1 + lines::ends(&bytes[..at]);
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(fault(Some(line_at(at)), "there is a NUL byte".into()));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| fault(Some(line_at(error.valid_up_to())), "it is not UTF-8".into()))?;
    match yaml::read(text.strip_prefix('\u{feff}').unwrap_or(text), &LIMITS) {
        Ok(Some(root)) => from_node(root, file),
        Ok(None) => Err(fault(None, "it is empty".into())),
        Err(error) => Err(fault(Some(error.line), format!("cannot be read as YAML: {}", error.message))),
    }
}

fn from_node(root: Node<'_>, file: &str) -> Result<PhaseTable, Vec<Finding>> {
    let mut reader = Reader { file, findings: Vec::new(), words: 0 };
    let table = reader.table(root);
    if reader.findings.is_empty() { Ok(table) } else { Err(reader.findings) }
}

struct Reader<'a> {
    file: &'a str,
    findings: Vec<Finding>,
    words: usize,
}

impl Reader<'_> {
    fn fault(&mut self, line: usize, message: impl Into<String>) {
        // A thousand faults help nobody.
        const MOST: usize = 50;
        match self.findings.len() {
            0..MOST => self.findings.push(Finding::new(self.file, line, message)),
            MOST => {
                let message = "there is more from here on, which is not told";
                self.findings.push(Finding::new(self.file, line, message));
            }
            _ => {}
        }
    }

    fn table(&mut self, root: Node<'_>) -> PhaseTable {
        let mut table =
            PhaseTable { file: self.file.to_owned(), phases: Vec::new(), global_forbidden: Vec::new() };
        let line = root.line;
        let mut phases = None;
        for (key, value) in self.map(root, "the table") {
            match key.text.as_ref() {
                "phases" => phases = Some(value),
                "global_forbidden" => table.global_forbidden = self.words(value, "`global_forbidden`"),
                other => {
                    self.fault(
                        key.line,
                        format!(
                            "{} is not a key of a table: it has `phases` and `global_forbidden`",
                            shown(other)
                        ),
                    );
                }
            }
        }
        match phases {
            None => self.fault(line, "`phases` is missing"),
            Some(node) if node.is_absent() => self.fault(node.line, "the table has no phases"),
            Some(node) => table.phases = self.phases(node),
        }
        table
    }

    fn phases(&mut self, node: Node<'_>) -> Vec<PhaseSpec> {
        let line = node.line;
        let is_map = matches!(node.value, Value::Map(_));
        let named = self.map(node, "`phases`");
        if named.is_empty() && is_map {
            self.fault(line, "the table has no phases");
        }
        if let Some((key, _)) = named.get(MOST_PHASES) {
            self.fault(key.line, format!("there are {} phases, above {MOST_PHASES}", named.len()));
            return Vec::new();
        }
        named.into_iter().map(|(key, node)| self.phase(key, node)).collect()
    }

    fn phase(&mut self, key: Key<'_>, node: Node<'_>) -> PhaseSpec {
        if !is_word(&key.text) {
            self.fault(key.line, format!("{} cannot be the name of a phase", shown(&key.text)));
        }
        let here = format!("the phase {}", shown(&key.text));
        let mut phase = PhaseSpec {
            name: Word { text: key.text.into_owned(), line: key.line },
            description: String::new(),
            allowed: Vec::new(),
            forbidden: Vec::new(),
            complete_when: None,
            skippable: true,
        };
        if node.is_absent() {
            return phase;
        }
        for (key, value) in self.map(node, &here) {
            let what = format!("`{}` of {here}", key.text);
            match key.text.as_ref() {
                "description" => phase.description = self.description(value, &what),
                "allowed" => phase.allowed = self.words(value, &what),
                "forbidden" => phase.forbidden = self.words(value, &what),
                "complete_when" => phase.complete_when = Some(self.words(value, &what)),
                "skippable" => phase.skippable = self.truth(&value, &what),
                other => {
                    self.fault(
                        key.line,
                        format!(
                            "{} is not a key of a phase: it has `description`, `allowed`, `forbidden`, \
                             `complete_when` and `skippable`",
                            shown(other)
                        ),
                    );
                }
            }
        }
        phase
    }

    /// The pairs of a map. A key that is there twice is a fault, and so is anything but a map.
    fn map<'a>(&mut self, node: Node<'a>, what: &str) -> Vec<(Key<'a>, Node<'a>)> {
        let kind = node.kind();
        let Value::Map(pairs) = node.value else {
            self.fault(node.line, format!("{what} is {kind}; it must be a map"));
            return Vec::new();
        };
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut twice = Vec::new();
        for (key, _) in &pairs {
            if let Some(first) = seen.insert(&key.text, key.line) {
                twice.push((
                    key.line,
                    format!("{} is there twice in {what}, first in line {first}", shown(&key.text)),
                ));
            }
        }
        for (line, message) in twice {
            self.fault(line, message);
        }
        pairs
    }

    fn words(&mut self, node: Node<'_>, what: &str) -> Vec<Word> {
        if node.is_absent() {
            return Vec::new();
        }
        let kind = node.kind();
        let Value::List(items) = node.value else {
            self.fault(
                node.line,
                format!("{what} is {kind}; it must be a list, such as `[find_references, \"@write\"]`"),
            );
            return Vec::new();
        };
        let mut words = Vec::new();
        for item in items {
            self.words += 1;
            if self.words == MOST_WORDS + 1 {
                self.fault(item.line, format!("the table has more than {MOST_WORDS} words"));
            }
            let line = item.line;
            let text = self.text(item, &format!("an item of {what}"));
            if text.matches('(').count() != text.matches(')').count() {
                let message = format!(
                    "{} has a parenthesis without its other half: put an item with a comma in quotes",
                    shown(&text)
                );
                self.fault(line, message);
            } else if !is_word(&text) {
                self.fault(line, format!("{} in {what} cannot be the name of a tool", shown(&text)));
            }
            words.push(Word { text, line });
        }
        words
    }

    fn description(&mut self, node: Node<'_>, what: &str) -> String {
        let line = node.line;
        let text = self.text(node, what);
        if let Some(odd) = text.chars().find(|c| is_unseen(*c) && !matches!(c, '\n' | '\t')) {
            self.fault(line, format!("{what} has the invisible character U+{:04X}", odd as u32));
        }
        text
    }

    fn text(&mut self, node: Node<'_>, what: &str) -> String {
        let kind = node.kind();
        match node.value {
            Value::Text { text, .. } => text.trim_ascii().to_owned(),
            _ => {
                self.fault(node.line, format!("{what} is {kind}; it must be text"));
                "?".to_owned()
            }
        }
    }

    fn truth(&mut self, node: &Node<'_>, what: &str) -> bool {
        match &node.value {
            Value::Text { text, plain: true } if text == "true" => true,
            Value::Text { text, plain: true } if text == "false" => false,
            _ => {
                self.fault(node.line, format!("{what} must be `true` or `false`"));
                true
            }
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= LONGEST_WORD && !text.chars().any(is_unseen)
}

#[cfg(test)]
mod tests;
