//! One of each: a policy, a provider of feedback and a checker of completion, written against the public traits alone.

use std::path::{Path, PathBuf};

use bowline_call::ToolIdentity;
use bowline_gate::{
    CompletionChecker, CompletionContext, CompletionResult, Feedback, FeedbackContext, FeedbackProvider,
    Need, PolicyContext, PolicyDecision, RuleFailed, Severity, ToolPolicy,
};
use serde_json::Value;

/// Each tool may succeed so many times.
pub struct AtMost(pub u64);

impl ToolPolicy for AtMost {
    fn name(&self) -> &str {
        "at_most"
    }

    fn check(
        &self,
        tool: &ToolIdentity,
        _params: &Value,
        context: &PolicyContext<'_>,
    ) -> Result<PolicyDecision, RuleFailed> {
        let used = context.state().note(tool.bare()).map_or(Ok(0), str::parse::<u64>);
        let used = used.map_err(|error| RuleFailed(error.to_string()))?;
        Ok(if used < self.0 {
            PolicyDecision::allow()
        } else {
            PolicyDecision::deny(format!("`{}` was called {used} times", tool.bare()))
        })
    }

    fn on_result(
        &self,
        tool: &ToolIdentity,
        _params: &Value,
        _result: &Value,
        context: &mut PolicyContext<'_>,
    ) -> Result<(), RuleFailed> {
        let used: u64 = context.state().note(tool.bare()).and_then(|used| used.parse().ok()).unwrap_or(0);
        context.state_mut().set_note(tool.bare(), (used + 1).to_string());
        Ok(())
    }
}

/// Notices an agent that fails again and again.
pub struct Stuck;

impl FeedbackProvider for Stuck {
    fn name(&self) -> &str {
        "Stuck"
    }

    fn should_run(&self, context: &FeedbackContext<'_>) -> bool {
        context.tool_call_count() >= 2 && context.recent_tool_calls(2).all(|call| !call.success)
    }

    fn provide(&self, context: &FeedbackContext<'_>) -> Result<Feedback, RuleFailed> {
        let last = context.recent_tool_calls(1).map(|call| call.tool.to_string()).next().unwrap_or_default();
        Ok(Feedback::new("Two calls in a row have failed.")
            .severity(Severity::Caution)
            .observation("last", last)
            .suggestion("Try another way."))
    }
}

/// A file must be there, and the answer must mention it.
pub struct Mentioned(pub &'static str);

impl CompletionChecker for Mentioned {
    fn check(&self, context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
        let there = context.found.file(Path::new(self.0));
        let there = there.ok_or_else(|| RuleFailed("nobody looked".into()))?;
        let mentioned = context.tentative_output.is_some_and(|output| output.contains(self.0));
        Ok(match there && mentioned {
            true => CompletionResult::ok(),
            false => CompletionResult::incomplete(format!("write `{}`, and say so", self.0)),
        })
    }

    fn needs(&self) -> Vec<Need> {
        vec![Need::File(PathBuf::from(self.0))]
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, ToolCall};
    use bowline_gate::{
        Asked, Facts, FeedbackTrigger, Found, Gate, Happened, Ledger, Profile, Profiles, Stopping, Verdict,
        Watched,
    };

    use super::*;

    #[test]
    fn all_three_take_part_in_one_conversation() {
        let profile = Profile::new("foreign")
            .policy(AtMost(1))
            .feedback(Stuck, FeedbackTrigger::every_n_calls(1))
            .unwrap()
            .completion(Mentioned("report.md"));
        let profiles = Profiles::new(vec![profile]);
        let gate = Gate::new(vec![Box::new(profiles.clone())]);
        let mut ledger = Ledger::default();
        let now = SystemTime::UNIX_EPOCH;
        let call = ToolCall {
            id: CallId::fresh(),
            conversation: ConversationId::new("outside"),
            origin: Origin::Cli,
            tool: "deploy".into(),
            arguments: Value::Null,
            cwd: None,
            server: None,
        };
        let (intent, facts) = (Intent::new(Effect::Read, []), Facts::new(now, Vec::new(), Vec::new()));
        let mut make = |success: bool| {
            let judged = gate.before(&Asked::new(&ledger, &call, &intent, &facts));
            let allowed = matches!(judged.verdict, Verdict::Allow { .. });
            let (tool, answer) = (ToolIdentity::of("deploy"), Value::Null);
            let happened = Happened {
                call: &call,
                tool: &tool,
                intent: &intent,
                facts: &facts,
                answer: (allowed && success).then_some(&answer),
                stand: judged.stand,
            };
            gate.after(&mut ledger, &happened);
            let advice = profiles.advise(&mut ledger, &Watched { now, files: Found::default() });
            let told: Vec<_> = advice.feedback.iter().map(Feedback::render).collect();
            (judged.verdict.objection().map(|objection| objection.reason.clone()), told)
        };
        assert_eq!(make(false), (None, vec![]));
        assert_eq!(make(true), (None, vec![]));
        let refused = Some("`deploy` was called 1 times".to_owned());
        assert_eq!(make(true), (refused.clone(), vec![]));
        let (again, told) = make(true);
        assert_eq!(again, refused);
        assert_eq!(
            told,
            [
                "<feedback provider='Stuck'>\nTwo calls in a row have failed.\n\n• last: deploy\n\n-> Try another way.\n</feedback>"
            ]
        );

        assert_eq!(profiles.needs(&ledger, now), Ok(vec![Need::File("report.md".into())]));
        let end = |found: &Found, output: &str| {
            let stopping = Stopping { tentative_output: Some(output.into()), reason: None };
            let end = profiles.complete(&ledger, now, &stopping, found);
            (end.complete, end.feedback.unwrap_or_default())
        };
        let mut found = Found::default();
        let unchecked = "whether it is complete could not be checked: nobody looked";
        assert_eq!(end(&found, ""), (false, unchecked.to_owned()));
        found.add_file("report.md".into(), true);
        assert_eq!(end(&found, "done"), (false, "write `report.md`, and say so".to_owned()));
        assert_eq!(end(&found, "done: report.md"), (true, String::new()));
    }
}
