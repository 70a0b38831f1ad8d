//! What a person has allowed for the rest of a conversation.

use serde::{Deserialize, Serialize};

/// One answer that is to be remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// As rules are written. All that was asked about is covered by them together.
    pub entries: Vec<String>,
    /// Of the tool that was asked about. A tool that is defined otherwise is another tool.
    pub definition: Option<String>,
}

/// All of them. They answer a question that host rules would ask; they open nothing that is denied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grants {
    all: Vec<Grant>,
}

impl Grants {
    pub fn add(&mut self, grant: Grant) {
        if !self.all.contains(&grant) {
            self.all.push(grant);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.all.iter()
    }
}
