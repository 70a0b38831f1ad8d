//! The entries of one list, matched together: ten thousand of them cost little more than one.

use std::collections::HashMap;
use std::path::Path;

use bowline_call::{Effect, Family, HostTool, Name, Spelling, Target, Targets};
use bowline_command::{Access, Command};
use serde_json::Value;

use super::entry::Meant;
use super::found::{Best, Cause, File, Found, Seen};
use super::names::Names;
use crate::pattern::stars;
use crate::scope::Match;
use crate::scope::command::{BroadCommand, BroadPattern, CommandPattern, Reading, last_part};
use crate::scope::domain::{host, is_domain};
use crate::scope::path::{Bases, Enough, PathPatterns};
use crate::{Asked, BadPattern, NamePattern, PathFact, PathKind, RuleEntry, TreeNames};

/// In a list that asks or denies, these mean every tool of their family.
const HEADS: &[&str] = &["Read", "WebFetch", "Agent", "Task", "Skill", "Edit"];

/// Entries that were understood.
#[derive(Debug)]
pub(super) struct List {
    entries: Vec<RuleEntry>,
    reading: Reading,
    classes: Vec<(Effect, usize)>,
    names: Names,
    commands: Commands,
    reads: Files,
    writes: Files,
    /// Entries that mean every tool that edits.
    edits: Vec<usize>,
    domains: Vec<(String, usize)>,
    /// Tools of hosts that are named as such.
    hosts: Vec<(&'static HostTool, usize)>,
    arguments: Vec<(NamePattern, Vec<String>, String, usize)>,
}

#[derive(Debug, Default)]
struct Commands {
    all: Vec<(Option<NamePattern>, BroadPattern, usize)>,
    by_program: HashMap<String, Vec<usize>>,
    others: Vec<usize>,
}

#[derive(Debug, Default)]
struct Files {
    patterns: PathPatterns,
    /// The tool that an entry is about, where it is about one.
    of: HashMap<usize, NamePattern>,
}

impl List {
    pub(super) fn new(entries: &[RuleEntry], bases: &Bases, reading: Reading) -> Result<Self, BadPattern> {
        let mut list = Self {
            entries: entries.to_vec(),
            reading,
            classes: Vec::new(),
            names: Names::default(),
            commands: Commands::default(),
            reads: Files::default(),
            writes: Files::default(),
            edits: Vec::new(),
            domains: Vec::new(),
            hosts: Vec::new(),
            arguments: Vec::new(),
        };
        for (index, entry) in entries.iter().enumerate() {
            if Meant::is_every_edit(entry.pattern()) {
                list.edits.push(index);
            }
            list.add(index, entry.pattern(), bases)?;
        }
        Ok(list)
    }

    fn add(&mut self, index: usize, text: &str, bases: &Bases) -> Result<(), BadPattern> {
        match Meant::parse(text, self.reading == Reading::Allowing)? {
            Meant::Class(effect) => self.classes.push((effect, index)),
            Meant::Name(name) => {
                self.hosts.extend(bowline_call::host_tool(name.text()).map(|tool| (tool, index)));
                self.names.add(index, &name)?;
            }
            Meant::Commands { of, pattern } => {
                self.commands.add(of, pattern.at_home(bases.home.as_deref()), index);
            }
            Meant::Files { of, access, pattern } => {
                let files = match access {
                    Access::Read => &mut self.reads,
                    Access::Write | Access::Execute => &mut self.writes,
                };
                let added = files.patterns.add(index, &pattern, bases, self.reading);
                added.map_err(|reason| BadPattern::Call { pattern: text.to_owned(), reason })?;
                files.of.extend(of.map(|of| (index, of)));
            }
            Meant::Domain(domain) => self.domains.push((domain, index)),
            Meant::Argument { tool, keys, value } => self.arguments.push((tool, keys, value, index)),
        }
        Ok(())
    }

    pub(super) fn entry(&self, index: usize) -> &RuleEntry {
        &self.entries[index]
    }

    /// The entry that means this call as broadly as it can be read: any part of it is enough.
    pub(super) fn any<'a>(&self, asked: &'a Asked<'_>) -> Option<Found<'a>> {
        let mut best = Best::default();
        best.all(self.by_name(asked));
        best.all(self.by_family(asked));
        let is_done = |class: Effect| asked.effects().any(|effect| effect == class);
        best.all(self.classes.iter().filter(|(class, _)| is_done(*class)).map(|(_, index)| *index));
        for command in asked.facts.commands.iter().flat_map(|fact| &fact.script.commands) {
            self.commands.broadly(asked, command, &mut best);
        }
        self.touching(asked, &mut best);
        if asked.writes() {
            best.all(self.edits.iter().copied());
        }
        for address in addresses(asked) {
            let host = host(address);
            for (domain, index) in &self.domains {
                let found = match &host {
                    Some(host) if is_domain(domain, host) => Match::Yes,
                    Some(_) => Match::No,
                    None => Match::Maybe,
                };
                best.take(*index, found, Cause::Address(address));
            }
        }
        best.all(self.by_argument(asked));
        best.found
    }

    fn touching<'a>(&self, asked: &'a Asked<'_>, best: &mut Best<'a>) {
        let intended = match asked.intent.effect {
            Effect::Read | Effect::Draft => Some(Access::Read),
            Effect::Write => Some(Access::Write),
            Effect::Run => None,
        };
        // A search by a tool of a host may leave out what git ignores, or not; what another server does is not known.
        let intended = asked.facts.paths.iter().filter_map(|path| {
            let is_deep = asked.searches(path);
            Some((intended?, path, is_deep, if is_deep { Match::Maybe } else { Match::Yes }))
        });
        let named = asked.facts.named.iter().flat_map(|path| {
            let is_deep = path.kind == PathKind::Directory;
            [Access::Read, Access::Write].map(|access| (access, path, is_deep, Match::Maybe))
        });
        let touched = asked.facts.commands.iter().flat_map(|command| &command.touched).flat_map(|touch| {
            let below = if touch.may_be_fewer { Match::Maybe } else { Match::Yes };
            touch.readings.iter().map(move |path| (touch.access, path, touch.is_deep, below))
        });
        for (access, path, is_deep, below) in intended.chain(named).chain(touched) {
            // Running what lies there changes nothing of it.
            if access != Access::Execute && !self.files(access).patterns.is_empty() {
                self.touched(asked, (access, path), is_deep.then_some(below), best);
            }
        }
    }

    /// One path that is touched, by every name that it has, and what is meant below it: as surely as `below` says.
    fn touched<'a>(
        &self,
        asked: &'a Asked<'_>,
        (access, path): (Access, &'a PathFact),
        below: Option<Match>,
        best: &mut Best<'a>,
    ) {
        let files = self.files(access);
        let mut take = |reading: &Path, is_deep, at_most: Match, seen| {
            files.patterns.owners(reading, is_deep, |owner, found| {
                if files.is_about(owner, asked) {
                    // Nothing more is known of what lies in a directory than that it may be there.
                    let seen = if is_deep && found == Match::Maybe { Seen::Unknown } else { seen };
                    best.take(owner, found.min(at_most), Cause::File(File { access, path, seen }));
                }
                Enough::Continue(())
            });
        };
        let real = path.real.as_deref().ok();
        let unknown = below.filter(|_| path.below == TreeNames::Unknown);
        for reading in std::iter::once(path.absolute.as_path()).chain(real) {
            take(reading, false, Match::Yes, Seen::Itself);
            if let Some(below) = unknown {
                take(reading, true, below, Seen::Unknown);
            }
        }
        if let (Some(below), TreeNames::Known(names)) = (below, &path.below) {
            names.iter().for_each(|name| take(name, false, below, Seen::Below(name)));
        }
        match &path.links {
            TreeNames::Known(names) => {
                names.iter().for_each(|name| take(name, false, Match::Yes, Seen::Linked(name)));
            }
            // Any file that an entry means may be this one.
            TreeNames::Unknown => take(Path::new("/"), true, Match::Maybe, Seen::Unknown),
        }
    }

    /// Whether an entry means this file.
    pub(super) fn names_file(&self, access: Access, path: &Path) -> bool {
        self.files(access).patterns.speaks_of(path, false)
    }

    /// Whether an entry may mean a file below this directory.
    pub(super) fn names_below(&self, access: Access, directory: &Path) -> bool {
        self.files(access).patterns.speaks_of(directory, true)
    }

    /// The first entry that by itself means the whole call, whatever its arguments are.
    pub(super) fn whole(&self, asked: &Asked<'_>) -> Option<usize> {
        let classes =
            self.classes.iter().filter(|(class, _)| *class == asked.intent.effect).map(|(_, index)| *index);
        let shell = asked.family == Some(Family::Shell);
        let any = self.commands.all.iter().filter(|(of, pattern, _)| {
            shell
                && pattern.pattern == CommandPattern::Any
                && of.as_ref().is_none_or(|of| of.matches(&asked.tool))
        });
        let edits =
            self.edits.iter().filter(|_| matches!(asked.family, Some(Family::Edit | Family::Patch))).copied();
        self.by_name(asked).chain(classes).chain(any.map(|(.., index)| *index)).chain(edits).min()
    }

    /// Whether the entries of these lists together mean every part of the call, in every reading of it. The first of the first
    /// list that is needed for it.
    pub(super) fn parts(lists: &[&Self], asked: &Asked<'_>) -> Option<(usize, usize)> {
        let mut first = None;
        let mut any = |find: &mut dyn FnMut(&Self) -> Option<usize>| {
            let found = lists.iter().enumerate().find_map(|(list, of)| Some((list, find(of)?)));
            first = [first, found].into_iter().flatten().min();
            found.is_some()
        };
        let (intent, facts) = (asked.intent, asked.facts);
        let named = &facts.paths;
        let covered = match (&intent.targets, intent.effect) {
            // Nothing is written before the files are known and this is asked again.
            (Targets::Unknown, Effect::Write) if asked.is_ours() => {
                any(&mut |list| list.writes.some_about(asked))
            }
            (Targets::Unknown, _) => any(&mut |list| list.by_argument(asked).next()),
            (Targets::Known(_), _) if !facts.commands.is_empty() => facts.commands.iter().all(|command| {
                let mut runs = command.script.needing_entries();
                let mut written = command
                    .touched
                    .iter()
                    .filter(|touch| touch.must_be_allowed())
                    .flat_map(|touch| &touch.readings);
                command.script.is_readable()
                    && runs.all(|command| any(&mut |list| list.commands.allow(asked, command)))
                    && written.all(|path| any(&mut |list| list.writes.allow(asked, path)))
            }),
            (Targets::Known(_), Effect::Write) if !named.is_empty() => {
                named.iter().all(|path| any(&mut |list| list.writes.allow(asked, path)))
            }
            (Targets::Known(_), Effect::Read | Effect::Draft) if !named.is_empty() => {
                named.iter().all(|path| any(&mut |list| list.reads.allow(asked, path)))
            }
            (Targets::Known(_), _) if addresses(asked).next().is_some() => addresses(asked).all(|address| {
                let host = host(address);
                let is_meant = |domain: &str| host.as_ref().is_some_and(|host| is_domain(domain, host));
                any(&mut |list| {
                    list.domains.iter().find(|(domain, _)| is_meant(domain)).map(|(_, index)| *index)
                })
            }),
            (Targets::Known(_), _) => any(&mut |list| list.by_argument(asked).next()),
        };
        first.filter(|_| covered)
    }

    /// Whether a command, or a file that one writes, is covered by itself: for whoever says what is missing.
    pub(super) fn allows_command(&self, asked: &Asked<'_>, command: &Command) -> bool {
        self.commands.allow(asked, command).is_some()
    }

    pub(super) fn allows_file(&self, asked: &Asked<'_>, access: Access, path: &PathFact) -> bool {
        self.files(access).allow(asked, path).is_some()
    }

    fn files(&self, access: Access) -> &Files {
        match access {
            Access::Read => &self.reads,
            // No entry speaks of code that runs: what is asked here of it is asked of writing there.
            Access::Write | Access::Execute => &self.writes,
        }
    }

    fn by_name<'a>(&'a self, asked: &'a Asked<'_>) -> impl Iterator<Item = usize> + 'a {
        asked.tool.names().iter().flat_map(|name| {
            let owners = self.names.of(&name.text);
            let reaches = |spelling: &Spelling| match self.reading {
                Reading::Denying => spelling.reaches(name),
                Reading::Allowing => spelling.reaches_surely(name) && is_of(spelling, name, asked),
            };
            owners.filter(move |(_, spelling)| reaches(spelling)).map(|(index, _)| index)
        })
    }

    /// Entries that name a tool of a host, which is meant however it is written; and its whole family, if it is the first of it.
    fn by_family<'a>(&'a self, asked: &'a Asked<'_>) -> impl Iterator<Item = usize> + 'a {
        self.hosts.iter().filter_map(|(tool, index)| {
            let is_same = tool.name.eq_ignore_ascii_case(&asked.call.tool);
            let is_head = HEADS.contains(&tool.name) && asked.family == Some(tool.family);
            (is_same || is_head).then_some(*index)
        })
    }

    fn by_argument<'a>(&'a self, asked: &'a Asked<'_>) -> impl Iterator<Item = usize> + 'a {
        self.arguments.iter().filter_map(|(tool, keys, value, index)| {
            let is = |given: &Value| match given {
                Value::String(text) => stars(value, text.trim()),
                Value::Bool(_) | Value::Number(_) => stars(value, &given.to_string()),
                Value::Null | Value::Array(_) | Value::Object(_) => false,
            };
            let matches = tool.matches(&asked.tool)
                || asked.family.is_some_and(|family| {
                    bowline_call::host_tool(tool.text())
                        .is_some_and(|head| head.family == family && family != Family::Other)
                });
            (matches && keys.iter().filter_map(|key| asked.call.arguments.get(key)).any(is)).then_some(*index)
        })
    }
}

impl Commands {
    fn add(&mut self, of: Option<NamePattern>, pattern: CommandPattern, owner: usize) {
        let index = self.all.len();
        match pattern.program() {
            Some(program) => self.by_program.entry(program.to_owned()).or_default().push(index),
            None => self.others.push(index),
        }
        self.all.push((of, BroadPattern::new(pattern), owner));
    }

    fn broadly<'a>(&self, asked: &Asked<'_>, command: &'a Command, best: &mut Best<'a>) {
        let broad = BroadCommand::of(command);
        let mut judge = |index: &usize| {
            let (of, pattern, owner) = &self.all[*index];
            if is_about(of.as_ref(), asked) {
                best.take(*owner, pattern.finds(&broad), Cause::Command(command));
            }
        };
        let program = command.words.first().and_then(|word| word.literal());
        match program {
            Some(program) => {
                let last = last_part(program);
                let spelt = [Some(program), (last != program).then_some(last)];
                spelt
                    .into_iter()
                    .flatten()
                    .filter_map(|name| self.by_program.get(name))
                    .flatten()
                    .for_each(&mut judge);
                self.others.iter().for_each(judge);
            }
            None => (0..self.all.len()).for_each(|index| judge(&index)),
        }
    }

    fn allow(&self, asked: &Asked<'_>, command: &Command) -> Option<usize> {
        let program = command.words.first().and_then(|word| word.literal()).unwrap_or_default();
        let named = self.by_program.get(program).into_iter().flatten();
        let fitting = named
            .chain(&self.others)
            .map(|index| &self.all[*index])
            .filter(|(of, pattern, _)| is_about(of.as_ref(), asked) && pattern.pattern.allows(command));
        fitting.map(|(.., owner)| *owner).min()
    }
}

/// An entry without a tool is about every shell; one with a tool, about that tool.
fn is_about(of: Option<&NamePattern>, asked: &Asked<'_>) -> bool {
    of.map_or(asked.family == Some(Family::Shell), |of| of.matches(&asked.tool))
}

impl Files {
    fn is_about(&self, owner: usize, asked: &Asked<'_>) -> bool {
        self.of.get(&owner).is_none_or(|of| of.matches(&asked.tool))
    }

    /// The entry that means it. Both readings must be meant: the path as it is written, and where it leads.
    fn allow(&self, asked: &Asked<'_>, path: &PathFact) -> Option<usize> {
        let covering = |reading| self.patterns.covering(reading, |owner| self.is_about(owner, asked));
        let real = path.real.as_deref().ok()?;
        Some(covering(&path.absolute)?.min(covering(real)?))
    }

    fn some_about(&self, asked: &Asked<'_>) -> Option<usize> {
        if self.patterns.is_empty() {
            return None;
        }
        self.patterns.owner_where(|owner| self.is_about(owner, asked))
    }
}

/// Whether a pattern that allows is about the server that the tool is of. Where only the name tells, it must tell for certain.
fn is_of(spelling: &Spelling, name: &Name, asked: &Asked<'_>) -> bool {
    let is_exact = spelling.text == name.text;
    // A name that nobody knows is not ours because it has no server before it; and Cursor writes no server at all.
    let claims_ours = spelling.text.starts_with("mcp__bowline__") || asked.call.tool.starts_with("MCP:");
    if claims_ours && !asked.is_ours() {
        return false;
    }
    match &asked.call.server {
        Some(server) if spelling.text.starts_with("mcp__") => spelling
            .text
            .strip_prefix("mcp__")
            .and_then(|rest| rest.strip_prefix(server.name.as_str()))
            .is_some_and(|rest| {
                rest.is_empty()
                    || rest.strip_prefix("__").is_some_and(|tool| is_exact || !tool.starts_with('_'))
            }),
        Some(_) => spelling.text == "*",
        None => is_exact || !name.is_ambiguous(),
    }
}

fn addresses<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = &'a str> {
    let known = match &asked.intent.targets {
        Targets::Known(targets) => targets.as_slice(),
        Targets::Unknown => &[],
    };
    known.iter().filter_map(|target| match target {
        Target::Address(address) => Some(address.as_str()),
        Target::Path(_) | Target::Command(_) => None,
    })
}
