//! The directories that may be written to, and the one way into them: from the root downwards, without following a
//! link anywhere on the way.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use crate::dir::Dir;

/// The directories that may be written to, as real paths.
#[derive(Debug)]
pub(crate) struct Roots(Vec<PathBuf>);

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

impl Roots {
    pub(crate) fn new(roots: Vec<PathBuf>) -> Self {
        Self(roots)
    }

    /// True for what lies below a root; a root itself does not.
    pub(crate) fn hold(&self, path: &Path) -> bool {
        self.0.iter().any(|root| path.starts_with(root) && path != root)
    }

    /// Opens a root, or a directory below one.
    pub(crate) fn open(&self, directory: &Path) -> io::Result<Dir> {
        let within = |root: &&PathBuf| directory.starts_with(root);
        let root = self.0.iter().filter(within).max_by_key(|root| root.as_os_str().len());
        let root = root.ok_or(io::ErrorKind::NotFound)?;
        let opened = straight(CWD, root, false)?;
        match directory.strip_prefix(root) {
            Ok(rest) if !rest.as_os_str().is_empty() => Dir::new(straight(&opened, rest, true)?),
            _ => Dir::new(opened),
        }
    }
}

/// Opens a directory where no part of the path is a link, and where asked, nowhere but beneath `from`.
fn straight(from: impl AsFd, path: &Path, beneath: bool) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        let mut resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        resolve.set(ResolveFlags::BENEATH, beneath);
        match openat2(&from, path, DIRECTORY, Mode::empty(), resolve) {
            // An older kernel, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return Ok(opened?),
        }
    }
    walk(from, path, beneath)
}

/// The same, one part after the other.
fn walk(from: impl AsFd, path: &Path, beneath: bool) -> io::Result<OwnedFd> {
    let mut reached: Option<OwnedFd> = None;
    for part in path.components() {
        let name = match part {
            Component::Normal(name) => name,
            Component::RootDir if !beneath => part.as_os_str(),
            _ => return Err(Errno::XDEV.into()),
        };
        let flags = DIRECTORY | OFlags::NOFOLLOW;
        let next = match &reached {
            Some(reached) => openat(reached, name, flags, Mode::empty())?,
            None => openat(&from, name, flags, Mode::empty())?,
        };
        reached = Some(next);
    }
    reached.ok_or_else(|| io::ErrorKind::NotFound.into())
}
