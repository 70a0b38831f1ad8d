//! What happened so far in one conversation: the only state that rules have.
//!
//! It is small whatever happens: what rules learned, and the last few calls. The whole log is somebody else's to keep.

mod entry;
mod snapshot;

use std::collections::VecDeque;

pub use entry::LedgerEntry;
pub use snapshot::{BadSnapshot, Snapshot};

use crate::fence::Fences;
use crate::{ActiveSkill, By, Grants, News, NotActivated, Notice, ProfileState, Stand, phases};

/// So many calls are at hand.
pub const RECENT_CALLS: usize = 256;

/// What rules know of a conversation.
///
/// - [`snapshot`](Self::snapshot): all that rules have learned, as data.
/// - [`restore`](Self::restore): rules know what they knew then, and nothing that they learned since. What was called stays called.
/// - [`reset`](Self::reset): as if nothing had ever happened.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// How many calls have ended.
    calls: u64,
    /// The last of them, the oldest first.
    recent: VecDeque<LedgerEntry>,
    /// The skill whose order is kept.
    active: Option<ActiveSkill>,
    fences: Fences,
    stand: Stand,
    pub(crate) profile: ProfileState,
    grants: Grants,
    /// What nobody has been told yet.
    news: Vec<News>,
    /// What is to be added to the log, where one is kept.
    pub(crate) unwritten: Option<Unwritten>,
}

/// What has happened to the log since it was last written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unwritten {
    /// Everything before is gone.
    pub(crate) cleared: bool,
    pub(crate) entries: Vec<LedgerEntry>,
}

impl PartialEq for Ledger {
    fn eq(&self, other: &Self) -> bool {
        self.calls == other.calls
            && self.recent == other.recent
            && self.active == other.active
            && self.fences == other.fences
            && self.profile == other.profile
            && self.grants == other.grants
    }
}

impl Eq for Ledger {}

impl Ledger {
    /// As it was written down.
    pub(crate) fn kept(snapshot: Snapshot, calls: u64, recent: VecDeque<LedgerEntry>) -> Self {
        let Snapshot { active, fences, stand, profile, grants, .. } = snapshot;
        Self { calls, recent, active, fences, stand, profile, grants, ..Self::default() }
    }

    /// How many calls have ended in this conversation, as long as it is.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The last calls that ended, the oldest first.
    pub fn recent(&self) -> impl DoubleEndedIterator<Item = &LedgerEntry> + ExactSizeIterator {
        self.recent.iter()
    }

    pub fn append(&mut self, entry: LedgerEntry) {
        if let Some(unwritten) = &mut self.unwritten {
            unwritten.entries.push(entry.clone());
        }
        self.calls += 1;
        self.remember(entry);
    }

    /// Adds to what is at hand, and to nothing else.
    pub(crate) fn remember(&mut self, entry: LedgerEntry) {
        if self.recent.len() == RECENT_CALLS {
            self.recent.pop_front();
        }
        self.recent.push_back(entry);
    }

    /// All that rules have learned. What was called is not a part of it.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self)
    }

    /// Puts back all that rules had learned then; what they have learned since is gone. The log stays.
    pub fn restore(&mut self, snapshot: Snapshot) {
        let Snapshot { active, fences, profile, grants, stand, .. } = snapshot;
        // A call that is running now was let in by a state that is gone: it counts for no phase of the one that is back.
        let stand = Stand(self.stand.0.max(stand.0) + 1);
        *self = Self { active, fences, profile, grants, stand, ..std::mem::take(self) };
    }

    /// Forgets everything: what rules learned, what they were triggered by, and the log.
    pub fn reset(&mut self) {
        let stand = Stand(self.stand.0 + 1);
        let news = std::mem::take(&mut self.news);
        let unwritten = self.unwritten.is_some().then(|| Unwritten { cleared: true, entries: Vec::new() });
        *self = Self { stand, news, unwritten, ..Self::default() };
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
