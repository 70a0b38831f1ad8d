//! Vitest, run as `vitest run --reporter=json --outputFile=FILE`: the document is read from the file, because from
//! version 5 on it is never printed (before, without `--outputFile`, it went to stdout). Names are full ones, as
//! `--testNamePattern` wants them (it is a regular expression: escape them). A file that could not be run is one failure,
//! named by its path.

use super::jest;
use crate::Report;

pub(crate) fn read(output: &str) -> Report {
    jest::document(output, worded)
}

/// Up to version 4 the reason of a time-out is lost on its way into the document, and a mark stands in its place.
fn worded(message: &str) -> &str {
    if message.trim() == "STACK_TRACE_ERROR" { "timed out" } else { message }
}

#[cfg(test)]
mod tests;
