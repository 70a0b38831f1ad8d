//! Who calls whom, and what is a kind of what.

use std::sync::Arc;

use bowline_code::Position;
use serde_json::{Value, json};

use super::super::Life;
use super::Asker;
use crate::answers::{Call, HierarchyItem};
use crate::{LspError, Shown};

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Callers; supertypes.
    Up,
    /// Callees; subtypes.
    Down,
}

impl Life {
    /// What can be asked about calls at a position: nothing where there is no function.
    pub async fn call_items(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Vec<HierarchyItem>, LspError> {
        self.items("textDocument/prepareCallHierarchy", "call hierarchies", shown, at, asker).await
    }

    /// The calls to an item, or from it.
    pub async fn calls(
        self: &Arc<Self>,
        item: &HierarchyItem,
        direction: Direction,
        asker: Asker<'_>,
    ) -> Result<Vec<Call>, LspError> {
        let (method, end) = match direction {
            Direction::Up => ("callHierarchy/incomingCalls", "from"),
            Direction::Down => ("callHierarchy/outgoingCalls", "to"),
        };
        let params = json!({"item": item.as_sent});
        let answer = self.ask(method, params, self.limits().hierarchy, asker.stop).await?;
        self.read(method, asker, |reader| reader.calls(&answer, end, &item.location.file))
    }

    /// What can be asked about types at a position.
    pub async fn type_items(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Vec<HierarchyItem>, LspError> {
        self.items("textDocument/prepareTypeHierarchy", "type hierarchies", shown, at, asker).await
    }

    /// The types right above an item, or right below it.
    pub async fn types(
        self: &Arc<Self>,
        item: &HierarchyItem,
        direction: Direction,
        asker: Asker<'_>,
    ) -> Result<Vec<HierarchyItem>, LspError> {
        let method = match direction {
            Direction::Up => "typeHierarchy/supertypes",
            Direction::Down => "typeHierarchy/subtypes",
        };
        let params: Value = json!({"item": item.as_sent});
        let answer = self.ask(method, params, self.limits().hierarchy, asker.stop).await?;
        self.read(method, asker, |reader| reader.items(&answer))
    }

    async fn items(
        self: &Arc<Self>,
        method: &'static str,
        what: &'static str,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Vec<HierarchyItem>, LspError> {
        let params = self.place(shown, at);
        let answer = self.question(method, what, shown, params, self.limits().hierarchy, asker).await?;
        self.read(method, asker, |reader| reader.items(&answer))
    }
}
