//! Real builds and tests of small projects that fail, each compared with what its program printed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod cpp;
mod go;
mod harness;
mod java;
mod javascript;
mod python;
mod rust;
