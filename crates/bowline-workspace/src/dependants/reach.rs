//! Who uses whom: from the files that are edited to everything that can tell.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::facts::{Facts, Setting};
use super::family::{Family, key, name_of};
use super::look::Sight;
use super::{aliases, go, python, rust, script};

/// How a file is changed, as far as others can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Only what is compiled with it can tell.
    Unit,
    Anywhere,
    /// It is new, or gone.
    Existence,
}

/// One family of a project.
pub(super) struct Reach {
    family: Family,
    nodes: Vec<(PathBuf, Arc<Facts>)>,
    settings: Vec<Arc<Facts>>,
    /// Who mentions a name. Sorted.
    users: Vec<(u64, usize)>,
    by_directory: HashMap<PathBuf, Vec<usize>>,
}

impl Reach {
    /// The files of a project, those among them that are edited as they were and as they will be.
    pub(super) fn new(family: Family, sight: Sight, edited: &HashMap<PathBuf, Facts>) -> Self {
        let is_other = |(path, _): &(PathBuf, Arc<Facts>)| !edited.contains_key(path);
        let mut nodes: Vec<_> = sight.files.into_iter().filter(is_other).collect();
        nodes.extend(edited.iter().map(|(path, facts)| (path.clone(), Arc::new(facts.clone()))));
        nodes.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mentions = |(index, node): (usize, &(PathBuf, Arc<Facts>))| {
            node.1.mentions.iter().map(move |name| (*name, index)).collect::<Vec<_>>()
        };
        let mut users: Vec<(u64, usize)> = nodes.iter().enumerate().flat_map(mentions).collect();
        users.sort_unstable();
        let mut reach = Self { family, nodes, settings: sight.settings, users, by_directory: HashMap::new() };
        for index in 0..reach.nodes.len() {
            let unit = reach.unit(&reach.nodes[index].0);
            reach.by_directory.entry(unit).or_default().push(index);
        }
        reach
    }

    /// Everything that these reach, and how far away it is.
    pub(super) fn from(&self, changes: &HashMap<PathBuf, Change>) -> Vec<(usize, PathBuf)> {
        let mut distance: HashMap<usize, usize> = HashMap::new();
        let mut frontier: Vec<(usize, Option<Change>)> = Vec::new();
        for (index, (path, _)) in self.nodes.iter().enumerate() {
            if let Some(change) = changes.get(path) {
                frontier.push((index, Some(*change)));
            }
        }
        // These go on to what uses them; others were only touched.
        let mut followed: HashSet<usize> = frontier.iter().map(|(index, _)| *index).collect();
        let mut done = Done::default();
        for level in 1.. {
            let mut next = Vec::new();
            for (index, change) in std::mem::take(&mut frontier) {
                for (found, goes_on) in self.users_of(index, change, &mut done) {
                    distance.entry(found).or_insert(level);
                    if goes_on && followed.insert(found) {
                        next.push((found, None));
                    }
                }
            }
            if next.is_empty() || distance.len() == self.nodes.len() {
                break;
            }
            frontier = next;
        }
        distance.into_iter().map(|(index, level)| (level, self.nodes[index].0.clone())).collect()
    }

    /// Who can tell that a file is another now, and whether whoever uses those can tell, too.
    fn users_of(&self, index: usize, change: Option<Change>, done: &mut Done) -> Vec<(usize, bool)> {
        let (path, facts) = &self.nodes[index];
        let mut names: Vec<String> = Vec::new();
        let mut found: Vec<(usize, bool)> = Vec::new();
        let unit = self.unit(path);
        let mates = |goes_on: bool| {
            let mates = self.by_directory.get(&unit).into_iter().flatten();
            mates.map(move |mate| (*mate, goes_on)).collect::<Vec<_>>()
        };
        if change == Some(Change::Unit) {
            return mates(false);
        }
        let mut reaches_all = facts.for_all;
        match self.family {
            Family::Script => {
                let any = self.script_names(path, &mut names);
                reaches_all |= any;
            }
            Family::Python => {
                names.extend(python::names(path, change == Some(Change::Existence)));
                if matches!(name_of(path).as_str(), "conftest.py") {
                    let below = path.parent().unwrap_or(path);
                    found.extend(
                        self.indices().filter(|at| self.nodes[*at].0.starts_with(below)).map(|at| (at, true)),
                    );
                }
            }
            Family::Go if go::is_test(path) => {
                // Nothing but tests uses what is in tests; but what is declared twice may be said to be so anywhere.
                let is_edited = change.is_some();
                found.extend(
                    mates(false).into_iter().filter(|(at, _)| is_edited || go::is_test(&self.nodes[*at].0)),
                );
            }
            Family::Go if done.units.insert(unit.clone()) => {
                found.extend(mates(true));
                names.extend(go::names(&unit));
                names.extend(self.settings.iter().flat_map(|facts| match &facts.setting {
                    Setting::Go(packages) => {
                        packages.iter().filter(|(at, _)| *at == unit).map(|(_, name)| name.clone()).collect()
                    }
                    _ => Vec::new(),
                }));
            }
            Family::Go => {}
            Family::C => {
                let name = name_of(path);
                let is_forced = |facts: &Arc<Facts>| matches!(&facts.setting, Setting::C(forced) if forced.contains(&key(&name)));
                reaches_all |= self.settings.iter().any(is_forced);
                names.push(name);
            }
            Family::Rust => {
                names.push(name_of(path));
                if done.units.insert(unit.clone()) {
                    found.extend(mates(true));
                    found.extend(self.crates_using(&unit));
                }
            }
            Family::Other(_) => reaches_all = true,
        }
        if reaches_all {
            return if std::mem::replace(&mut done.all, true) {
                Vec::new()
            } else {
                self.indices().map(|at| (at, true)).collect()
            };
        }
        found.extend(names.iter().flat_map(|name| self.mentioning(key(name))).map(|at| (at, true)));
        found
    }

    /// Every name that a script is imported by, and whether it may be any.
    fn script_names(&self, path: &Path, names: &mut Vec<String>) -> bool {
        names.extend(script::names(path));
        let all = self.settings.iter().filter_map(|facts| match &facts.setting {
            Setting::Script(aliases) => Some(aliases),
            _ => None,
        });
        let (more, any) = aliases::names(path, all.flatten());
        names.extend(more);
        any
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.nodes.iter().map(|(path, _)| path.as_path())
    }

    /// Those who write a name of this file, whatever they mean by it.
    pub(super) fn mentioning_file(&self, path: &Path) -> Vec<PathBuf> {
        let mut names = Vec::new();
        let any = match self.family {
            Family::Script => self.script_names(path, &mut names),
            Family::Python => {
                names.extend(python::names(path, false));
                false
            }
            _ => {
                names.push(name_of(path));
                false
            }
        };
        let mut found: Vec<usize> = if any {
            self.indices().collect()
        } else {
            names.iter().flat_map(|name| self.mentioning(key(name))).collect()
        };
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| self.nodes[at].0.clone()).filter(|user| user != path).collect()
    }

    fn indices(&self) -> std::ops::Range<usize> {
        0..self.nodes.len()
    }

    fn mentioning(&self, name: u64) -> impl Iterator<Item = usize> {
        let from = self.users.partition_point(|(known, _)| *known < name);
        self.users[from..].iter().take_while(move |(known, _)| *known == name).map(|(_, index)| *index)
    }

    /// What is compiled together: a directory of Go, a crate of Rust.
    fn unit(&self, path: &Path) -> PathBuf {
        let directory = path.parent().unwrap_or(path);
        if self.family != Family::Rust {
            return directory.to_owned();
        }
        let crates = self.manifests();
        let around = crates.iter().map(|manifest| manifest.directory.as_path());
        let nearest =
            around.filter(|around| directory.starts_with(around)).max_by_key(|it| it.as_os_str().len());
        // Files that no manifest is around all count as one crate.
        nearest.map(Path::to_owned).unwrap_or_default()
    }

    fn manifests<'a>(&'a self) -> Vec<&'a rust::Manifest> {
        let manifest = |facts: &'a Arc<Facts>| match &facts.setting {
            Setting::Rust(manifest) => Some(manifest),
            _ => None,
        };
        self.settings.iter().filter_map(manifest).collect()
    }

    fn crates_using(&self, unit: &Path) -> Vec<(usize, bool)> {
        let all = self.manifests();
        let Some(used) = all.iter().find(|manifest| manifest.directory == unit) else {
            return self.indices().map(|at| (at, true)).collect();
        };
        let users = all.iter().filter(|manifest| manifest.uses(used, &all));
        let files =
            users.flat_map(|manifest| self.by_directory.get(&manifest.directory).into_iter().flatten());
        files.map(|at| (*at, true)).collect()
    }
}

/// What was already gone through.
#[derive(Default)]
struct Done {
    units: HashSet<PathBuf>,
    all: bool,
}
