//! Skills in memory, some of which misbehave.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};

use bowline_mcp::Prompts;
use bowline_skills::{
    Catalogue, Location, Locations, PhaseTable, PhasesError, Scope, Skill, SkillError, Store, Summary,
    Truncation,
};

/// The text of every skill here.
pub(crate) const BODY: &str = "# How\n\nStep by step, and not one of them left out.\n";

#[derive(Default)]
pub(crate) struct Shelf {
    skills: Mutex<Vec<Arc<Summary>>>,
    /// Whether the disk answers again.
    released: (Mutex<bool>, Condvar),
}

impl Shelf {
    /// With skills of these names and hints.
    pub(crate) fn of<'a>(skills: impl IntoIterator<Item = (&'a str, &'a str)>) -> Arc<Self> {
        let shelf = Self::default();
        for (name, hint) in skills {
            shelf.put(name, hint, "What it is for.");
        }
        Arc::new(shelf)
    }

    pub(crate) fn put(&self, name: &str, hint: &str, description: &str) {
        let metadata = BTreeMap::from([("argument-hint".to_owned(), hint.to_owned())]);
        let skill = Summary {
            name: name.to_owned(),
            description: description.to_owned(),
            license: None,
            compatibility: None,
            allowed_tools: None,
            metadata,
            has_phases: false,
            scope: Scope::User,
            location: Location::File(format!("/skills/{name}/SKILL.md").into()),
        };
        let mut skills = self.skills.lock().unwrap();
        skills.push(Arc::new(skill));
        skills.sort_by(|left, right| left.name.cmp(&right.name));
    }

    pub(crate) fn take(&self, name: &str) {
        self.skills.lock().unwrap().retain(|skill| skill.name != name);
    }

    pub(crate) fn prompts(self: &Arc<Self>, max_bytes: usize) -> Prompts {
        Prompts::new(Arc::clone(self) as _, max_bytes, Locations::Hidden)
    }

    /// Lets go of all who wait for the disk.
    pub(crate) fn release(&self) {
        *self.released.0.lock().unwrap() = true;
        self.released.1.notify_all();
    }
}

impl Store for Shelf {
    fn list(&self) -> Catalogue {
        Catalogue { skills: self.skills.lock().unwrap().clone(), ..Catalogue::default() }
    }

    fn load(&self, name: &str, max_bytes: usize) -> Result<Skill, SkillError> {
        match name {
            "panic" => panic!("secret panic text"),
            "hang" => {
                let released = self.released.0.lock().unwrap();
                drop(self.released.1.wait_while(released, |released| !*released).unwrap());
            }
            "broken" => return Err(SkillError::Unreadable("`/skills/broken`: line 3".into())),
            _ => {}
        }
        let skills = self.list().skills;
        let found = skills.iter().find(|skill| skill.name == name.trim());
        let summary = found.ok_or_else(|| SkillError::NotFound { name: name.to_owned() })?;
        let kept = &BODY[..max_bytes.min(BODY.len())];
        let cut = Truncation { kept_bytes: kept.len(), total_bytes: BODY.len() as u64 };
        Ok(Skill {
            summary: Summary::clone(summary),
            body: kept.to_owned(),
            truncated: (kept.len() < BODY.len()).then_some(cut),
            files: Vec::new(),
            warnings: Vec::new(),
        })
    }

    fn read_file(&self, name: &str, path: &str, _max_bytes: usize) -> Result<String, SkillError> {
        Err(SkillError::FileNotFound { name: name.to_owned(), path: path.to_owned() })
    }

    fn phases(&self, _name: &str) -> Result<Option<PhaseTable>, PhasesError> {
        Ok(None)
    }
}
