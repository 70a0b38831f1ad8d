//! What a file declares, understood, before it is known whether the project is trusted.

use std::sync::Arc;
use std::time::Duration;

use bowline_gate::{
    Budget, CommandSucceeds, CompletionChecker, Composite, Deadline, DeadlineFeedback, FeedbackTrigger,
    FilesExist, Layer, PlanChecker, Profile, ReadBeforeWrite, SequentialDependency, StaticFeedback,
};

/// Of one file.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Which profile holds, where the file says so.
    pub(crate) choice: Option<String>,
    pub(super) profiles: Vec<DeclaredProfile>,
}

impl Declared {
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.profiles.iter().map(|profile| profile.name.as_str())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    pub(super) fn take(self, name: &str) -> Option<DeclaredProfile> {
        self.profiles.into_iter().find(|profile| profile.name == name)
    }
}

#[derive(Debug)]
pub(super) struct DeclaredProfile {
    pub(super) name: String,
    pub(super) policies: Vec<Policy>,
    /// Those that the policies name.
    pub(super) tools: Vec<NamedTool>,
    pub(super) feedback: Vec<(Provider, FeedbackTrigger)>,
    pub(super) completion: Option<Check>,
    pub(super) deadline: Option<Deadline>,
    pub(super) budget: Budget,
}

#[derive(Debug, Clone)]
pub(super) struct NamedTool {
    pub(super) tool: String,
    pub(super) line: usize,
    pub(super) column: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Policy {
    Dependencies(SequentialDependency),
    ReadBeforeWrite,
}

#[derive(Debug, Clone)]
pub(super) enum Provider {
    Static(String),
    Deadline { warning_threshold_seconds: u64 },
}

#[derive(Debug, Clone)]
pub(super) enum Check {
    Plan,
    Files(FilesExist),
    Command {
        line: String,
        timeout: Duration,
    },
    /// Never empty.
    All(Vec<Check>),
    /// Never empty.
    Any(Vec<Check>),
}

impl DeclaredProfile {
    /// Whether it has commands run.
    pub(super) fn runs_commands(&self) -> bool {
        self.completion.as_ref().is_some_and(Check::runs_commands)
    }

    /// Ready to be asked. `withheld` says why its commands are not run.
    pub(super) fn build(self, layer: Layer, withheld: Option<&str>) -> Profile {
        let mut profile = Profile::new(self.name).of(layer).budget(self.budget);
        for policy in self.policies {
            profile = match policy {
                Policy::Dependencies(policy) => profile.policy(policy),
                Policy::ReadBeforeWrite => profile.policy(ReadBeforeWrite),
            };
        }
        for (provider, trigger) in self.feedback {
            profile = match provider {
                Provider::Static(feedback) => profile.advised(StaticFeedback { feedback }, trigger),
                Provider::Deadline { warning_threshold_seconds } => {
                    profile.advised(DeadlineFeedback { warning_threshold_seconds }, trigger)
                }
            };
        }
        if let Some(check) = self.completion {
            profile = profile.completed_by(check.build(withheld));
        }
        match self.deadline {
            Some(deadline) => profile.deadline(deadline),
            None => profile,
        }
    }
}

impl Check {
    fn runs_commands(&self) -> bool {
        match self {
            Self::Plan | Self::Files(_) => false,
            Self::Command { .. } => true,
            Self::All(checks) | Self::Any(checks) => checks.iter().any(Self::runs_commands),
        }
    }

    fn build(self, withheld: Option<&str>) -> Arc<dyn CompletionChecker> {
        let all = |checks: Vec<Self>| checks.into_iter().map(|check| check.build(withheld)).collect();
        match self {
            Self::Plan => Arc::new(PlanChecker),
            Self::Files(files) => Arc::new(files),
            Self::Command { line, timeout } => {
                let command = CommandSucceeds::new(line, timeout);
                Arc::new(match withheld {
                    Some(mend) => command.withheld(format!(
                        "it is the project's, and the project is not trusted; the person you work for can {mend}"
                    )),
                    None => command,
                })
            }
            Self::All(checks) => Arc::new(Composite::of(all(checks), true)),
            Self::Any(checks) => Arc::new(Composite::of(all(checks), false)),
        }
    }
}
