//! One writer for every tool that will ever write.
//!
//! Several files change as one: after a crash at any instant and a recovery, either all of them are old or all are
//! new. Each is written only if it holds what the caller saw, only within the roots, and never through a link. What
//! was written can be taken back.
//!
//! Paths, bytes and hashes are all that is known here; nothing of text, tools, language servers or rules.
//!
//! ```
//! use bowline_write::{Change, ContentHash, Plan, Writer};
//!
//! # let keep = tempfile::tempdir()?;
//! # let dir = keep.path().canonicalize()?;
//! # std::fs::create_dir(dir.join("project"))?;
//! let (root, state) = (dir.join("project"), dir.join("state"));
//! let writer = Writer::new(vec![root.clone()], state);
//! writer.recover()?;
//!
//! let new = Change::create(root.join("a.txt"), "one\n");
//! let plan = Plan { label: "example".to_owned(), undoes: None, changes: vec![new] };
//! let receipt = writer.write(plan, &|_| true)?;
//! assert_eq!(receipt.files[0].after, Some(ContentHash::of(b"one\n")));
//!
//! let back = writer.undoing(&receipt.id)?;
//! writer.write(back, &|_| true)?;
//! assert!(!root.join("a.txt").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod writer;

mod plan;
mod receipt;

mod check;
mod transaction;

mod finish;
mod recover;
mod reverse;
mod rollback;

mod attributes;
mod dir;
mod dirs;
mod guard;
mod place;
mod roots;
mod state;

mod error;
mod hash;
mod limits;

pub use error::WriteError;
pub use hash::ContentHash;
pub use limits::Limits;
pub use plan::{Change, Plan};
pub use receipt::{Conflict, Outcome, Receipt, Recovered, Written};
pub use writer::Writer;
