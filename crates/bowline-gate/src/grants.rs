//! What a person has allowed for the rest of a conversation.

use serde::{Deserialize, Serialize};

/// One answer that is to be remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// As rules are written. All that was asked about is covered by them together.
    pub entries: Vec<String>,
    /// Of the tool that was asked about. A tool that is defined otherwise is another tool.
    pub definition: Option<String>,
    /// The rule that asked, where it was an entry: a yes answers that one, and what nobody has written a rule for.
    #[serde(default)]
    pub rule: Option<String>,
}

/// More than a person answers in one conversation.
const MOST: usize = 500;

/// All of them. They answer a question that host rules would ask; they open nothing that is denied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grants {
    all: Vec<Grant>,
}

impl Grants {
    pub fn add(&mut self, grant: Grant) {
        if !self.all.contains(&grant) {
            // The oldest is asked about again.
            if self.all.len() == MOST {
                self.all.remove(0);
            }
            self.all.push(grant);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.all.iter()
    }
}
