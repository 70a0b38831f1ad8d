//! A program with subcommands or targets that runs what the project says, as data: what its words are for, and how much of
//! them must be spelt.

use super::options::{Dialect, Lists, Parsed};
use super::touches::{only_says_how_much, operand_touches, renews, runs_at, uses};
use crate::programs::meaning::last_part;
use crate::programs::{Meaning, agents};
use crate::{Core, Pin, Word};

pub(in crate::programs) struct Project {
    pub(super) dialect: Dialect,
    /// Options that change nothing of what runs: how much is said, how many jobs there are. They are left out of the core.
    pub(super) harmless: &'static str,
    /// Others that are taken by every subcommand, and before it.
    pub(super) options: &'static str,
    /// A beginning of a subcommand's name will do.
    pub(super) cuts_names: bool,
    /// Empty for a program that has none.
    pub(super) subs: &'static [Sub],
    /// What a subcommand is that is not listed, and the program itself if it has none.
    pub(super) other: Sub,
    /// How much must be spelt without any operand.
    pub(super) alone: Spelt,
}

pub(super) struct Sub {
    /// Their names, and after `|` the others that each has. `pkg+get` are two words.
    pub(super) names: &'static str,
    pub(super) options: &'static str,
    /// Options that are not listed are flags: what runs is spelt out, and has options of its own.
    pub(super) is_lax: bool,
    pub(super) spelt: Spelt,
    pub(super) operands: Operands,
    pub(super) after: After,
    /// With one of these it only looks.
    pub(super) looks: &'static str,
    /// Only with one of these it changes its operands.
    pub(super) writes_with: &'static str,
    /// Files in its directory that it writes.
    pub(super) makes: &'static str,
    /// A file of the project that it brings up to date: asked about only if a rule denies it.
    pub(super) renews: &'static str,
    /// Operands that are the program's own words for building and testing, and are not spelt.
    pub(super) usual_targets: &'static str,
}

/// Which words say what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelt {
    /// Nothing runs, and nothing is written that no option names.
    Nothing,
    /// The program's own name: it builds and tests the project it stands in.
    Program,
    Sub,
    /// The subcommand and one word more; without it the subcommand says all.
    Operand,
    /// Every operand: targets, packages from elsewhere.
    Operands,
    Everything,
}

/// What the operands are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Names.
    Plain,
    /// Names of what is made. With `=` it is a variable, which may be anything.
    Targets,
    Reads,
    /// Files and directories that are rewritten in place, by the endings of their names.
    Rewrites(&'static str),
    /// Directories that are made.
    Makes,
    /// The first is read, the second is written.
    FromTo,
    /// Files and directories whose code runs.
    Runs,
    /// The same, and all that is no test by its name is spelt.
    Tests,
    /// Files and directories whose code runs, if they look like paths; others are names that the project resolves.
    Packages,
    /// The first is a name, and all that follows belongs to what it names.
    Script,
    /// The same, and the name is looked up like a package.
    Package,
    /// None is expected.
    None,
}

/// What follows `--`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// More operands.
    Operands,
    /// Arguments of the project's own program.
    Free,
    /// Options of another program, and what its operands are.
    Options(&'static str, Operands),
}

pub(super) const PLAIN: Sub = Sub {
    names: "",
    options: "",
    is_lax: false,
    spelt: Spelt::Program,
    operands: Operands::Plain,
    after: After::Operands,
    looks: "",
    writes_with: "",
    makes: "",
    renews: "",
    usual_targets: "",
};

/// It asks about the program itself: an option, and nothing besides.
pub(in crate::programs) fn asks(words: &[Word]) -> bool {
    words.len() == 2
        && matches!(words[1].literal(), Some("--version" | "--help" | "-V" | "-version" | "-help" | "-h"))
}

impl Sub {
    /// `test` and `:app:test`.
    fn has_target(&self, word: &Word) -> bool {
        let name = word.literal().and_then(|text| text.rsplit(':').next());
        name.is_some_and(|name| self.usual_targets.split_ascii_whitespace().any(|usual| usual == name))
    }

    /// The usual name of the one that is called so.
    pub(super) fn usual(&self, name: &str) -> Option<&'static str> {
        let names = self.names.split(' ').find(|names| names.split('|').any(|each| each == name))?;
        names.split('|').next()
    }
}

impl Project {
    /// Whether it is a subcommand.
    pub(super) fn has(&self, name: &str) -> bool {
        self.subs.iter().any(|sub| sub.usual(name).is_some())
    }

    /// The place of the first word from there on that is neither an option nor the value of one.
    pub(super) fn operand(&self, words: &[Word], from: usize) -> Option<usize> {
        let mut parsed = Parsed::default();
        let lists = Lists {
            dialect: self.dialect,
            harmless: self.harmless,
            others: &[self.options, self.other.options],
            most: 1,
        };
        parsed.go_on(words, from, lists);
        let dashes = parsed.end.filter(|at| words[*at].literal() == Some("--") && at + 1 < words.len());
        parsed.operands.first().map(|(at, _)| *at).or(dashes.map(|at| at + 1))
    }

    pub(in crate::programs) fn meaning(&self, words: &[Word]) -> Meaning {
        if asks(words) {
            return Meaning::default();
        }
        let mut parsed = Parsed::default();
        let own = [self.options];
        let lists = Lists { dialect: self.dialect, harmless: self.harmless, others: &own, most: 1 };
        if self.subs.is_empty() {
            return self.of(&self.other, "", words, parsed, (1, Vec::new()));
        }
        parsed.go_on(words, 1, lists);
        let Some((at, word)) = parsed.operands.first().cloned() else {
            if let Some(at) = parsed.end.filter(|at| at + 1 < words.len()) {
                return self.after_dashes(words, at);
            }
            let mut meaning = Meaning::default();
            let is_unsure = parsed.unsure.is_some() && !self.other.is_lax;
            let is_loud = parsed.end.is_some() || parsed.is_loose || is_unsure;
            let is_loud = uses(&mut meaning, &parsed.given) || is_loud;
            let pin = match self.alone {
                _ if is_loud => Some(Pin::Everything),
                Spelt::Nothing => None,
                Spelt::Everything => Some(Pin::Everything),
                _ => Some(Pin::Words(1)),
            };
            if let Some(pin) = pin {
                runs_at(&mut meaning, &here());
                meaning.opaque(pin, why(words));
            }
            return meaning;
        };
        parsed.operands.clear();
        parsed.end = None;
        let mut names = vec![at];
        let next = self.operand(words, at + 1);
        let sub = word.literal().and_then(|name| self.sub(name, next.and_then(|at| words[at].literal())));
        let (sub, usual, width) = sub.unwrap_or((&self.other, "", 1));
        names.extend(next.filter(|_| width > 1));
        self.of(sub, usual, words, parsed, (at + 1, names))
    }

    /// With `--` before the subcommand: it is found, and all is spelt.
    fn after_dashes(&self, words: &[Word], at: usize) -> Meaning {
        let others = words[..at].iter().chain(&words[at + 1..]);
        let mut meaning = self.meaning(&others.clone().cloned().collect::<Vec<_>>());
        meaning.opaque(Pin::Everything, why(words));
        let core = meaning.core.take().map_or_else(|| others.cloned().collect(), |core| core.words);
        meaning.core = Some(told_apart(core, Some(Pin::Everything)));
        meaning
    }

    /// The subcommand of this name, its usual name, and how many words that has.
    fn sub(&self, name: &str, next: Option<&str>) -> Option<(&'static Sub, &'static str, usize)> {
        let two = format!("{name}+{}", next.unwrap_or_default());
        let named = |wanted: &str| self.subs.iter().find_map(|sub| Some((sub, sub.usual(wanted)?)));
        if let Some((sub, usual)) = named(&two) {
            return Some((sub, usual, 2));
        }
        // npm takes `runScript` for `run-script`.
        let dashed: String = name
            .chars()
            .flat_map(|letter| {
                letter.is_ascii_uppercase().then_some('-').into_iter().chain([letter.to_ascii_lowercase()])
            })
            .collect();
        let name = if self.cuts_names { dashed.as_str() } else { name };
        let found = named(name).map(|(sub, usual)| (sub, usual, 1));
        if found.is_some() || !self.cuts_names {
            return found;
        }
        // Every beginning is taken that only one of them has.
        let all = self.subs.iter().flat_map(|sub| sub.names.split(' ').map(move |names| (sub, names)));
        let begins = |names: &str| names.split('|').any(|each| each.starts_with(name) && !each.contains('+'));
        let mut begun = all.filter(|(_, names)| begins(names));
        let (sub, names) = begun.next()?;
        begun.next().is_none().then_some((sub, names.split('|').next().unwrap_or_default(), 1))
    }

    /// The rest of the command from `from` on, where the subcommand was named at `names`.
    fn of(
        &self,
        sub: &Sub,
        usual: &str,
        words: &[Word],
        mut parsed: Parsed,
        (from, names): (usize, Vec<usize>),
    ) -> Meaning {
        let mut meaning = Meaning::default();
        let is_script = matches!(sub.operands, Operands::Script | Operands::Package);
        let others = [self.options, sub.options];
        let most = if is_script { 1 } else { usize::MAX };
        parsed.go_on(
            words,
            from,
            Lists { dialect: self.dialect, harmless: self.harmless, others: &others, most },
        );
        parsed.operands.retain(|(at, _)| !names.contains(at));
        if sub.operands == Operands::Targets && last_part(words[0].shown()).ends_with("make") {
            let (quiet, others) = parsed.operands.into_iter().partition(|(_, word)| only_says_how_much(word));
            parsed.operands = others;
            let quiet: Vec<(usize, Word)> = quiet;
            parsed.harmless.extend(quiet.iter().map(|(at, _)| *at));
        }
        let mut is_loud = parsed.is_loose || (parsed.unsure.is_some() && !sub.is_lax);
        let end = parsed.end.unwrap_or(words.len());
        // What stands after the program's own words.
        let rest = words.get(end + 1..).unwrap_or_default();
        let is_dashed = words.get(end).and_then(Word::literal) == Some("--");
        let mut only_looks = false;
        match sub.after {
            _ if rest.is_empty() => {}
            _ if is_script => {}
            After::Free if parsed.operands.is_empty() && is_dashed => {
                // `npm run -- build` names it there.
                parsed.operands.push((end + 1, rest[0].clone()));
            }
            After::Free => {}
            After::Operands if is_dashed => {
                let more = rest.iter().enumerate().map(|(place, word)| (end + 1 + place, word.clone()));
                parsed.operands.extend(more);
            }
            // Go's `-args`.
            After::Operands => {}
            After::Options(options, operands) => {
                let mut after = Parsed::default();
                let lists =
                    Lists { dialect: Dialect::Exact, harmless: "", others: &[options], most: usize::MAX };
                after.go_on(rest, 0, lists);
                is_loud |= after.unsure.is_some() || after.end.is_some();
                is_loud |= uses(&mut meaning, &after.given);
                is_loud |= operand_touches(&mut meaning, operands, &after, sub);
                only_looks = !sub.looks.is_empty() && after.has(sub.looks);
            }
        }
        if let Some(first) = parsed.operands.first().and_then(|(_, word)| word.literal()) {
            meaning.forbidden = agents::forbidden(last_part(package_name(first)), words);
        }
        is_loud |= uses(&mut meaning, &parsed.given);
        let is_everywhere = matches!(sub.operands, Operands::Rewrites(_)) && parsed.operands.is_empty();
        if is_everywhere {
            parsed.operands.push((0, here()));
        }
        is_loud |= operand_touches(&mut meaning, sub.operands, &parsed, sub);
        if is_everywhere {
            parsed.operands.clear();
        }
        for file in sub.makes.split_ascii_whitespace() {
            meaning.writes_at(file, false);
        }
        if !sub.renews.is_empty() && !parsed.has("n") {
            renews(&mut meaning, sub.renews);
        }
        let looks = only_looks || (!sub.looks.is_empty() && parsed.has(sub.looks));
        let spelt = match (sub.spelt, parsed.operands.first()) {
            (spelt, None) if self.subs.is_empty() && spelt != Spelt::Nothing => self.alone,
            (spelt, _) => spelt,
        };
        let is_quiet = spelt == Spelt::Nothing || looks;
        let named = |count: usize| parsed.operands.iter().take(count).map(|(at, _)| *at);
        let spelling: Vec<usize> = match spelt {
            Spelt::Nothing | Spelt::Program | Spelt::Everything => Vec::new(),
            Spelt::Sub => names.clone(),
            Spelt::Operand => names.iter().copied().chain(named(1)).collect(),
            Spelt::Operands => {
                let others = parsed.operands.iter().filter(|(_, word)| !sub.has_target(word));
                names.iter().copied().chain(others.map(|(at, _)| *at)).collect()
            }
        };
        let is_known = |at: &usize| words[*at].literal().is_some();
        let (pin, short) = match () {
            () if is_loud || spelt == Spelt::Everything => (Pin::Everything, Pin::Everything),
            () => {
                (Pin::Words(spelling.iter().max().map_or(1, |last| last + 1)), Pin::Words(spelling.len() + 1))
            }
        };
        if !is_quiet || is_loud {
            if !spelling.iter().all(is_known) && !is_loud {
                meaning.unreadable(format!("what `{}` runs is known only when it runs", words[0].shown()));
            }
            runs_at(&mut meaning, &here());
            meaning.opaque(pin, why(words));
        }
        let named: Vec<usize> = names.iter().copied().chain(named(usize::MAX)).collect();
        meaning.core = core(words, &named, &parsed, usual, meaning.pin.map(|_| short));
        meaning
    }
}

/// `@scope/name@1.2` is `@scope/name`.
pub(super) fn package_name(text: &str) -> &str {
    let at = text.char_indices().skip(1).find(|(_, letter)| *letter == '@');
    at.map_or(text, |(at, _)| &text[..at])
}

/// The names first, then what else is not harmless.
fn core(words: &[Word], named: &[usize], parsed: &Parsed, usual: &str, pin: Option<Pin>) -> Option<Core> {
    let end = parsed.end.unwrap_or(words.len());
    let is_named = |at: &usize| named.contains(at);
    // Where an option is not known, what follows it may be its value.
    let is_left_out = |at: &usize| parsed.unsure.is_none() && parsed.harmless.contains(at);
    let others = (1..end).filter(|at| !is_named(at) && !is_left_out(at));
    let after = (end..words.len()).filter(|at| !is_named(at));
    let order: Vec<usize> =
        std::iter::once(0).chain(named.iter().copied()).chain(others).chain(after).collect();
    let mut core: Vec<Word> = order.into_iter().map(|at| words[at].clone()).collect();
    if let Some(sub) = core.get_mut(1).filter(|_| !usual.is_empty() && !usual.contains('+')) {
        *sub = Word::Literal(usual.to_owned());
    }
    (core != words).then(|| told_apart(core, pin))
}

/// Where all must be spelt, the order of the words counts: no entry may allow them in this one.
pub(super) fn told_apart(mut words: Vec<Word>, pin: Option<Pin>) -> Core {
    if pin == Some(Pin::Everything) {
        words.push(Word::filled("", "…", false));
    }
    Core { words, pin }
}

pub(super) fn here() -> Word {
    Word::Literal(".".to_owned())
}

pub(super) fn why(words: &[Word]) -> String {
    format!("`{}` runs what the project says", words[0].shown())
}
