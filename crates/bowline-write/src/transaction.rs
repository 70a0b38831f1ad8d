//! One write from its journal to its receipt. Every step leaves a state from which the next recovery can go on.

use std::io::Write;
use std::path::Path;

use crate::attributes::put_mode;
use crate::check::{Checked, Dress, New};
use crate::dir::Dir;
use crate::dirs::Dirs;
use crate::error::{At, WriteError};
use crate::finish::finish;
use crate::place::{Place, split};
use crate::receipt::{Receipt, Written};
use crate::rollback::roll_back;
use crate::state::{Phase, State};

/// Writes everything, or puts everything back.
pub(crate) fn carry_out(
    state: &State,
    dirs: &Dirs<'_>,
    receipt: &Receipt,
    checked: Checked,
) -> Result<(), WriteError> {
    state.put_pack(&receipt.id, checked.olds.iter().map(Vec::as_slice))?;
    drop(checked.olds);
    match forward(state, dirs, receipt, &checked.news) {
        Ok(()) => {}
        Err((Phase::Committed, source)) => {
            return Err(WriteError::Undecided { id: receipt.id.clone(), source: Box::new(source) });
        }
        Err((phase, source)) => {
            let source = Box::new(source);
            return Err(match roll_back(state, dirs, receipt, phase) {
                Ok(conflicts) if conflicts.is_empty() => *source,
                Ok(conflicts) => WriteError::Overtaken { source, conflicts },
                Err(left) => WriteError::NotPutBack { source, left: Box::new(left) },
            });
        }
    }
    // The files are new and will stay so. What is left to tidy, the next write tidies.
    if let Err(error) = finish(state, dirs, receipt) {
        tracing::warn!(%error, id = receipt.id, "a write is done, but not yet tidied up");
    }
    Ok(())
}

/// Up to the commit. An error comes with the phase in which the files were left.
fn forward(
    state: &State,
    dirs: &Dirs<'_>,
    receipt: &Receipt,
    news: &[New],
) -> Result<(), (Phase, WriteError)> {
    let id = &receipt.id;
    let prepared = |error| (Phase::Prepared, error);
    let staged = |error| (Phase::Staged, error);
    let places = Place::all(receipt);

    state.begin(receipt).map_err(prepared)?;
    make_directories(dirs, receipt).map_err(prepared)?;
    for (place, new) in places.iter().zip(news) {
        stage(dirs, place, new).map_err(prepared)?;
    }
    state.advance(id, Phase::Prepared, Phase::Staged)?;
    for (place, file) in places.iter().zip(&receipt.files) {
        exchange(state, dirs, place, file).map_err(staged)?;
    }
    dirs.sync(receipt.directories().into_iter()).map_err(staged)?;
    state.advance(id, Phase::Staged, Phase::Committed)
}

fn make_directories(dirs: &Dirs<'_>, receipt: &Receipt) -> Result<(), WriteError> {
    for path in &receipt.made {
        let (parent, name) = split(path).ok_or_else(|| WriteError::NotPlain(path.clone()))?;
        dirs.enter(parent)?.make_directory(name).at(path, "making the directory")?;
    }
    Ok(())
}

fn stage(dirs: &Dirs<'_>, place: &Place<'_>, new: &New) -> Result<(), WriteError> {
    match &new.bytes {
        Some(bytes) => {
            write_version(&*dirs.enter(place.parent)?, &place.stage, place.path, bytes, &new.dress)
        }
        None => Ok(()),
    }
}

/// Writes a new version beside the old one, whole, dressed and durable.
pub(crate) fn write_version(
    dir: &Dir,
    name: &str,
    path: &Path,
    bytes: &[u8],
    dress: &Dress,
) -> Result<(), WriteError> {
    // Until it is dressed, nobody else may read what the old file may have hidden.
    let mode = if matches!(dress, Dress::Plain) { 0o666 } else { 0o600 };
    let mut file = dir.create(name, mode).at(path, "making the new version")?;
    file.write_all(bytes).at(path, "writing the new version")?;
    match dress {
        Dress::Plain => {}
        Dress::Mode(mode, owner) => put_mode(&file, *mode, *owner).at(path, "setting its mode")?,
        Dress::Like(attributes) => attributes.put(&file, path)?,
    }
    file.sync_all().at(path, "making the new version durable")
}

/// Lets old and new change places, and looks at what came out: if it is not what was there when it was checked,
/// somebody wrote in between, and keeps what they wrote.
fn exchange(state: &State, dirs: &Dirs<'_>, place: &Place<'_>, file: &Written) -> Result<(), WriteError> {
    let (path, stage, name) = (place.path, &place.stage, place.name);
    let dir = dirs.enter(place.parent)?;
    let max = state.limits.file_bytes;
    let done = match (file.before, file.after) {
        (Some(_), Some(_)) => dir.swap(stage, name, &place.spare),
        (None, _) => dir.rename_new(stage, name),
        (_, None) => dir.rename_new(name, stage),
    };
    let changed = |found| WriteError::Changed { path: path.to_owned(), expected: file.before, found };
    match done {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(changed(None)),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(changed(dir.look(name, max).at(path, "reading it again")?.hash()));
        }
        Err(error) => return Err(WriteError::io(path, "putting the new version in its place", error)),
    }
    match file.before {
        Some(before) => match dir.look(stage, max).at(path, "reading it again")?.hash() {
            Some(found) if found == before => Ok(()),
            found => Err(changed(found)),
        },
        None => Ok(()),
    }
}
