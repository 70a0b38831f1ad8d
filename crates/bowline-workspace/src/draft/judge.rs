//! Who is asked about a draft, and about which files: each server about its own, with everything that the edits can
//! reach; the compiler where a server does not know what it knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::evaluate::Extent;
use super::witness::{Witness, Witnessed};
use super::{Drafted, Examined, Files, Proof};
use crate::dependants::Edited;
use crate::fleet::Assigned;
use crate::{Patience, Workspace, WorkspaceError};

/// So many files are looked at besides those that are edited.
const MOST_OTHERS: usize = 100;

/// So many of them are looked at because they have problems already, where nobody asks for more.
const MOST_TROUBLED: usize = 20;
/// The language whose server leaves what counts to the compiler, which reads files.
const COMPILED: &str = "rust";

/// What was heard of a draft, by whom.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) witnessed: Vec<Witnessed>,
    /// Files that nobody could be asked about.
    pub(super) unserved: Vec<Examined>,
    pub(super) left_out: usize,
    pub(super) doubts: BTreeSet<String>,
    /// Somebody would have answered later.
    pub(super) timed_out: bool,
}

/// The files of one server.
struct Group {
    assigned: Assigned,
    stages: Vec<Files>,
}

impl Workspace {
    pub(super) async fn judge(
        &self,
        stages: &[Files],
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Judged, WorkspaceError> {
        let mut judged = Judged::default();
        for group in self.sort_by_server(stages, &mut judged) {
            if group.assigned.language == COMPILED {
                match self.compile_draft(group.assigned.server.root(), &group.stages, patience).await {
                    Ok(witnessed) => {
                        judged.witnessed.push(witnessed);
                        continue;
                    }
                    Err(error) if error.is_cancelled() => return Err(WorkspaceError::Cancelled),
                    // What the server finds by itself is better than nothing.
                    Err(error) => {
                        judged.timed_out |= error.is_late();
                        judged.doubts.insert(error.to_string());
                    }
                }
            }
            let others = self.others_than_edited(&group, extent, &mut judged, patience).await?;
            for witness in self.witnesses(&group, others, &mut judged) {
                match self.witness(&witness, patience).await {
                    Ok(witnessed) => judged.witnessed.push(witnessed),
                    Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                    Err(error) => judged.unheard(&witness, &error),
                }
            }
        }
        Ok(judged)
    }

    /// The server of the drafted files, and those of files that see them: C++ includes headers that are C by name.
    fn witnesses<'a>(
        &self,
        group: &'a Group,
        others: Vec<(PathBuf, Option<Assigned>)>,
        judged: &mut Judged,
    ) -> Vec<Witness<'a>> {
        let own = Witness {
            assigned: group.assigned.clone(),
            stages: &group.stages,
            others: Vec::new(),
            asked_about_edited: true,
        };
        let mut witnesses = vec![own];
        for (path, assigned) in others {
            let Some(assigned) = assigned else {
                let known = Err("no language server is known for it".to_owned());
                judged.unserved.push(Examined { path, known });
                continue;
            };
            let is_its = |witness: &&mut Witness<'_>| Arc::ptr_eq(&witness.assigned.server, &assigned.server);
            match witnesses.iter_mut().find(is_its) {
                Some(witness) => witness.others.push(path),
                None => witnesses.push(Witness {
                    assigned,
                    stages: &group.stages,
                    others: vec![path],
                    asked_about_edited: false,
                }),
            }
        }
        witnesses
    }

    fn sort_by_server(&self, stages: &[Files], judged: &mut Judged) -> Vec<Group> {
        let mut groups: BTreeMap<(PathBuf, String), Group> = BTreeMap::new();
        // A file that a later stage puts back must be shown as it was there.
        let is_changed =
            |path: &PathBuf| stages.iter().any(|stage| stage.get(path).is_some_and(Drafted::is_changed));
        for (index, stage) in stages.iter().enumerate() {
            for (path, file) in stage.iter().filter(|(path, _)| is_changed(path)) {
                let Some(assigned) = self.fleet.of_file(path, &self.shared.roots) else {
                    let known = match is_inert(path) {
                        true => Ok(Proof::Inert),
                        false => Err("no language server is known for it".to_owned()),
                    };
                    let unserved = Examined { path: path.clone(), known };
                    if !judged.unserved.contains(&unserved) {
                        judged.unserved.push(unserved);
                    }
                    continue;
                };
                let key = (assigned.server.root().to_owned(), assigned.server.name().to_owned());
                let empty = || Group { assigned, stages: vec![Files::new(); stages.len()] };
                let group = groups.entry(key).or_insert_with(empty);
                group.stages[index].insert(path.clone(), file.clone());
            }
        }
        groups.into_values().collect()
    }

    /// The files besides the edited ones that are to be looked at.
    async fn others_than_edited(
        &self,
        group: &Group,
        extent: Extent,
        judged: &mut Judged,
        patience: &Patience<'_>,
    ) -> Result<Vec<(PathBuf, Option<Assigned>)>, WorkspaceError> {
        let project = group.assigned.server.root().to_owned();
        let mut files: Vec<PathBuf> = Vec::new();
        for stage in &group.stages {
            let edited: Vec<Edited> = stage
                .iter()
                .map(|(path, file)| Edited {
                    path: path.clone(),
                    before: file.before.clone(),
                    after: file.after.clone(),
                })
                .collect();
            let found = self.dependants(edited, &project, MOST_OTHERS, patience).await?;
            judged.left_out = judged.left_out.max(found.left_out);
            judged.doubts.extend(found.doubt);
            files.extend(found.files);
        }
        let mut seen = BTreeSet::new();
        let is_edited = |path: &PathBuf| group.stages.iter().any(|stage| stage.contains_key(path));
        files.retain(|path| !is_edited(path) && seen.insert(path.clone()));
        if files.len() > MOST_OTHERS {
            judged.left_out += files.len() - MOST_OTHERS;
            files.truncate(MOST_OTHERS);
        }
        // Whatever else the server has something to say about: the edit may resolve it.
        let troubled = group.assigned.server.current().map(|life| life.troubled_files()).unwrap_or_default();
        let is_another = |path: &PathBuf| {
            let inside = path.starts_with(&project) && path.is_file();
            inside && !is_edited(path) && !seen.contains(path)
        };
        let room = MOST_OTHERS.saturating_sub(files.len()).min(match extent {
            Extent::Reached => MOST_TROUBLED,
            Extent::Everything => MOST_OTHERS,
        });
        files.extend(troubled.into_iter().filter(is_another).take(room));
        let assigned = |path: PathBuf| {
            let assigned = self.fleet.of_file(&path, &self.shared.roots);
            (path, assigned)
        };
        Ok(files.into_iter().map(assigned).collect())
    }
}

impl Judged {
    /// Nobody answered about these files.
    fn unheard(&mut self, witness: &Witness<'_>, error: &WorkspaceError) {
        self.timed_out |= matches!(error, WorkspaceError::ServerLate { .. });
        let edited = witness.stages.iter().flat_map(BTreeMap::keys).filter(|_| witness.asked_about_edited);
        let paths: BTreeSet<&PathBuf> = edited.chain(&witness.others).collect();
        for path in paths {
            self.unserved.push(Examined { path: path.clone(), known: Err(error.to_string()) });
        }
    }
}

/// Prose, which no compiler reads.
fn is_inert(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    matches!(extension.to_ascii_lowercase().as_str(), "md" | "markdown" | "rst" | "txt" | "adoc")
}
