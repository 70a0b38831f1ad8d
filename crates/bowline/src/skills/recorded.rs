//! A store whose finds are on the record: once at first, and again whenever they are others.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bowline_audit::{Audit, Discovery, Rejection, Shadowing};
use bowline_call::ConversationId;
use bowline_skills::{Catalogue, PhaseTable, PhasesError, Skill, SkillError, Store, Summary};

pub(crate) struct Recorded {
    store: Arc<dyn Store>,
    audit: Audit,
    conversation: ConversationId,
    last: Mutex<Option<(Catalogue, Found)>>,
}

/// What a record says of a look for skills.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    roots: Vec<PathBuf>,
    names: Vec<String>,
    shadowed: Vec<Shadowing>,
    rejected: Vec<Rejection>,
}

impl Recorded {
    pub(crate) fn new(store: Arc<dyn Store>, audit: Audit, conversation: ConversationId) -> Self {
        Self { store, audit, conversation, last: Mutex::default() }
    }

    fn record(&self, catalogue: &Catalogue) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_some_and(|(before, _)| before == catalogue) {
            return;
        }
        let found = Found::of(catalogue);
        let is_known = last.as_ref().is_some_and(|(_, before)| *before == found);
        *last = Some((catalogue.clone(), found.clone()));
        if is_known {
            return;
        }
        let Found { roots, names, shadowed, rejected } = found;
        // It never waits, so two who look at once are recorded one after the other.
        self.audit.discovered(Discovery {
            conversation: Some(self.conversation.clone()),
            origin: None,
            roots,
            found: names,
            shadowed,
            rejected,
        });
    }
}

impl Found {
    fn of(catalogue: &Catalogue) -> Self {
        let shadowed = catalogue.shadowed.iter().map(|one| Shadowing {
            name: one.name.clone(),
            hidden: one.hidden.clone(),
            by: one.by.clone(),
        });
        let rejected = catalogue.rejected.iter().map(|one| {
            let findings: Vec<String> = one.findings.iter().map(ToString::to_string).collect();
            Rejection { place: one.place.clone(), why: findings.join("; ") }
        });
        Self {
            roots: catalogue.roots.clone(),
            names: catalogue.skills.iter().map(|skill| skill.name.clone()).collect(),
            shadowed: shadowed.collect(),
            rejected: rejected.collect(),
        }
    }
}

impl Store for Recorded {
    fn list(&self) -> Catalogue {
        let catalogue = self.store.list();
        self.record(&catalogue);
        catalogue
    }

    fn load(&self, name: &str, max_bytes: usize) -> Result<Skill, SkillError> {
        self.store.load(name, max_bytes)
    }

    fn read_file(&self, name: &str, path: &str, max_bytes: usize) -> Result<String, SkillError> {
        self.store.read_file(name, path, max_bytes)
    }

    fn phases(&self, name: &str) -> Result<Option<PhaseTable>, PhasesError> {
        self.store.phases(name)
    }

    fn summary(&self, name: &str) -> Result<Summary, SkillError> {
        self.store.summary(name)
    }

    fn is_quick(&self) -> bool {
        self.store.is_quick()
    }

    fn reserved(&self) -> Vec<String> {
        self.store.reserved()
    }
}
