//! `cargo xtask soak`: one bowline and two real language servers for many minutes, while servers are killed and files
//! change.

mod answers;
mod health;
mod world;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::arguments::Arguments;
use crate::home::{self, Home};
use crate::mcp::{Answer, Mcp};
use crate::projects::PROJECTS;
use crate::{bench, run, servers};
use answers::{ASKED, Asked, Tally};
use health::{Health, Look};
use world::{Expected, World};

const PACE: Duration = Duration::from_millis(100);
/// Whatever happens, a call is answered within this time.
const ANSWERED: Duration = Duration::from_secs(11);
const MINUTE: Duration = Duration::from_secs(60);
/// Until a server that was started or killed must be of use again.
const RECOVERED: Duration = Duration::from_secs(15);
/// When each of the three disturbances comes first: files, servers, and the look that all later ones are compared with.
const FIRST_CHANGE: Duration = Duration::from_secs(10);
const FIRST_KILL: Duration = Duration::from_secs(25);
const FIRST_LOOK: Duration = Duration::from_secs(20);
const BETWEEN_CHANGES: Duration = Duration::from_secs(30);
/// For going away at the end.
const GONE: Duration = Duration::from_secs(15);

pub(crate) fn main(mut arguments: Arguments) -> Result<()> {
    let minutes = arguments.option("--minutes")?;
    let minutes: u32 =
        minutes.map_or(Ok(10), |minutes| minutes.parse()).context("`--minutes` needs a number")?;
    let binary = arguments.option("--binary")?.map(PathBuf::from);
    arguments.finish()?;
    servers::environment()?;
    let binary = bench::ours(binary.as_deref())?;
    run::header(&format!("soak, {minutes} min"));
    let violations = Soak::start(&binary)?.run(minutes)?;
    if violations.is_empty() {
        println!("\nnothing went wrong");
        return Ok(());
    }
    bail!("{} things went wrong", violations.len());
}

/// Something that is done again and again.
struct Due {
    next: Instant,
    every: Duration,
}

impl Due {
    fn new(next: Instant, every: Duration) -> Self {
        Self { next, every }
    }

    /// Once for each time that has come.
    fn has_come(&mut self) -> bool {
        let has_come = Instant::now() >= self.next;
        if has_come {
            self.next += self.every;
        }
        has_come
    }
}

/// A call that is not answered yet.
struct Pending {
    asked: Asked,
    world: usize,
    sent: Instant,
    expected: Expected,
}

struct Soak {
    // In this order they are dropped: whoever talks first, then the home with all that is left in it.
    mcp: Mcp,
    worlds: Vec<World>,
    binary: PathBuf,
    began: Instant,
    pending: HashMap<u64, Pending>,
    sent: usize,
    changes: usize,
    kills: usize,
    tally: Tally,
    health: Health,
    violations: Vec<String>,
    home: Home,
}

impl Soak {
    fn start(binary: &Path) -> Result<Self> {
        let home = Home::new()?;
        let folder = home.path()?;
        let projects = PROJECTS.iter().filter(|project| ["go", "python"].contains(&project.language));
        let worlds = projects.map(|project| Ok(World::new(project.copy_to(&folder)?)));
        let worlds = worlds.collect::<Result<Vec<World>>>()?;
        let mut command = home.command(binary, &folder);
        for world in &worlds {
            command.arg("--root").arg(&world.replica.root);
        }
        // By their names: the home's PATH begins with the folder that has them all.
        command.arg("go:gopls").arg("python:pyright-langserver,--stdio");
        let mcp = Mcp::start(&mut command)?;
        Ok(Self {
            health: Health::new(mcp.talk.id()),
            mcp,
            worlds,
            binary: binary.to_owned(),
            began: Instant::now(),
            pending: HashMap::new(),
            sent: 0,
            changes: 0,
            kills: 0,
            tally: Tally::default(),
            violations: Vec::new(),
            home,
        })
    }

    /// What went wrong.
    fn run(mut self, minutes: u32) -> Result<Vec<String>> {
        let mut call = Due::new(self.began, PACE);
        let mut change = Due::new(self.began + FIRST_CHANGE, BETWEEN_CHANGES);
        let mut kill = Due::new(self.began + FIRST_KILL, MINUTE);
        let mut look = Due::new(self.began + FIRST_LOOK, MINUTE * 60 * 24);
        let mut minute = Due::new(self.began + MINUTE, MINUTE);
        let mut left = minutes;
        while left > 0 {
            if change.has_come() {
                self.change()?;
            }
            if kill.has_come() {
                self.kill()?;
            }
            if look.has_come() {
                self.look();
            }
            if call.has_come() {
                let (world, asked) =
                    (self.sent % self.worlds.len(), self.sent / self.worlds.len() % ASKED.len());
                self.send(world, ASKED[asked])?;
            }
            if minute.has_come() {
                left -= 1;
                self.end_minute(minutes - left);
            }
            if !self.hear(call.next) {
                return Ok(self.violations);
            }
        }
        let deadline = Instant::now() + ANSWERED;
        while !self.pending.is_empty() && Instant::now() < deadline && self.hear(Instant::now() + PACE) {}
        self.end()
    }

    fn send(&mut self, world: usize, asked: Asked) -> Result<()> {
        let place = &self.worlds[world];
        let (tool, arguments) = asked.call(&place.replica);
        let sent = Instant::now();
        let id = self.mcp.send(tool, &arguments)?;
        self.pending.insert(id, Pending { asked, world, sent, expected: place.expected() });
        self.sent += 1;
        Ok(())
    }

    /// Takes what has come until then, and misses what should have. False: there is nobody any more.
    fn hear(&mut self, until: Instant) -> bool {
        loop {
            match self.mcp.next(until) {
                Ok(Some((id, arrived))) => self.settle(id, &arrived.message, arrived.at),
                Ok(None) => break,
                Err(error) => {
                    self.violate(format!("bowline: {error:#}"));
                    return false;
                }
            }
        }
        let late: Vec<u64> = self
            .pending
            .iter()
            .filter(|(_, call)| call.sent.elapsed() > ANSWERED)
            .map(|(id, _)| *id)
            .collect();
        for id in late {
            if let Some(call) = self.pending.remove(&id) {
                let what = call.asked.name();
                let language = self.worlds[call.world].replica.project.language;
                self.violate(format!("{what}, {language}: no answer in {} s", ANSWERED.as_secs()));
            }
        }
        true
    }

    fn settle(&mut self, id: u64, message: &Value, at: Instant) {
        // Those that were given up are told of already.
        let Some(call) = self.pending.remove(&id) else { return };
        let answer = Answer::of(message);
        let world = &self.worlds[call.world];
        self.tally.add(call.asked, at - call.sent, &answer);
        let is_recovering = world.disturbed.elapsed() < RECOVERED;
        let fault = if answer.is_error {
            (!is_recovering).then(|| answer.text().to_owned())
        } else if call.expected == world.expected() {
            answers::fault(&world.replica, call.asked, &call.expected, &answer)
        } else {
            // The file changed on the way: it may speak of either.
            None
        };
        if let Some(fault) = fault {
            let language = world.replica.project.language;
            let took = (at - call.sent).as_millis();
            let text: String = answer.texts.join(" | ").replace('\n', " ").chars().take(600).collect();
            self.violate(format!(
                "{}, {language}, after {took} ms: {fault}\n      {text}",
                call.asked.name()
            ));
        }
    }

    /// One file of one project, and at once the two questions that it is about.
    fn change(&mut self) -> Result<()> {
        let at = self.changes % self.worlds.len();
        self.changes += 1;
        let what = self.worlds[at].change()?;
        self.tally.note(format!("{}: {what}", self.worlds[at].replica.project.language));
        self.send(at, Asked::Diagnostics)?;
        self.send(at, Asked::References)
    }

    fn kill(&mut self) -> Result<()> {
        let at = self.kills % self.worlds.len();
        self.kills += 1;
        let language = self.worlds[at].replica.project.language;
        let folder = self.worlds[at].replica.root.clone();
        let mut command = self.home.command(&self.binary, &folder);
        let listed = run::stdout(command.args(["servers", "--json"]), Duration::from_secs(30))?;
        let servers = listed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let process = servers
            .filter(|server| server["bowline_pid"] == self.mcp.talk.id())
            .filter(|server| {
                server["languages"].as_array().is_some_and(|all| all.iter().any(|one| one == language))
            })
            .find_map(|server| u32::try_from(server["pid"].as_u64()?).ok());
        match process {
            Some(process) => {
                home::kill([process]);
                self.tally.note(format!("{language}: server {process} killed"));
            }
            None => self.violate(format!(
                "{language}: no server runs, and none could be killed: {}",
                listed.trim_end()
            )),
        }
        self.worlds[at].disturbed = Instant::now();
        Ok(())
    }

    fn look(&mut self) -> Look {
        let (look, faults) = self.health.look();
        faults.into_iter().for_each(|fault| self.violate(fault));
        look
    }

    fn end_minute(&mut self, minute: u32) {
        let look = self.look();
        let tally = std::mem::take(&mut self.tally);
        let inhabitants = self.home.inhabitants().len();
        println!(
            "{minute:>4} min: {tally}, {look}, {inhabitants} processes, {} wrong so far",
            self.violations.len()
        );
    }

    fn end(mut self) -> Result<Vec<String>> {
        for call in std::mem::take(&mut self.pending).into_values() {
            self.violate(format!("{}: never answered", call.asked.name()));
        }
        let Self { mcp, home, mut violations, .. } = self;
        let before = violations.len();
        let started = Instant::now();
        match mcp.talk.close(GONE) {
            Ok(status) if status.success() => {}
            Ok(status) => violations.push(format!("bowline ended with {status}")),
            Err(error) => violations.push(format!("bowline: {error:#}")),
        }
        println!("  end: gone after {:.1} s", started.elapsed().as_secs_f64());
        let left = home.inhabitants().into_iter();
        violations.extend(left.map(|(process, line)| format!("process {process} is left: {line}")));
        violations[before..].iter().for_each(|violation| println!("  WRONG {violation}"));
        Ok(violations)
    }

    fn violate(&mut self, what: impl fmt::Display) {
        let what = format!("{:>6.1} s  {what}", self.began.elapsed().as_secs_f64());
        println!("  WRONG {what}");
        self.violations.push(what);
    }
}
