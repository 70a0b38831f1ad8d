//! Who calls whom, and what is a kind of what.

use std::path::Path;
use std::sync::Arc;

use bowline_code::{Position, Span};
use bowline_lsp::{Asker, Call, Direction, HierarchyItem, Life, LspError, Shown};

use super::served::{Inquiry, Reach, Served};
use super::{Caller, Found};
use crate::{Patience, Workspace, WorkspaceError};

/// Which ways to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways {
    /// Callers; supertypes.
    pub up: bool,
    /// Callees; subtypes.
    pub down: bool,
}

/// What is around an item. `None` where nobody looked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hierarchy<T> {
    pub items: Vec<HierarchyItem>,
    pub up: Option<Vec<T>>,
    pub down: Option<Vec<T>>,
}

/// Who calls a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Calls {
    /// As a server knows it.
    Known(Hierarchy<Call>),
    /// Where its name is written, and in what. There are no callees without a server.
    ByName { callers: Vec<Caller>, total: usize },
}

impl Workspace {
    /// The calls around the function at a position.
    pub async fn calls(
        &self,
        path: &Path,
        at: Position,
        ways: Ways,
        patience: &Patience<'_>,
    ) -> Result<Found<Calls>, WorkspaceError> {
        // For files elsewhere, which it is to look at as well.
        self.beyond_each(path, &[at], patience).await?;
        let served = self.serve(path, Some(at), Reach::Project, patience, CallsAround { at, ways }).await?;
        let reason = match served {
            Served::Answer { value: (hierarchy, knows_all), indexed } => {
                // Nothing, from a server that has seen one file, is no answer where there is another.
                if !knows_all
                    && hierarchy.up.as_ref().is_some_and(Vec::is_empty)
                    && let Ok(by_name) = self.references_by_name(path, at, false, patience).await
                    && by_name.value.total > 0
                {
                    let total = by_name.value.total;
                    let callers = self.callers(by_name.value.places, patience).await?;
                    let value = Calls::ByName { callers, total };
                    return Ok(Found {
                        value,
                        engine: by_name.engine,
                        indexed: false,
                        note: self.doubt(path),
                    });
                }
                let found = Found::by_server(Calls::Known(hierarchy), indexed && knows_all);
                return self.qualified(found, path, at, patience).await;
            }
            Served::Nobody => None,
            Served::Without(reason) => Some(reason),
        };
        let found = match self.references_by_name(path, at, false, patience).await {
            Ok(found) if found.value.total > 0 || reason.is_none() => found,
            Err(error) if reason.is_none() => return Err(error),
            Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
            _ => return Err(reason.map_or_else(|| self.no_server(path), super::served::Reason::into_error)),
        };
        let total = found.value.total;
        let callers = self.callers(found.value.places, patience).await?;
        let calls = Calls::ByName { callers, total };
        Ok(Found { value: calls, engine: found.engine, indexed: found.indexed, note: None }
            .noting(reason.as_ref()))
    }

    /// The types around the type at a position.
    pub async fn types(
        &self,
        path: &Path,
        at: Position,
        ways: Ways,
        patience: &Patience<'_>,
    ) -> Result<Found<Hierarchy<HierarchyItem>>, WorkspaceError> {
        let around = TypesAround { at, ways };
        let found = self.only_served(path, Some(at), Reach::Project, patience, around).await?;
        self.qualified(found, path, at, patience).await
    }
}

struct CallsAround {
    at: Position,
    ways: Ways,
}

impl Inquiry for CallsAround {
    /// The calls, and whether the server knows of all files.
    type Answer = (Hierarchy<Call>, bool);

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Self::Answer, LspError> {
        let items = life.call_items(shown, self.at, asker).await?;
        let mut found =
            Hierarchy { up: self.ways.up.then(Vec::new), down: self.ways.down.then(Vec::new), items };
        for item in &found.items {
            if let Some(up) = &mut found.up {
                up.extend(life.calls(item, Direction::Up, asker).await?);
            }
            if let Some(down) = &mut found.down {
                down.extend(life.calls(item, Direction::Down, asker).await?);
            }
        }
        for calls in [&mut found.up, &mut found.down].into_iter().flatten() {
            merge(calls);
        }
        Ok((found, life.knows_all_files()))
    }
}

/// Each other end once, with all of its calls.
fn merge(calls: &mut Vec<Call>) {
    calls.sort_by(|left, right| left.item.location.cmp(&right.item.location));
    calls.dedup_by(|later, earlier| {
        let same = later.item.location == earlier.item.location;
        if same {
            let mut places: Vec<Span> = std::mem::take(&mut earlier.places);
            places.append(&mut later.places);
            places.sort_unstable();
            places.dedup();
            earlier.places = places;
        }
        same
    });
}

struct TypesAround {
    at: Position,
    ways: Ways,
}

impl Inquiry for TypesAround {
    type Answer = Hierarchy<HierarchyItem>;

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Self::Answer, LspError> {
        let items = life.type_items(shown, self.at, asker).await?;
        let mut found =
            Hierarchy { up: self.ways.up.then(Vec::new), down: self.ways.down.then(Vec::new), items };
        for item in &found.items {
            if let Some(up) = &mut found.up {
                up.extend(life.types(item, Direction::Up, asker).await?);
            }
            if let Some(down) = &mut found.down {
                down.extend(life.types(item, Direction::Down, asker).await?);
            }
        }
        for items in [&mut found.up, &mut found.down].into_iter().flatten() {
            items.sort_by(|left, right| left.location.cmp(&right.location));
            items.dedup_by(|later, earlier| later.location == earlier.location);
        }
        Ok(found)
    }
}
