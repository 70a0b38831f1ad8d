//! All that rules have learned, as data that outlives a process.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Ledger;
use crate::fence::Fences;
use crate::{ActiveSkill, Grants, ProfileState, Stand};

/// Raised with every change to what is written below. Another one's words are not guessed at.
const VERSION: u64 = 1;

/// What is no snapshot of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSnapshot {
    #[error(
        "it was written by another version of bowline (form {found}, this one knows {VERSION}); use that version, or begin another conversation"
    )]
    OtherVersion { found: u64 },
    #[error("it is no snapshot of a conversation: {0}")]
    Unreadable(String),
}

/// What rules have learned in a conversation, at one moment. Serialise it to keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Snapshot {
    version: u64,
    pub(super) active: Option<ActiveSkill>,
    pub(super) fences: Fences,
    pub(super) stand: Stand,
    pub(super) profile: ProfileState,
    pub(super) grants: Grants,
}

impl Snapshot {
    pub(super) fn new(ledger: &Ledger) -> Self {
        Self {
            version: VERSION,
            active: ledger.active.clone(),
            fences: ledger.fences.clone(),
            stand: ledger.stand,
            profile: ledger.profile.clone(),
            grants: ledger.grants.clone(),
        }
    }

    /// Reads what was serialised. What is missing or unknown is an error: half a snapshot would be half a rule.
    pub fn parse(text: &str) -> Result<Self, BadSnapshot> {
        let value: Value = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        value.try_into()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u64,
    active: Option<ActiveSkill>,
    fences: Fences,
    stand: Stand,
    profile: ProfileState,
    grants: Grants,
}

impl TryFrom<Value> for Snapshot {
    type Error = BadSnapshot;

    fn try_from(value: Value) -> Result<Self, BadSnapshot> {
        match value.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(found) => return Err(BadSnapshot::OtherVersion { found }),
            None => return Err(BadSnapshot::Unreadable("it says no version".into())),
        }
        let written: Written = serde_json::from_value(value).map_err(|error| unreadable(&error))?;
        let Written { version, active, fences, stand, profile, grants } = written;
        Ok(Self { version, active, fences, stand, profile, grants })
    }
}

fn unreadable(error: &serde_json::Error) -> BadSnapshot {
    BadSnapshot::Unreadable(error.to_string())
}
