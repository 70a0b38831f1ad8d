//! The compatibility kit: the same scenarios, as data, for every surface.
//!
//! A scenario is a `bowline.toml`, what happens, and what must come of it. A surface is any way to make calls in one
//! conversation. One that cannot do what a scenario needs says so; it never passes by leaving something out.

mod scenarios;

use std::fmt;

use serde_json::Value;

use crate::Fixture;

pub use scenarios::SCENARIOS;

/// What a surface may not be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// What one call leaves in the ledger, the next one finds there.
    Memory,
    /// An agent that wants to end is heard.
    Stop,
    /// Advice reaches the agent with the answer to the very call.
    Feedback,
}

/// One scenario.
#[derive(Debug)]
pub struct Scenario {
    pub name: &'static str,
    pub needs: &'static [Capability],
    /// The user's own file.
    pub settings: &'static str,
    pub steps: &'static [Step],
}

/// What happens, in order.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// The agent calls a tool with these arguments, as JSON.
    Call(&'static str, &'static str, Expect),
    /// The agent wants to end.
    Stop(End),
    /// Somebody else writes a file of the project.
    Write(&'static str, &'static str),
    /// A file of the project must hold just this.
    Holds(&'static str, &'static str),
}

/// What must come of a call.
#[derive(Debug, Clone, Copy)]
pub enum Expect {
    Answered,
    /// Answered, and advised with a text that has this in it.
    Advised(&'static str),
    /// Answered, and not advised.
    Unadvised,
    /// Refused with this code, for a reason that has this in it.
    Refused(&'static str, &'static str),
    /// It fails, and is advised with a text that has this in it, if that is not empty.
    Fails(&'static str),
}

/// Whether the agent may end.
#[derive(Debug, Clone, Copy)]
pub enum End {
    Complete,
    Skipped(&'static str),
    /// And what is left has this in it.
    Incomplete(&'static str),
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub kind: Kind,
    pub text: String,
    /// Advice, one text.
    pub feedback: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Answered,
    Failed,
    /// With its code, where the surface tells it.
    Refused(Option<String>),
}

/// A way to make calls in one conversation.
pub trait Surface {
    fn can(&self, capability: Capability) -> bool;

    fn call(&mut self, tool: &str, arguments: &Value) -> Outcome;

    /// The answer to an agent that wants to end: `complete`, `feedback`, `skipped`.
    fn stop(&mut self) -> Value;
}

/// What came of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The surface cannot do it.
    Cannot(Capability),
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Cannot(capability) => write!(f, "cannot: {capability:?}"),
            Self::Failed(why) => write!(f, "FAILED: {why}"),
        }
    }
}

/// Runs a scenario in a project of its own: the project is in `project`, the user's file in `config/bowline`.
pub fn run<F>(scenario: &Scenario, open: F) -> Verdict
where
    F: for<'a> FnOnce(&'a Fixture) -> Box<dyn Surface + 'a>,
{
    let mut fixture =
        Fixture::new("//- /project/notes.py\ndef first(): pass\n//- /project/other.py\ndef second(): pass\n");
    fixture.write("config/bowline/bowline.toml", scenario.settings);
    let fixture = fixture;
    let mut surface = open(&fixture);
    if let Some(lacking) = scenario.needs.iter().find(|capability| !surface.can(**capability)) {
        return Verdict::Cannot(*lacking);
    }
    for (index, step) in scenario.steps.iter().enumerate() {
        if let Err(why) = take(*step, &fixture, &mut *surface) {
            return Verdict::Failed(format!("step {} ({step:?}): {why}", index + 1));
        }
    }
    Verdict::Passed
}

fn take(step: Step, fixture: &Fixture, surface: &mut dyn Surface) -> Result<(), String> {
    let good = |good: bool, got: &dyn fmt::Debug| if good { Ok(()) } else { Err(format!("{got:?}")) };
    match step {
        Step::Write(file, text) => {
            fixture.write_bytes(&format!("project/{file}"), text.as_bytes());
            Ok(())
        }
        Step::Holds(file, text) => {
            let path = fixture.path(&format!("project/{file}"));
            let there = bowline_std::fs::read_text(&path, 1 << 20).map(|(there, _)| there);
            good(there.as_deref().is_ok_and(|there| there == text), &there)
        }
        Step::Call(tool, arguments, expect) => {
            let arguments = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
            let outcome = surface.call(tool, &arguments);
            good(meets(&outcome, expect), &outcome)
        }
        Step::Stop(end) => {
            let said = surface.stop();
            let left = said["feedback"].as_str();
            let meets = match end {
                End::Complete => said["complete"] == true && said.get("skipped").is_none() && left.is_none(),
                End::Skipped(why) => said["complete"] == true && said["skipped"] == why && left.is_none(),
                End::Incomplete(what) => {
                    said["complete"] == false && left.is_some_and(|left| left.contains(what))
                }
            };
            good(meets, &said)
        }
    }
}

fn meets(outcome: &Outcome, expect: Expect) -> bool {
    let Outcome { kind, text, feedback } = outcome;
    match (expect, kind) {
        (Expect::Answered, Kind::Answered) => true,
        (Expect::Advised(words), Kind::Answered) | (Expect::Fails(words), Kind::Failed) => {
            feedback.contains(words)
        }
        (Expect::Unadvised, Kind::Answered) => feedback.is_empty(),
        (Expect::Refused(code, words), Kind::Refused(told)) => {
            told.as_ref().is_none_or(|told| told == code) && text.contains(words)
        }
        _ => false,
    }
}
