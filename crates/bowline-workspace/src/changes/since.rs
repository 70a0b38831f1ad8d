//! What has become of changed lines after the change: where they are in the files as they are now.
//!
//! The version that the change led to is compared with the working tree, and the lines are carried through that
//! difference. A line that was itself changed later counts as whatever stands in its place.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::git::Git;
use super::parse::{Hunk, Letter};
use super::{Change, ChangeStatus, LineRange, Since, differences};
use crate::{Patience, WorkspaceError};

/// Names on one command line, in bytes.
const MOST_NAMES: usize = 64 << 10;

/// Marks what is not there any more. Blocks.
pub(super) fn mark_gone(changes: &mut [Change]) {
    for change in changes.iter_mut().filter(|change| change.status != ChangeStatus::Deleted) {
        if change.path.symlink_metadata().is_err() {
            (change.since, change.lines) = (Since::Gone, Vec::new());
        }
    }
}

/// Gives each change the lines of its file as it is now. `version` is a commit, or the option that means the index.
pub(super) async fn follow(
    git: &Git<'_>,
    version: &str,
    changes: &mut [Change],
    patience: &Patience<'_>,
) -> Result<(), WorkspaceError> {
    let followed = |change: &&mut Change| {
        // A file that counts as a whole because git does not say more has no lines to follow.
        let has_lines = change.lines != [LineRange::WHOLE] || change.status == ChangeStatus::Added;
        change.since == Since::Known && !change.lines.is_empty() && has_lines
    };
    let mut batch: Vec<&mut Change> = Vec::new();
    let mut bytes = 0;
    for change in changes.iter_mut().filter(followed) {
        bytes += change.path.as_os_str().len();
        batch.push(change);
        if bytes > MOST_NAMES {
            follow_batch(git, version, std::mem::take(&mut batch), patience).await?;
            bytes = 0;
        }
    }
    follow_batch(git, version, batch, patience).await
}

async fn follow_batch(
    git: &Git<'_>,
    version: &str,
    batch: Vec<&mut Change>,
    patience: &Patience<'_>,
) -> Result<(), WorkspaceError> {
    if batch.is_empty() {
        return Ok(());
    }
    let named = |change: &Change| change.path.strip_prefix(&git.top_level).map(Path::to_owned).ok();
    let paths: Vec<_> = batch.iter().filter_map(|change| named(change)).collect();
    let paths: Vec<&OsStr> = paths.iter().map(|path| path.as_os_str()).collect();
    // A file that is gone is gone: among those that are named, none is looked for under another name.
    let (entries, _) = differences(git, &["--no-renames", version], &paths, patience).await?;
    let mut fates: HashMap<Vec<u8>, Option<Vec<Hunk>>> = HashMap::new();
    for entry in entries {
        // What git no longer tracks is as good as deleted to it, and something of another kind has other lines.
        let is_same = entry.letter == Letter::Modified && entry.pieces == 1;
        let hunks = entry.hunks.filter(|_| is_same);
        let fate = fates.entry(entry.path).or_default();
        *fate = hunks.or(fate.take());
    }
    for change in batch {
        let fate = named(change).and_then(|path| fates.remove(path.as_os_str().as_bytes()));
        match fate {
            None => {}
            Some(Some(hunks)) => change.lines = shift(&change.lines, &hunks),
            Some(None) => (change.since, change.lines) = (Since::Lost, vec![LineRange::WHOLE]),
        }
    }
    Ok(())
}

/// Where lines of an old version are in the new one, given all differences between the two.
pub(super) fn shift(ranges: &[LineRange], hunks: &[Hunk]) -> Vec<LineRange> {
    let mut shifted: Vec<LineRange> = ranges.iter().flat_map(|range| shift_one(*range, hunks)).collect();
    shifted.sort_unstable();
    let mut joined: Vec<LineRange> = Vec::with_capacity(shifted.len());
    for range in shifted {
        match joined.last_mut() {
            // A place where lines were taken away says no more than the changed lines beside it.
            Some(last) if range.first <= last.last.saturating_add(1) => last.last = last.last.max(range.last),
            _ => joined.push(range),
        }
    }
    joined
}

/// Lines were taken away here.
fn is_gap(range: LineRange) -> bool {
    range.last < range.first
}

fn shift_one(range: LineRange, hunks: &[Hunk]) -> Vec<LineRange> {
    // How far lines are moved by all that comes before them.
    let mut by = 0;
    let mut pieces = Vec::new();
    // The first line of the range that has no place yet.
    let mut next = range.first;
    for Hunk { old, new } in hunks {
        let within = match (is_gap(range), is_gap(*old)) {
            (true, _) => old.first < range.first && range.first <= old.last,
            (false, true) => false,
            (false, false) => range.touches(old.first, old.last),
        };
        if within {
            if next < old.first {
                pieces.push(moved(LineRange { first: next, last: old.first - 1 }, by));
            }
            pieces.push(*new);
            next = old.last.saturating_add(1);
            if is_gap(range) {
                return pieces;
            }
        } else if old.first >= range.first && (is_gap(range) || old.first > range.last) {
            break;
        } else if is_gap(*old) && old.first > next {
            // Something came in between, which is not of this change.
            pieces.push(moved(LineRange { first: next, last: old.first - 1 }, by));
            next = old.first;
        }
        by += i64::from(new.last) - i64::from(new.first) - i64::from(old.last) + i64::from(old.first);
    }
    if is_gap(range) || next <= range.last {
        pieces.push(moved(LineRange { first: next, last: range.last }, by));
    }
    pieces
}

fn moved(range: LineRange, by: i64) -> LineRange {
    let to = |line: u32| match line {
        // The end of the file, however long.
        u32::MAX => line,
        line => u32::try_from(i64::from(line) + by).unwrap_or(line),
    };
    LineRange { first: to(range.first), last: to(range.last) }
}
