//! The compact form of long answers: paths relative to the root, places grouped by file, nothing said twice.
//!
//! The full form is for programs, and small answers are given in it. A model that reads a long one is given the compact
//! form, cut to what it can bear, unless it asks for the full one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bowline_call::MAX_ANSWER_BYTES;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::WireCaller;

/// Up to this size, the full form is given without being asked for.
pub(crate) const MAX_FULL: usize = 6_000;
/// A compact form is no longer: hints, notes and marks stand beside it.
pub(crate) const MAX_COMPACT: usize = MAX_ANSWER_BYTES - 4_000;

/// How much is told of each thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    Compact,
    Full,
}

/// An answer in one of its forms.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Shaped<F, C> {
    Full(F),
    Compact(C),
}

/// The form that was asked for; else the full one where it is small. Each level of the compact form says less than the
/// one before: the first that can be borne is given.
pub(crate) fn shaped<F: Serialize, C: Serialize, L: Copy>(
    full: F,
    detail: Option<Detail>,
    levels: &[L],
    compact: impl Fn(&F, L) -> C,
) -> Shaped<F, C> {
    let is_full = match detail {
        Some(detail) => detail == Detail::Full,
        None => size(&full) <= MAX_FULL,
    };
    if is_full {
        return Shaped::Full(full);
    }
    let mut last = None;
    for level in levels {
        let made = compact(&full, *level);
        if size(&made) <= MAX_COMPACT {
            return Shaped::Compact(made);
        }
        last = Some(made);
    }
    last.map_or(Shaped::Full(full), Shaped::Compact)
}

fn size(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// Where paths are told from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Base<'a>(pub(crate) Option<&'a Path>);

impl Base<'_> {
    /// The path as it is told: relative where it lies within.
    pub(crate) fn path(self, path: &Path) -> String {
        let below = self.0.and_then(|root| path.strip_prefix(root).ok());
        below.unwrap_or(path).display().to_string()
    }

    pub(crate) fn paths(self, paths: &[PathBuf]) -> Vec<String> {
        paths.iter().map(|path| self.path(path)).collect()
    }

    /// Whether it lies within.
    pub(crate) fn holds(self, path: &Path) -> bool {
        self.0.is_some_and(|root| path.starts_with(root))
    }

    /// `name:line` of each, by file; each name once, with all its lines.
    pub(crate) fn by_file(self, callers: &[WireCaller]) -> ByFile {
        let mut files: BTreeMap<String, Vec<(&str, Vec<u32>)>> = BTreeMap::new();
        for caller in callers {
            let names = files.entry(self.path(&caller.file)).or_default();
            match names.iter_mut().find(|(name, _)| *name == caller.name) {
                Some((_, lines)) => lines.push(caller.line),
                None => names.push((&caller.name, vec![caller.line])),
            }
        }
        let told = |(name, lines): (&str, Vec<u32>)| {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{name}:{}", lines.join(","))
        };
        files.into_iter().map(|(file, names)| (file, names.into_iter().map(told).collect())).collect()
    }
}

/// `name:line`, by file.
pub(crate) type ByFile = BTreeMap<String, Vec<String>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_grouped_by_file_and_name() {
        let caller = |name: &str, file: &str, line| WireCaller { name: name.into(), file: file.into(), line };
        let callers = [
            caller("run", "/w/a.py", 3),
            caller("run", "/w/a.py", 9),
            caller("main", "/w/a.py", 5),
            caller("x", "/o/b.py", 1),
        ];
        let grouped = Base(Some(Path::new("/w"))).by_file(&callers);
        assert_eq!(
            serde_json::to_string(&grouped).unwrap(),
            r#"{"/o/b.py":["x:1"],"a.py":["run:3,9","main:5"]}"#
        );
    }

    #[test]
    fn the_first_form_that_can_be_borne_is_given() {
        let long = "x".repeat(MAX_ANSWER_BYTES);
        let told = |full: &str, detail| {
            let levels = [&long[..], "middle", "short"];
            match shaped(full.to_owned(), detail, &levels, |_, level| level.to_owned()) {
                Shaped::Full(text) => format!("full {}", text.len()),
                Shaped::Compact(text) => text,
            }
        };
        assert_eq!(told("small", None), "full 5");
        assert_eq!(told("small", Some(Detail::Compact)), "middle");
        assert_eq!(told(&long, None), "middle");
        assert_eq!(told(&long, Some(Detail::Full)), format!("full {MAX_ANSWER_BYTES}"));
    }
}
