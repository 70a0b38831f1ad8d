//! Texts replaced in many files: what would be replaced, each with an id, and the edit that does it.
//!
//! - `wanted`: the pattern, and what comes in its place.
//! - `globs`: which files are meant.
//! - `search`: the files, read side by side.
//!
//! What is applied is what was shown: the edit names stretches of bytes and the content they were counted in, and a file
//! that has become another is refused.

mod globs;
mod search;
mod wanted;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bowline_code::Position;

pub use globs::FileGlobs;
use globs::Globs;
use search::search;
use wanted::Wanted;

use crate::draft::{Edit, Stretches};
use crate::{Patience, Workspace, WorkspaceError};

/// A search that is asked for by a deadline ends so much earlier, to be heard.
const MARGIN: Duration = Duration::from_millis(300);
/// No pattern and no replacement is longer.
const MOST_PATTERN: usize = 64 << 10;

/// What is to be replaced, and where.
#[derive(Debug, Clone, Default)]
pub struct Replace {
    pub pattern: String,
    pub replacement: String,
    pub is_regex: bool,
    pub ignore_case: bool,
    pub whole_word: bool,
    /// `.` stands for the end of a line, too.
    pub dot_all: bool,
    /// Globs; without any, every file is meant.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// A directory, or one file. Without it, everything under the roots.
    pub below: Option<PathBuf>,
}

/// Why nothing is replaced. The caller can mend each of these.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplaceError {
    #[error("the pattern is empty")]
    Empty,
    #[error(
        "the pattern matches the empty string, which stands everywhere; let it match at least one character"
    )]
    MatchesNothing,
    #[error("the pattern or the replacement is longer than {most} bytes")]
    TooLong { most: usize },
    #[error("the pattern cannot be used: {0}")]
    BadPattern(String),
    #[error(
        "the replacement names the group `{name}`, which the pattern does not have; `$$` is a dollar sign, `${{1}}a` the first group with an `a` behind it"
    )]
    NoSuchGroup { name: String },
    #[error("`{glob}` is not a glob: {reason}")]
    BadGlob { glob: String, reason: String },
    #[error("`{glob}` cannot be used: {reason}")]
    OddGlob { glob: String, reason: &'static str },
    #[error("no ids of occurrences: {}; an id is twelve hex digits, as dry_run lists them; nothing was written", .ids.iter().take(20).map(|id| format!("`{}`", bowline_std::text::prefix(id, 40))).collect::<Vec<_>>().join(", "))]
    NoIds { ids: Vec<String> },
    #[error("{}; nothing was written", changed(.ids))]
    Changed { ids: Vec<String> },
    #[error(
        "not everything was looked at: {why}; nothing was written. Name a smaller part with `path` or `include_globs`"
    )]
    Partial { why: String },
}

fn changed(ids: &[String]) -> String {
    let shown = ids.iter().take(20).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    let more = ids.len().saturating_sub(20);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("changed since they were listed: {shown}{more}")
}

/// One place where something would be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// Made from the file, its content and the place in it: it means this very place in this very text.
    pub id: String,
    pub file: PathBuf,
    pub at: Position,
    /// The lines around it, cut to what people read.
    pub before: String,
    pub after: String,
}

/// What was passed over, and why: so many files, or occurrences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOver {
    pub binary: usize,
    pub too_large: usize,
    pub not_utf8: usize,
    pub unreadable: usize,
    /// Occurrences that are already what they would become.
    pub unchanged: usize,
}

/// Everything that would be replaced.
#[derive(Debug, Clone, Default)]
pub struct Replacements {
    /// By file, then by place.
    pub occurrences: Vec<Occurrence>,
    pub passed_over: PassedOver,
    pub looked_at: usize,
    /// Why there may be more.
    pub partial: Option<String>,
    stretches: Vec<Stretch>,
    hashes: BTreeMap<PathBuf, [u8; 32]>,
}

/// One stretch of a file, beside the occurrence of the same index.
#[derive(Debug, Clone)]
struct Stretch {
    range: Range<usize>,
    new: String,
}

impl Workspace {
    /// What would be replaced. If time runs out, what was found until then.
    pub async fn replacements(
        &self,
        replace: &Replace,
        patience: &Patience<'_>,
    ) -> Result<Replacements, WorkspaceError> {
        if replace.pattern.len().max(replace.replacement.len()) > MOST_PATTERN {
            return Err(ReplaceError::TooLong { most: MOST_PATTERN }.into());
        }
        let wanted = Wanted::new(replace)?;
        let globs = Globs::new(&replace.include, &replace.exclude)?;
        let below = replace.below.as_deref().map(|below| self.resolve(below)).transpose()?;
        let until =
            patience.deadline.map(|deadline| deadline.checked_sub(MARGIN).unwrap_or_else(Instant::now));
        self.blocking(patience, move |work| search(work, &wanted, &globs, below.as_deref(), until)).await
    }
}

impl Replacements {
    /// How many files something would be replaced in.
    pub fn files(&self) -> usize {
        self.hashes.len()
    }

    /// Only these, by their ids. One that is not there refuses them all.
    pub fn only(&self, ids: &[String]) -> Result<Self, ReplaceError> {
        let known: HashMap<&str, usize> =
            self.occurrences.iter().enumerate().map(|(index, one)| (one.id.as_str(), index)).collect();
        let gone: Vec<String> = ids.iter().filter(|id| !known.contains_key(id.as_str())).cloned().collect();
        let is_id =
            |id: &String| id.len() == search::ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let odd: Vec<String> = gone.iter().filter(|id| !is_id(id)).cloned().collect();
        if !odd.is_empty() {
            return Err(ReplaceError::NoIds { ids: odd });
        }
        if !gone.is_empty() {
            return Err(ReplaceError::Changed { ids: gone });
        }
        let wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
        let mut chosen =
            Self { occurrences: Vec::new(), stretches: Vec::new(), hashes: BTreeMap::new(), ..self.clone() };
        for (one, stretch) in self.occurrences.iter().zip(&self.stretches) {
            if wanted.contains(one.id.as_str()) {
                chosen.occurrences.push(one.clone());
                chosen.stretches.push(stretch.clone());
                let hash = self.hashes.get(&one.file).map(|hash| (one.file.clone(), *hash));
                chosen.hashes.extend(hash);
            }
        }
        Ok(chosen)
    }

    /// The edit that replaces all of them, and nothing else. Refused unless everything was looked at.
    pub fn edit(&self) -> Result<Edit, ReplaceError> {
        if let Some(why) = &self.partial {
            return Err(ReplaceError::Partial { why: why.clone() });
        }
        let mut files: BTreeMap<&Path, Stretches> = BTreeMap::new();
        for (one, stretch) in self.occurrences.iter().zip(&self.stretches) {
            let of_file = files.entry(one.file.as_path()).or_insert_with(|| Stretches {
                file: one.file.clone(),
                hash: self.hashes.get(&one.file).copied().unwrap_or_default(),
                edits: Vec::new(),
            });
            of_file.edits.push((stretch.range.clone(), stretch.new.clone()));
        }
        Ok(Edit::Stretches(files.into_values().collect()))
    }
}
