//! Gathers what the gate needs to know of the world, so that the gate itself never has to look.

mod git;
mod maker;
mod options;
mod search;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bowline_call::{Effect, Intent, Targets, ToolCall, foreign_paths, host_tool, runs_bash};
use bowline_gate::{
    Access, CommandFact, Creates, Facts, Filter, Gate, Maker, PathFact, PathKind, Script, ShellKind,
    Surroundings, Touch, TouchFact, TreeNames,
};
use bowline_std::clock::Clock;
use bowline_std::fs;

/// Files above this are too large for any tool of ours to change; their hash is of no use.
const HASHED_BYTES: u64 = 64 << 20;

/// Looks at the clock and the disk.
#[derive(Clone)]
pub struct FactFinder {
    roots: Arc<[PathBuf]>,
    home: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    /// Files that are only read are hashed too.
    hashes_reads: bool,
}

impl FactFinder {
    /// `roots` are real paths; the first is what relative paths are relative to.
    pub fn new(roots: Vec<PathBuf>, clock: Arc<dyn Clock>) -> Self {
        Self { roots: roots.into(), home: None, clock, hashes_reads: false }
    }

    /// The same, which hashes files that are only read: for policies that go by their content.
    #[must_use]
    pub fn hashing_reads(mut self, hashes_reads: bool) -> Self {
        self.hashes_reads = hashes_reads;
        self
    }

    pub(crate) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now()
    }

    /// What stands at this path now. Blocks on the disk.
    pub(crate) fn again(&self, before: &PathFact) -> PathFact {
        let mut fact = PathFact { hash: None, kind: PathKind::Other, ..before.clone() };
        if let Ok(real) = &before.real {
            fact.kind = kind_of(real);
            fact.hash = if fact.kind == PathKind::File { hash_of(real) } else { None };
        }
        fact
    }

    /// The same, for whom `~` in a command has a meaning.
    #[must_use]
    pub fn at_home(mut self, home: Option<PathBuf>) -> Self {
        self.home = home;
        self
    }

    /// Everything that the rules of this gate need to know. Blocks on the disk: call it where that is allowed.
    pub fn gather(&self, call: &ToolCall, intent: &Intent, gate: &Gate) -> Facts {
        let mut look = Look { git: git::Look::new(&self.roots), tree: tree::Tree::new(gate, &self.roots) };
        let base = self.base(call);
        let mut facts = self.without_paths(call);
        let is_written = intent.effect >= Effect::Write;
        facts.paths = intent
            .paths()
            .map(|path| {
                // Hosts know what a home is, our own tools take the sign for a name.
                let path =
                    if host_tool(&call.tool).is_some() { self.expanded(path) } else { path.to_owned() };
                let mut fact = self.look(&base, &path, intent.effect, &mut look);
                let access = if is_written { Access::Write } else { Access::Read };
                fact.links = look.tree.links(access, &fact);
                if !is_written && fact.kind == PathKind::Directory {
                    fact.below = look.tree.searched(&fact, search::filter(call));
                }
                fact
            })
            .collect();
        if intent.targets == Targets::Unknown && intent.effect == Effect::Run {
            facts.named = self.named(&base, call, &mut look);
        }
        let shell = match runs_bash(&call.tool, &call.arguments) {
            true => ShellKind::Bash,
            false => ShellKind::Unknown,
        };
        facts.commands =
            intent.commands().map(|command| self.read(&base, command, shell, &mut look)).collect();
        facts
    }

    /// What the arguments of another server's tool may name.
    fn named(&self, base: &Path, call: &ToolCall, look: &mut Look<'_>) -> Vec<PathFact> {
        let paths = foreign_paths(&call.arguments);
        let facts = paths.iter().map(|path| {
            let mut fact = self.look(base, &self.expanded(path), Effect::Read, look);
            fact.links = both(look.tree.links(Access::Read, &fact), look.tree.links(Access::Write, &fact));
            if fact.kind == PathKind::Directory {
                // It may read or write what is there.
                let reads = look.tree.searched(&fact, Filter::default());
                let touch = Touch {
                    access: Access::Write,
                    paths: vec![fact.absolute.clone()],
                    is_deep: true,
                    filter: Filter { creates: Creates::Nothing, ..Filter::default() },
                };
                fact.below = both(reads, look.tree.below(&touch, &fact, &Script::default()));
            }
            fact
        });
        facts.collect()
    }

    /// Tools of hosts and of other servers take `~/x` for a file in the home directory.
    fn expanded(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), &self.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.to_owned(),
        }
    }

    /// Where relative paths of the call start.
    fn base(&self, call: &ToolCall) -> PathBuf {
        let root = self.roots.first().map_or(Path::new("/"), PathBuf::as_path);
        call.cwd.as_deref().map_or_else(|| root.to_owned(), |cwd| root.join(cwd))
    }

    /// Reads a command line, and looks at the files that it touches.
    fn read(&self, base: &Path, command: &str, shell: ShellKind, look: &mut Look<'_>) -> CommandFact {
        let surroundings = Surroundings { cwd: Some(base.to_owned()), home: self.home.clone(), shell };
        let mut script = bowline_gate::read_command(command, &surroundings);
        let doubt = options::hidden(&script, base);
        script.doubts.extend(doubt);
        let touched = script.touches.iter().map(|touch| {
            let effect = match touch.access {
                Access::Read => Effect::Read,
                // Who runs code there, or writes there, may go through a door.
                Access::Write | Access::Execute => Effect::Run,
            };
            let paths = touch.paths.iter().filter(|path| !options::is_below_a_file(&script, base, path));
            let readings = paths.map(|path| {
                let mut fact = self.look(base, path, effect, look);
                if let (Access::Execute, true, Ok(real)) = (touch.access, path.ends_with(".git"), &fact.real)
                    && let Some(directory) = real.parent()
                {
                    // Git looks further up where there is none.
                    if directory.is_dir() {
                        fact.kind = PathKind::Directory;
                    }
                    let door = look.git.door(directory);
                    fact.door = door.and_then(|door| match door {
                        Some(door) => Ok(Some(door)),
                        None => look.git.programs(directory),
                    });
                }
                if touch.is_deep {
                    fact.below = look.tree.below(touch, &fact, &script);
                }
                if touch.access != Access::Execute {
                    fact.links = look.tree.links(touch.access, &fact);
                }
                fact
            });
            TouchFact {
                access: touch.access,
                is_deep: touch.is_deep,
                may_be_fewer: touch.filter.may_be_fewer,
                tracked_only: touch.filter.tracked_only,
                is_copy: touch.filter.creates.is_copy(),
                readings: readings.collect(),
            }
        });
        let touched = touched.collect();
        CommandFact { script, touched }
    }

    /// The facts about nothing but the time, for calls that name no path.
    pub fn without_paths(&self, call: &ToolCall) -> Facts {
        let facts = Facts::new(self.clock.now(), self.roots.to_vec(), Vec::new());
        Facts { cwd: Some(self.base(call)), ..facts }
    }

    fn look(&self, base: &Path, written: &Path, effect: Effect, look: &mut Look<'_>) -> PathFact {
        let absolute = fs::absolute(base, written);
        // What the system would open is the path as it is written: `link/..` is not where it started.
        let real = fs::real_path(&base.join(written)).map_err(|error| error.to_string());
        let kind = real.as_deref().map_or(PathKind::Other, kind_of);
        let mut fact = PathFact {
            written: written.to_owned(),
            absolute,
            real,
            kind,
            hash: None,
            maker: Maker::NotAsked,
            door: Err("nobody asked".to_owned()),
            links: TreeNames::NONE,
            below: TreeNames::Unknown,
        };
        if effect >= Effect::Write {
            fact.door = fact.real.as_ref().map_err(Clone::clone).and_then(|real| look.git.door(real));
        }
        if effect == Effect::Write {
            self.look_inside(&mut fact);
        } else if self.hashes_reads && fact.kind == PathKind::File {
            fact.hash = fact.real.as_deref().ok().and_then(hash_of);
        }
        fact
    }

    /// What only matters to a call that would change the file.
    fn look_inside(&self, fact: &mut PathFact) {
        let real = match &fact.real {
            Ok(real) => real,
            Err(why) => {
                fact.maker = Maker::Unknown(why.clone());
                return;
            }
        };
        let mut head = Ok(Vec::new());
        if fact.kind == PathKind::File {
            // One reading serves both, but for files that are too large to be hashed.
            head = match fs::read_bounded(real, HASHED_BYTES) {
                Ok((mut bytes, _)) => {
                    fact.hash = Some(*blake3::hash(&bytes).as_bytes());
                    bytes.truncate(maker::HEAD_BYTES);
                    Ok(bytes)
                }
                Err(_) => fs::read_head(real, maker::HEAD_BYTES as u64).map_err(|error| error.to_string()),
            };
        }
        fact.maker = maker::of(&self.roots, real, head.as_deref().map_err(String::as_str));
    }
}

/// The names in either.
fn both(one: TreeNames, other: TreeNames) -> TreeNames {
    match (one, other) {
        (TreeNames::Known(mut names), TreeNames::Known(more)) => {
            names.extend(more);
            names.sort();
            names.dedup();
            TreeNames::Known(names)
        }
        _ => TreeNames::Unknown,
    }
}

/// What is looked at once for all paths of a call.
struct Look<'a> {
    git: git::Look<'a>,
    tree: tree::Tree<'a>,
}

/// Of a file that can be read and is not too large.
fn hash_of(path: &Path) -> Option<[u8; 32]> {
    let (bytes, _) = fs::read_bounded(path, HASHED_BYTES).ok()?;
    Some(*blake3::hash(&bytes).as_bytes())
}

fn kind_of(path: &Path) -> PathKind {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => PathKind::File,
        Ok(metadata) if metadata.is_dir() => PathKind::Directory,
        Ok(_) => PathKind::Other,
        Err(_) => PathKind::Missing,
    }
}
