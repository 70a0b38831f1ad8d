//! What signs mean. They tell of the past: what is there now is looked at, and may be told of later.

use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

use super::{Lookout, Telling};
use crate::watch::change::ChangeKind;
use crate::watch::coverage::Gap;
use crate::watch::inbox::{Sign, What};
use crate::watch::rules::{Node, are_rules};
use crate::watch::source::EACH_DIRECTORY;

impl Lookout {
    pub(super) fn read(&mut self, sign: Sign) {
        let Sign::At(what, path) = sign else { return self.lost() };
        if self.cookies.is_some() && path.parent() == self.cookies.as_deref() {
            return self.read_cookie(what, &path);
        }
        if self.is_past(&path) {
            return;
        }
        if path.file_name().is_some_and(are_rules) {
            return self.lost();
        }
        match what {
            What::Appeared => self.appeared(path),
            What::Written => self.tell(path, ChangeKind::Changed),
            What::Touched => self.touched(path),
            What::Vanished => self.vanished(path, Node::File),
            What::DirectoryVanished => self.vanished(path, Node::Directory),
            What::Unclear if path.symlink_metadata().is_ok() => self.appeared(path),
            What::Unclear => self.vanished(path, Node::File),
        }
    }

    fn read_cookie(&self, what: What, path: &Path) {
        let number = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let (What::Appeared, Some(number)) = (what, number) {
            self.shared.saw(number);
        }
    }

    /// A directory that was moved away still tells of itself, by its old name, until the system has heard that we do
    /// not watch it any more.
    fn is_past(&self, path: &Path) -> bool {
        let tells = self.is_watched(path) || path.parent().is_some_and(|parent| self.is_watched(parent));
        EACH_DIRECTORY && !tells
    }

    fn appeared(&mut self, path: PathBuf) {
        match kind_of(&path) {
            Ok(kind) if kind.is_dir() => self.directory_appeared(path),
            // Gone already; we are about to be told.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            _ => self.tell(path, ChangeKind::Created),
        }
    }

    fn directory_appeared(&mut self, path: PathBuf) {
        if self.forget(&path) {
            // We know one of this name. It may be this one, found before we were told of it, or it may not.
            self.shared.replaced(&path);
        }
        if self.rules.ignores(&path, Node::Directory) {
            self.shared.pass_over();
        } else {
            self.go_through(path, Telling::Files);
            self.publish();
        }
    }

    fn touched(&mut self, path: PathBuf) {
        if self.is_watched(&path) {
            return;
        }
        match kind_of(&path) {
            // We may have been let into it.
            Ok(kind) if kind.is_dir() && EACH_DIRECTORY => self.directory_appeared(path),
            Ok(kind) if kind.is_dir() => {}
            _ => self.tell(path, ChangeKind::Changed),
        }
    }

    fn vanished(&mut self, path: PathBuf, node: Node) {
        let was_watched = self.forget(&path);
        if self.roots.contains(&path) {
            return self.root_vanished(path);
        }
        if path.file_name().is_some_and(|name| name == ".git") {
            self.shared.pass_over();
        }
        // The end of something can be told after the beginning of the next of that name, or when two have changed places.
        match kind_of(&path) {
            Ok(kind) if kind.is_dir() => {
                if was_watched {
                    self.shared.replaced(&path);
                } else {
                    self.tell(path.clone(), ChangeKind::Deleted);
                }
                self.directory_appeared(path);
            }
            Ok(_) if !was_watched => self.tell(path, ChangeKind::Changed),
            _ if was_watched || !self.rules.ignores(&path, node) => {
                self.shared.tell(path, ChangeKind::Deleted);
            }
            _ => {}
        }
    }

    fn root_vanished(&mut self, root: PathBuf) {
        if root.is_dir() {
            return self.lost();
        }
        self.shared.tell(root.clone(), ChangeKind::Deleted);
        self.miss(Gap::Unwatchable { path: root, reason: "it is gone".to_owned() });
        self.publish();
    }
}

/// What is there now. Links are not followed.
fn kind_of(path: &Path) -> io::Result<FileType> {
    path.symlink_metadata().map(|metadata| metadata.file_type())
}
