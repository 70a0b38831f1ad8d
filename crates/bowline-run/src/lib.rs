//! Builds and tests: which runner a project has, its run within limits, and what its output says.
//!
//! Directories, programs and their output are all that is known here; nothing of tools, gates or language servers.
//! [`plan`] looks at the project's own files and says which programs would run, with which words, where; nothing has
//! happened then, and whoever asks may show the plan to somebody. [`run`] runs that very plan.
//! Reading is pure: each reader (`read/*.rs`) turns what one program printed into a [`Report`].
//!
//! To add a runner:
//! 1. its reader, `read/<program>.rs`: text in, [`Report`] out, with tests that hold what the real program printed;
//! 2. its file, `runner/<program>.rs`: one [`Runner`] for each task, which says by which files a project has it
//!    (`finds`) and which programs it means (`plan`);
//! 3. its line in `runner::ALL`, before those that it is to be preferred to;
//! 4. a failing project in `tests/projects/`, run in `tests/live/`, or [`Proof::Recorded`] in its `Runner`.
//!
//! docs/reference/runners.md is made from that list.

mod environment;
mod error;
mod folder;
mod language;
mod log;
mod outcome;
mod plan;
mod project;
mod read;
mod report;
mod run;
mod runner;
mod shell;
mod sink;
mod table;

pub use error::{PlanError, RunError};
pub use language::Language;
pub use log::Logs;
pub use outcome::{Outcome, Raw};
pub use plan::{Plan, Request, plan};
pub use report::{Counts, Failure, Problem, Report};
pub use run::{Limits, Tell, run};
pub use runner::{ALL, Proof, Runner, Task};
pub use shell::shell;
pub use table::table;
