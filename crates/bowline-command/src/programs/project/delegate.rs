//! A program that runs another one of the project's or of an environment's, with words that are that one's own.

use super::runner::{package_name, told_apart};
use crate::programs::meaning::last_part;
use crate::programs::{self, Meaning, table};
use crate::{Core, Pin, Word};

/// Where the inner program is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    /// From the project's packages, or fetched by its name: an entry for a program of that name does not mean it.
    Fetched,
    /// The same program as without the outer one, if the project itself gives none of that name. So an entry for one that runs
    /// the project's code means it, and no other entry.
    Own,
    /// The very program that would be run without the outer one.
    Same,
}

/// What the program whose name stands at `at` does besides, if it is one that is known.
pub(super) fn within(words: &[Word], at: Option<usize>, mut outer: Meaning, inner: Inner) -> Meaning {
    let Some((at, name)) = at.and_then(|at| Some((at, words[at].literal()?))) else { return outer };
    let mut inner_words = words[at..].to_vec();
    if inner == Inner::Fetched {
        inner_words[0] = Word::Literal(last_part(package_name(name)).to_owned());
    }
    let found = programs::meaning(&inner_words);
    let shift = |pin: Pin| match pin {
        Pin::Words(count) => Pin::Words(at + count),
        Pin::Everything => Pin::Everything,
    };
    let loud = outer.pin == Some(Pin::Everything);
    // What is refused is so however it is started.
    outer.forbidden = outer.forbidden.or(found.forbidden);
    found.touches.into_iter().for_each(|touched| {
        if !outer.touches.contains(&touched) {
            outer.touches.push(touched);
        }
    });
    outer.runs.extend(found.runs);
    outer.shell.extend(found.shell);
    outer.moves_to = outer.moves_to.or(found.moves_to);
    let unreadable = found.doubts.into_iter().filter(|doubt| matches!(doubt, crate::Doubt::Unreadable(_)));
    outer.doubts.extend(unreadable);
    let pin = found.pin.map_or(Pin::Words(at + 1), shift);
    outer.opaque(pin, format!("`{}` runs `{name}`", words[0].shown()));
    let own = match inner {
        Inner::Fetched => return outer,
        Inner::Own | Inner::Same => found.core.unwrap_or(Core { words: inner_words, pin: found.pin }),
    };
    // What the outer program was told besides stands at the end, where no entry for the inner one overlooks it.
    let told = words[1..at].iter().filter(|_| loud).cloned();
    let is_foreign = inner == Inner::Own && !table::runs_the_project(name);
    let pin = if loud || is_foreign { Some(Pin::Everything) } else { own.pin };
    outer.core = Some(told_apart(own.words.into_iter().chain(told).collect(), pin));
    outer
}
