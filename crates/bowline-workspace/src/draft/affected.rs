//! What a changed declaration means for others: which uses of it are checked, and which declarations change with it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bowline_code::{Position, SymbolKind};
use bowline_syntax::{Changed, Difference, Language, Mention, Mentioned, Owner, Part, hovers_tell_types};

use crate::dependants::Family;

/// How far a change of a declaration goes beyond the places that name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spread {
    /// Whatever names it is checked, and that is all: it is gone, or it is a type that fits by its name.
    Uses,
    /// Only types that are derived from it are checked.
    Derived,
    /// What is inferred from it changes with it.
    Value,
    /// A type that fits by its members: every declaration that mentions it changes with it.
    Structure,
}

/// A declaration whose uses are to be found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) spread: Spread,
    /// Where its name stands in the files on disk. `None`: it is new.
    pub(super) before: Option<Position>,
    /// Where it stands in the draft. `None`: it is gone.
    pub(super) after: Option<Position>,
}

/// A declaration that may have changed: what the server infers of it tells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) target: Target,
    /// What changes with it if it has.
    pub(super) owner: Option<Target>,
}

/// The consequences of the declarations that differ in one edited file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Consequences {
    pub(super) targets: BTreeSet<Target>,
    pub(super) candidates: BTreeSet<Candidate>,
    /// Names that are new at the top level: another declaration of the same name may clash with them.
    pub(super) new_names: BTreeSet<String>,
    /// A type may be one of the same name from elsewhere now.
    pub(super) may_be_namesakes: bool,
}

impl Consequences {
    pub(super) fn of(path: &Path, language: Language, changed: &[Changed]) -> Self {
        let mut all = Self::default();
        let family = Family::of(path);
        for changed in changed {
            let owner = changed.owner.as_ref().and_then(|owner| owner_target(path, family, changed, owner));
            let target = Target {
                path: path.to_owned(),
                name: changed.name.clone(),
                spread: spread(family, changed),
                before: changed.before,
                after: changed.after,
            };
            match changed.difference {
                Difference::Inferred if hovers_tell_types(language) => {
                    all.candidates.insert(Candidate { target, owner });
                }
                Difference::Added => {
                    // A method and a field of Go must not have the same name, wherever they are declared.
                    if changed.owner.is_none() || family == Some(Family::Go) {
                        all.new_names.insert(changed.name.clone());
                    }
                    all.targets.extend(owner);
                }
                Difference::Inferred | Difference::Declared | Difference::Removed => {
                    all.targets.insert(target);
                    all.targets.extend(owner);
                }
            }
        }
        all
    }

    /// Imported names that mean something else now, where other files import them from this one.
    pub(super) fn rebind(&mut self, path: &Path, rebound: &[(String, Position)]) {
        self.targets.extend(rebound.iter().map(|(name, at)| Target {
            path: path.to_owned(),
            name: name.clone(),
            spread: Spread::Value,
            before: Some(*at),
            after: None,
        }));
    }

    /// Types that change for those that name them, or are derived from them, change for whatever gets one of their objects.
    pub(super) fn widen(&mut self) {
        let widen = |mut target: Target| {
            if matches!(target.spread, Spread::Derived | Spread::Uses) {
                target.spread = Spread::Structure;
            }
            target
        };
        self.targets = std::mem::take(&mut self.targets).into_iter().map(widen).collect();
        let widen_owner = |mut candidate: Candidate| {
            candidate.owner = candidate.owner.map(widen);
            candidate
        };
        self.candidates = std::mem::take(&mut self.candidates).into_iter().map(widen_owner).collect();
    }
}

pub(super) fn is_type(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Interface
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::TypeParameter
    )
}

fn spread(family: Option<Family>, changed: &Changed) -> Spread {
    if changed.difference == Difference::Removed {
        return Spread::Uses;
    }
    match family {
        _ if !is_type(changed.kind) => Spread::Value,
        // A type of C that says something else of itself is named where it is used, but for a `typedef`.
        Some(Family::C) if changed.kind != SymbolKind::Class => Spread::Value,
        _ => Spread::Structure,
    }
}

/// Types of Python whose objects are used by syntax that names neither the type nor the member: by shape, by unpacking, by
/// `value`.
fn fits_by_members(words: &BTreeSet<&'static str>) -> bool {
    const FITTING: [&str; 11] = [
        "Protocol",
        "TypedDict",
        "NamedTuple",
        "Enum",
        "IntEnum",
        "StrEnum",
        "Flag",
        "IntFlag",
        "Choices",
        "TextChoices",
        "IntegerChoices",
    ];
    FITTING.iter().any(|word| words.contains(word))
}

/// What makes an object, which is called by the name of its class.
fn makes_objects(name: &str) -> bool {
    matches!(name, "__init__" | "__new__")
}

/// `__len__`: called by syntax.
fn is_dunder(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__") && !makes_objects(name)
}

/// The type that a changed member belongs to, where that type is another now.
fn owner_target(path: &Path, family: Option<Family>, changed: &Changed, owner: &Owner) -> Option<Target> {
    use Difference::{Added, Inferred, Removed};
    let is_method =
        matches!(changed.kind, SymbolKind::Method | SymbolKind::Function | SymbolKind::Constructor);
    let is_new_method = changed.difference == Added && is_method;
    let spread = match family {
        // Every member counts for a type that fits by them: a literal may lack it now, or have it wrongly.
        Some(Family::Script) => Spread::Structure,
        Some(Family::Python) if fits_by_members(&owner.words) => Spread::Structure,
        // `len(x)`, `x + y` and `with x` name neither the method nor its class.
        Some(Family::Python) if is_dunder(&changed.name) => Spread::Structure,
        Some(Family::Python) if makes_objects(&changed.name) => Spread::Uses,
        // No object can be made of a class that lacks it, nor of one that is derived from it.
        Some(Family::Python) if changed.words.contains("abstractmethod") => Spread::Uses,
        // What it implemented may be missing now.
        Some(Family::Python) if is_method && changed.difference == Removed => Spread::Uses,
        Some(Family::Python) if is_method => Spread::Derived,
        Some(Family::Python) if changed.difference == Inferred => Spread::Derived,
        Some(Family::Python) => Spread::Uses,
        // A method more breaks nothing, except where a type that embeds this one has another of that name.
        Some(Family::Go) if is_new_method && owner.kind != SymbolKind::Interface => Spread::Derived,
        Some(Family::Go) if is_method || owner.kind == SymbolKind::Interface => Spread::Structure,
        // `f({1, 2})` and `auto x = f()` make and copy objects of types that they do not name.
        Some(Family::C) if Language::of_path(path) == Some(Language::Cpp) => Spread::Structure,
        // Whatever lists all fields misses one more; what compares or converts values names the type, or what holds it.
        Some(Family::Go | Family::C) => Spread::Uses,
        _ => Spread::Structure,
    };
    Some(Target {
        path: path.to_owned(),
        name: owner.name.clone(),
        spread,
        before: owner.before,
        after: owner.after,
    })
}

/// What comes of a declaration that mentions a changed one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It stays what it is.
    Stays,
    /// It changes with it.
    Changes(Spread),
    /// What the server infers of it tells.
    Look,
}

pub(super) fn step(path: &Path, spread: Spread, mention: &Mention) -> Step {
    let (family, language) = (Family::of(path), Language::of_path(path));
    let derives = is_type(mention.kind) && mention.part == Part::Declared;
    match (spread, mention.part) {
        // What is derived from it, or holds it, is another now as well, and so are its objects.
        (Spread::Uses, _) if derives && matches!(family, Some(Family::Python | Family::C | Family::Go)) => {
            Step::Changes(Spread::Uses)
        }
        (_, Part::Inferred) if language.is_some_and(hovers_tell_types) => Step::Look,
        // Bodies in headers: what they give back may be inferred, or made for each use.
        (_, Part::Inferred) if family == Some(Family::C) && language != Some(Language::C) => {
            Step::Changes(Spread::Value)
        }
        // What names it is broken or not; what follows from that is seen there.
        (Spread::Uses, _) => Step::Stays,
        // What a type embeds it has as well, and its objects need not be named where that is used.
        (Spread::Derived, _) if derives && family == Some(Family::Go) => Step::Changes(Spread::Structure),
        (Spread::Derived, _) if derives => Step::Changes(Spread::Derived),
        (Spread::Derived, _) => Step::Stays,
        (Spread::Structure, _) => Step::Changes(Spread::Structure),
        (Spread::Value, _) => match family {
            Some(Family::Python) if derives => Step::Changes(Spread::Structure),
            Some(Family::Python) => Step::Look,
            // `type A [N]int`
            Some(Family::Go) if derives => Step::Changes(Spread::Structure),
            // `func f(a [N]int)`, `buf [N]byte`
            Some(Family::Go) => Step::Changes(Spread::Value),
            Some(Family::C) if derives => Step::Changes(Spread::Uses),
            Some(Family::C) if mention.kind == SymbolKind::Constant || is_field(mention.kind) => {
                Step::Changes(Spread::Value)
            }
            Some(Family::C) if language == Some(Language::Cpp) => Step::Changes(Spread::Value),
            Some(Family::C) => Step::Stays,
            _ => Step::Changes(if derives { Spread::Structure } else { Spread::Value }),
        },
    }
}

fn is_field(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Field | SymbolKind::Property)
}

/// What comes of the type that has a member which mentions a changed declaration. `None`: it stays what it is.
pub(super) fn holder_step(path: &Path, spread: Spread, mention: &Mention) -> Option<Spread> {
    let holder = mention.holder.as_ref().filter(|holder| is_type(holder.kind))?;
    match (Family::of(path)?, spread) {
        (_, Spread::Derived) => None,
        // What is gone is an error where it is mentioned.
        (Family::Script | Family::Python, Spread::Uses) => None,
        // An object that is made elsewhere may not fit any more.
        (Family::Script, _) => Some(Spread::Structure),
        (Family::Python, _) => fits_by_members(&holder.words).then_some(Spread::Structure),
        // It may be compared, copied or measured no more.
        (Family::Go | Family::C, _) => {
            (holder.by_value && is_field(mention.kind) && mention.part == Part::Declared)
                .then_some(Spread::Uses)
        }
        _ => None,
    }
}

/// Whether a use of a declaration is to be checked at all.
pub(super) fn concerns(spread: Spread, mentioned: &Mentioned) -> bool {
    match (spread, mentioned) {
        (Spread::Derived, Mentioned::By(all)) => {
            all.iter().any(|mention| is_type(mention.kind) && mention.part == Part::Declared)
        }
        (Spread::Derived, _) => false,
        (Spread::Uses | Spread::Value | Spread::Structure, _) => true,
    }
}

/// Whether two hovers prove that nothing changed for others. `changed` are names of types that are not what they were.
pub(super) fn says_the_same(
    language: Option<Language>,
    before: &str,
    after: &str,
    changed: &BTreeSet<String>,
) -> bool {
    let (before, after) = (signature(before), signature(after));
    let is_vague = |text: &str| {
        let is_vague = match language {
            // A result that is not known is inferred anew at every call. Of parameters, the whole text tells.
            Some(Language::Python) => {
                let result = text.rsplit_once(") -> ").map_or(text, |(_, result)| result);
                result.contains("Unknown") || ["(class)", "type["].iter().any(|word| text.contains(word))
            }
            _ => ["typeof ", "(Anonymous", "(local"].iter().any(|word| text.contains(word)),
        };
        is_vague || is_cut(text)
    };
    let mentions_changed = || {
        let mut words = after.split(|c: char| !(c == '_' || c == '$' || c.is_alphanumeric()));
        words.any(|word| changed.contains(word))
    };
    !before.is_empty() && before == after && !is_vague(&before) && !mentions_changed()
}

/// The first block of code in a hover: what follows is documentation.
fn signature(hover: &str) -> String {
    let code = match hover.split_once("```") {
        Some((_, rest)) => {
            let rest = rest.split_once('\n').map_or(rest, |(_, rest)| rest);
            rest.split("```").next().unwrap_or(rest)
        }
        None => hover.split("\n\n").next().unwrap_or(hover),
    };
    code.trim().to_owned()
}

/// `...` that stands for what is left out, and not before a name.
fn is_cut(text: &str) -> bool {
    text.match_indices("...").any(|(at, _)| {
        let next = text[at + 3..].chars().next();
        !next.is_some_and(|c| c == '_' || c == '$' || c == '[' || c == '(' || c.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests;
