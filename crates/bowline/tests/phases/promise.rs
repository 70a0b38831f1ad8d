//! What each skill promises, told by the calls that succeeded and by nothing else.

use bowline_call::Effect;
use serde_json::Value;

/// What has happened so far, as far as a promise is about it. One bit for each thing that must come first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Seen(u8);

/// A call that may happen.
#[derive(Debug, Clone)]
pub(crate) struct Happening {
    pub(crate) tool: String,
    pub(crate) effect: Effect,
    pub(crate) arguments: Value,
    pub(crate) answer: Value,
}

impl Happening {
    fn is(&self, tools: &[&str]) -> bool {
        tools.contains(&self.tool.as_str())
    }

    fn answers(&self, key: &str) -> bool {
        self.answer[key] == true
    }
}

/// What must have happened before a file is written. Each entry is one thing, and any of its calls will do.
fn before_writing(skill: &str) -> Vec<fn(&Happening) -> bool> {
    let safe: fn(&Happening) -> bool = |call| {
        call.is(&["preview_edit", "simulate_chain", "evaluate_session"]) && call.answers("safe_to_apply")
    };
    match skill {
        "lsp-rename" => vec![|call| call.is(&["rename_symbol"]) && call.arguments["dry_run"] == true],
        "lsp-refactor" => vec![|call| call.is(&["blast_radius"]), safe],
        "lsp-safe-edit" => {
            vec![|call| call.is(&["get_diagnostics"]) && call.arguments["file_path"].is_string(), safe]
        }
        "lsp-verify" => vec![|call| call.is(&["get_diagnostics"]), |call| call.is(&["run_build"]), |call| {
            call.is(&["run_tests"])
        }],
        other => panic!("{other} promises nothing"),
    }
}

/// What is never called while the skill is active, whatever it does.
fn never(skill: &str) -> &'static [&'static str] {
    match skill {
        "lsp-rename" => &["format_document", "run_tests"],
        "lsp-refactor" => &["rename_symbol"],
        "lsp-safe-edit" => &["rename_symbol", "blast_radius"],
        "lsp-verify" => &["rename_symbol", "preview_edit", "simulate_chain", "simulate_edit"],
        other => panic!("{other} promises nothing"),
    }
}

/// Watches the calls of one skill.
pub(crate) struct Promise {
    before: Vec<fn(&Happening) -> bool>,
    never: &'static [&'static str],
    /// Whether programs may run before anything may be written: only the skill whose business that is.
    runs_early: bool,
}

impl Promise {
    pub(crate) fn of(skill: &str) -> Self {
        Self { before: before_writing(skill), never: never(skill), runs_early: skill == "lsp-verify" }
    }

    /// What is seen once this call has succeeded.
    pub(crate) fn after(&self, seen: Seen, call: &Happening) -> Seen {
        let bits = self.before.iter().enumerate().filter(|(_, is)| is(call)).map(|(bit, _)| 1 << bit);
        Seen(bits.fold(seen.0, |seen, bit: u8| seen | bit))
    }

    pub(crate) fn may_write(&self, seen: Seen) -> bool {
        seen.0 == (1 << self.before.len()) - 1
    }

    /// Whether it breaks the promise that this call runs now.
    pub(crate) fn is_broken_by(&self, seen: Seen, call: &Happening) -> bool {
        let early = match call.effect {
            Effect::Write => true,
            Effect::Run => !self.runs_early,
            Effect::Read | Effect::Draft => false,
        };
        call.is(self.never) || (early && !self.may_write(seen))
    }
}
