//! Which files an edit can reach, without asking any server.
//!
//! What is found is never too little, as far as syntax can tell, and often too much: files are matched by the last name
//! of what they bring in, so that no rule of any resolver can lead elsewhere unseen. Where something cannot be followed,
//! the answer says so.
//!
//! - `family`: which files can use one another.
//! - `facts`: what one file says of others, remembered; `script`, `python`, `go`, `c`, `rust` read it, and `aliases`
//!   what a project says about names.
//! - `look`: the files of a project.
//! - `reach`: from edited files to their users, and on to theirs.
//! - `exact`: for those who would rather find too little than too much: what an import leads to.

mod aliases;
mod c;
mod exact;
mod facts;
mod family;
mod go;
mod look;
mod python;
mod reach;
mod rust;
mod script;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_syntax::{Extent, Language, extent, parse};

use facts::{Facts, Unclear};
pub(crate) use family::Family;
use look::Sight;
use reach::{Change, Reach};

use crate::fleet::is_prose;
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

pub(crate) use exact::Importers;
pub(crate) use facts::Remembered;

/// So many doubts are told.
const MOST_TOLD: usize = 3;

/// A file as it is, and as it would be.
#[derive(Debug, Clone)]
pub(crate) struct Edited {
    /// Its real path.
    pub(crate) path: PathBuf,
    /// `None`: it does not exist.
    pub(crate) before: Option<Arc<str>>,
    pub(crate) after: Option<Arc<str>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Dependants {
    /// Besides the edited files, nearest first: users before users of users; then by name.
    pub(crate) files: Vec<PathBuf>,
    /// So many more can be reached.
    pub(crate) left_out: usize,
    /// Why there may be files that were not found, in sentences for a reader.
    pub(crate) doubt: Option<String>,
    /// What syntax cannot follow at all, wherever it is: includes by computed names, modules of C++.
    pub(crate) limit: Option<String>,
}

impl Workspace {
    /// The files below a directory that can tell that these are edited; at most so many.
    pub(crate) async fn dependants(
        &self,
        edited: Vec<Edited>,
        project: &Path,
        most: usize,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        let project = project.to_owned();
        self.blocking(patience, move |work| dependants(work, &edited, &project, most)).await
    }
}

fn dependants(
    work: &Work,
    edited: &[Edited],
    project: &Path,
    most: usize,
) -> Result<Dependants, WorkspaceError> {
    let (mut doubts, mut limits): (Vec<String>, Vec<String>) = Default::default();
    let mut families: HashMap<Family, HashMap<PathBuf, Change>> = HashMap::new();
    for edited in edited {
        match Family::of(&edited.path) {
            Some(family) => {
                if let Some(change) = change(work, edited)? {
                    families.entry(family).or_default().insert(edited.path.clone(), change);
                }
            }
            None if is_prose(&edited.path) || edited.before == edited.after => {}
            None => doubts.push(format!("nobody knows which files depend on `{}`", edited.path.display())),
        }
    }
    let own: BTreeSet<&PathBuf> = edited.iter().map(|edited| &edited.path).collect();
    let mut found: Vec<(usize, PathBuf)> = Vec::new();
    for (family, changes) in families {
        let sight = Sight::look(work, family, project)?;
        let mut versions: HashMap<PathBuf, Facts> = HashMap::new();
        for edited in edited.iter().filter(|edited| Family::of(&edited.path) == Some(family)) {
            let read = |text: &Option<Arc<str>>| {
                text.as_ref().map_or_else(Facts::default, |text| Facts::read(family, &edited.path, text))
            };
            versions.insert(edited.path.clone(), read(&edited.before).and(&read(&edited.after)));
        }
        doubts.extend(sight.doubts.iter().cloned());
        let files = sight.files.iter().map(|(path, facts)| (path, &**facts));
        for (path, facts) in versions.iter().chain(files) {
            match facts.unclear {
                Some(unclear @ Unclear::Setting) => doubts.push(unclear.sentence(path)),
                Some(unclear) => limits.push(unclear.sentence(path)),
                None => {}
            }
        }
        found.extend(Reach::new(family, sight, &versions).from(&changes));
    }
    found.retain(|(_, path)| !own.contains(path) && path.starts_with(project));
    found.sort_unstable();
    let left_out = found.len().saturating_sub(most);
    found.truncate(most);
    let files = found.into_iter().map(|(_, path)| path).collect();
    Ok(Dependants { files, left_out, doubt: told(doubts), limit: told(limits) })
}

/// How an edit looks from outside. `None`: nobody can tell.
fn change(work: &Work, edited: &Edited) -> Result<Option<Change>, WorkspaceError> {
    let (before, after) = match (&edited.before, &edited.after) {
        (Some(before), Some(after)) => (before, after),
        (None, None) => return Ok(None),
        _ => return Ok(Some(Change::Existence)),
    };
    if before == after {
        return Ok(None);
    }
    let Some(language) = Language::of_path(&edited.path) else { return Ok(Some(Change::Anywhere)) };
    let parsed = |text: &Arc<str>| parse(language, Arc::clone(text), &|| work.stopped());
    let extent = match (parsed(before), parsed(after)) {
        (Ok(before), Ok(after)) => extent(&edited.path, &before, &after),
        _ if work.stopped() => return Err(WorkspaceError::Cancelled),
        // What no grammar reads may be anything.
        _ => Extent::Anywhere,
    };
    Ok(match extent {
        Extent::File => None,
        Extent::Unit => Some(Change::Unit),
        Extent::Anywhere => Some(Change::Anywhere),
    })
}

fn told(mut doubts: Vec<String>) -> Option<String> {
    doubts.sort_unstable();
    doubts.dedup();
    let more = doubts.len().saturating_sub(MOST_TOLD);
    doubts.truncate(MOST_TOLD);
    if more > 0 {
        doubts.push(format!("and {more} more"));
    }
    (!doubts.is_empty()).then(|| doubts.join("; "))
}

#[cfg(test)]
mod tests;
