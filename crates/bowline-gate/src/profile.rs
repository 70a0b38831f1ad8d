//! What constrains one agent: policies, feedback, completion, deadline and budget. Declared once, carried by every surface.

mod advise;
mod checkers;
mod completion;
mod duration;
mod feedback;
mod limits;
mod plan;
mod policy;
mod profiles;
mod providers;
mod read_before_write;
mod sequential_dependency;
mod state;
mod trigger;

use std::fmt;
use std::sync::Arc;

pub use advise::{Advice, Watched};
pub use checkers::{CommandSucceeds, Composite, FilesExist, NothingToCheck, PlanChecker};
pub use completion::{
    CommandEnd, CommandNeed, Completion, CompletionChecker, CompletionContext, CompletionResult, Found, Need,
    Stopping,
};
pub use feedback::{Feedback, FeedbackContext, FeedbackProvider, Observation, Severity, render_feedback};
pub use limits::{Budget, Deadline, Exhausted};
pub use plan::{Plan, Step, StepStatus};
pub use policy::{PolicyContext, PolicyDecision, PolicyState, ToolPolicy};
pub use profiles::Profiles;
pub use providers::{DeadlineFeedback, StaticFeedback};
pub use read_before_write::ReadBeforeWrite;
pub use sequential_dependency::{BadDependencies, SequentialDependency};
pub use state::{ProfileState, RecentCall};
pub use trigger::{BadFile, BadTrigger, FeedbackTrigger, FileCreatedTrigger};

use crate::Layer;

/// What constrains one agent.
///
/// ```
/// use bowline_gate::{
///     Budget, DeadlineFeedback, Deadline, FeedbackTrigger, PlanChecker, Profile, Profiles, ReadBeforeWrite,
///     SequentialDependency,
/// };
/// use std::time::Duration;
///
/// let order = SequentialDependency::new([("deploy", vec!["test", "build"]), ("build", vec!["lint"])])?;
/// let careful = Profile::new("careful")
///     .policy(order)
///     .policy(ReadBeforeWrite)
///     .feedback(DeadlineFeedback::default(), FeedbackTrigger::every_n_seconds(30))?
///     .completion(PlanChecker)
///     .deadline(Deadline::After(Duration::from_secs(1800)))
///     .budget(Budget { calls: Some(200), ..Budget::default() });
/// let rule = Profiles::new(vec![careful]);
/// # let _: bowline_gate::Gate = bowline_gate::Gate::new(vec![Box::new(rule)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Profile {
    pub(crate) name: String,
    pub(crate) layer: Layer,
    pub(crate) policies: Vec<Arc<dyn ToolPolicy>>,
    pub(crate) feedback: Vec<(Arc<dyn FeedbackProvider>, FeedbackTrigger)>,
    pub(crate) completion: Option<Arc<dyn CompletionChecker>>,
    pub(crate) deadline: Option<Deadline>,
    pub(crate) budget: Budget,
}

impl Profile {
    /// One of the user's that says nothing yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            layer: Layer::User,
            policies: Vec::new(),
            feedback: Vec::new(),
            completion: None,
            deadline: None,
            budget: Budget::default(),
        }
    }

    /// Whose it is. What a project's profile leaves of time and budget matters to itself alone.
    #[must_use]
    pub fn of(mut self, layer: Layer) -> Self {
        self.layer = layer;
        self
    }

    #[must_use]
    pub fn policy(mut self, policy: impl ToolPolicy + 'static) -> Self {
        self.policies.push(Arc::new(policy));
        self
    }

    pub fn feedback(
        self,
        provider: impl FeedbackProvider + 'static,
        trigger: FeedbackTrigger,
    ) -> Result<Self, BadTrigger> {
        trigger.check()?;
        Ok(self.advised(provider, trigger))
    }

    /// The same with a trigger that was checked before.
    #[must_use]
    pub fn advised(mut self, provider: impl FeedbackProvider + 'static, trigger: FeedbackTrigger) -> Self {
        self.feedback.push((Arc::new(provider), trigger));
        self
    }

    #[must_use]
    pub fn completion(self, checker: impl CompletionChecker + 'static) -> Self {
        self.completed_by(Arc::new(checker))
    }

    /// The same with a checker that is shared, or made elsewhere.
    #[must_use]
    pub fn completed_by(mut self, checker: Arc<dyn CompletionChecker>) -> Self {
        self.completion = Some(checker);
        self
    }

    #[must_use]
    pub fn deadline(mut self, deadline: Deadline) -> Self {
        self.deadline = Some(deadline);
        self
    }

    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("name", &self.name)
            .field("layer", &self.layer)
            .field("policies", &self.policies.iter().map(|policy| policy.name()).collect::<Vec<_>>())
            .field(
                "feedback",
                &self.feedback.iter().map(|(one, when)| (one.name(), when)).collect::<Vec<_>>(),
            )
            .field("completion", &self.completion.is_some())
            .field("deadline", &self.deadline)
            .field("budget", &self.budget)
            .finish()
    }
}
