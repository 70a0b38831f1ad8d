//! What the other modules tie knots into.

/// A length of line.
#[derive(Debug, Clone, PartialEq)]
pub struct Rope {
    pub label: String,
    pub metres: f64,
}

impl Rope {
    pub fn new(label: &str, metres: f64) -> Self {
        Self { label: label.to_owned(), metres }
    }
}

/// Anything that can be tied into a rope.
pub trait Knot {
    fn name(&self) -> &'static str;
    fn strength(&self, rope: &Rope) -> f64;
}

/// Joins two ropes into one.
pub fn splice(first: &Rope, second: &Rope) -> Rope {
    Rope { label: format!("{}+{}", first.label, second.label), metres: first.metres + second.metres }
}
