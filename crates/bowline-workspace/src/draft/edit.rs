//! The ways to say what a draft is to make of files, and their doing.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Encoding, LineTable, Span};
use bowline_lsp::Formatting;
use bowline_std::fs::{ReadError, read_text_straight};
use bowline_syntax::Language;
use serde_json::Value;

use super::lines::LineEnds;
use super::{Draft, DraftError, DraftState, Drafted, Files, workspace_edit};
use crate::query::{Named, all_named, pick_named};
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

/// A draft holds no more text than this, before and after together.
const MOST_BYTES: usize = 64 << 20;

/// One edit, as whoever makes it says it.
#[derive(Debug, Clone)]
pub enum Edit {
    /// The text of a span.
    Range { file: PathBuf, span: Span, new_text: String },
    /// A text that stands in the file once.
    Text { file: PathBuf, old_text: String, new_text: String },
    /// A symbol by its path of names: the whole of it.
    Symbol { file: PathBuf, symbol: String, new_text: String },
    /// Its body, braces included where the language has them.
    Body { file: PathBuf, symbol: String, new_body: String },
    /// As the language server protocol writes it: edits of several files, and files that come, go and move.
    Workspace(Value),
    /// Stretches of several files, as they stand there byte for byte.
    Stretches(Vec<Stretches>),
    /// Whatever the server proposes for the draft as it is.
    Proposed(Proposal),
}

/// Stretches of one file by their bytes, and what comes in their place.
#[derive(Debug, Clone)]
pub struct Stretches {
    pub file: PathBuf,
    /// Of the content that the bytes were counted in. Another one is refused.
    pub hash: [u8; 32],
    /// In their order, none over another.
    pub edits: Vec<(Range<usize>, String)>,
}

/// What a server is asked to propose.
#[derive(Debug, Clone)]
pub enum Proposal {
    Rename {
        file: PathBuf,
        at: bowline_code::Position,
        new_name: String,
    },
    Format {
        file: PathBuf,
        within: Option<Span>,
        how: Formatting,
    },
    /// A code action by its title, or a part of it. Without one, the only one that is preferred.
    Fix {
        file: PathBuf,
        within: Span,
        title: Option<String>,
    },
}

impl Workspace {
    /// Edits a draft, all or nothing. Says which files the edit has touched.
    pub async fn edit_draft(
        &self,
        draft: &Draft,
        edit: Edit,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let (files, version) = {
            let held = draft.held();
            draft.may(&held, "edited", DraftState::can_be_edited)?;
            (held.files.clone(), held.version)
        };
        let (edit, mended) = match edit {
            Edit::Proposed(proposal) => (self.propose(draft, &files, proposal, patience).await?, true),
            edit => (edit, false),
        };
        let root = draft.root().to_owned();
        let (files, touched) = self
            .reading(patience, move |work| {
                let mut sketch = Sketch { work, root: &root, files, touched: Vec::new() };
                // A server speaks of lines behind the last one, and means the end.
                sketch.apply(edit, mended)?;
                sketch.check_size()?;
                sketch.touched.sort_unstable();
                sketch.touched.dedup();
                Ok((sketch.files, sketch.touched))
            })
            .await?;
        let mut held = draft.held();
        draft.may(&held, "edited", DraftState::can_be_edited)?;
        if held.version != version {
            let reason = "the session was edited by another call at the same time; send this edit again";
            return Err(DraftError::BadEdit { reason: reason.to_owned() }.into());
        }
        held.files = files;
        held.version += 1;
        held.state = DraftState::Mutated;
        Ok(touched)
    }
}

/// A draft while it is being edited.
pub(super) struct Sketch<'a> {
    work: &'a Work,
    root: &'a Path,
    files: Files,
    touched: Vec<PathBuf>,
}

impl Sketch<'_> {
    fn apply(&mut self, edit: Edit, mended: bool) -> Result<(), WorkspaceError> {
        match edit {
            Edit::Range { file, span, new_text } => {
                let (path, text) = self.existing(&file)?;
                let lines = LineTable::new(&text);
                let offset =
                    |at| {
                        lines
                            .offset(&text, at, Encoding::Utf16)
                            .map_err(|exists| WorkspaceError::BadPosition { path: path.clone(), at, exists })
                    };
                let range = offset(span.start)?..offset(span.end)?;
                self.splice(&path, &text, vec![(range, new_text)])
            }
            Edit::Text { file, old_text, new_text } => {
                let (path, text) = self.existing(&file)?;
                let range = only_place(&path, &text, &old_text)?;
                self.splice(&path, &text, vec![(range, new_text)])
            }
            Edit::Symbol { file, symbol, new_text } => {
                let (path, text) = self.existing(&file)?;
                let parsed = self.parse(&path, &text)?;
                let range = bytes_of(&parsed, only_symbol(&path, &parsed, &symbol)?.range);
                self.splice(&path, &text, vec![(range, new_text)])
            }
            Edit::Body { file, symbol, new_body } => {
                let (path, text) = self.existing(&file)?;
                let parsed = self.parse(&path, &text)?;
                let whole = bytes_of(&parsed, only_symbol(&path, &parsed, &symbol)?.range);
                let body =
                    parsed.body_within(whole).ok_or(DraftError::NoBody { path: path.clone(), symbol })?;
                self.splice(&path, &text, vec![(body, new_body)])
            }
            Edit::Workspace(edit) => workspace_edit::apply(self, &edit, mended),
            Edit::Stretches(files) => files.into_iter().try_for_each(|stretches| self.exactly(stretches)),
            // Made into one of the others before.
            Edit::Proposed(_) => Err(WorkspaceError::Internal("a proposal that nobody asked for".into())),
        }
    }

    /// Where a path leads, if the draft may touch it.
    pub(super) fn resolve(&self, file: &Path) -> Result<PathBuf, WorkspaceError> {
        let path = self.work.shared.roots.resolve(file)?;
        if !path.starts_with(self.root) {
            return Err(DraftError::OutsideDraft { path, root: self.root.to_owned() }.into());
        }
        Ok(path)
    }

    /// The text of a file as the draft has it, by its real path. `None`: there is no such file.
    pub(super) fn text(&mut self, path: &Path) -> Result<Option<Arc<str>>, WorkspaceError> {
        if let Some(file) = self.files.get(path) {
            return Ok(file.after.clone());
        }
        let text: Option<Arc<str>> =
            match read_text_straight(path, self.work.shared.options.max_named_file_bytes) {
                Ok((text, _)) => Some(text.into()),
                Err(ReadError::NotFound(_)) => None,
                Err(error) => return Err(error.into()),
            };
        let drafted = Drafted { before: text.clone(), after: text.clone(), like: None };
        self.files.insert(path.to_owned(), drafted);
        Ok(text)
    }

    pub(super) fn existing(&mut self, file: &Path) -> Result<(PathBuf, Arc<str>), WorkspaceError> {
        let path = self.resolve(file)?;
        match self.text(&path)? {
            Some(text) => Ok((path, text)),
            None => Err(ReadError::NotFound(path).into()),
        }
    }

    /// Puts a text, or nothing, in the place of what the draft has.
    pub(super) fn put(
        &mut self,
        path: &Path,
        after: Option<Arc<str>>,
        like: Option<PathBuf>,
    ) -> Result<(), WorkspaceError> {
        self.text(path)?;
        if let Some(file) = self.files.get_mut(path) {
            file.after = after;
            file.like = like.or(file.like.take());
        }
        self.touched.push(path.to_owned());
        Ok(())
    }

    /// Replaces stretches of a text, none of which overlap. What is put in gets the line ends of the file.
    pub(super) fn splice(
        &mut self,
        path: &Path,
        text: &str,
        mut edits: Vec<(Range<usize>, String)>,
    ) -> Result<(), WorkspaceError> {
        // Insertions at one place stay in the order in which they came.
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let ends = LineEnds::of(text);
        let mut after = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in edits {
            let between = text.get(at..range.start).filter(|_| range.start <= range.end);
            let between = between.ok_or_else(|| DraftError::Overlap { path: path.to_owned() })?;
            after.push_str(between);
            after.push_str(&ends.put(&new));
            at = range.end;
        }
        after.push_str(text.get(at..).unwrap_or_default());
        self.put(path, Some(after.into()), None)
    }

    /// Replaces stretches of a file whose content is known. What is put in stays as it is.
    fn exactly(&mut self, Stretches { file, hash, edits }: Stretches) -> Result<(), WorkspaceError> {
        let (path, text) = self.existing(&file)?;
        if *blake3::hash(text.as_bytes()).as_bytes() != hash {
            let reason = format!("`{}` has changed since it was looked at", path.display());
            return Err(DraftError::BadEdit { reason }.into());
        }
        let mut after = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in edits {
            let between = text.get(at..range.start).filter(|_| range.start <= range.end);
            after.push_str(between.ok_or_else(|| DraftError::Overlap { path: path.clone() })?);
            after.push_str(&new);
            at = range.end;
        }
        after.push_str(text.get(at..).unwrap_or_default());
        self.put(&path, Some(after.into()), None)
    }

    fn parse(&self, path: &Path, text: &Arc<str>) -> Result<bowline_syntax::Parsed, WorkspaceError> {
        let language = Language::of_path(path)
            .ok_or_else(|| WorkspaceError::UnknownLanguage { path: path.to_owned() })?;
        bowline_syntax::parse(language, Arc::clone(text), &|| self.work.stopped())
            .map_err(|source| WorkspaceError::Parse { path: path.to_owned(), source })
    }

    fn check_size(&self) -> Result<(), WorkspaceError> {
        let size = |text: &Option<Arc<str>>| text.as_ref().map_or(0, |text| text.len());
        let bytes: usize = self.files.values().map(|file| size(&file.before) + size(&file.after)).sum();
        if bytes > MOST_BYTES {
            return Err(DraftError::TooLarge { bytes, most: MOST_BYTES }.into());
        }
        Ok(())
    }
}

/// Where a text stands in another, if it stands there once.
fn only_place(path: &Path, text: &str, wanted: &str) -> Result<Range<usize>, DraftError> {
    if wanted.is_empty() {
        return Err(DraftError::EmptyText);
    }
    let written = [wanted.to_owned(), LineEnds::of(text).put(wanted)];
    let wanted = written.into_iter().find(|wanted| text.contains(wanted.as_str()));
    let Some(wanted) = wanted else {
        return Err(DraftError::NoSuchText { path: path.to_owned(), nearest: None });
    };
    // Overlapping ones count, too: `aa` stands twice in `aaa`.
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(&wanted)) {
        places.push(from + found);
        let first = text[from + found..].chars().next().map_or(1, char::len_utf8);
        from += found + first;
    }
    match places.as_slice() {
        [only] => Ok(*only..*only + wanted.len()),
        several => {
            let lines = LineTable::new(text);
            let line = |at: &usize| lines.position(text, *at, Encoding::Utf16).line.to_string();
            let listed = several.iter().take(10).map(line).collect::<Vec<_>>().join(", ");
            Err(DraftError::TextNotUnique { path: path.to_owned(), times: several.len(), lines: listed })
        }
    }
}

fn only_symbol(path: &Path, parsed: &bowline_syntax::Parsed, symbol: &str) -> Result<Named, DraftError> {
    let all = all_named(parsed);
    let known: Vec<String> = all.iter().map(|named| named.name.clone()).collect();
    let mut found = pick_named(all, symbol);
    let (path, symbol) = (path.to_owned(), symbol.to_owned());
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(DraftError::NoSuchSymbol { path, symbol, known }),
        times => Err(DraftError::SymbolNotUnique { path, symbol, times }),
    }
}

fn bytes_of(parsed: &bowline_syntax::Parsed, span: Span) -> Range<usize> {
    let offset =
        |at| parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap_or(parsed.text().len());
    offset(span.start)..offset(span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_must_stand_there_once() {
        let find =
            |text: &str, wanted: &str| only_place(Path::new("a"), text, wanted).map_err(|e| e.to_string());
        assert_eq!(find("abc", "b"), Ok(1..2));
        assert_eq!(find("a\r\nb\r\n", "a\nb\n"), Ok(0..6));
        assert_eq!(
            find("é é", "é").unwrap_err(),
            "old_text stands 2 times in `a` (lines 1, 1); give more of the text around it"
        );
        assert!(find("aaa", "aa").is_err());
        assert_eq!(find("abc", "x").unwrap_err(), "old_text not found in `a`");
        assert!(find("abc", "").is_err());
    }
}
