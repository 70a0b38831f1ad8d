//! From text to a script.
//!
//! The text is read twice, by two readers that share nothing: `parser` follows bash's own rules, and `witness` asks a grammar.
//! What only one of them sees is a doubt. The tree of the first is then walked: `walker` for statements, `simple` for commands,
//! `redirect` for files.

mod aliases;
mod arithmetic;
mod braces;
mod builtins;
mod descriptors;
mod exports;
mod names;
mod parser;
mod places;
mod reading;
mod redirect;
mod resolve;
mod rough;
mod shown;
mod simple;
mod syntax;
mod variables;
mod walker;
mod witness;

pub(crate) use redirect::glob;

use crate::{Access, Script, Surroundings};
use walker::Walker;

/// Longer texts, in bytes, are searched for commands, and not understood. Most of such a text is a here-document or a quotation,
/// which cost little: other bounds count what costs more.
const MAX_BYTES: usize = 1 << 18;

/// What longer texts show is not looked at.
const LONGEST_SHOWN: usize = 4096;

/// A text is walked again if a variable turns out to hold more than it held where it was used.
const MAX_ROUNDS: usize = 3;

/// Reads a command line. Whatever it is given, it answers.
pub fn read(text: &str, surroundings: &Surroundings) -> Script {
    let mut script = walked(text, surroundings);
    // Texts that show a file to a reader are short.
    if text.len() <= LONGEST_SHOWN
        && script.is_readable()
        && script.touches.iter().any(|touch| touch.access == Access::Read)
    {
        let reading = parser::parse(text, parser::Dialect::Bash);
        script.shown = shown::files(&reading.body, surroundings.cwd.as_deref());
    }
    script
}

fn walked(text: &str, surroundings: &Surroundings) -> Script {
    let mut walker = Walker::new(surroundings);
    if text.len() > MAX_BYTES {
        walker.too_much(text, "longer");
        return walker.finish();
    }
    walker.code(text);
    for _ in 0..MAX_ROUNDS {
        if walker.is_spent() {
            walker.too_much(text, "more");
            return walker.finish();
        }
        if !walker.is_outdated() {
            return walker.finish();
        }
        walker = walker.restarted(surroundings);
        walker.code(text);
    }
    if walker.is_spent() {
        walker.too_much(text, "more");
    } else if walker.is_outdated() {
        walker.doubt("its variables change too often to be followed");
    }
    walker.finish()
}
