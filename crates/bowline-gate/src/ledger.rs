//! What happened so far in one conversation: the only state that rules have.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bowline_call::{CallId, Effect};
use serde::{Deserialize, Serialize};

use crate::fence::Fences;
use crate::{ActiveSkill, By, Grants, News, NotActivated, Notice, ProfileState, Stand, phases};

/// One call that came to an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub call: CallId,
    pub tool: Arc<str>,
    pub effect: Effect,
    /// Real paths.
    pub files: Arc<[PathBuf]>,
    pub at: SystemTime,
    pub success: bool,
}

/// Append-only. Serialising it is a snapshot, deserialising restores it, a fresh one is a reset.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ledger {
    entries: Vec<LedgerEntry>,
    /// The skill whose order is kept.
    #[serde(default)]
    active: Option<ActiveSkill>,
    #[serde(default)]
    fences: Fences,
    #[serde(default)]
    stand: Stand,
    #[serde(default)]
    pub(crate) profile: ProfileState,
    #[serde(default)]
    grants: Grants,
    /// What nobody has been told yet.
    #[serde(skip)]
    news: Vec<News>,
    /// Names and files that entries share: a conversation is long, and calls the same few tools on the same few files.
    #[serde(skip)]
    tools: HashSet<Arc<str>>,
    #[serde(skip)]
    files: HashSet<Arc<[PathBuf]>>,
}

impl PartialEq for Ledger {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
            && self.active == other.active
            && self.fences == other.fences
            && self.profile == other.profile
            && self.grants == other.grants
    }
}

impl Eq for Ledger {}

impl Ledger {
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    pub fn append(&mut self, mut entry: LedgerEntry) {
        entry.tool = shared(&mut self.tools, entry.tool);
        entry.files = shared(&mut self.files, entry.files);
        self.entries.push(entry);
    }

    /// The skill whose order is kept.
    pub fn active(&self) -> Option<&ActiveSkill> {
        self.active.as_ref()
    }

    pub(crate) fn active_mut(&mut self) -> Option<&mut ActiveSkill> {
        self.active.as_mut()
    }

    /// From now on the order of this skill is kept.
    pub fn activate(&mut self, by: By<'_>, skill: ActiveSkill) -> Result<(), NotActivated> {
        if let Some(active) = &self.active {
            return Err(NotActivated(active.skill.clone()));
        }
        self.tell(by, Notice::Activated(phases::place(&skill)));
        self.active = Some(skill);
        Ok(())
    }

    /// No order is kept any more. Says which was.
    pub fn deactivate(&mut self, by: By<'_>) -> Option<ActiveSkill> {
        let skill = self.active.take()?;
        self.tell(by, Notice::Deactivated(phases::place(&skill)));
        Some(skill)
    }

    pub fn fences(&self) -> &Fences {
        &self.fences
    }

    pub(crate) fn fences_mut(&mut self) -> &mut Fences {
        &mut self.fences
    }

    /// What a person has allowed for the rest of the conversation.
    pub fn grants(&self) -> &Grants {
        &self.grants
    }

    pub fn grants_mut(&mut self) -> &mut Grants {
        &mut self.grants
    }

    /// Where it stands.
    pub fn stand(&self) -> Stand {
        self.stand
    }

    pub(crate) fn tell(&mut self, by: By<'_>, notice: Notice) {
        match &notice {
            Notice::Activated(_) | Notice::Deactivated(_) | Notice::Advanced { .. } => self.stand.0 += 1,
            Notice::PolicyChanged(_) => {}
        }
        self.news.push(News { call: by.call, tool: by.tool.to_owned(), notice });
    }

    /// What has changed since this was last asked.
    pub fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }
}

/// The one that is known already, if it is the same.
fn shared<T: ?Sized + Eq + Hash>(known: &mut HashSet<Arc<T>>, new: Arc<T>) -> Arc<T>
where
    Arc<T>: Borrow<T>,
{
    if let Some(same) = known.get(&*new) {
        return Arc::clone(same);
    }
    known.insert(Arc::clone(&new));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_call_again_costs_no_more_names() {
        let entry = || LedgerEntry {
            call: CallId::fresh(),
            tool: "list_symbols".into(),
            effect: Effect::Read,
            files: vec![PathBuf::from("/project/src/lib.rs")].into(),
            at: SystemTime::UNIX_EPOCH,
            success: true,
        };
        let mut ledger = Ledger::default();
        ledger.append(entry());
        ledger.append(entry());
        let [first, second] = ledger.entries() else { panic!("two entries") };
        assert!(Arc::ptr_eq(&first.tool, &second.tool) && Arc::ptr_eq(&first.files, &second.files));
    }
}
