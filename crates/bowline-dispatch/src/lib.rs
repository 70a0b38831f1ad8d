//! The corridor: the one way that every tool call takes.
