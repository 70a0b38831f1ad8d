//! What to do with a journal that somebody left behind.

use crate::dirs::Dirs;
use crate::error::WriteError;
use crate::finish::finish;
use crate::guard::Guarded;
use crate::receipt::{Outcome, Recovered, Unusable};
use crate::rollback::roll_back;
use crate::roots::Roots;
use crate::state::{Entry, Phase, State};

/// Brings to an end what lies within the roots. Whoever calls this holds the lock, so nobody is still at it.
pub(crate) fn recover(state: &State, roots: &Roots, guarded: &Guarded) -> Result<Vec<Recovered>, WriteError> {
    let entries = state.entries()?;
    let recovered = entries.into_iter().filter_map(|entry| one(state, roots, guarded, entry)).collect();
    state.sweep_packs()?;
    state.drop_aside()?;
    Ok(recovered)
}

/// None for what belongs to other roots.
fn one(state: &State, roots: &Roots, guarded: &Guarded, entry: Entry) -> Option<Recovered> {
    let (phase, receipt) = match (entry.phase, entry.record) {
        (Some(phase), Ok(receipt)) => (phase, receipt),
        (Some(_), Err(Unusable::Newer(format))) => {
            let reason = format!("it was written in format {format} by a newer bowline");
            return Some(unreadable(entry.name, Outcome::Unfinished { reason }));
        }
        (_, Err(Unusable::Malformed(reason))) => return Some(set_aside(state, entry.name, reason)),
        _ => return Some(set_aside(state, entry.name, "its name is not one of ours".to_owned())),
    };
    let directories = receipt.made.iter().chain(&receipt.unmade);
    let mut paths = receipt.files.iter().map(|file| &file.path).chain(directories);
    if !paths.clone().all(|path| roots.hold(path)) {
        return None;
    }
    let (files, id, label) = (receipt.paths(), receipt.id.clone(), receipt.label.clone());
    if let Some(path) = paths.find(|path| guarded.holds(path)) {
        let reason = WriteError::OwnState(path.clone()).to_string();
        let outcome = Outcome::Unfinished { reason };
        return Some(Recovered { id, label, files, outcome, conflicts: Vec::new() });
    }
    let dirs = Dirs::new(roots);
    let done = match phase {
        Phase::Committed => finish(state, &dirs, &receipt).map(|conflicts| (Outcome::Finished, conflicts)),
        Phase::Prepared | Phase::Staged => {
            roll_back(state, &dirs, &receipt, phase).map(|conflicts| (Outcome::RolledBack, conflicts))
        }
    };
    let (outcome, conflicts) =
        done.unwrap_or_else(|error| (Outcome::Unfinished { reason: error.to_string() }, Vec::new()));
    Some(Recovered { id, label, files, outcome, conflicts })
}

fn set_aside(state: &State, name: String, reason: String) -> Recovered {
    let outcome = match state.set_aside(&name) {
        Ok(()) => Outcome::SetAside { reason },
        Err(error) => Outcome::Unfinished { reason: error.to_string() },
    };
    unreadable(name, outcome)
}

fn unreadable(name: String, outcome: Outcome) -> Recovered {
    Recovered { id: name, label: String::new(), files: Vec::new(), outcome, conflicts: Vec::new() }
}
