//! Runs each program with each of its options, and compares what it did with what was said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bowline_command::{ShellKind, Surroundings};

use super::ground::Ground;
use super::help::{self, Listed};
use super::verdict;

/// Lines for each program.
pub(crate) type Names = BTreeMap<String, BTreeSet<String>>;

/// Values that are tried: a file that is there, one that is not, a number, a word, a program.
const VALUES: &[&str] = &["value", "1", "fresh", "./evil", "word", "sub"];
/// Words that a run is told to be about are cut at this length, so that a failure can be read.
const MAX_SHOWN: usize = 60;

/// A row of `programs`, taken apart.
struct Judged {
    line: Vec<String>,
    is_base: bool,
    /// What is opened and not read is of no concern: it asks for attributes.
    only_looks: bool,
    never: Vec<String>,
}

impl Judged {
    fn parse(row: &str) -> Self {
        let (line, never) = row.split_once(';').unwrap_or((row, ""));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let line = line.trim();
        Self {
            is_base: line.starts_with('!'),
            only_looks: line.starts_with('~'),
            line: words(line.trim_start_matches(['!', '~'])),
            never: words(never),
        }
    }

    fn with(&self, option: &[String]) -> Vec<String> {
        let words = self.line.iter().flat_map(|word| match word.as_str() {
            "@" => option.to_vec(),
            _ => vec![word.clone()],
        });
        words.collect()
    }
}

/// What came of judging rows.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) programs: BTreeSet<String>,
    pub(crate) absent: Vec<String>,
    pub(crate) absent_of_base: Vec<String>,
    pub(crate) pairs: usize,
    /// Pairs of programs that every system has.
    pub(crate) pairs_of_base: usize,
    /// Pairs with a run that ended well.
    pub(crate) pairs_that_ran: usize,
    pub(crate) runs: usize,
    pub(crate) missed: Names,
    /// Options that leave a doubt, although the program only read with them.
    pub(crate) doubted: Names,
    /// Words that are taken for files, and are none.
    pub(crate) invented: Names,
}

/// How many forms of each option are tried: a few seconds of programs. `BOWLINE_CASES` asks for more; from 10 000 on it is all.
#[expect(clippy::disallowed_methods, reason = "how a person asks this test for more")]
fn forms_of_each() -> usize {
    let cases =
        std::env::var("BOWLINE_CASES").ok().and_then(|text| text.parse::<usize>().ok()).unwrap_or(500);
    if cases >= 10_000 { usize::MAX } else { (cases / 100).max(4) }
}

#[expect(
    clippy::disallowed_methods,
    reason = "where programs are, and which of them a person wants to be judged"
)]
pub(crate) fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

pub(crate) fn installed(program: &str, path: &str) -> Option<PathBuf> {
    std::env::split_paths(path).map(|place| place.join(program)).find(|found| found.is_file())
}

/// What the program says of itself.
#[expect(clippy::disallowed_methods, reason = "the program is asked for its options")]
fn help_of(program: &Path, path: &str) -> Vec<Listed> {
    for question in ["--help", "-h", "--usage"] {
        let mut command = Command::new("timeout");
        command
            .args(["1"])
            .arg(program)
            .arg(question)
            .stdin(Stdio::null())
            .env("LC_ALL", "C")
            .env("PATH", path);
        let Ok(output) = command.output() else { continue };
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        let options = help::options(&text);
        if options.len() > 1 {
            return options;
        }
    }
    Vec::new()
}

/// Letters that no help mentions may mean something, too.
fn unlisted(options: &[Listed]) -> Vec<Listed> {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9').map(|letter| format!("-{letter}"));
    let is_new = |name: &String| !options.iter().any(|option| option.names.contains(name));
    letters.filter(is_new).map(|name| Listed { names: vec![name], ..Listed::default() }).collect()
}

/// The words of an option in its forms, the most telling first.
fn forms(option: &Listed, all: &[Listed]) -> Vec<Vec<String>> {
    let mut values: Vec<&str> = VALUES.to_vec();
    values.extend(option.choices.iter().map(String::as_str));
    let mut forms: Vec<Vec<String>> = Vec::new();
    let word = |text: &str| vec![text.to_owned()];
    for value in &values {
        for name in &option.names {
            let is_long = name.starts_with("--");
            let joined = if is_long { format!("{name}={value}") } else { format!("{name}{value}") };
            forms.push(vec![name.clone(), (*value).to_owned()]);
            forms.push(vec![joined]);
        }
    }
    let at = if option.takes_value { 2.min(forms.len()) } else { 0 };
    for name in &option.names {
        forms.insert(at, word(name));
        if let Some(short) = shortened(name, all) {
            forms.push(vec![short.clone(), "value".to_owned()]);
            forms.push(vec![format!("{short}=value")]);
        }
    }
    forms
}

/// As short as it still means this option.
fn shortened(name: &str, all: &[Listed]) -> Option<String> {
    let is_long = name.starts_with("--");
    let others = || all.iter().flat_map(|option| &option.names).filter(|other| *other != name);
    let lengths = if is_long { 3..name.len() } else { 0..0 };
    let cuts = lengths.filter_map(|length| name.get(..length));
    cuts.into_iter().find(|cut| !others().any(|other| other.starts_with(cut))).map(str::to_owned)
}

/// As a shell would be given these words.
fn text_of(words: &[String]) -> String {
    let is_plain = |word: &&String| {
        word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_=./:,+%@".contains(letter))
    };
    let quoted = words
        .iter()
        .map(|word| if is_plain(&word) && !word.is_empty() { word.clone() } else { format!("'{word}'") });
    quoted.collect::<Vec<_>>().join(" ")
}

fn judge(judged: &Judged, ground: &mut Ground, path: &str, counts: &Mutex<Counts>) {
    let name = &judged.line[0];
    let Some(program) = installed(name, path) else {
        let mut counts = counts.lock().unwrap();
        counts.absent.push(name.clone());
        counts.absent_of_base.extend(judged.is_base.then(|| name.clone()));
        return;
    };
    counts.lock().unwrap().programs.insert(name.clone());
    let surroundings = Surroundings { cwd: Some(ground.work()), home: None, shell: ShellKind::Bash };
    let limit = forms_of_each();
    let mut options = help_of(&program, path);
    if limit == usize::MAX {
        options.extend(unlisted(&options));
    }
    options.push(Listed::default());
    for option in options.iter().filter(|option| !option.names.iter().any(|name| judged.never.contains(name)))
    {
        let mut words_of = forms(option, &options);
        if option.names.is_empty() {
            words_of = vec![vec![]];
        }
        words_of.truncate(limit);
        let (mut ran, mut doubts, mut waited) = (false, 0, 0);
        let (mut plain, mut doubt) = (0, String::new());
        for form in words_of {
            // Once or twice is enough for what waits.
            if waited > 1 {
                break;
            }
            let words = judged.with(&form);
            let text = text_of(&words);
            let mut seen = ground.run(&program, &words, path);
            if !judged.only_looks {
                seen.read.clone_from(&seen.opened);
            }
            let script = bowline_command::read(&text, &surroundings);
            let verdict = verdict::judge(&script, &seen, &ground.work());
            ran |= seen.is_success;
            waited += usize::from(seen.had_to_be_ended);
            // What is attached to an option that takes no value is another option.
            let is_cluster = !option.takes_value && form.len() == 1 && !option.names.contains(&form[0]);
            let is_plain = verdict.is_plain && !is_cluster && !is_about_itself(option);
            plain += usize::from(is_plain);
            doubts += usize::from(is_plain && verdict.is_doubted);
            if let Some(first) = script.doubts.first().filter(|_| is_plain) {
                doubt = first.text().to_owned();
            }
            // The watch tells of files, and not of who opens them: what a program does, it does again.
            let mut missed = verdict.missed;
            if !missed.is_empty() {
                let mut again = ground.run(&program, &words, path);
                if !judged.only_looks {
                    again.read.clone_from(&again.opened);
                }
                let again = verdict::judge(&script, &again, &ground.work()).missed;
                missed.retain(|missed| again.contains(missed));
            }
            let mut counts = counts.lock().unwrap();
            counts.runs += 1;
            let shown: String = text.chars().take(MAX_SHOWN).collect();
            for missed in missed {
                counts.missed.entry(name.clone()).or_default().insert(format!("{shown}: {missed}"));
            }
            for invented in verdict.invented.into_iter().filter(|_| is_plain) {
                counts.invented.entry(name.clone()).or_default().insert(format!("{shown}: `{invented}`"));
            }
        }
        let mut counts = counts.lock().unwrap();
        counts.pairs += 1;
        counts.pairs_of_base += usize::from(judged.is_base);
        counts.pairs_that_ran += usize::from(ran);
        if plain > 0 && doubts == plain {
            let why = format!("{} ({})", option.names.join("/"), doubt);
            counts.doubted.entry(name.clone()).or_default().insert(why);
        }
    }
}

/// It says something of itself, and looks at no file.
fn is_about_itself(option: &Listed) -> bool {
    let is_so = |name: &String| ["help", "version", "list", "usage"].iter().any(|about| name.contains(about));
    option.names.iter().any(is_so) || option.names.iter().any(|name| name == "-V" || name == "-h")
}

/// Judges every row, on two threads.
pub(crate) fn judge_all(rows: &[&str]) -> Counts {
    let path = variable("PATH");
    let wanted = variable("BOWLINE_PROGRAMS");
    let all: Vec<Judged> = rows.iter().map(|row| Judged::parse(row)).collect();
    let is_wanted =
        |judged: &&Judged| wanted.is_empty() || wanted.split_whitespace().any(|name| name == judged.line[0]);
    let all: Vec<&Judged> = all.iter().filter(is_wanted).collect();
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut ground = Ground::new();
                while let Some(judged) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    judge(judged, &mut ground, &path, &counts);
                }
            });
        }
    });
    counts.into_inner().unwrap()
}

#[expect(clippy::print_stderr, reason = "the counts are for people, who ask with `--nocapture`")]
pub(crate) fn tell(counts: &Counts) {
    let size = |map: &Names| map.values().map(BTreeSet::len).sum::<usize>();
    eprintln!(
        "{} programs, {} pairs of program and option ({} ran, {} of the base), {} runs; {} missed, {} doubted, {} invented",
        counts.programs.len(),
        counts.pairs,
        counts.pairs_that_ran,
        counts.pairs_of_base,
        counts.runs,
        size(&counts.missed),
        size(&counts.doubted),
        size(&counts.invented),
    );
    eprintln!("not installed: {}", counts.absent.join(" "));
    for (what, map) in
        [("missed", &counts.missed), ("doubted", &counts.doubted), ("invented", &counts.invented)]
    {
        for (program, lines) in map {
            eprintln!("{what} {program}: {}", lines.iter().cloned().collect::<Vec<_>>().join(" | "));
        }
    }
}

#[expect(clippy::print_stderr, reason = "for people, who ask with `--nocapture`")]
pub(crate) fn say(text: &str) {
    eprintln!("{text}");
}
