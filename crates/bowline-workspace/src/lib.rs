//! One project: its roots, its files, its symbol index, and the answers drawn from them.
//!
//! Nothing here knows a tool, a gate or a protocol. Every query is async, runs its work on blocking threads,
//! and waits no longer than its caller's [`Patience`]. Answers say which engine made them, so that a language
//! server answers where there is one, and syntax stays what answers when there is none.
//!
//! ```
//! use bowline_testkit::{Fixture, fake_ls};
//! use bowline_workspace::{Options, Patience, Reach, ServerOptions, ServerSpec, Workspace, servers::KNOWN};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), bowline_workspace::WorkspaceError> {
//! let project = Fixture::new("//- /shop.py\ndef total(): pass\n//- /main.py\nto$0tal()  # total\n");
//! let (file, position) = project.cursor();
//!
//! // Without a server, names and scopes answer.
//! let workspace = Workspace::new(Options::default(), vec![project.root().to_owned()], None)?;
//! let found = workspace.references(&file, position, true, &Patience::default()).await?;
//! assert_eq!((found.value.total, found.engine.as_str()), (2, "syntax"));
//!
//! // With one, it does. It is started now, and ends with the workspace.
//! let mut python = ServerSpec::from_known(KNOWN.iter().find(|known| known.language == "python").expect("known"));
//! python.reach = Reach::Program { program: fake_ls().display().to_string(), args: vec![] };
//! let environment = std::env::vars_os().collect();
//! let workspace = workspace.with_servers(ServerOptions { specs: vec![python], environment });
//! let found = workspace.references(&file, position, true, &Patience::default()).await?;
//! assert_eq!((found.value.total, found.engine.as_str()), (3, "server"));
//!
//! // What is wrong with a file comes with the evidence that it is about this very text.
//! let found = workspace.diagnostics(&[file], &Patience::default()).await?;
//! assert_eq!(found.evidence().map(|evidence| evidence.as_str()), Some("versioned"));
//! workspace.stop_servers().await;
//! # Ok(())
//! # }
//! ```
//!
//! A draft is an edit that is tried before it is made: text in memory, which a server sees only while it is asked what
//! it would do, and which one writer puts on disk, whole or not at all.
//!
//! ```
//! use bowline_testkit::{Fixture, fake_ls};
//! use bowline_workspace::{Edit, Extent, Options, Patience, Reach, ServerOptions, ServerSpec, Workspace, Writer};
//! use bowline_workspace::servers::KNOWN;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), bowline_workspace::WorkspaceError> {
//! let project = Fixture::new("//- /shop.py\ndef total():\n    return 1\n");
//! let state = tempfile::tempdir().expect("a place for the journal");
//! let state = state.path().canonicalize().expect("its real path");
//! # let mut python = ServerSpec::from_known(KNOWN.iter().find(|known| known.language == "python").expect("known"));
//! # python.reach = Reach::Program { program: fake_ls().display().to_string(), args: vec![] };
//! # let servers = ServerOptions { specs: vec![python], environment: std::env::vars_os().collect() };
//! let workspace = Workspace::new(Options::default(), vec![project.root().to_owned()], None)?
//!     .with_servers(servers)
//!     .with_writer(Writer::new(vec![project.root().to_owned()], state.join("writes")));
//! let workspace = std::sync::Arc::new(workspace);
//! let patience = Patience::default();
//!
//! let draft = workspace.new_draft(project.root(), "python")?;
//! let edit = |old: &str, new: &str| Edit::Text {
//!     file: "shop.py".into(),
//!     old_text: old.to_owned(),
//!     new_text: new.to_owned(),
//! };
//! workspace.edit_draft(&draft, edit("return 1", "return BUG"), &patience).await?;
//! let verdict = workspace.evaluate_draft(&draft, Extent::Reached, &patience).await?;
//! assert!(!verdict.is_safe());
//! assert_eq!(verdict.introduced[0].diagnostic.message, "found a BUG");
//!
//! // Mended, with proof for every file that the edit can reach: now it is safe, and goes to the disk.
//! workspace.edit_draft(&draft, edit("return BUG", "return 2"), &patience).await?;
//! let verdict = workspace.evaluate_draft(&draft, Extent::Reached, &patience).await?;
//! assert!(verdict.is_safe());
//! let leave = Box::new(|_: &std::path::Path| true);
//! let written = workspace.commit_draft(&draft, None, "example", leave, &patience).await?;
//! assert!(written.patches[0].diff.contains("-    return 1\n+    return 2\n"));
//!
//! // Its receipt takes it back.
//! workspace.undo(&written.receipt.id, Box::new(|_| true)).await?;
//! workspace.stop_servers().await;
//! # Ok(())
//! # }
//! ```

mod error;
mod options;
mod patience;

mod workspace;
mod write;

mod document;
mod roots;
mod stamp;
mod walk;
pub mod watch;

mod index;
mod memory;
mod outlines;
mod recollection;
mod replace;
mod store;

mod cargo;
mod changes;
mod documentation;
mod draft;
mod program;
mod shadow;

mod dependants;
mod fleet;
mod query;
mod scope;
pub mod servers;

pub use bowline_code::{FileStamp, SymbolRow};
pub use bowline_lsp::{
    About, Call, Completions, Editor, Evidence, Fault, FileEvent, Formatting, Goal, HierarchyItem, Highlight,
    Hover, InlayHint, LspError, Reach, Renamable, ServerSpec, Status, Token, Was,
};
/// What an index was made by. One that was made by another is not asked.
pub use bowline_syntax::REVISION as INDEX_REVISION;
pub use bowline_syntax::{Language, Parsed};
pub use bowline_write::{
    Conflict, ContentHash, Outcome, Plan, Receipt as WriteReceipt, Recovered, WriteError, Writer, Written,
};
pub use changes::{Change, ChangeSet, ChangeStatus, Changes, ChangesError, LineRange, Since};
pub use document::Document;
pub use documentation::{Documentation, DocumentationError, DocumentedLanguage};
pub use draft::{
    Aftermath, Committed, Confidence, Draft, DraftError, DraftState, Edit, Evaluation, Examined, Extent,
    Patch, Problem, Proof, Proposal, Proposed, Refused, Served, Stretches, ToRename, Which,
};
pub use error::WorkspaceError;
pub use fleet::ServerOptions;
pub use index::{IndexReport, Skipped};
pub use memory::MemoryStore;
pub use options::Options;
pub use patience::{Patience, Report};
pub use program::ProgramError;
pub use query::{
    Callee, Caller, Calls, ChangedFile, Clashes, ConcurrentUse, CrossReferences, Definition, Diagnoses,
    EditingContext, Explored, FileDiagnoses, Found, Hierarchy, Impact, Impacted, KnownBy, Named, Offer,
    Opened, Outline, Reached, References, Removal, Removed, RemovedSymbol, RepoPlace, Scope, StillUsed,
    SymbolHit, SymbolSource, Symbols, TestFile, Ways, is_elsewhere, is_test_file,
};
pub use recollection::{Recollected, Recollection, RecollectionKey};
pub use replace::{FileGlobs, Occurrence, PassedOver, Replace, ReplaceError, Replacements};
pub use scope::{ScopeWish, Scoped};
pub use store::{IndexStore, IndexStoreError};
pub use workspace::Workspace;
pub use write::Leave;
