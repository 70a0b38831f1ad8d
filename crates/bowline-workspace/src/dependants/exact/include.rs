//! `#include`, followed: beside the file first, then wherever the end of a path is the one that is written.

use std::path::{Component, Path, PathBuf};

use bowline_std::fs::absolute;

use super::Importers;
use crate::dependants::family::skip;

pub(super) fn brings_in(importers: &Importers, file: &Path, text: &str, other: &Path) -> bool {
    let beside = file.parent().unwrap_or(file);
    included(text).any(|written| {
        let near = absolute(beside, Path::new(written));
        if near == other {
            return true;
        }
        let tail: PathBuf =
            Path::new(written).components().filter(|part| matches!(part, Component::Normal(_))).collect();
        let could_be_meant = |path: &Path| path.ends_with(&tail);
        could_be_meant(other) && !importers.holds(&near) && importers.is_nearest(file, other, could_be_meant)
    })
}

fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let directive = skip(skip(line.trim_start_matches('\u{feff}'), &[]).strip_prefix('#')?, &[]);
        let named =
            ["include_next", "include", "import"].iter().find_map(|word| directive.strip_prefix(word))?;
        let named = skip(named, &[]);
        let end = match named.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        named.get(1..)?.split_once(end).map(|(path, _)| path.trim()).filter(|path| !path.is_empty())
    })
}
