//! The ways to say what a draft is to make of files, and their doing.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Encoding, LineTable, Position, Span};
use bowline_lsp::Formatting;
use bowline_std::fs::{ReadError, read_text_straight};
use bowline_syntax::Language;
use serde_json::Value;

use super::lines::LineEnds;
use super::patch::changed;
use super::propose::Proposed;
use super::spot::spot;
use super::symbol::{self, Change};
use super::{Draft, DraftError, DraftState, Drafted, Files, workspace_edit};
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
    /// Its body: with its braces, or what is between them.
    Body { file: PathBuf, symbol: String, new_body: String },
    /// Code above it, and above everything that belongs to it.
    Before { file: PathBuf, symbol: String, code: String },
    /// Code below it.
    After { file: PathBuf, symbol: String, code: String },
    /// It goes, with its doc comment and attributes. Whether anything refers to it is not looked at.
    Delete { file: PathBuf, symbol: String },
    /// As the language server protocol writes it: edits of several files, and files that come, go and move.
    Workspace(Value),
    /// The same from a server.
    ByServer(Served),
    /// Stretches of several files, as they stand there byte for byte.
    Stretches(Vec<Stretches>),
    /// Whatever the server proposes for the draft as it is.
    Proposed(Proposal),
}

/// A workspace edit that a server made.
#[derive(Debug, Clone)]
pub struct Served {
    pub edit: Value,
    /// The file that it was asked about, and the text that it saw there. For another one the edit is none.
    pub made_for: Option<(PathBuf, Arc<str>)>,
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
        what: ToRename,
        new_name: String,
    },
    Format {
        file: PathBuf,
        within: Option<Span>,
        how: Formatting,
    },
    /// A code action.
    Fix {
        file: PathBuf,
        within: Span,
        which: Which,
    },
}

/// What is to have another name.
#[derive(Debug, Clone)]
pub enum ToRename {
    /// Whatever stands there.
    At(Position),
    /// A symbol of the draft, by its path of names.
    Symbol(String),
}

/// One of the actions that a server offers.
#[derive(Debug, Clone)]
pub enum Which {
    /// The only one that is preferred.
    Preferred,
    /// By its title, or a part of it.
    Titled(String),
    /// By its place in the list, counted from zero; with its title, the one that was read there.
    Nth { index: usize, title: Option<String> },
}

impl Workspace {
    /// What a server proposes for a draft as it is. Nothing is edited by this.
    pub async fn proposed(
        &self,
        draft: &Draft,
        proposal: Proposal,
        patience: &Patience<'_>,
    ) -> Result<Proposed, WorkspaceError> {
        let files = draft.held().files.clone();
        self.propose(draft, &files, proposal, patience).await
    }

    /// Edits a draft, all or nothing. Says which files the edit has touched.
    pub async fn edit_draft(
        &self,
        draft: &Draft,
        edit: Edit,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        self.edit_with(draft, edit, patience, |_, _| Ok(())).await
    }

    /// The same, and refuses an edit that leaves everything as it is: whoever asks what an edit does has not meant that.
    pub async fn change_draft(
        &self,
        draft: &Draft,
        edit: Edit,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let check = |old: &Files, new: &Files| match differs(old, new) {
            true => Ok(()),
            false => Err(DraftError::NothingChanges),
        };
        self.edit_with(draft, edit, patience, check).await
    }

    async fn edit_with(
        &self,
        draft: &Draft,
        edit: Edit,
        patience: &Patience<'_>,
        check: fn(&Files, &Files) -> Result<(), DraftError>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let (files, version) = {
            let held = draft.held();
            draft.may(&held, "edited", DraftState::can_be_edited)?;
            (held.files.clone(), held.version)
        };
        let edit = match edit {
            Edit::Proposed(proposal) => self.propose(draft, &files, proposal, patience).await?.edit()?,
            edit => edit,
        };
        let root = draft.root().to_owned();
        let (files, touched) = self
            .reading(patience, move |work| {
                let old = files.clone();
                let mut sketch = Sketch { work, root: &root, files, touched: Vec::new() };
                sketch.apply(edit)?;
                sketch.check_size()?;
                check(&old, &sketch.files)?;
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

/// Whether an edit of a draft has made something else of any file. One that it was the first to touch was what it is on
/// disk.
fn differs(old: &Files, new: &Files) -> bool {
    let is_changed = |(path, file): (&PathBuf, &Drafted)| match old.get(path) {
        Some(was) => was.after != file.after,
        None => file.is_changed(),
    };
    new.iter().any(is_changed) || old.keys().any(|path| !new.contains_key(path))
}

/// A draft while it is being edited.
pub(super) struct Sketch<'a> {
    work: &'a Work,
    root: &'a Path,
    files: Files,
    touched: Vec<PathBuf>,
}

impl Sketch<'_> {
    fn apply(&mut self, edit: Edit) -> Result<(), WorkspaceError> {
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
                let found = spot(&path, &text, &old_text, new_text)?;
                self.splice(&path, &text, vec![found])
            }
            Edit::Symbol { file, symbol, new_text } => {
                self.change_symbol(&file, &symbol, Change::Whole(&new_text))
            }
            Edit::Body { file, symbol, new_body } => {
                self.change_symbol(&file, &symbol, Change::Body(&new_body))
            }
            Edit::Before { file, symbol, code } => self.change_symbol(&file, &symbol, Change::Before(&code)),
            Edit::After { file, symbol, code } => self.change_symbol(&file, &symbol, Change::After(&code)),
            Edit::Delete { file, symbol } => self.change_symbol(&file, &symbol, Change::Delete),
            Edit::Workspace(edit) => workspace_edit::apply(self, &edit, false),
            Edit::ByServer(served) => {
                if let Some((path, seen)) = &served.made_for {
                    let now = self.text(path)?;
                    if now.as_ref() != Some(seen) {
                        return Err(changed(path, Some(seen), now.as_deref()).into());
                    }
                }
                // It may speak of lines behind the last one, and means the end.
                workspace_edit::apply(self, &served.edit, true)
            }
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

    fn change_symbol(&mut self, file: &Path, symbol: &str, change: Change<'_>) -> Result<(), WorkspaceError> {
        let (path, text) = self.existing(file)?;
        let language =
            Language::of_path(&path).ok_or_else(|| WorkspaceError::UnknownLanguage { path: path.clone() })?;
        let work = self.work;
        let parse = |text: &str| bowline_syntax::parse(language, text, &|| work.stopped());
        let parsed = parse(&text).map_err(|source| WorkspaceError::Parse { path: path.clone(), source })?;
        let named = symbol::pick(&path, &parsed, symbol, matches!(change, Change::Body(_)))?;
        let after = symbol::changed(&parsed, &named, change, &parse).map_err(|why| DraftError::Symbol {
            path: path.clone(),
            symbol: symbol.to_owned(),
            why,
        })?;
        self.put(&path, Some(after.into()), None)
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
