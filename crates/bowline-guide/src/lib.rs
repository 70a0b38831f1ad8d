//! The tools that guide a conversation, and the skills of the house.

mod ours;

pub use ours::ours;
