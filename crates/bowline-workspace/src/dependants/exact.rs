//! Who really brings in a file: the files that write one of its names, read again, and what they write followed to where
//! it leads. Where that cannot be told from the files of the project, it leads nowhere.

mod include;
mod module;
mod package;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Family;
use super::facts::Facts;
use super::look::Sight;
use super::reach::Reach;
use crate::WorkspaceError;
use crate::workspace::Work;

/// The files of one family in a project, and who writes whose name.
pub(crate) struct Importers {
    family: Family,
    reach: Reach,
    /// By the last name they are known by.
    by_name: HashMap<String, Vec<PathBuf>>,
    aliases: module::Aliases,
}

impl Importers {
    /// Blocks. `None`: files of this kind do not bring in one another by name.
    pub(crate) fn look(work: &Work, path: &Path, project: &Path) -> Result<Option<Self>, WorkspaceError> {
        let Some(family) =
            Family::of(path).filter(|it| matches!(it, Family::Script | Family::Python | Family::C))
        else {
            return Ok(None);
        };
        let reach =
            Reach::new(family, Sight::look(work, family, project)?, &HashMap::<PathBuf, Facts>::new());
        let mut by_name: HashMap<String, Vec<PathBuf>> = HashMap::new();
        for path in reach.paths() {
            by_name.entry(last_name(family, path)).or_default().push(path.to_owned());
        }
        Ok(Some(Self { family, reach, by_name, aliases: module::Aliases::new(project) }))
    }

    /// Those who write a name of this file, whatever they mean by it.
    pub(crate) fn mentioning(&self, path: &Path) -> Vec<PathBuf> {
        self.reach.mentioning_file(path)
    }

    /// Whether a file, by its text, brings in another.
    pub(crate) fn brings_in(&self, file: &Path, text: &str, other: &Path) -> bool {
        match self.family {
            Family::Script => module::brings_in(&self.aliases, file, text, other),
            Family::Python => package::brings_in(self, file, text, other),
            Family::C => include::brings_in(self, file, text, other),
            Family::Go | Family::Rust | Family::Other(_) => false,
        }
    }

    /// Every file of the family.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.reach.paths()
    }

    /// Of all files that a name could mean, those nearest to the one who writes it.
    fn is_nearest(&self, from: &Path, to: &Path, could_be_meant: impl Fn(&Path) -> bool) -> bool {
        let near = |path: &Path| from.components().zip(path.components()).take_while(|(a, b)| a == b).count();
        let own = near(to);
        let named = self.by_name.get(&last_name(self.family, to)).into_iter().flatten();
        named.filter(|other| could_be_meant(other)).all(|other| near(other) <= own)
    }

    fn holds(&self, path: &Path) -> bool {
        let named = self.by_name.get(&last_name(self.family, path));
        named.is_some_and(|named| named.iter().any(|other| other == path))
    }
}

fn last_name(family: Family, path: &Path) -> String {
    let path = if family == Family::Python { package::module_of(path) } else { path.to_owned() };
    super::family::name_of(&path)
}
