//! A project whose files change, and what must be true of it now.

use std::time::Instant;

use anyhow::Result;

use crate::projects::Replica;

pub(super) struct World {
    pub(super) replica: Replica,
    expected: Expected,
    /// When its server was last started or killed.
    pub(super) disturbed: Instant,
}

/// Two calls with an equal one asked about the same files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Expected {
    pub(super) is_broken: bool,
    pub(super) has_newcomer: bool,
    pub(super) changes: usize,
}

impl World {
    pub(super) fn new(replica: Replica) -> Self {
        Self { replica, expected: Expected::default(), disturbed: Instant::now() }
    }

    pub(super) fn expected(&self) -> Expected {
        self.expected
    }

    /// The next change of four: a mistake comes, a file comes, the mistake goes, the file goes.
    pub(super) fn change(&mut self) -> Result<&'static str> {
        let Replica { project, root, clean, .. } = &self.replica;
        let (newcomer, text) = project.newcomer;
        let what = match self.expected.changes % 4 {
            0 => {
                std::fs::write(self.replica.main(), format!("{clean}{}", project.mistake))?;
                self.expected.is_broken = true;
                "a mistake"
            }
            1 => {
                std::fs::write(root.join(newcomer), text)?;
                self.expected.has_newcomer = true;
                "a new file"
            }
            2 => {
                std::fs::write(self.replica.main(), clean)?;
                self.expected.is_broken = false;
                "the mistake mended"
            }
            _ => {
                std::fs::remove_file(root.join(newcomer))?;
                self.expected.has_newcomer = false;
                "the new file gone"
            }
        };
        self.expected.changes += 1;
        Ok(what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::PROJECTS;

    #[test]
    fn after_four_changes_all_is_as_before_and_yet_not_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut world = World::new(PROJECTS[0].copy_to(folder.path()).unwrap());
        let before = world.expected();
        let mut seen = Vec::new();
        for _ in 0..4 {
            world.change().unwrap();
            seen.push((world.expected().is_broken, world.expected().has_newcomer));
        }
        assert_eq!(seen, [(true, false), (true, true), (false, true), (false, false)]);
        assert_ne!(world.expected(), before);
        assert_eq!(std::fs::read_to_string(world.replica.main()).unwrap(), world.replica.clean);
        assert!(!world.replica.root.join(world.replica.project.newcomer.0).exists());
    }
}
