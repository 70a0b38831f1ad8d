//! Ropes, and what is tied into them.

pub mod knots;
#[path = "odd names/with #1 100%.rs"]
pub mod odd;
pub mod rope;
