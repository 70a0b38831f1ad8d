//! What a file has beside its bytes: mode, owner, group and extended attributes (access lists among them).

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{
    Gid, Mode, Stat, Uid, XattrFlags, fchmod, fchown, fgetxattr, flistxattr, fremovexattr, fsetxattr, fstat,
};
use rustix::io::Errno;

use crate::error::{At, WriteError};

/// Made from the content by the kernel: on other content they would be wrong.
const NOT_COPIED: [&str; 3] = ["security.ima", "security.evm", "security.capability"];

/// The most that Linux allows for one value, and for the list of names.
const MAX: usize = 64 << 10;

#[derive(Debug, Clone)]
pub(crate) struct Attributes {
    pub(crate) mode: u32,
    /// User and group.
    pub(crate) owner: (u32, u32),
    extended: Vec<(String, Vec<u8>)>,
}

impl Attributes {
    pub(crate) fn read(file: &File, stat: &Stat) -> io::Result<Self> {
        let extended = extended(file)?;
        Ok(Self { mode: stat.st_mode & 0o7777, owner: (stat.st_uid, stat.st_gid), extended })
    }

    /// Gives them to a file. What cannot be kept is an error that names it, and nothing is replaced.
    pub(crate) fn put(&self, file: &File, path: &Path) -> Result<(), WriteError> {
        give_to(file, self.owner)
            .map_err(|error| WriteError::OwnerNotKept { path: path.to_owned(), source: error.into() })?;
        let inherited = extended(file).at(path, "reading its attributes")?;
        let not_kept = |name: &str, error: Errno| {
            let (path, attribute) = (path.to_owned(), name.to_owned());
            WriteError::AttributeNotKept { path, attribute, source: error.into() }
        };
        // What the directory lends to new files, an access list for one, would give an old file new readers.
        for (name, _) in &inherited {
            if !self.extended.iter().any(|(known, _)| known == name) {
                match fremovexattr(file, name.as_str()) {
                    Ok(()) | Err(Errno::NODATA) => {}
                    Err(error) => return Err(not_kept(name, error)),
                }
            }
        }
        for (name, value) in &self.extended {
            if inherited.iter().any(|(known, set)| known == name && set == value) {
                continue;
            }
            match fsetxattr(file, name.as_str(), value, XattrFlags::empty()) {
                Ok(()) => {}
                // Labels of the system: without the right to set them, the directory's own apply.
                Err(_) if name.starts_with("security.") || name.starts_with("trusted.") => {}
                Err(error) => return Err(not_kept(name, error)),
            }
        }
        // Last: a change of owner takes bits away, and an access list changes what the middle ones mean.
        fchmod(file, Mode::from_raw_mode(self.mode)).at(path, "setting its mode")
    }
}

/// For a file that is made again, of which only these are known. Bits that lend the owner's rights are given only
/// with the owner they were meant for: a user's program must not become root's because root took something back.
pub(crate) fn put_mode(file: &File, mode: u32, owner: Option<(u32, u32)>) -> rustix::io::Result<()> {
    let is_theirs = owner.is_some_and(|owner| give_to(file, owner).is_ok());
    let mode = if is_theirs { mode } else { mode & 0o777 };
    fchmod(file, Mode::from_raw_mode(mode))
}

fn give_to(file: &File, owner: (u32, u32)) -> rustix::io::Result<()> {
    let now = fstat(file)?;
    if (now.st_uid, now.st_gid) == owner {
        return Ok(());
    }
    fchown(file, Some(Uid::from_raw(owner.0)), Some(Gid::from_raw(owner.1)))
}

fn extended(file: &File) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut buffer = vec![0; MAX];
    let length = match flistxattr(file, buffer.as_mut_slice()) {
        Ok(length) => length,
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let list = buffer[..length].to_vec();
    let names = list.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let mut all = Vec::new();
    for name in names.filter(|name| !name.is_empty() && !NOT_COPIED.contains(name)) {
        match fgetxattr(file, name, buffer.as_mut_slice()) {
            Ok(length) => all.push((name.to_owned(), buffer[..length].to_vec())),
            Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(_) if name.starts_with("security.") || name.starts_with("trusted.") => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(all)
}
