//! From what the compiler said of the shadow to diagnostics of the project.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use bowline_code::{Diagnostic, LineTable, Location, Position, Related, Severity, Span};
use bowline_std::fs::{absolute, read_text, real_path};
use bowline_std::process::Ending;

use super::cargo::one_line;
use super::message::{Message, Place, Said};
use super::place::Held;
use super::{Checked, ShadowError, seen};
use crate::program::Output;

const MOST_BYTES: u64 = 64 << 20;
/// One error rarely speaks of more places, and nobody reads them.
const MOST_RELATED: usize = 20;
const SOURCE: &str = "rustc";

/// What one run of cargo found.
pub(super) struct Findings<'a> {
    held: &'a Held,
    /// The workspace's own place in the shadow; compilers name files from there.
    base: PathBuf,
    tree: PathBuf,
    texts: HashMap<PathBuf, Option<(String, LineTable)>>,
    diagnostics: BTreeMap<PathBuf, Vec<Diagnostic>>,
    seen: HashSet<(PathBuf, Diagnostic)>,
    /// Files of the project that the compiler has looked at.
    looked_at: BTreeSet<PathBuf>,
    /// Errors in the project's code, or in what its build scripts made of it.
    errors: usize,
    /// Errors that no code of the project shows.
    elsewhere: Vec<String>,
    finished: Option<bool>,
}

impl<'a> Findings<'a> {
    pub(super) fn of(held: &'a Held, root: &Path, said: &Output) -> Self {
        let mut findings = Self {
            held,
            base: held.within(root),
            tree: held.tree(),
            texts: HashMap::new(),
            diagnostics: BTreeMap::new(),
            seen: HashSet::new(),
            looked_at: BTreeSet::new(),
            errors: 0,
            elsewhere: Vec::new(),
            finished: None,
        };
        // Macros and build scripts may write there, too, whatever they like.
        for line in said.stdout.split(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Message::Compiler { message }) => findings.take(&message),
                Ok(Message::Made { target, filenames }) => {
                    findings.note_sources(&target.src_path, &filenames);
                }
                Ok(Message::Finished { success }) => findings.finished = Some(success),
                Ok(Message::Other) | Err(_) => {}
            }
        }
        findings
    }

    /// A verdict on the code, or why there is none.
    pub(super) fn verdict(mut self, said: &Output) -> Result<Checked, ShadowError> {
        let is_clean = said.ending == Ending::Code(0) && self.finished == Some(true);
        if !is_clean && self.errors == 0 {
            let complaint = || one_line(&said.complaint());
            let said = self.elsewhere.first().cloned().unwrap_or_else(complaint);
            return Err(ShadowError::CouldNotRun { said: self.plain(&said) });
        }
        for found in self.diagnostics.values_mut() {
            found.sort_by_key(|diagnostic| diagnostic.span);
        }
        Ok(Checked { diagnostics: self.diagnostics, seen: self.looked_at, stopped_early: !is_clean })
    }

    /// Remembers what something of the project was made from.
    fn note_sources(&mut self, main: &Path, made: &[PathBuf]) {
        if !main.starts_with(&self.tree) {
            return;
        }
        let sources: BTreeSet<String> = made.iter().flat_map(|made| seen::sources_of(made)).collect();
        let sources = sources.iter().map(|source| self.real(absolute(&self.base, Path::new(source))));
        let sources: Vec<PathBuf> = sources.collect();
        self.looked_at.extend(sources);
    }

    fn take(&mut self, said: &Said) {
        let severity = match said.level.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "note" | "help" => Severity::Information,
            // The compiler itself failed.
            level if level.starts_with("error") => {
                self.elsewhere.push(format!("{level}: {}", said.message));
                return;
            }
            _ => return,
        };
        let Some(primary) = said.spans.iter().find(|place| place.is_primary) else {
            // A count of what was said before.
            if severity == Severity::Error && !said.message.starts_with("aborting due to") {
                self.elsewhere.push(said.message.clone());
            }
            return;
        };
        let (place, is_ours) = self.own(primary);
        if severity == Severity::Error && !is_ours {
            self.elsewhere.push(format!("{} in `{}`", said.message, place.file_name));
        }
        self.errors += usize::from(severity == Severity::Error && is_ours);
        let (path, span) = self.locate(place);
        let diagnostic = Diagnostic {
            span,
            severity,
            code: said.code.as_ref().map(|code| code.code.clone()),
            source: Some(SOURCE.to_owned()),
            message: self.plain(&whole_message(said, primary)),
            related: self.related(said, primary, place),
        };
        // A library is compiled as it is, and again with its tests.
        if self.seen.insert((path.clone(), diagnostic.clone())) {
            self.diagnostics.entry(path).or_default().push(diagnostic);
        }
    }

    /// The innermost place that is in code of the project: what a macro of others made is wrong where it was called.
    fn own<'p>(&self, place: &'p Place) -> (&'p Place, bool) {
        let is_in = |place: &&Place, dir: &Path| self.mine(place).starts_with(dir);
        let in_tree = place.outwards().find(|place| is_in(place, &self.tree));
        let own = in_tree.or_else(|| place.outwards().find(|place| is_in(place, &self.held.target())));
        (own.unwrap_or(place), own.is_some())
    }

    fn mine(&self, place: &Place) -> PathBuf {
        absolute(&self.base, Path::new(&place.file_name))
    }

    /// The project's file, and the place in the text that was compiled.
    fn locate(&mut self, place: &Place) -> (PathBuf, Span) {
        let mine = self.mine(place);
        let text = self.texts.entry(mine.clone()).or_insert_with(|| {
            let (text, _) = read_text(&mine, MOST_BYTES).ok()?;
            let table = LineTable::new(&text);
            Some((text, table))
        });
        let span = match text {
            Some((text, table)) => table.span(text, place.byte_start..place.byte_end),
            None => Span::new(
                Position::new(place.line_start, place.column_start),
                Position::new(place.line_end, place.column_end),
            ),
        };
        (self.real(mine), span)
    }

    /// The project's file that a file of the shadow stands for.
    fn real(&self, mine: PathBuf) -> PathBuf {
        let Ok(within) = mine.strip_prefix(&self.tree) else { return mine };
        let written = Path::new("/").join(within);
        real_path(&written).unwrap_or(written)
    }

    fn related(&mut self, said: &Said, primary: &Place, chosen: &Place) -> Vec<Related> {
        let others = said.spans.iter().filter(|place| !std::ptr::eq(*place, primary));
        let mut places: Vec<(&Place, String)> = others
            .map(|place| (place, place.label.clone().unwrap_or_else(|| said.message.clone())))
            .collect();
        let calls = chosen.outwards().skip(1).map(|place| (place, "in this macro call".to_owned()));
        places.extend(calls);
        for child in &said.children {
            let spans = child.spans.iter().filter(|place| place.is_primary);
            places.extend(spans.map(|place| (place, child.message.clone())));
        }
        let mut related = Vec::new();
        for (place, message) in places {
            let (place, is_ours) = self.own(place);
            if is_ours && related.len() < MOST_RELATED {
                let (path, span) = self.locate(place);
                related.push(Related { location: Location::new(path, span), message: self.plain(&message) });
            }
        }
        related
    }

    /// In the words of the project: nobody outside knows of the shadow.
    fn plain(&self, text: &str) -> String {
        let (tree, target) = (self.tree.to_string_lossy(), self.held.target());
        text.replace(&*tree, "").replace(&*target.to_string_lossy(), "target")
    }
}

/// What is said of the place itself belongs to the message, and so does what is said of no place.
fn whole_message(said: &Said, primary: &Place) -> String {
    let mut message = said.message.clone();
    let notes = said.children.iter().filter(|child| child.spans.is_empty()).map(|child| &child.message);
    for more in primary.label.iter().chain(notes) {
        message.push('\n');
        message.push_str(more);
    }
    message
}
