//! Decide and observe: may this call run, and what was learned from it.
//!
//! State in, verdict out. There is no IO, no async and no clock in this room: what a rule needs to know of the
//! world arrives as [`Facts`], what it needs to remember is the [`Ledger`]. How a call is run or recorded is not
//! known here either.

mod addresses;
mod facts;
mod fence;
mod gate;
mod grants;
mod guidance;
mod host;
mod ledger;
mod ledgers;
mod notice;
mod options;
mod pattern;
mod phases;
mod profile;
mod protected;
mod roots;
mod verdict;

pub use addresses::Addresses;
pub use facts::{CommandFact, Facts, Maker, PathFact, PathKind, TouchFact};
pub use fence::{Fence, Fenced, Fences, Loading, Policy, PolicyError, meaningless};
pub use gate::{Asked, Gate, Happened, Judgement, Rule, RuleFailed, Stand};
pub use grants::{Grant, Grants};
pub use guidance::{AllowedToolsMode, Guidance, InvalidAllowlist, Mode};
pub use host::{HostRules, Layer};
pub use ledger::{Ledger, LedgerEntry};
pub use ledgers::Ledgers;
pub use notice::{By, News, Notice};
pub use options::{Decision, RuleEntry, RulesOptions};
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
pub use protected::{BadPlace, Openings, Protected, generated_mark};
pub use roots::Roots;
pub use verdict::{Objection, SkillPlace, Verdict};
