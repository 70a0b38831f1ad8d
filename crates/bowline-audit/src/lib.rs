//! What is remembered of each call, and who writes it down.
