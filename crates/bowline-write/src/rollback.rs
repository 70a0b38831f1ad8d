//! Putting everything back that an unfinished write has done. What is to be done follows from what lies there, not
//! from how it came there: so the same steps serve a write that failed and a recovery after a crash, and may
//! themselves be interrupted anywhere.

use crate::attributes::Attributes;
use crate::check::Dress;
use crate::dir::{Dir, Opened, Seen, read};
use crate::dirs::Dirs;
use crate::error::{At, WriteError};
use crate::place::{Place, split};
use crate::receipt::{Conflict, Receipt, Written};
use crate::state::{Phase, State};
use crate::transaction::write_version;

/// Maximum number of times that two names of a file change places, while another process writes to one of them.
const MAX_EXCHANGES: usize = 64;

/// Returns the files that somebody else has changed since, and which are left to them.
pub(crate) fn roll_back(
    state: &State,
    dirs: &Dirs<'_>,
    receipt: &Receipt,
    phase: Phase,
) -> Result<Vec<Conflict>, WriteError> {
    let places = Place::all(receipt);
    let mut conflicts = Vec::new();
    // Before everything was staged, no file was touched.
    if phase != Phase::Prepared {
        let mut failed = None;
        for (number, place) in places.iter().enumerate().rev() {
            match put_back(state, dirs, receipt, number, place) {
                Ok(conflict) => conflicts.extend(conflict),
                // One file that cannot be put back must not keep the others from it.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        // Old versions must be durable in their places before the new ones go.
        dirs.sync(receipt.directories().into_iter())?;
    }
    for place in &places {
        if let Some(dir) = dirs.back(place.parent)? {
            for name in [&place.stage, &place.spare, &place.fresh] {
                dir.unlink(name).at(place.path, "removing the new version")?;
            }
        }
    }
    for path in receipt.made.iter().rev() {
        if let Some((parent, name)) = split(path)
            && let Some(dir) = dirs.back(parent)?
        {
            dir.remove_directory(name).at(path, "removing the directory")?;
        }
    }
    dirs.sync(receipt.directories().into_iter())?;
    state.forget(&receipt.id)?;
    Ok(conflicts)
}

fn put_back(
    state: &State,
    dirs: &Dirs<'_>,
    receipt: &Receipt,
    number: usize,
    place: &Place<'_>,
) -> Result<Option<Conflict>, WriteError> {
    let Some(file) = receipt.files.get(number) else { return Ok(None) };
    let Some(dir) = dirs.back(place.parent)? else {
        // The directory went away. A new file went with it, and an old one was theirs to remove.
        return if file.before.is_some() { theirs(state, receipt, number, None) } else { Ok(None) };
    };
    let doing = "putting the old version back";
    let max = state.limits.file_bytes;
    dir.mend(&place.stage, &place.spare).at(place.path, doing)?;
    let target = dir.look(place.name, max).at(place.path, doing)?;
    let stage = dir.look(&place.stage, max).at(place.path, doing)?;
    match what_to_do(file, target, stage) {
        Deed::Nothing => Ok(None),
        Deed::Swap => exchange_back(&dir, place, target, stage, max).map(|()| None),
        Deed::Restore => restore(state, &dir, receipt, (number, place), target, max),
        Deed::Unlink => dir.unlink(place.name).at(place.path, doing).map(|()| None),
        Deed::TakeAway => take_away(&dir, file, place, max),
        Deed::Return => dir.rename_new(&place.stage, place.name).at(place.path, doing).map(|()| None),
        Deed::Leave => Ok(Some(Conflict { path: place.path.to_owned(), kept: None })),
        Deed::KeepStage => theirs(state, receipt, number, stage_bytes(&dir, place, max)?),
        Deed::KeepOld => theirs(state, receipt, number, None),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Nothing,
    /// The stage holds what was there before us.
    Swap,
    /// Somebody removed the stage; the pack still has it.
    Restore,
    /// A second name of our own new file.
    Unlink,
    /// Our new file goes, after a look at what it is.
    TakeAway,
    /// The removed file comes back.
    Return,
    /// Somebody else's, and nothing of ours is left to keep.
    Leave,
    /// Somebody else's; what the stage holds is kept.
    KeepStage,
    /// Somebody else's; what the pack holds is kept.
    KeepOld,
}

fn what_to_do(file: &Written, target: Seen, stage: Seen) -> Deed {
    match (file.before, file.after) {
        (Some(before), Some(after)) => match stage {
            Seen::Nothing if target.is(before) => Deed::Nothing,
            Seen::Nothing if target.is(after) => Deed::Restore,
            Seen::Nothing => Deed::KeepOld,
            // Not exchanged yet, or exchanged back already.
            stage if stage.is(after) && target.is(before) => Deed::Nothing,
            stage if stage.is(after) => Deed::Leave,
            _ if target.is(after) => Deed::Swap,
            _ => Deed::KeepStage,
        },
        (None, Some(after)) => match stage {
            Seen::Nothing if target.is(after) => Deed::TakeAway,
            Seen::Nothing if target == Seen::Nothing => Deed::Nothing,
            Seen::Nothing => Deed::Leave,
            stage if stage.is_same(target) => Deed::Unlink,
            _ => Deed::Nothing,
        },
        (Some(before), None) => match stage {
            Seen::Nothing if target.is(before) => Deed::Nothing,
            Seen::Nothing => Deed::KeepOld,
            _ if target == Seen::Nothing => Deed::Return,
            stage if stage.is_same(target) => Deed::Nothing,
            _ => Deed::KeepStage,
        },
        (None, None) => Deed::Nothing,
    }
}

/// Lets the stage and our new file change places again, and looks at what came out. If that is not our file, another process
/// wrote in between, and its version is newer than the one that was put back: the two change places once more.
fn exchange_back(
    dir: &Dir,
    place: &Place<'_>,
    target: Seen,
    stage: Seen,
    max: u64,
) -> Result<(), WriteError> {
    let doing = "putting the old version back";
    let (mut comes, mut goes) = (target, stage);
    for _ in 0..MAX_EXCHANGES {
        dir.swap(&place.stage, place.name, &place.spare).at(place.path, doing)?;
        let came = dir.look(&place.stage, max).at(place.path, doing)?;
        if came.is_same(comes) {
            return Ok(());
        }
        (comes, goes) = (goes, came);
    }
    let busy = std::io::Error::other("another process writes the file again and again");
    Err(WriteError::io(place.path, doing, busy))
}

fn restore(
    state: &State,
    dir: &Dir,
    receipt: &Receipt,
    (number, place): (usize, &Place<'_>),
    target: Seen,
    max: u64,
) -> Result<Option<Conflict>, WriteError> {
    let doing = "putting the old version back";
    let (Some(old), Opened::File(file, stat)) =
        (state.old_version(receipt, number), dir.open(place.name).at(place.path, doing)?)
    else {
        return theirs(state, receipt, number, None);
    };
    let dress = Dress::Like(Attributes::read(&file, &stat).at(place.path, doing)?);
    // Under another name until it is whole: half a stage would be taken for somebody's file.
    dir.unlink(&place.fresh).at(place.path, doing)?;
    write_version(dir, &place.fresh, place.path, &old, &dress)?;
    dir.rename_new(&place.fresh, &place.stage).at(place.path, doing)?;
    let stage = dir.look(&place.stage, max).at(place.path, doing)?;
    exchange_back(dir, place, target, stage, max).map(|()| None)
}

/// The name is freed first and looked at afterwards: whoever writes to it in this moment loses nothing.
fn take_away(dir: &Dir, file: &Written, place: &Place<'_>, max: u64) -> Result<Option<Conflict>, WriteError> {
    let doing = "removing the new file";
    dir.rename_new(place.name, &place.stage).at(place.path, doing)?;
    if dir.look(&place.stage, max).at(place.path, doing)?.hash() == file.after {
        return Ok(None);
    }
    dir.rename_new(&place.stage, place.name).at(place.path, doing)?;
    Ok(Some(Conflict { path: place.path.to_owned(), kept: None }))
}

/// The file belongs to somebody else now. The given bytes, or else the old version, are kept.
fn theirs(
    state: &State,
    receipt: &Receipt,
    number: usize,
    bytes: Option<Vec<u8>>,
) -> Result<Option<Conflict>, WriteError> {
    let bytes = bytes.or_else(|| state.old_version(receipt, number));
    let kept = bytes.map(|bytes| state.keep(&receipt.id, number, &bytes)).transpose()?;
    let file = receipt.files.get(number);
    Ok(file.map(|file| Conflict { path: file.path.clone(), kept }))
}

/// What the stage holds, if it is a file.
pub(crate) fn stage_bytes(dir: &Dir, place: &Place<'_>, max: u64) -> Result<Option<Vec<u8>>, WriteError> {
    match dir.open(&place.stage).at(place.path, "reading it again")? {
        Opened::File(file, _) => read(file, max).at(place.path, "reading it again"),
        Opened::Nothing | Opened::Other(_) => Ok(None),
    }
}
