//! Files that are merely written: what is on the disk when it returns, and nothing more.

use std::fs::File;
use std::io::{Result, Write};
use std::path::Path;

/// As editors do that do not care.
pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    let mut file = File::create(file)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// As editors do that care for one file: whoever reads it sees the old text or the new, even after the power fails.
pub(super) fn replace(file: &Path, text: &str) -> Result<()> {
    let aside = file.with_extension("aside");
    write(&aside, text)?;
    std::fs::rename(&aside, file)?;
    match file.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
