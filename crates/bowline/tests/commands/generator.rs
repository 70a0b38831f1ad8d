//! Programs × options × operands × redirections × wrappers. The options are those that the installed programs list themselves.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use crate::words::{
    CARGO, EVIL, GIT, OPTIONS_OF_ALL, PLAIN, READ, REDIRECTED, WIDE, WRAPPED, WRAPPERS, WRITTEN,
};

/// A program, the operands it is used with, and its options.
struct Program {
    name: String,
    operands: Vec<String>,
    options: Vec<String>,
}

pub(crate) struct Generator {
    programs: Vec<Program>,
    is_wide: bool,
}

impl Generator {
    pub(crate) fn new(policy: &str) -> Self {
        let is_wide = policy == "wide";
        let mut programs = Vec::new();
        let mut add = |name: &str, help: &[&str], operands: &[&str]| {
            let mut options = options(&help_text(name, help));
            options.extend(OPTIONS_OF_ALL.iter().map(ToString::to_string));
            programs.push(Program {
                name: name.to_owned(),
                operands: operands.iter().map(ToString::to_string).collect(),
                options: options.into_iter().collect(),
            });
        };
        for (name, operands) in GIT {
            add(&format!("git {name}"), &["-h"], operands);
        }
        for (name, operands) in CARGO {
            add(&format!("cargo {name}"), &["--help"], operands);
        }
        for (name, operands) in PLAIN {
            add(name, &["--help"], operands);
        }
        if is_wide {
            for (name, operands) in WIDE {
                add(name, &["--help"], operands);
            }
        }
        Self { programs, is_wide }
    }

    /// So many different commands out of the whole product, the same for the same seed.
    pub(crate) fn commands(&self, count: usize, seed: u64) -> Vec<String> {
        let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut commands = BTreeSet::new();
        while commands.len() < count {
            commands.insert(self.command(&mut chance));
        }
        commands.into_iter().collect()
    }

    fn command(&self, chance: &mut Chance) -> String {
        let program = chance.pick(&self.programs);
        let operand = chance.pick(&program.operands);
        let (first, second) = (chance.pick(&program.options), chance.pick(&program.options));
        let target = match chance.below(5) {
            0 | 1 => chance.pick(READ),
            2 | 3 => chance.pick(WRITTEN),
            _ => chance.pick(EVIL),
        };
        let name = &program.name;
        let plain = match chance.below(12) {
            0 => format!("{name} {first} {target}"),
            1 => format!("{name} {first} {target} {operand}"),
            2 => format!("{name} {}{target} {operand}", joined(first)),
            3 => format!("{name} {operand} {first} {target}"),
            4 => format!("{name} {operand} {}{target}", joined(first)),
            5 => format!("{name} {first} {}{target} {operand}", joined(second)),
            6 => format!("{name} {first} {second} {target} {operand}"),
            7 => format!("{name} {first} {operand} {target}"),
            8 => format!("{name} {}{target} {operand}", joined(&abbreviated(first, chance))),
            9 => format!("{name} {} {target} {operand}", abbreviated(first, chance)),
            10 => format!("{name} {first} {second} {operand} {}", chance.pick(REDIRECTED)),
            _ => format!("{name} {operand} {}", chance.pick(REDIRECTED)),
        };
        let plain = plain.trim_end().to_owned();
        match chance.below(8) {
            0 if self.is_wide => format!("{} {plain}", chance.pick(WRAPPERS)),
            1 => chance.pick(WRAPPED).replace("COMMAND", &plain),
            _ => plain,
        }
    }
}

/// An option before a value in the same word.
fn joined(option: &str) -> String {
    if option.starts_with("--") { format!("{option}=") } else { option.to_owned() }
}

/// A long option as its beginning, which many programs take.
fn abbreviated(option: &str, chance: &mut Chance) -> String {
    let long = option.starts_with("--") && option.len() > 5;
    if long { option[..5 + chance.below(option.len() - 5)].to_owned() } else { option.to_owned() }
}

/// What a program says of itself. One that is not installed has the common options only.
fn help_text(name: &str, help: &[&str]) -> String {
    let mut words = name.split(' ');
    let output = Command::new(words.next().unwrap_or_default())
        .args(words)
        .args(help)
        .stdin(Stdio::null())
        .env("MANPAGER", "cat")
        .env("GIT_PAGER", "cat")
        .output();
    let Ok(output) = output else { return String::new() };
    let bytes = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Everything in the text that looks like an option.
fn options(text: &str) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for word in text.split(|c: char| c.is_whitespace() || "|,<(){}'\"`;".contains(c)) {
        let word = word.trim_start_matches('[');
        if let Some(rest) = word.strip_prefix("--[no-]") {
            options.insert(format!("--{}", name_of(rest)));
            options.insert(format!("--no-{}", name_of(rest)));
        } else if let Some(rest) = word.strip_prefix("--") {
            options.insert(format!("--{}", name_of(rest)));
        } else if let Some(rest) = word.strip_prefix('-') {
            options.insert(format!("-{}", name_of(rest)));
        }
    }
    options.retain(|option| option.len() > 1 && option != "--" && option.len() < 40);
    options
}

fn name_of(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    text[..end].trim_end_matches('-')
}

/// The same numbers for the same seed, everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % (limit as u64)).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
