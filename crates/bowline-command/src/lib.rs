//! What a shell command would do: every command in it, every file it touches, and every doubt.
//!
//! Pure: no disk, no environment, no process. The whole grammar is walked, and nothing is cut off: what cannot be followed
//! is a doubt, and never silence.

mod programs;
mod script;
mod walk;
mod word;

pub use programs::is_word_of_shell;
pub use script::{
    Access, Bare, Command, Core, Creates, Doubt, Filter, Pin, Script, ShellKind, Source, Surroundings, Touch,
};
pub use walk::read;
pub use word::Word;
