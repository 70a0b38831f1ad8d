//! Several stores as one.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{Catalogue, PhaseTable, PhasesError, Scope, Skill, SkillError, Store, Summary, merge};

/// The catalogues of each store, and all of them as one.
type Merged = (Vec<Catalogue>, Catalogue);

/// All stores that there are. A project's skill shadows a user's, a user's shadows one that is built in, and no project
/// takes the name of one that is built in: what the program does by itself is not for a checkout to change.
#[derive(Clone)]
pub struct Library {
    stores: Vec<Arc<dyn Store>>,
    /// What the stores said last, and what came of it: mostly they say the same again.
    merged: Arc<Mutex<Option<Merged>>>,
}

impl Library {
    /// Of two skills of the same scope, the one of the earlier store is used.
    pub fn new(stores: Vec<Arc<dyn Store>>) -> Self {
        Self { stores, merged: Arc::default() }
    }

    /// The store whose skill of this name is used.
    fn pick(&self, name: &str) -> Result<&dyn Store, SkillError> {
        let name = merge::asked_for(name)?;
        let reserved = self.reserved();
        let mut picked: Option<(Scope, &dyn Store)> = None;
        let mut first_error = None;
        for store in &self.stores {
            match store.summary(name) {
                Ok(found) if found.scope == Scope::Project && merge::is_reserved(name, &reserved) => {}
                Ok(found) if picked.is_none_or(|(scope, _)| found.scope < scope) => {
                    picked = Some((found.scope, store.as_ref()));
                }
                Ok(_) | Err(SkillError::NotFound { .. }) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match picked {
            Some((_, store)) => Ok(store),
            None => Err(first_error.unwrap_or(SkillError::NotFound { name: name.to_owned() })),
        }
    }
}

impl Store for Library {
    fn list(&self) -> Catalogue {
        let parts: Vec<Catalogue> = self.stores.iter().map(|store| store.list()).collect();
        let mut last = self.merged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, merged)) = last.as_ref().filter(|(before, _)| *before == parts) {
            return merged.clone();
        }
        let merged = merge::merge(parts.clone(), &self.reserved());
        *last = Some((parts, merged.clone()));
        merged
    }

    fn load(&self, name: &str, max_bytes: usize) -> Result<Skill, SkillError> {
        self.pick(name)?.load(name, max_bytes)
    }

    fn read_file(&self, name: &str, path: &str, max_bytes: usize) -> Result<String, SkillError> {
        self.pick(name)?.read_file(name, path, max_bytes)
    }

    fn phases(&self, name: &str) -> Result<Option<PhaseTable>, PhasesError> {
        self.pick(name)?.phases(name)
    }

    fn summary(&self, name: &str) -> Result<Summary, SkillError> {
        self.pick(name)?.summary(name)
    }

    fn is_quick(&self) -> bool {
        self.stores.iter().all(|store| store.is_quick())
    }

    fn reserved(&self) -> Vec<String> {
        self.stores.iter().flat_map(|store| store.reserved()).collect()
    }
}
