//! The compatibility kit on the surfaces that there are: MCP on stdio, and `bowline call` in a conversation with a name.

use bowline_testkit::Fixture;
use bowline_testkit::kit::{self, Capability, Kind, Outcome, SCENARIOS, Surface, Verdict};
use serde_json::{Value, json};

use crate::bowline;
use crate::serve::Server;

/// One connection is one conversation.
struct Stdio {
    server: Server,
    asked: u64,
}

impl Surface for Stdio {
    fn can(&self, _capability: Capability) -> bool {
        true
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Outcome {
        self.asked += 1;
        let answer =
            self.server.ask(self.asked, "tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let items = result["content"].as_array().into_iter().flatten();
        let (feedback, texts): (Vec<_>, Vec<_>) =
            items.filter_map(|item| item["text"].as_str()).partition(|text| text.starts_with("<feedback "));
        let text = texts.join("\n");
        let last = text.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
        // A refusal names its rule; other errors that machines can read do not.
        let refusal = last.filter(|data| data.get("rule").is_some());
        let code = refusal.and_then(|data| data["error"].as_str().map(str::to_owned));
        let kind = match (&result["isError"], code) {
            (Value::Bool(true), Some(code)) => Kind::Refused(Some(code)),
            (Value::Bool(true), None) => Kind::Failed,
            _ if answer.get("error").is_some() => Kind::Failed,
            _ => Kind::Answered,
        };
        Outcome { kind, text, feedback: feedback.join("\n\n") }
    }

    fn stop(&mut self) -> Value {
        serde_json::from_str(&self.call("finish_task", &json!({"summary": "done"})).text).unwrap()
    }
}

/// One process for each call, all of them in one conversation.
struct ByHand<'a> {
    fixture: &'a Fixture,
}

impl Surface for ByHand<'_> {
    fn can(&self, capability: Capability) -> bool {
        match capability {
            Capability::Memory | Capability::Stop | Capability::Feedback => true,
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Outcome {
        let words = ["--conversation", "kit", "call", tool, "--json", &arguments.to_string()];
        let ended = bowline(self.fixture).args(words).output().unwrap();
        let stdout = String::from_utf8(ended.stdout).unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        let (said, feedback) = stderr.split_at(stderr.find("<feedback ").unwrap_or(stderr.len()));
        let kind = match ended.status.code() {
            Some(0) => Kind::Answered,
            Some(3) => Kind::Refused(None),
            _ => Kind::Failed,
        };
        let text = if kind == Kind::Answered { stdout } else { said.to_owned() };
        Outcome { kind, text, feedback: feedback.trim_end().to_owned() }
    }

    fn stop(&mut self) -> Value {
        serde_json::from_str(&self.call("finish_task", &json!({"summary": "done"})).text).unwrap()
    }
}

#[test]
fn every_scenario_passes_on_every_surface_that_can() {
    let mut table = String::new();
    let mut failed = 0;
    for scenario in SCENARIOS {
        let stdio =
            kit::run(scenario, |fixture| Box::new(Stdio { server: Server::initialized(fixture), asked: 1 }));
        let by_hand = kit::run(scenario, |fixture| Box::new(ByHand { fixture }));
        table.push_str(&format!("{:<50} mcp: {:<20} call: {by_hand}\n", scenario.name, stdio.to_string()));
        failed += [stdio, by_hand].iter().filter(|verdict| matches!(verdict, Verdict::Failed(_))).count();
    }
    println!("{table}");
    assert_eq!(failed, 0, "{table}");
}

#[test]
fn no_two_scenarios_have_one_name_and_the_known_ones_are_there() {
    let names: Vec<_> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
    let unlike: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(unlike.len(), names.len());
    for known in [
        "task_completion_blocks_early_stop",
        "task_completion_allows_stop_when_complete",
        "task_completion_skipped_on_deadline_exhaustion",
        "task_completion_skipped_on_budget_exhaustion",
        "composite_checker_all_must_pass",
        "no_checker_allows_free_stop",
    ] {
        assert!(names.contains(&known), "{known}");
    }
}
