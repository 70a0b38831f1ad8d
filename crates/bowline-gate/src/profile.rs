//! What constrains one agent: policies, feedback, completion, deadline and budget. Declared once, carried by every surface.

mod state;

pub use state::ProfileState;
