//! The installed git is the judge: what it ran, wrote and showed was seen, or there was a doubt that no short entry allows.

mod cases;
mod hostile;
mod playground;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use bowline_command::{Access, Doubt, Pin, Script, ShellKind, Surroundings, Touch};

use self::cases::Row;
use self::hostile::HOSTILE;
use self::playground::{Left, Playground};
use crate::runs;

#[derive(Debug, Default)]
struct Counts {
    commands: usize,
    ran: usize,
    wrote: usize,
    showed_ignored: usize,
    showed_tracked: usize,
    without_doubt: usize,
    missed: Vec<String>,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.commands += other.commands;
        self.ran += other.ran;
        self.wrote += other.wrote;
        self.showed_ignored += other.showed_ignored;
        self.showed_tracked += other.showed_tracked;
        self.without_doubt += other.without_doubt;
        self.missed.extend(other.missed);
    }
}

#[expect(clippy::disallowed_methods, reason = "how a person asks this test for more")]
fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// An entry that spells less than the whole command is not enough.
fn is_in_doubt(script: &Script) -> bool {
    script.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unreadable(_)))
        || script.commands.iter().any(|command| command.pin == Some(Pin::Everything))
}

/// Whether a touch means this file, as the facts about the tree would tell it.
fn means(touch: &Touch, work: &Path, file: &Path, is_tracked: bool) -> bool {
    let file = work.join(file);
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let filter = &touch.filter;
    let is_kept = is_tracked || !(filter.tracked_only || filter.skips_ignored);
    let is_one_of = filter.only.is_empty() || filter.only.iter().any(|only| only == name);
    let is_whole = filter.whole_repository || filter.tracked_only && filter.may_be_fewer;
    touch.paths.iter().any(|path| {
        let mut plain = std::path::PathBuf::new();
        for part in path.components() {
            match part {
                std::path::Component::ParentDir => {
                    plain.pop();
                }
                part => plain.push(part),
            }
        }
        plain == file || touch.is_deep && is_kept && is_one_of && (is_whole || file.starts_with(&plain))
    })
}

/// What was not seen.
fn missed(script: &Script, left: &Left, work: &Path) -> Option<String> {
    if is_in_doubt(script) {
        return None;
    }
    let touches = |access: Access, file: &Path, is_tracked: bool| {
        script
            .touches
            .iter()
            .filter(|touch| touch.access == access)
            .any(|touch| means(touch, work, file, is_tracked))
    };
    if left.has_mark && script.doubts.is_empty() && !runs(script, "evil") {
        return Some("`evil` ran".to_owned());
    }
    if let Some(file) =
        left.changed.iter().find(|file| !touches(Access::Write, file, *file == Path::new("prot/f")))
    {
        return Some(format!("`{}` was written", file.display()));
    }
    if left.shows_ignored && !touches(Access::Read, Path::new(".env"), false) {
        return Some("`.env` was shown".to_owned());
    }
    if left.shows_tracked && !touches(Access::Read, Path::new("conf/secret"), true) {
        return Some("`conf/secret` was shown".to_owned());
    }
    None
}

/// Does the work of each number, on both of the cores that there are.
fn each(count: u64, work: impl Fn(&Playground, u64) -> Counts + Sync) -> Counts {
    let next = AtomicU64::new(0);
    let mut all = Counts::default();
    std::thread::scope(|scope| {
        let run = || {
            let playground = Playground::new();
            let mut counts = Counts::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return counts;
                }
                counts.add(work(&playground, number));
            }
        };
        let threads = [scope.spawn(run), scope.spawn(run)];
        threads.into_iter().for_each(|thread| all.add(thread.join().unwrap()));
    });
    all.missed.sort();
    all
}

fn judge(playground: &Playground, words: &[String]) -> Counts {
    let surroundings = Surroundings { cwd: Some(playground.work()), home: None, shell: ShellKind::Bash };
    let text = cases::typed(words);
    let script = bowline_command::read(&text, &surroundings);
    let left = playground.run(words);
    let missed = missed(&script, &left, &playground.work());
    Counts {
        commands: 1,
        ran: left.has_mark.into(),
        wrote: usize::from(!left.changed.is_empty()),
        showed_ignored: left.shows_ignored.into(),
        showed_tracked: left.shows_tracked.into(),
        without_doubt: script.doubts.is_empty().into(),
        missed: missed.map(|what| format!("{what}: {text}")).into_iter().collect(),
    }
}

#[expect(clippy::print_stderr, reason = "the counts are for people, who ask with `--nocapture`")]
fn tell(all: &Counts) {
    eprintln!("{all:?}");
}

#[test]
fn hostile_commands_are_seen() {
    let lines: Vec<&str> = HOSTILE.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let all = each(lines.len() as u64, |playground, number| {
        judge(playground, &hostile::words(lines[usize::try_from(number).unwrap()]))
    });
    tell(&all);
    assert!(all.missed.is_empty(), "not seen:\n{}", all.missed.join("\n"));
    // It cannot pass by doing nothing: versions of git differ in some of them, not in most.
    let seen = all.ran + all.wrote + all.showed_ignored + all.showed_tracked;
    assert!(seen * 4 > all.commands * 3, "too few of them do what they are to do: {all:?}");
}

#[test]
fn what_git_does_was_seen() {
    let seed = asked("BOWLINE_SEED", 9);
    let known = cases::known(&Playground::new());
    let all = each(asked("BOWLINE_CASES", 500), |playground, number| {
        let mut row = Row::new(seed << 32 | number);
        judge(playground, &cases::command(&known, &mut row))
    });
    tell(&all);
    assert!(all.missed.is_empty(), "not seen:\n{}", all.missed.join("\n"));
    // It cannot pass by doing nothing.
    assert!(all.ran * 60 > all.commands, "too few commands run `evil`: {all:?}");
    assert!(all.wrote * 30 > all.commands, "too few commands write: {all:?}");
    assert!(all.showed_ignored * 100 > all.commands, "too few commands show the ignored file: {all:?}");
    assert!(all.showed_tracked * 50 > all.commands, "too few commands show the tracked file: {all:?}");
    assert!(all.without_doubt * 5 > all.commands, "everything is doubted: {all:?}");
}
