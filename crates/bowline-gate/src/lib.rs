//! Decide and observe: may this call run, and what was learned from it. No IO, no async, no clock.
