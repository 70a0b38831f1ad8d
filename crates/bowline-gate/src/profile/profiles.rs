//! All profiles that hold in a conversation, as a rule of the gate: policies, then time, then budget. And when it is done.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bowline_call::RefusalCode;

use super::completion::{Completion, CompletionContext, CompletionResult, Found, Need, Stopping};
use super::limits::{Exhausted, exhausted};
use super::policy::{PolicyContext, PolicyDecision, PolicyState};
use super::state::{ProfileState, RecentCall};
use super::{Profile, ToolPolicy};
use crate::{Asked, Happened, Layer, Ledger, Objection, Rule, RuleFailed, Verdict};

const RULE: &str = "profile";
/// What an agent needs to end properly stays open when time and budget are used up.
const TO_THE_END: [&str; 4] = ["deactivate_skill", "finish_task", "get_skill_phase", "update_plan"];

/// All profiles that hold. Cheap to clone; all clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Profiles {
    pub(super) all: Arc<[Profile]>,
}

impl Profiles {
    pub fn new(profiles: Vec<Profile>) -> Self {
        Self { all: profiles.into() }
    }

    /// Whether a policy goes by the content of files.
    pub fn wants_content(&self) -> bool {
        self.all.iter().flat_map(|profile| &profile.policies).any(|policy| policy.wants_content())
    }

    /// Every policy with its instance.
    fn policies(&self) -> impl Iterator<Item = (&Profile, &Arc<dyn ToolPolicy>, String)> {
        let numbered = self.all.iter().enumerate();
        numbered.flat_map(|(which, profile)| {
            profile
                .policies
                .iter()
                .enumerate()
                .map(move |(index, policy)| (profile, policy, instance(which, profile, index, policy.name())))
        })
    }

    /// What is used up for those who live by this profile. The user's own limits hold for all.
    fn exhausted(&self, profile: &Profile, state: &ProfileState, now: SystemTime) -> Vec<Exhausted> {
        let limiting =
            self.all.iter().filter(|other| other.layer == Layer::User || std::ptr::eq(*other, profile));
        limiting.flat_map(|one| exhausted(one.deadline, &one.budget, state, now)).collect()
    }

    /// When everything must be done.
    pub(super) fn deadline(&self, state: &ProfileState, now: SystemTime) -> Option<SystemTime> {
        self.all.iter().filter_map(|profile| profile.deadline?.moment(state, now)).min()
    }

    /// Those whose completion is looked at.
    fn looked_at<'a>(
        &'a self,
        ledger: &'a Ledger,
        now: SystemTime,
    ) -> impl Iterator<Item = (&'a Profile, Option<Exhausted>)> {
        let checked = self.all.iter().filter(|profile| profile.completion.is_some());
        checked
            .map(move |profile| (profile, self.exhausted(profile, &ledger.profile, now).into_iter().next()))
    }

    /// What must be found out before completion can be judged.
    pub fn needs(&self, ledger: &Ledger, now: SystemTime) -> Result<Vec<Need>, RuleFailed> {
        let mut needs = Vec::new();
        for (profile, skipped) in self.looked_at(ledger, now) {
            if let Some(checker) = profile.completion.as_ref().filter(|_| skipped.is_none()) {
                needs.extend(caught(|| Ok(checker.needs()))?);
            }
        }
        needs.sort();
        needs.dedup();
        Ok(needs)
    }

    /// How long all commands may take that must be run for that.
    pub fn time_of_commands(&self) -> Duration {
        let checkers = self.all.iter().filter_map(|profile| profile.completion.as_ref());
        let needs = checkers.flat_map(|checker| caught(|| Ok(checker.needs())).unwrap_or_default());
        needs.fold(Duration::ZERO, |time, need| match need {
            Need::Command(command) => time.saturating_add(command.timeout),
            Need::File(_) => time,
        })
    }

    /// Whether the agent may say that it is done.
    pub fn complete(
        &self,
        ledger: &Ledger,
        now: SystemTime,
        stopping: &Stopping,
        found: &Found,
    ) -> Completion {
        let (mut left, mut skipped) = (Vec::new(), None);
        for (profile, used_up) in self.looked_at(ledger, now) {
            let Some(checker) = &profile.completion else { continue };
            if let Some(used_up) = used_up {
                skipped = skipped.or(Some(used_up.word()));
                continue;
            }
            let context = CompletionContext {
                prompt_name: &profile.name,
                ledger,
                now,
                tentative_output: stopping.tentative_output.as_deref(),
                stop_reason: stopping.reason.as_deref(),
                found,
            };
            match caught(|| checker.check(&context)) {
                Ok(CompletionResult { complete: true, .. }) => {}
                Ok(CompletionResult { feedback, .. }) => {
                    left.push(feedback.unwrap_or_else(|| "the task is not complete".into()));
                }
                Err(failed) => left.push(format!("whether it is complete could not be checked: {failed}")),
            }
        }
        let complete = left.is_empty();
        let feedback = (!complete).then(|| left.join("\n"));
        Completion { complete, feedback, skipped: skipped.filter(|_| complete) }
    }

    fn object(&self, asked: &Asked<'_>) -> Vec<Objection> {
        let mut against: Vec<Objection> = self
            .policies()
            .filter_map(|(profile, policy, instance)| ask(asked, profile, policy, &instance))
            .collect();
        if asked.tool.own().is_some_and(|tool| TO_THE_END.contains(&tool)) {
            return against;
        }
        for profile in self.all.iter() {
            let state = &asked.ledger.profile;
            let used_up = exhausted(profile.deadline, &profile.budget, state, asked.facts.now);
            against.extend(used_up.iter().map(|used_up| Objection {
                code: used_up.code(),
                rule: format!("{} of the profile {}", used_up.word(), profile.name),
                reason: used_up.reason(),
                recovery: "end here: call finish_task, and say what is done and what is not".into(),
                skill: None,
            }));
        }
        against
    }
}

impl Rule for Profiles {
    fn name(&self) -> &'static str {
        RULE
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let mut against = self.object(asked).into_iter();
        let Some(first) = against.next() else { return Ok(Verdict::allow(RULE)) };
        // All of it is said at once: who mends one thing should not find the next one behind it.
        Ok(Verdict::Refuse(against.fold(first, |all, one| Objection {
            reason: format!("{}; and {}", all.reason, one.reason),
            rule: if all.rule.contains(&one.rule) { all.rule } else { format!("{}, {}", all.rule, one.rule) },
            recovery: if all.recovery == one.recovery {
                all.recovery
            } else {
                format!("{}; and {}", all.recovery, one.recovery)
            },
            ..all
        })))
    }

    fn learn(&self, ledger: &mut Ledger, happened: &Happened<'_>) {
        if let Some(result) = happened.answer {
            for (profile, policy, instance) in self.policies() {
                let before = ledger.profile.policies.remove(&instance).unwrap_or_default();
                let after = learned(ledger, happened, result, profile, &**policy, before);
                ledger.profile.policies.insert(instance, after);
            }
        }
        ledger.profile.called(RecentCall {
            tool: happened.call.tool.as_str().into(),
            effect: happened.intent.effect,
            at: happened.facts.now,
            success: happened.answer.is_some(),
        });
    }
}

/// What one policy has against a call.
fn ask(
    asked: &Asked<'_>,
    profile: &Profile,
    policy: &Arc<dyn ToolPolicy>,
    instance: &str,
) -> Option<Objection> {
    let nothing = PolicyState::default();
    let state = asked.ledger.profile.policies.get(instance).unwrap_or(&nothing);
    let rule = || format!("policy {} of the profile {}", policy.name(), profile.name);
    let failed = |why: &str| {
        Some(Objection {
            code: RefusalCode::RuleFailed,
            rule: rule(),
            reason: why.to_owned(),
            recovery: "ask the person you work for to look at this policy; until then it refuses".into(),
            skill: None,
        })
    };
    if let Some(why) = &state.failed {
        return failed(&format!("the policy could not learn from an earlier call: {why}"));
    }
    let context =
        PolicyContext::new(&profile.name, asked.ledger, (asked.intent, asked.facts), Cow::Borrowed(state));
    match caught(|| policy.check(&asked.tool, &asked.call.arguments, &context)) {
        Ok(PolicyDecision { allowed: true, .. }) => None,
        Ok(PolicyDecision { reason, .. }) => Some(Objection {
            code: RefusalCode::PolicyDenied,
            rule: rule(),
            reason: reason.unwrap_or_else(|| "it is denied, without a reason".into()),
            recovery: "do that first, then make this call again".into(),
            skill: None,
        }),
        Err(why) => failed(&format!("the policy could not be checked: {why}")),
    }
}

/// The state of a policy after a call. One that fails keeps what it knew, and that it failed.
fn learned(
    ledger: &Ledger,
    happened: &Happened<'_>,
    result: &serde_json::Value,
    profile: &Profile,
    policy: &dyn ToolPolicy,
    before: PolicyState,
) -> PolicyState {
    let about = (happened.intent, happened.facts);
    // Handed over, not copied: it may hold thousands of files. One that fails half way refuses from then on, whatever it holds.
    let mut context = PolicyContext::new(&profile.name, ledger, about, Cow::Owned(before));
    let learned = caught(|| policy.on_result(happened.tool, &happened.call.arguments, result, &mut context));
    let mut after = context.into_state();
    let failed = learned.err().map(|failed| failed.to_string());
    after.policy_name = policy.name().to_owned();
    after.failed = after.failed.or(failed);
    after
}

/// Names one part of one profile for ever.
pub(super) fn instance(which: usize, profile: &Profile, index: usize, kind: &str) -> String {
    format!("{} {} {which}.{index} {kind}", profile.layer.word(), profile.name)
}

/// What others wrote may panic. That opens nothing, and ends nothing.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, RuleFailed>) -> Result<T, RuleFailed> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(RuleFailed("it panicked".into())))
}
