//! A Node that is new enough: the machine's own, or the pinned one.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::{install, prerequisites, run, tools};

/// Its place on the disk: what it starts may have another `PATH`.
pub(crate) fn at_least(wanted: (u32, u32)) -> Result<PathBuf> {
    match (prerequisites::node(), tools::NODE) {
        (Some(found), _) if found >= wanted => {
            let place =
                run::stdout(run::command("node").args(["-p", "process.execPath"]), Duration::from_secs(30))?;
            Ok(PathBuf::from(place.trim_end()))
        }
        (_, Some(tool)) => install::tool(&tool),
        (_, None) => bail!("the tests need Node ≥ {}.{} on this machine", wanted.0, wanted.1),
    }
}
