//! Commands of every day and commands of an attacker, through the real binary: the first are decided, the second do not do
//! what the rules deny, with real bash as the judge.
//!
//! `UPDATE_TABLE=1` writes `docs/reference/ordinary-commands.md` anew.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(
    clippy::disallowed_methods,
    reason = "the binary, git and bash are started as their users start them"
)]

mod attacks;
mod gate;
mod generator;
mod judge;
mod ordinary;
mod project;
mod tries;
#[rustfmt::skip]
mod words;
