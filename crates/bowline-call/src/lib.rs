//! The words for calls: what a tool is, what a call intends, how it ends and who can mend it.
//!
//! This room knows no particular tool, no gate and no protocol. Surfaces build a [`ToolCall`], tools implement
//! [`Tool`], and the corridor leads one to the other.

mod answer;
mod arguments;
mod call;
mod context;
mod deadline;
mod error;
mod fit;
mod foreign;
mod host_tools;
mod identity;
mod intent;
mod question;
mod receipt;
mod registry;
mod schema;
mod tool;

/// The name that was probably meant.
pub use bowline_std::text::nearest;

pub use answer::{Answer, AnyAnswer, TokenSavings};
pub use call::{CallId, ConversationId, Origin, Provenance, ToolCall};
pub use context::{CallContext, Caller, Clearance, Gatekeeper, NoProgress, Progress, Turn, Unfinished};
pub use deadline::{Deadline, Paused};
pub use error::{Refusal, RefusalCode, ToolError};
pub use fit::MAX_ANSWER_BYTES;
pub use foreign::foreign_paths;
pub use host_tools::{
    BadHostCall, Family, HOST_TOOLS, HostCall, HostTool, Shows, host_call, host_tool, patched, runs_bash,
};
pub use identity::{Name, Spelling, ToolIdentity, spellings};
pub use intent::{Effect, Intent, Target, Targets};
pub use question::{Answered, Asker, Lasting, NobodyToAsk, Proposal, Question, digest_of};
pub use receipt::{DiagnosticCounts, EditSummary, Receipt};
pub use registry::{DuplicateTool, Registry};
pub use tool::{AnyTool, Declaration, Prepared, Tool, ToolSpec, erase};
