//! How far a draft has come, and what can be done with it there.

/// How far a draft has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftState {
    /// Nothing is drafted yet.
    Created,
    /// Something is drafted that nobody has evaluated.
    Mutated,
    /// A server is looking at it.
    Evaluating,
    Evaluated,
    /// It is on disk.
    Committed,
    /// It was dropped.
    Discarded,
    /// What it was made from has changed on disk.
    Dirty,
    /// It is gone.
    Destroyed,
}

impl DraftState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Mutated => "mutated",
            Self::Evaluating => "evaluating",
            Self::Evaluated => "evaluated",
            Self::Committed => "committed",
            Self::Discarded => "discarded",
            Self::Dirty => "dirty",
            Self::Destroyed => "destroyed",
        }
    }

    pub(super) fn can_be_edited(self) -> bool {
        matches!(self, Self::Created | Self::Mutated | Self::Evaluated)
    }

    pub(super) fn can_be_evaluated(self) -> bool {
        matches!(self, Self::Mutated | Self::Evaluated)
    }

    pub(super) fn can_be_committed(self) -> bool {
        matches!(self, Self::Mutated | Self::Evaluated)
    }

    pub(super) fn can_be_discarded(self) -> bool {
        !matches!(self, Self::Committed | Self::Destroyed)
    }

    /// What to do with a draft in this state.
    pub(super) fn way_out(self) -> &'static str {
        match self {
            Self::Created => "edit it first (simulate_edit)",
            Self::Mutated | Self::Evaluated => "commit it (commit_session) or drop it (discard_session)",
            Self::Evaluating => "wait until evaluate_session has answered, or drop it (discard_session)",
            Self::Committed => "it is on disk already: undo_write takes it back",
            Self::Discarded => "its edits are gone: create another (create_simulation_session)",
            Self::Dirty => {
                "what it was made from has changed on disk: destroy it (destroy_session) and draft anew"
            }
            Self::Destroyed => "create another (create_simulation_session)",
        }
    }
}
