//! Which answers were used since that was last written down.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ReferenceKey;

/// So many uses are kept in memory before they are worth a transaction.
const MANY: usize = 256;
/// So many, while others are writing and there is no moment for it. Then they are forgotten.
const TOO_MANY: usize = 64 * MANY;

/// Every use in its order. They are a hint, no knowledge: losing some makes a wrong answer go first, nothing worse.
#[derive(Debug, Default)]
pub(crate) struct Marks(Mutex<Vec<ReferenceKey>>);

impl Marks {
    /// Whether it is time to write them down.
    pub(crate) fn add(&self, key: ReferenceKey) -> bool {
        let mut marks = self.lock();
        if marks.last() == Some(&key) {
            return false;
        }
        if marks.len() >= TOO_MANY {
            marks.clear();
        }
        marks.push(key);
        marks.len().is_multiple_of(MANY)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Each key once, the one that was used last at the end. None are left.
    pub(crate) fn take(&self) -> Vec<ReferenceKey> {
        let marks = std::mem::take(&mut *self.lock());
        let mut seen = HashSet::with_capacity(marks.len());
        let mut keys: Vec<_> = marks.into_iter().rev().filter(|key| seen.insert(*key)).collect();
        keys.reverse();
        keys
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ReferenceKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(question: u8) -> ReferenceKey {
        ReferenceKey { world: [0; 32], question: [question; 32] }
    }

    #[test]
    fn the_last_use_counts() {
        let marks = Marks::default();
        for question in [1, 2, 3, 1, 1, 2] {
            marks.add(key(question));
        }
        assert_eq!(marks.take(), [3, 1, 2].map(key));
        assert!(marks.is_empty());
    }

    #[test]
    fn never_grows_without_bound_and_says_when_it_is_time() {
        let marks = Marks::default();
        let due = (0..2 * TOO_MANY).filter(|n| marks.add(key(u8::from(n % 2 == 0)))).count();
        assert_eq!(due, 2 * TOO_MANY / MANY);
        assert!(marks.lock().len() <= TOO_MANY);
    }
}
