//! Heads, right and wrong.
