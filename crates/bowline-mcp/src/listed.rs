//! Which list of tools a client knows of.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// The names that it was told, or `None` for all of them.
#[derive(Debug, Default)]
pub(crate) struct Listed(Mutex<Option<HashSet<String>>>);

impl Listed {
    /// Takes down what it would be told now, and says whether that is news.
    pub(crate) fn changes(&self, now: Option<HashSet<&str>>) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = match (&*known, &now) {
            (None, None) => true,
            (Some(known), Some(now)) => {
                known.len() == now.len() && known.iter().all(|name| now.contains(name.as_str()))
            }
            _ => false,
        };
        if !same {
            *known = now.map(|now| now.into_iter().map(str::to_owned).collect());
        }
        !same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_news() {
        let listed = Listed::default();
        let names = |names: &[&'static str]| Some(names.iter().copied().collect());
        assert!(!listed.changes(None), "all of them is where everybody begins");
        assert!(listed.changes(names(&["a", "b"])));
        assert!(!listed.changes(names(&["b", "a"])));
        assert!(listed.changes(names(&["a", "c"])));
        assert!(listed.changes(None));
    }
}
