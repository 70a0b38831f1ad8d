//! Builds and tests: which runner a project has, its run within limits, and what its output says.
//!
//! Directories, programs and their output are all that is known here; nothing of tools, gates or language servers.
//! Reading is pure: each reader (`read/*.rs`) turns what one program printed into a [`Report`].

mod read;
mod report;

pub use report::{Counts, Failure, Problem, Report};
