//! Tidying up after a commit: the old versions beside the files go, and the record becomes the receipt.

use crate::dir::Seen;
use crate::dirs::Dirs;
use crate::error::{At, WriteError};
use crate::place::{Place, split};
use crate::receipt::{Conflict, Receipt};
use crate::rollback::stage_bytes;
use crate::state::State;

/// May be interrupted anywhere and done again. Returns what somebody wrote to the old version after it was replaced.
pub(crate) fn finish(state: &State, dirs: &Dirs<'_>, receipt: &Receipt) -> Result<Vec<Conflict>, WriteError> {
    let (doing, max) = ("removing the old version", state.limits.file_bytes);
    let mut conflicts = Vec::new();
    for (number, (place, file)) in Place::all(receipt).iter().zip(&receipt.files).enumerate() {
        let Some(dir) = dirs.back(place.parent)? else { continue };
        dir.mend(&place.stage, &place.spare).at(place.path, doing)?;
        let stage = dir.look(&place.stage, max).at(place.path, doing)?;
        let known = stage.hash().is_some_and(|hash| Some(hash) == file.before || Some(hash) == file.after);
        if stage != Seen::Nothing && !known {
            let bytes = stage_bytes(&dir, place, max)?;
            let kept = bytes.map(|bytes| state.keep(&receipt.id, number, &bytes)).transpose()?;
            conflicts.push(Conflict { path: place.path.to_owned(), kept });
        }
        dir.unlink(&place.stage).at(place.path, doing)?;
    }
    for path in receipt.unmade.iter().rev() {
        if let Some((parent, name)) = split(path)
            && let Some(dir) = dirs.back(parent)?
        {
            dir.remove_directory(name).at(path, "removing the directory")?;
        }
    }
    // Once the receipt is filed, nobody looks for what lies beside the files.
    dirs.sync(receipt.directories().into_iter())?;
    state.file(&receipt.id)?;
    Ok(conflicts)
}
