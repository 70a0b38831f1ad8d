//! A module whose path needs escaping in every URI.

use crate::rope::{Rope, splice};

/// A rope with a metre more.
pub fn lengthened(rope: &Rope) -> Rope {
    splice(rope, &Rope::new("more", 1.0))
}
