//! Who is asked about a draft, and about which files: each server about its own and what the edits reach; the compiler
//! where a server does not know what it knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bowline_syntax::{Language, parse, same_code};

use super::evaluation_run::{Asked, CHANGED_MEANWHILE, Run};
use super::reach::{Reached, UsesElsewhere};
use super::server_evaluation::{Findings, Heard, ServerTask};
use super::{Drafted, Examined, Files, Proof};
use crate::dependants::Family;
use crate::fleet::{Assigned, is_prose};
use crate::{Patience, Workspace, WorkspaceError};

/// Maximum number of files that are compared only because they have problems already.
const MAX_TROUBLED: usize = 100;
/// What an edit reaches is known sooner than this where the index is there. While it is still read, the edited files are
/// asked about by themselves; not always, because that shows the server the draft once more.
const HEAD_START: Duration = Duration::from_millis(300);
/// How long an evaluation that an error has decided waits for what else there is to say.
const BRIEFLY: Duration = Duration::from_millis(200);
/// The language whose server leaves what counts to the compiler, which reads files.
const COMPILED: &str = "rust";

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

    fn task<'a>(&self, files: &'a Files, reached: Reached) -> ServerTask<'a> {
        ServerTask { assigned: self.assigned.clone(), files, own: self.own(), reached }
    }
}

/// The edited files of a stage, asked about already.
struct Checked {
    /// Where it is put down.
    slot: (usize, usize),
    /// Up to which place in the log of changes the server knew the files.
    told: u64,
}

impl Workspace {
    /// Asks everyone concerned about every stage. What is found is put down as it comes.
    pub(super) async fn collect(&self, stages: &[Files], run: &Run) -> Result<(), WorkspaceError> {
        // Beside the asking: it may have to wait until the index is read.
        let mut noting = pin!(self.note_unchecked(stages, run));
        let mut asking = pin!(self.ask_all(stages, run));
        let mut is_noted = false;
        loop {
            tokio::select! {
                biased;
                asked = &mut asking => break asked?,
                noted = &mut noting, if !is_noted => {
                    noted?;
                    is_noted = true;
                }
            }
        }
        let mut all = stages.iter().enumerate();
        match is_noted {
            true => Ok(()),
            false if all.all(|(stage, files)| run.is_decided(stage, files)) => {
                tokio::time::timeout(BRIEFLY, noting).await.unwrap_or(Ok(()))
            }
            false => noting.await,
        }
    }

    /// Puts down what a build may find beyond what is asked here.
    async fn note_unchecked(&self, stages: &[Files], run: &Run) -> Result<(), WorkspaceError> {
        let patience = run.patience();
        for stage in stages {
            match self.unchecked(stage, &patience).await {
                Ok(unchecked) => {
                    let mut collected = run.collected();
                    collected.doubts.extend(unchecked.doubts);
                    collected.limits.extend(unchecked.limits);
                }
                Err(error) => run.doubt("what only a build checks is not known", error)?,
            }
        }
        Ok(())
    }

    async fn ask_all(&self, stages: &[Files], run: &Run) -> Result<(), WorkspaceError> {
        let groups = self.sort_by_server(stages, run);
        let is_compiled = |group: &Group| group.assigned.language == COMPILED;
        // The compiler sees one project at a time, and one part of the draft may need the other.
        if groups.iter().filter(|group| is_compiled(group)).count() > 1 {
            run.collected()
                .doubts
                .insert("files of several projects are drafted together, and each is compiled alone".into());
        }
        // The files that one server is asked about besides may take all the time: the edited ones of each come first.
        let mut edited: BTreeMap<(usize, usize), Checked> = BTreeMap::new();
        if groups.len() > 1 {
            for (index, group) in groups.iter().enumerate().filter(|(_, group)| !is_compiled(group)) {
                for stage in 0..stages.len() {
                    edited.insert((index, stage), self.ask_about_edited(group, stage, run).await?);
                }
            }
        }
        for (index, group) in groups.iter().enumerate() {
            if is_compiled(group) && self.compile(group, run).await? {
                continue;
            }
            for stage in 0..stages.len() {
                self.collect_stage(group, stage, edited.remove(&(index, stage)), run).await?;
            }
        }
        Ok(())
    }

    /// Asks about the edited files alone, whatever they reach.
    async fn ask_about_edited(
        &self,
        group: &Group,
        stage: usize,
        run: &Run,
    ) -> Result<Checked, WorkspaceError> {
        let (files, slot) = (&group.shown[stage], run.slot(stage));
        self.ask_server(&group.task(files, Reached::default()), slot, run).await?;
        Ok(Checked { slot, told: self.fleet.told(&group.assigned.server) })
    }

    async fn collect_stage(
        &self,
        group: &Group,
        stage: usize,
        mut edited: Option<Checked>,
        run: &Run,
    ) -> Result<(), WorkspaceError> {
        let patience = run.patience();
        let files = &group.shown[stage];
        let mut reaching = pin!(self.reached_by(&group.stages[stage], &patience));
        let mut found = None;
        if edited.is_none() {
            found = tokio::time::timeout(HEAD_START, &mut reaching).await.ok();
        }
        if edited.is_none() && found.is_none() {
            let mut asking = pin!(self.ask_about_edited(group, stage, run));
            edited = loop {
                tokio::select! {
                    biased;
                    asked = &mut asking => break Some(asked?),
                    reached = &mut reaching, if found.is_none() => found = Some(reached),
                }
            };
        }
        if edited.is_some() && run.is_decided(stage, files) {
            return Ok(());
        }
        let found = match found {
            Some(found) => found,
            None => reaching.await,
        };
        let mut reached = match found {
            Ok(reached) => reached,
            Err(error) => {
                run.doubt("what else the edit reaches is not known", error)?;
                Reached::default()
            }
        };
        reached.files.extend(self.troubled(group, run));
        {
            let mut collected = run.collected();
            collected.left_out = collected.left_out.max(reached.left_out);
            collected.doubts.extend(reached.doubts.iter().cloned());
            collected.limits.extend(reached.limits.iter().cloned());
        }
        let by_server = |path: &PathBuf| self.fleet.of_file(path, &self.shared.roots);
        let is_own = |path: &PathBuf| {
            by_server(path).is_some_and(|other| Arc::ptr_eq(&other.server, &group.assigned.server))
        };
        let (own, others): (Vec<PathBuf>, Vec<PathBuf>) = reached.files.iter().cloned().partition(is_own);
        let task = group.task(files, Reached { files: own, ..reached });
        // Nothing is left to ask where the edited files are known and no other file can see the edit.
        let used = match &edited {
            Some(checked) if task.reached.is_nothing() => {
                run.look(checked.slot, |findings| findings.elsewhere.clone())
            }
            Some(checked) => {
                let used = self.ask_server(&task, checked.slot, run).await?;
                if self.fleet.told(&group.assigned.server) != checked.told {
                    run.collected().doubts.insert(CHANGED_MEANWHILE.to_owned());
                }
                used
            }
            None => self.ask_server(&task, run.slot(stage), run).await?,
        };
        if run.is_decided(stage, files) {
            return Ok(());
        }
        let others: BTreeSet<PathBuf> = others.into_iter().chain(used).collect();
        let names = run.changed_names(stage);
        let found = self.uses_elsewhere(&group.stages[stage], names, &group.assigned, &patience).await;
        let found = found.or_else(|error| {
            run.doubt("who uses it in other projects is not known", error)?;
            Ok::<_, WorkspaceError>(UsesElsewhere::default())
        })?;
        let mut elsewhere: Vec<(PathBuf, Assigned)> = found.files;
        {
            let mut collected = run.collected();
            collected.left_out += found.left_out;
            collected.doubts.extend(found.doubts);
        }
        for path in others {
            match by_server(&path) {
                Some(assigned) => elsewhere.push((path, assigned)),
                None => {
                    let known = Err("no language server is known for it".to_owned());
                    run.collected().unserved.push(Examined { path, known });
                }
            }
        }
        for task in tasks_elsewhere(elsewhere, files) {
            self.ask_server(&task, run.slot(stage), run).await?;
        }
        Ok(())
    }

    /// Asks one server, and says which files another one would have to be asked about.
    async fn ask_server(
        &self,
        task: &ServerTask<'_>,
        slot: (usize, usize),
        run: &Run,
    ) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
        match self.evaluate_at_server(task, run, slot).await {
            Ok(()) => {
                let told = self.fleet.told(&task.assigned.server);
                run.collected().asked.push(Asked::Server(task.assigned.clone(), told));
            }
            Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
            // What the server has said until then is known.
            Err(error @ (WorkspaceError::Store(_) | WorkspaceError::NotReady { .. })) => {
                run.doubt("who uses what was changed is not known", error)?;
            }
            Err(error) => run.collected().record_failure(task, &error),
        }
        Ok(run.look(slot, |findings| findings.elsewhere.clone()))
    }

    /// Whatever else the server has something to say about, where a complete list is wanted: the edit may resolve it.
    fn troubled(&self, group: &Group, run: &Run) -> Vec<PathBuf> {
        if !run.wants_everything() {
            return Vec::new();
        }
        let project = group.assigned.server.root();
        let mut files = group.assigned.server.current().map(|life| life.troubled_files()).unwrap_or_default();
        files.retain(|path| path.starts_with(project) && path.is_file());
        files.truncate(MAX_TROUBLED);
        files
    }

    /// Asks the compiler: in the project of the drafted files, and in each that uses it. `false`: it has no verdict on
    /// the former, and what the server finds by itself is better than nothing.
    async fn compile(&self, group: &Group, run: &Run) -> Result<bool, WorkspaceError> {
        let patience = run.patience();
        let stages = group.stages.clone();
        if self.blocking(&patience, move |_| Ok(stages.iter().all(reads_the_same))).await? {
            let mut collected = run.collected();
            for (stage, files) in group.stages.iter().enumerate() {
                let known = |path: &PathBuf| (path.clone(), Ok((Vec::new(), Proof::Unchanged)));
                let heard: Heard = files.keys().map(known).collect();
                collected.stages[stage].push(Findings {
                    before: heard.clone(),
                    after: heard,
                    ..Findings::default()
                });
            }
            return Ok(true);
        }
        // Before the compiler reads the first file.
        let place = self.place_in_log().await?;
        let has_verdict = self.compile_in(group.assigned.server.root(), group, run).await?;
        let mut stages = group.stages.iter().enumerate();
        if !stages.all(|(stage, files)| run.is_decided(stage, files)) {
            match self.projects_using(group, &patience).await {
                Ok(users) => {
                    for project in users {
                        self.compile_in(&project, group, run).await?;
                    }
                }
                Err(error) => run.doubt("which other projects use it is not known", error)?,
            }
        }
        let is_changed = self.place_in_log().await? != place;
        let mut collected = run.collected();
        if is_changed {
            collected.doubts.insert(CHANGED_MEANWHILE.to_owned());
        }
        collected.asked.push(Asked::Compiler(place));
        Ok(has_verdict)
    }

    /// Compiles one project with every stage. `false`: there is no verdict.
    async fn compile_in(&self, project: &Path, group: &Group, run: &Run) -> Result<bool, WorkspaceError> {
        let compiled = self.compile_draft(project, &group.stages, &run.patience()).await;
        let has_verdict = compiled.is_ok();
        match compiled {
            Ok(findings) => {
                let mut collected = run.collected();
                for (stage, findings) in findings.into_iter().enumerate() {
                    collected.stages[stage].push(findings);
                }
            }
            Err(error) if error.is_cancelled() => return Err(WorkspaceError::Cancelled),
            Err(error) => {
                let mut collected = run.collected();
                collected.timed_out |= error.is_late();
                collected.doubts.insert(error.to_string());
            }
        }
        run.report();
        Ok(has_verdict)
    }

    /// The end of the log of changes, once everything is in it that has changed until now.
    pub(super) async fn place_in_log(&self) -> Result<u64, WorkspaceError> {
        self.fleet.watch_files(&self.shared).await;
        self.fleet.tell_news(&self.shared).await?;
        Ok(self.fleet.news_end())
    }

    /// Other projects whose files the edits of a group can reach.
    async fn projects_using(
        &self,
        group: &Group,
        patience: &Patience<'_>,
    ) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
        let own = group.assigned.server.root();
        let projects = self.fleet.projects_like(&group.assigned.server, &self.shared.roots);
        if projects.iter().all(|project| project == own) {
            return Ok(BTreeSet::new());
        }
        let mut users = BTreeSet::new();
        for stage in &group.stages {
            let edited: Vec<_> = stage
                .iter()
                .map(|(path, file)| crate::dependants::Edited {
                    path: path.clone(),
                    before: file.before.clone(),
                    after: file.after.clone(),
                })
                .collect();
            for root in self.roots() {
                let found = self.dependants(edited.clone(), root, usize::MAX, patience).await?;
                let assigned =
                    found.files.iter().filter_map(|path| self.fleet.of_file(path, &self.shared.roots));
                let others = assigned.filter(|it| it.language == COMPILED && it.server.root() != own);
                users.extend(others.map(|it| it.server.root().to_owned()));
            }
        }
        Ok(users)
    }

    fn sort_by_server(&self, stages: &[Files], run: &Run) -> Vec<Group> {
        let mut groups: BTreeMap<(PathBuf, String), Group> = BTreeMap::new();
        for (path, versions) in versions(stages) {
            let Some(assigned) = self.fleet.of_file(&path, &self.shared.roots) else {
                let is_inert = is_prose(&path) && versions.iter().all(Drafted::stays);
                let known = match is_inert {
                    true => Ok(Proof::Inert),
                    false => Err("no language server is known for it".to_owned()),
                };
                run.collected().unserved.push(Examined { path, known });
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
                let near = all.iter().filter(|(path, _)| is_near(path));
                shown.extend(near.map(|(path, file)| (path.clone(), file.clone())));
            }
        }
        groups
    }
}

/// Whether a compiler reads the same of every file as before.
fn reads_the_same(files: &Files) -> bool {
    let same = |(path, file): (&PathBuf, &Drafted)| {
        let (Some(before), Some(after)) = (&file.before, &file.after) else { return false };
        let parsed = |text: &Arc<str>| parse(Language::of_path(path)?, Arc::clone(text), &|| false).ok();
        parsed(before).zip(parsed(after)).is_some_and(|(before, after)| same_code(path, &before, &after))
    };
    files.iter().all(same)
}

/// Files of other servers, by server. C++ includes headers that are C by name.
fn tasks_elsewhere(elsewhere: Vec<(PathBuf, Assigned)>, files: &Files) -> Vec<ServerTask<'_>> {
    let mut tasks: Vec<ServerTask<'_>> = Vec::new();
    for (path, assigned) in elsewhere {
        let is_its = |task: &&mut ServerTask<'_>| Arc::ptr_eq(&task.assigned.server, &assigned.server);
        match tasks.iter_mut().find(is_its) {
            Some(task) => task.reached.files.push(path),
            None => tasks.push(ServerTask {
                assigned,
                files,
                own: BTreeSet::new(),
                reached: Reached { files: vec![path], ..Reached::default() },
            }),
        }
    }
    tasks
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
