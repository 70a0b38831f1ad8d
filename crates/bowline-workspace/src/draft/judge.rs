//! Who is asked about a draft, and about which files: each server about its own, with everything that the edits can
//! reach; the compiler where a server does not know what it knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::evaluate::Extent;
use super::witness::{Witness, Witnessed};
use super::{Drafted, Examined, Files, Proof};
use crate::dependants::{Dependants, Edited, Family};
use crate::fleet::{Assigned, is_prose};
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
    /// Those, and all that are drafted with them and that they can use.
    shown: Vec<Files>,
}

impl Group {
    fn family(&self) -> Option<Family> {
        self.stages.iter().flat_map(BTreeMap::keys).find_map(|path| Family::of(path))
    }

    fn own(&self) -> BTreeSet<PathBuf> {
        self.stages.iter().flat_map(BTreeMap::keys).cloned().collect()
    }
}

impl Workspace {
    pub(super) async fn judge(
        &self,
        stages: &[Files],
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Judged, WorkspaceError> {
        let mut judged = Judged::default();
        for stage in stages {
            judged.doubts.extend(self.unchecked(stage, patience).await?);
        }
        let groups = self.sort_by_server(stages, &mut judged);
        // The compiler sees one project at a time, and one part of the draft may need the other.
        if groups.iter().filter(|group| group.assigned.language == COMPILED).count() > 1 {
            judged
                .doubts
                .insert("files of several projects are drafted together, and each is compiled alone".into());
        }
        for group in groups {
            if group.assigned.language == COMPILED && self.compile(&group, &mut judged, patience).await? {
                continue;
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

    /// Asks the compiler: in the project of the drafted files, and in each that uses it. `false`: it has no verdict on
    /// the former, and what the server finds by itself is better than nothing.
    async fn compile(
        &self,
        group: &Group,
        judged: &mut Judged,
        patience: &Patience<'_>,
    ) -> Result<bool, WorkspaceError> {
        let own = group.assigned.server.root().to_owned();
        let reached = self.reached_by(group, usize::MAX, patience).await?;
        let users = reached.files.iter().filter_map(|path| self.fleet.of_file(path, &self.shared.roots));
        let users: BTreeSet<PathBuf> = users
            .filter(|assigned| assigned.language == COMPILED && assigned.server.root() != own)
            .map(|assigned| assigned.server.root().to_owned())
            .collect();
        let mut has_verdict = true;
        for project in std::iter::once(&own).chain(&users) {
            match self.compile_draft(project, &group.stages, patience).await {
                Ok(witnessed) => judged.witnessed.push(witnessed),
                Err(error) if error.is_cancelled() => return Err(WorkspaceError::Cancelled),
                Err(error) => {
                    judged.timed_out |= error.is_late();
                    judged.doubts.insert(error.to_string());
                    has_verdict &= project != &own;
                }
            }
        }
        Ok(has_verdict)
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
            stages: &group.shown,
            others: Vec::new(),
            own: group.own(),
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
                    stages: &group.shown,
                    others: vec![path],
                    own: BTreeSet::new(),
                }),
            }
        }
        witnesses
    }

    fn sort_by_server(&self, stages: &[Files], judged: &mut Judged) -> Vec<Group> {
        let mut groups: BTreeMap<(PathBuf, String), Group> = BTreeMap::new();
        for (path, versions) in versions(stages) {
            let Some(assigned) = self.fleet.of_file(&path, &self.shared.roots) else {
                let is_inert = is_prose(&path) && versions.iter().all(Drafted::stays);
                let known = match is_inert {
                    true => Ok(Proof::Inert),
                    false => Err("no language server is known for it".to_owned()),
                };
                judged.unserved.push(Examined { path, known });
                continue;
            };
            let key = (assigned.server.root().to_owned(), assigned.server.name().to_owned());
            let empty = || Group { assigned, stages: vec![Files::new(); stages.len()], shown: Vec::new() };
            let group = groups.entry(key).or_insert_with(empty);
            for (stage, version) in group.stages.iter_mut().zip(versions) {
                stage.insert(path.clone(), version);
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        let all = stages_of(&groups, stages.len());
        for group in &mut groups {
            let family = group.family();
            let is_near = |path: &PathBuf| family.is_some() && Family::of(path) == family;
            group.shown = group.stages.clone();
            for (shown, all) in group.shown.iter_mut().zip(&all) {
                shown.extend(
                    all.iter()
                        .filter(|(path, _)| is_near(path))
                        .map(|(path, file)| (path.clone(), file.clone())),
                );
            }
        }
        groups
    }

    /// The files that the edits of a group can reach, in any project of the workspace: what is imported by its path, or
    /// named in another project's settings, is not bound to the project that it lies in.
    async fn reached_by(
        &self,
        group: &Group,
        most: usize,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        let mut all = Dependants::default();
        for stage in &group.stages {
            let edited = stage.iter().map(|(path, file)| Edited {
                path: path.clone(),
                before: file.before.clone(),
                after: file.after.clone(),
            });
            let edited: Vec<Edited> = edited.collect();
            for root in self.roots() {
                let found = self.dependants(edited.clone(), root, most, patience).await?;
                all.left_out = all.left_out.max(found.left_out);
                all.files.extend(found.files);
                all.doubt = all.doubt.or(found.doubt);
            }
        }
        Ok(all)
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
        let found = self.reached_by(group, MOST_OTHERS, patience).await?;
        judged.left_out = judged.left_out.max(found.left_out);
        judged.doubts.extend(found.doubt);
        let mut files = found.files;
        let mut seen = BTreeSet::new();
        let is_edited = |path: &PathBuf| group.shown.iter().any(|stage| stage.contains_key(path));
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

/// Each file that any stage changes, as every stage has it: one that is not touched yet, or put back, is what it is on
/// disk.
fn versions(stages: &[Files]) -> BTreeMap<PathBuf, Vec<Drafted>> {
    let mut versions = BTreeMap::new();
    for (path, file) in stages.iter().flatten().filter(|(_, file)| file.is_changed()) {
        let untouched = Drafted { before: file.before.clone(), after: file.before.clone(), like: None };
        let of = |stage: &Files| stage.get(path).unwrap_or(&untouched).clone();
        versions.entry(path.clone()).or_insert_with(|| stages.iter().map(of).collect());
    }
    versions
}

/// Every stage with the files of all groups.
fn stages_of(groups: &[Group], stages: usize) -> Vec<Files> {
    let of = |stage: usize| groups.iter().flat_map(move |group| group.stages[stage].clone()).collect();
    (0..stages).map(of).collect()
}

impl Judged {
    /// Nobody answered about these files.
    fn unheard(&mut self, witness: &Witness<'_>, error: &WorkspaceError) {
        self.timed_out |= matches!(error, WorkspaceError::ServerLate { .. });
        let paths: BTreeSet<&PathBuf> = witness.own.iter().chain(&witness.others).collect();
        for path in paths {
            self.unserved.push(Examined { path: path.clone(), known: Err(error.to_string()) });
        }
    }
}
