//! What cargo writes: one JSON object per line. Only what is read of it is named here.

use std::path::PathBuf;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(tag = "reason")]
pub(super) enum Message {
    #[serde(rename = "compiler-message")]
    Compiler { message: Said },
    /// Something was made, now or before.
    #[serde(rename = "compiler-artifact")]
    Made { target: Target, filenames: Vec<PathBuf> },
    #[serde(rename = "build-finished")]
    Finished { success: bool },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) src_path: PathBuf,
}

/// A diagnostic of the compiler, or a part of one.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    pub(super) message: String,
    pub(super) code: Option<Code>,
    pub(super) level: String,
    pub(super) spans: Vec<Place>,
    pub(super) children: Vec<Said>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Code {
    pub(super) code: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Place {
    /// Relative to the workspace, for what is in it.
    pub(super) file_name: String,
    pub(super) byte_start: usize,
    pub(super) byte_end: usize,
    pub(super) line_start: u32,
    pub(super) line_end: u32,
    pub(super) column_start: u32,
    pub(super) column_end: u32,
    pub(super) is_primary: bool,
    pub(super) label: Option<String>,
    /// Where the macro was called that this place is in, or that brought it about.
    pub(super) expansion: Option<Box<Expansion>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Expansion {
    pub(super) span: Place,
}

impl Place {
    /// This place, and then the calls of macros around it, from the inside out.
    pub(super) fn outwards(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |place| place.expansion.as_ref().map(|outer| &outer.span))
    }
}
