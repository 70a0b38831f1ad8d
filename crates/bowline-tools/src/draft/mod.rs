//! Tools that try edits before they are made, make them, and take them back.

pub mod commit_session;
pub mod create_simulation_session;
pub mod destroy_session;
pub mod discard_session;
pub mod evaluate_session;
pub mod preview_edit;
pub mod safe_apply_edit;
pub mod safe_edit;
pub mod simulate_chain;
pub mod simulate_edit;
pub mod undo_write;
