//! Decide and observe: may this call run, and what was learned from it.
//!
//! State in, verdict out. There is no IO, no async and no clock in this room: what a rule needs to know of the
//! world arrives as [`Facts`], what it needs to remember is the [`Ledger`]. How a call is run or recorded is not
//! known here either.
//!
//! As a plain library, without anything else of bowline:
//!
//! ```
//! use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, Target, ToolCall};
//! use bowline_gate::{
//!     Asked, Bases, CommandFact, Facts, Gate, HostRules, Layer, Ledger, RuleEntry, RulesOptions, Surroundings, Verdict,
//!     read_command,
//! };
//!
//! let entries = |texts: &[&str]| texts.iter().map(|text| RuleEntry::Pattern((*text).into())).collect();
//! let options = RulesOptions {
//!     allow: entries(&["Bash(git:*)"]),
//!     deny: entries(&["Bash(rm:*)"]),
//!     ..RulesOptions::default()
//! };
//! let gate = Gate::new(vec![Box::new(HostRules::new(Layer::User, &options, &Bases::default())?)]);
//!
//! // What a host reports: a tool, its arguments, and so what it would do.
//! let line = "git log && rm -r src";
//! let intent = Intent::new(Effect::Run, [Target::Command(line.into())]);
//! let call = ToolCall {
//!     id: CallId::fresh(),
//!     conversation: ConversationId::new("mine"),
//!     origin: Origin::Cli,
//!     tool: "Bash".into(),
//!     arguments: serde_json::json!({ "command": line }),
//!     cwd: None,
//!     server: None,
//! };
//!
//! // The facts are yours to gather; the gate itself looks at nothing.
//! let mut facts = Facts::new(std::time::SystemTime::now(), vec!["/project".into()], vec![]);
//! let script = read_command(line, &Surroundings { cwd: Some("/project".into()), ..Surroundings::default() });
//! facts.commands.push(CommandFact { script, touched: vec![] });
//!
//! let ledger = Ledger::default();
//! let verdict = gate.before(&Asked::new(&ledger, &call, &intent, &facts)).verdict;
//! assert!(matches!(verdict, Verdict::Refuse(_)));
//! assert_eq!(verdict.rule(), "user deny `Bash(rm:*)`");
//! # Ok::<(), bowline_gate::BadPattern>(())
//! ```

mod addresses;
mod facts;
mod fence;
mod gate;
mod grants;
mod guidance;
mod host;
mod ledger;
mod ledgers;
mod names;
mod notice;
mod options;
mod pattern;
mod phases;
mod profile;
mod protected;
mod roots;
mod scope;
mod verdict;

pub use addresses::Addresses;
/// How commands are read, for whoever gathers facts about them.
pub use bowline_command::{
    Access, Bare, Creates, Doubt, Filter, Script, ShellKind, Source, Surroundings, Touch, Word,
    read as read_command,
};
pub use facts::{CommandFact, Facts, Maker, PathFact, PathKind, TouchFact, TreeNames};
pub use fence::{Fence, Fenced, Fences, Loading, Policy, PolicyError, meaningless};
pub use gate::{Asked, Gate, Happened, Judgement, Rule, RuleFailed, Stand, Suppose};
pub use grants::{Grant, Grants};
pub use guidance::{AllowedToolsMode, Guidance, InvalidAllowlist, Mode};
pub use host::{BadExample, HostRules, Layer};
pub use ledger::{BadSnapshot, Ledger, LedgerEntry, RECENT_CALLS, Snapshot};
pub use ledgers::{
    Changes, KeptLedger, LedgerFound, LedgerMark, LedgerStore, LedgerUnavailable, LedgerWork, LedgerWriting,
    Ledgers, Running,
};
pub use names::Names;
pub use notice::{By, News, Notice};
pub use options::{Decision, RuleEntry, RuleTable, RulesOptions};
pub use pattern::{BadPattern, NamePattern, ToolPattern};
pub use phases::{
    ActiveSkill, At, CallPattern, KnownTools, NotActivated, Occasion, Phase, Phases, Proof, Ruling, Status,
    Table, Violation, prove,
};
pub use profile::{
    Advice, BadDependencies, BadFile, BadTrigger, Budget, CommandEnd, CommandNeed, CommandSucceeds,
    Completion, CompletionChecker, CompletionContext, CompletionResult, Composite, Deadline,
    DeadlineFeedback, Exhausted, Feedback, FeedbackContext, FeedbackProvider, FeedbackTrigger,
    FileCreatedTrigger, FilesExist, Found, Need, NothingToCheck, Observation, Plan, PlanChecker,
    PolicyContext, PolicyDecision, PolicyState, Profile, ProfileState, Profiles, ReadBeforeWrite, RecentCall,
    SequentialDependency, Severity, StaticFeedback, Step, StepStatus, Stopping, ToolPolicy, Watched,
    render_feedback,
};
pub use protected::{BadPlace, Openings, Protected, generated_mark, outside_of_places};
pub use roots::Roots;
pub use scope::path::Bases;
pub use verdict::{Objection, SkillPlace, Verdict};
