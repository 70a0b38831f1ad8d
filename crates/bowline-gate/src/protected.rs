//! Nothing is written where it would open doors, and nothing that a program makes, unless the user says so.
//!
//! Both readings of a path count, as it is written and as the links on the way lead: one of them in a protected place is
//! enough to refuse, and the user's rule must name that very reading. What a call turns out to write comes here again
//! with its real files, so targets that nobody can tell beforehand pass.

mod mark;
mod openings;
mod places;

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use bowline_call::{Effect, RefusalCode};
use bowline_command::{Access, Script, Word};

use crate::{Asked, Facts, Maker, Objection, PathFact, Rule, RuleFailed, TreeNames, Verdict};
use places::{Guards, Place};

pub use mark::generated_mark;
pub use openings::{BadPlace, Openings};

/// The one tool that writes one of these places, which nobody else does: what a team shares.
const SHARED: (&str, &str) = ("export_cache", ".bowline/cache.db.gz");

/// The places are a table, the openings are the user's.
#[derive(Debug, Default)]
pub struct Protected {
    openings: Openings,
    /// Directories and files of bowline's own, folded. No rule opens them.
    own: Vec<PathBuf>,
}

impl Protected {
    pub fn new(openings: Openings, own: &[PathBuf]) -> Self {
        Self {
            openings,
            own: own.iter().map(|path| path.components().map(folded_component).collect()).collect(),
        }
    }

    fn judge(
        &self,
        asked: &Asked<'_>,
        effect: Effect,
        path: &PathFact,
    ) -> Result<Option<Objection>, RuleFailed> {
        let facts: &Facts = asked.facts;
        let real = path.real.as_ref();
        let real = real.map_err(|why| {
            RuleFailed(format!("nobody can tell where `{}` leads: {why}", path.absolute.display()))
        })?;
        let real_below = below(&facts.roots, real);
        // One that is written from outside, through a link, has no name below a root but the real one.
        let readings = [(path.absolute.as_path(), below(&facts.roots, &path.absolute)), (real, real_below)];
        for (reading, below) in readings {
            let name = below.or(real_below).unwrap_or(reading);
            if self.is_own(reading) {
                return Ok(Some(self.refuse(path, name, "it belongs to bowline itself", false)));
            }
            let held = places::holding(&folded(below.unwrap_or(reading)));
            let held = held.filter(|place| counts(place, effect));
            let is_open =
                || self.openings.hold(name) || (SHARED.0 == asked.call.tool && name == Path::new(SHARED.1));
            if let Some(place) = held.filter(|_| !is_open()) {
                return Ok(Some(self.refuse(path, name, &because(name, place), true)));
            }
        }
        if let TreeNames::Known(links) = &path.links {
            for link in links {
                let name = below(&facts.roots, link).unwrap_or(link);
                let place = places::holding(&folded(name)).filter(|place| counts(place, effect));
                let why = match place.filter(|_| !self.openings.hold(name)) {
                    _ if self.is_own(link) => "it belongs to bowline itself".to_owned(),
                    Some(place) => because(name, place),
                    None => continue,
                };
                let why = format!("it is the same file as `{}` (a hard link): {why}", name.display());
                return Ok(Some(self.refuse(path, real_below.unwrap_or(real), &why, false)));
            }
        }
        let name = real_below.unwrap_or(real);
        let door = path.door.as_ref();
        let door = door.map_err(|why| {
            RuleFailed(format!("nobody can tell whether `{}` opens a door: {why}", path.absolute.display()))
        })?;
        if let Some(why) = door.as_deref().filter(|_| !self.openings.hold(name)) {
            return Ok(Some(self.refuse(path, name, why, true)));
        }
        let why = match &path.maker {
            _ if effect != Effect::Write => return Ok(None),
            Maker::Person => return Ok(None),
            Maker::NotAsked => return Err(RuleFailed("the facts do not say who makes the file".into())),
            Maker::Program { how } => format!("a program makes it: {how}"),
            Maker::Unknown(why) => format!("nobody can tell whether a program makes it: {why}"),
        };
        Ok((!self.openings.hold(name)).then(|| self.refuse(path, name, &why, true)))
    }

    /// A protected place that is named to a program of which nobody knows what it does with it.
    fn handed_on<'a>(&self, facts: &Facts, script: &'a Script) -> Option<&'a str> {
        let opaque = script.commands.iter().filter(|command| command.pin.is_some());
        let words = opaque.flat_map(|command| command.words.iter().skip(1)).filter_map(Word::literal);
        let parts =
            words.flat_map(|word| word.rsplit_once('=').map(|(_, value)| value).into_iter().chain([word]));
        let is_held = |word: &&str| {
            let path = facts.cwd.clone().unwrap_or_default().join(word);
            let name = below(&facts.roots, &path).unwrap_or(&path);
            let held = places::holding(&folded(name)).filter(|place| place.guards == Guards::Doors);
            self.is_own(&path) || (held.is_some() && !self.openings.hold(name))
        };
        let mut parts = parts.filter(|word| !word.is_empty() && word.len() < 4096);
        parts.find(is_held)
    }

    /// Whoever changes everything in a directory changes what is protected in it.
    fn judge_whole(&self, asked: &Asked<'_>, path: &PathFact) -> Option<Objection> {
        let holds = |reading: &Path| {
            let folded: PathBuf = reading.components().map(folded_component).collect();
            asked.facts.roots.iter().any(|root| root.starts_with(reading))
                || self.own.iter().any(|own| own.starts_with(&folded))
        };
        let real = path.real.as_deref().ok();
        let held = std::iter::once(path.absolute.as_path()).chain(real).find(|reading| holds(reading))?;
        if let TreeNames::Known(names) = &path.below {
            let name = names.iter().find(|name| self.is_entry(name))?;
            let reason = format!("`{}` is in it", below(&asked.facts.roots, name).unwrap_or(name).display());
            return Some(self.refuse(path, held, &reason, false));
        }
        Some(self.refuse(
            path,
            held,
            "bowline's rules, the history and the settings of agents are in it",
            false,
        ))
    }

    /// A protected place that a copy or a move makes below a directory. A whole package may well have one, so this is a question.
    fn brought(&self, facts: &Facts, path: &PathFact) -> Option<Objection> {
        let shown = |name: &'_ Path| below(&facts.roots, name).unwrap_or(name).display().to_string();
        let is_open = |name: &Path| self.openings.hold(below(&facts.roots, name).unwrap_or(name));
        let reason = match &path.below {
            TreeNames::Known(names) => {
                let name = names.iter().find(|name| self.is_entry(name) && !is_open(name))?;
                format!("`{}` is protected, and would come there with the rest", shown(name))
            }
            TreeNames::Unknown => {
                format!(
                    "which files would come to `{}` cannot be told: one may be protected",
                    shown(&path.absolute)
                )
            }
        };
        Some(Objection {
            code: RefusalCode::ConfirmationRequired,
            rule: self.name().into(),
            reason,
            recovery: "leave it out, or ask the person you work for".into(),
            skill: None,
        })
    }

    /// Whether a protected place is at this very path, and not merely around it.
    fn is_entry(&self, path: &Path) -> bool {
        self.is_own(path) || places::ends_with_door(&folded(path))
    }

    fn is_own(&self, reading: &Path) -> bool {
        if self.own.is_empty() {
            return false;
        }
        let folded: PathBuf = reading.components().map(folded_component).collect();
        self.own.iter().any(|own| folded.starts_with(own))
    }

    fn refuse(&self, path: &PathFact, name: &Path, why: &str, can_be_opened: bool) -> Objection {
        let leads = match &path.real {
            Ok(real) if *real != path.absolute => format!(", which leads to `{}`,", real.display()),
            _ => String::new(),
        };
        let recovery = if can_be_opened {
            format!(
                "leave it out, or change what it is made from; the person you work for can allow it with \
                 `write_protected = [\"{}\"]` under [rules] in their own bowline.toml",
                globset::escape(&name.to_string_lossy())
            )
        } else {
            "leave it as it is; the person you work for can change it by hand".to_owned()
        };
        Objection {
            code: RefusalCode::Denied,
            rule: self.name().into(),
            reason: format!("`{}`{leads} is protected: {why}", path.written.display()),
            recovery,
            skill: None,
        }
    }
}

impl Rule for Protected {
    fn name(&self) -> &'static str {
        "protected"
    }

    fn concerns(&self, access: Access, path: &Path) -> bool {
        access == Access::Write && self.is_entry(path)
    }

    // Protected places are looked for where a whole root is meant.
    fn concerns_below(&self, access: Access, directory: &Path, roots: &[PathBuf]) -> bool {
        let folded: PathBuf = directory.components().map(folded_component).collect();
        access == Access::Write
            && (roots.iter().any(|root| root.starts_with(directory))
                || self.own.iter().any(|own| own.starts_with(&folded)))
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let effect = asked.intent.effect;
        if effect < Effect::Write {
            return Ok(Verdict::allow(self.name()));
        }
        if asked.facts.paths.len() != asked.intent.paths().count() {
            return Err(RuleFailed("the facts do not cover every path of the call".into()));
        }
        for path in &asked.facts.paths {
            if let Some(objection) = self.judge(asked, effect, path)? {
                return Ok(Verdict::Refuse(objection));
            }
        }
        if let Some(why) = asked.facts.commands.iter().find_map(|command| command.script.forbidden.first()) {
            return Ok(Verdict::Refuse(Objection {
                code: RefusalCode::Denied,
                rule: self.name().into(),
                reason: why.clone(),
                recovery: match why.ends_with("split it") {
                    true => "run it in smaller parts, or write it to a file first".into(),
                    false => "leave bowline and the settings of agents as they are; the person you work for can do this by hand"
                        .into(),
                },
                skill: None,
            }));
        }
        if let Some(word) =
            asked.facts.commands.iter().find_map(|command| self.handed_on(asked.facts, &command.script))
        {
            return Ok(Verdict::Ask(Objection {
                code: RefusalCode::ConfirmationRequired,
                rule: self.name().into(),
                reason: format!("`{word}` is protected, and is handed to a program that may write it"),
                recovery: "leave it out, or ask the person you work for".into(),
                skill: None,
            }));
        }
        // What a command writes may well be generated; it opens no doors.
        let mut verdict = Verdict::allow(self.name());
        for touched in asked.facts.written_by_commands() {
            for path in &touched.readings {
                let whole = touched.is_deep.then(|| self.judge_whole(asked, path)).flatten();
                if let Some(objection) =
                    whole.map_or_else(|| self.judge(asked, Effect::Run, path), |one| Ok(Some(one)))?
                {
                    return Ok(Verdict::Refuse(objection));
                }
                let is_tree = touched.is_copy && touched.is_deep;
                if let Some(question) = is_tree.then(|| self.brought(asked.facts, path)).flatten() {
                    verdict = verdict.stricter(Verdict::Ask(question));
                }
            }
        }
        Ok(verdict)
    }
}

/// The directory that holds the outermost protected place on the way to a path, if there is one.
pub fn outside_of_places(path: &Path) -> Option<&Path> {
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    above.iter().find(|part| places::holding(&folded(part)).is_some()).and_then(|part| part.parent())
}

/// A program that is handed a file may write it or not. It gets none that opens doors; generated ones it may well need.
fn counts(place: &Place, effect: Effect) -> bool {
    effect == Effect::Write || place.guards == Guards::Doors
}

fn because(name: &Path, place: &Place) -> String {
    if name == Path::new(place.names) {
        place.why.to_owned()
    } else {
        format!("`{}`: {}", place.names, place.why)
    }
}

/// The path below the innermost root that holds it. Whoever starts bowline inside such a place means it.
fn below<'a>(roots: &[PathBuf], path: &'a Path) -> Option<&'a Path> {
    roots.iter().filter_map(|root| path.strip_prefix(root).ok()).min_by_key(|rest| rest.as_os_str().len())
}

fn folded(path: &Path) -> Vec<Cow<'_, str>> {
    let mut parts = Vec::new();
    for part in path.components() {
        let Component::Normal(name) = part else { continue };
        match name.to_str().map_or_else(|| name.to_string_lossy(), Cow::Borrowed) {
            // Elsewhere these are several names, and there is no telling where a file will be unpacked.
            name if name.contains('\\') => {
                parts.extend(name.split('\\').map(|name| Cow::Owned(fold(name.into()).into_owned())));
            }
            name => parts.push(fold(name)),
        }
    }
    parts
}

fn folded_component(part: Component<'_>) -> PathBuf {
    PathBuf::from(fold(part.as_os_str().to_string_lossy()).into_owned())
}

/// Some file systems do not tell `A` from `a`, some ignore characters that nobody sees, some drop dots and spaces at
/// the end, some take what stands behind a colon for a stream of the file. There, all of these are one name.
fn fold(name: Cow<'_, str>) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b':';
    if name.bytes().all(is_plain) && !name.ends_with(['.', ' ']) {
        return name;
    }
    let seen = name.chars().take_while(|c| *c != ':').filter(|c| !is_ignored(*c));
    // Upper case first: `ſ` has no lower case, and is an `s` all the same.
    let mut folded: String = seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.truncate(folded.trim_end_matches(['.', ' ']).len());
    Cow::Owned(folded)
}

/// What HFS+ leaves out when it compares names.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}
