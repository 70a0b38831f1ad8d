//! Whether anything would miss a symbol: who uses it, how surely that is known, and who uses things unseen.
//!
//! That nobody uses something is a claim about everything. What speaks against it counts, and what cannot be told apart
//! from a use counts as one: `unseen` says it in words.

mod hidden;
mod mentions;

use std::path::Path;

use bowline_code::{Engine, Location, Span, SymbolKind};
use bowline_lsp::Goal;

use super::Named;
use crate::{Patience, Workspace, WorkspaceError};

/// So many other places of the same name are looked into.
const MOST_ASKED: usize = 40;
/// So many places are told in a sentence.
const MOST_TOLD: usize = 5;

/// What is known of the users of a symbol.
#[derive(Debug)]
pub struct Removal {
    pub name: String,
    /// Uses outside of it, by path and line; the first of very many.
    pub uses: Vec<Location>,
    pub total: usize,
    /// A server was asked, or had said it of the same files before.
    pub is_served: bool,
    /// Why there may be users that nobody sees. Empty: everything was looked at.
    pub unseen: Vec<String>,
}

impl Workspace {
    /// Who would miss a symbol of a file.
    pub async fn removal(
        &self,
        path: &Path,
        named: &Named,
        patience: &Patience<'_>,
    ) -> Result<Removal, WorkspaceError> {
        let path = self.resolve(path)?;
        let found = self.references(&path, named.position(), false, patience).await?;
        let is_outside = |place: &Location| place.file != path || !holds(named.range, place.span());
        let inside = found.value.places.iter().filter(|place| !is_outside(place)).count();
        let uses: Vec<Location> = found.value.places.into_iter().filter(is_outside).collect();
        let mut removal = Removal {
            name: found.value.name,
            total: found.value.total - inside,
            uses,
            is_served: found.engine != Engine::Syntax,
            unseen: found.note.into_iter().collect(),
        };
        if removal.total > 0 {
            return Ok(removal);
        }
        if !found.indexed {
            removal.unseen.push("not every file of the project has been looked at".to_owned());
        }
        if !removal.is_served && !is_plain(named) {
            removal.unseen.push(format!(
                "no language server has looked, and `{}` may be used without its name being written",
                named.name
            ));
        }
        let others = self.others_of_that_name(&path, named, removal.is_served, patience).await?;
        if !others.is_empty() {
            let listed = told(&others, |place| format!("{}:{}", place.file.display(), place.line));
            removal.unseen.push(format!("its name is also written where nobody knows whose it is: {listed}"));
        }
        let (owned, named) = (path.clone(), named.clone());
        let (hidden, mentions) = self
            .blocking(patience, move |work| {
                let document = work.read(&owned)?;
                let inside = work.shared.roots.around(&owned).and_then(|root| owned.strip_prefix(root).ok());
                let hidden = hidden::users(document.parsed()?, inside.unwrap_or(&owned), &named);
                Ok((hidden, mentions::of(work, &owned, &named)?))
            })
            .await?;
        removal.unseen.extend(hidden);
        if !mentions.is_empty() {
            let listed = told(&mentions, |(path, line)| format!("{}:{line}", path.display()));
            removal.unseen.push(format!("its name stands in text, by which it can be found: {listed}"));
        }
        Ok(removal)
    }

    /// Where its name is written, and the server does not know that something else is meant: in files that it does not
    /// load, in code for other systems, in untyped code.
    async fn others_of_that_name(
        &self,
        path: &Path,
        named: &Named,
        is_served: bool,
        patience: &Patience<'_>,
    ) -> Result<Vec<Location>, WorkspaceError> {
        let by_name = match self.references_by_name(path, named.position(), false, patience).await {
            Ok(by_name) => by_name.value.places,
            // It is no name to the grammar: an operator, a literal.
            Err(WorkspaceError::NoNameAt { .. } | WorkspaceError::UnknownLanguage { .. }) => Vec::new(),
            Err(error) => return Err(error),
        };
        let is_outside = |place: &Location| place.file != path || !holds(named.range, place.span());
        let mut others = Vec::new();
        for place in by_name.into_iter().filter(is_outside) {
            let asked = is_served && others.len() < MOST_ASKED;
            if !asked || !self.means_something_else(&place, path, named, patience).await? {
                others.push(place);
            }
            if others.len() > MOST_ASKED {
                break;
            }
        }
        Ok(others)
    }

    /// Whether the server says where that name leads, and it is not to this symbol.
    async fn means_something_else(
        &self,
        place: &Location,
        path: &Path,
        named: &Named,
        patience: &Patience<'_>,
    ) -> Result<bool, WorkspaceError> {
        match self.go_to(Goal::Definition, &place.file, place.span().start, patience).await {
            Ok(found) => {
                let leads_here = |at: &Location| at.file == path && holds(named.range, at.span());
                let is_known = found.engine == Engine::Server && !found.value.is_empty();
                Ok(is_known && !found.value.iter().any(|definition| leads_here(&definition.location)))
            }
            Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
            Err(_) => Ok(false),
        }
    }
}

fn told<T>(items: &[T], shown: impl Fn(&T) -> String) -> String {
    let mut listed: Vec<String> = items.iter().take(MOST_TOLD).map(shown).collect();
    if items.len() > MOST_TOLD {
        listed.push(format!("and {} more", items.len() - MOST_TOLD));
    }
    listed.join(", ")
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Something that is used by its name only: neither a member of something, nor something with members.
fn is_plain(named: &Named) -> bool {
    let is_word = named.name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let kind = matches!(named.kind, SymbolKind::Function | SymbolKind::Variable | SymbolKind::Constant);
    is_word && kind
}
