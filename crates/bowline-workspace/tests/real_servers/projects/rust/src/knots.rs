//! The knots themselves.

use crate::rope::{Knot, Rope, splice};

/// A loop that does not slip.
pub struct Bowline;

impl Knot for Bowline {
    fn name(&self) -> &'static str {
        "bowline"
    }

    fn strength(&self, rope: &Rope) -> f64 {
        rope.metres * 0.65
    }
}

/// A rope spliced to itself.
pub fn doubled(rope: &Rope) -> Rope {
    splice(rope, rope)
}
