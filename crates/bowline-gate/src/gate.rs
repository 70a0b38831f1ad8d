//! Before and after: joins the rules, strictest wins, a rule that errs refuses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{
    Effect, Family, HOST_TOOLS, HostTool, Intent, RefusalCode, Shows, ToolCall, ToolIdentity,
};
use bowline_command::Access;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Facts, Ledger, LedgerEntry, Objection, PathFact, PathKind, Verdict};

/// All that a rule may look at.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    pub ledger: &'a Ledger,
    pub call: &'a ToolCall,
    /// Which tool it is, however it was spelt.
    pub tool: ToolIdentity,
    /// The kind of host tool that it is, if it is one.
    pub family: Option<Family>,
    pub intent: &'a Intent,
    pub facts: &'a Facts,
    /// Names the tool's definition: an answer that is remembered is about this very tool.
    pub definition: Option<&'a str>,
}

impl<'a> Asked<'a> {
    pub fn new(ledger: &'a Ledger, call: &'a ToolCall, intent: &'a Intent, facts: &'a Facts) -> Self {
        let family = family(&call.tool);
        Self { ledger, call, tool: ToolIdentity::of(&call.tool), family, intent, facts, definition: None }
    }

    /// Whether it is a tool that is defined here. What only has such a name is not.
    pub fn is_ours(&self) -> bool {
        self.definition.is_some()
    }

    /// Whether files are written, by the call itself or by a command that it runs.
    pub fn writes(&self) -> bool {
        self.intent.effect == Effect::Write || self.facts.written_by_commands().next().is_some()
    }

    /// Whether it reads what is in a directory, and not the directory or the names in it alone.
    pub(crate) fn searches(&self, path: &PathFact) -> bool {
        let lists = host_tool(&self.call.tool).is_some_and(|tool| tool.shows == Shows::Names);
        self.family == Some(Family::Read) && path.kind == PathKind::Directory && !lists
    }

    /// What it does. A command that writes is a writer besides.
    pub fn effects(&self) -> impl Iterator<Item = Effect> {
        let also = (self.writes() && self.intent.effect != Effect::Write).then_some(Effect::Write);
        std::iter::once(self.intent.effect).chain(also)
    }
}

/// Hosts differ in capital letters: a shell is one, however it is written.
fn family(tool: &str) -> Option<Family> {
    host_tool(tool).map(|tool| tool.family)
}

fn host_tool(tool: &str) -> Option<&'static HostTool> {
    let same = || HOST_TOOLS.iter().find(|known| known.name.eq_ignore_ascii_case(tool));
    bowline_call::host_tool(tool).or_else(same)
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'a> {
    pub call: &'a ToolCall,
    pub tool: &'a ToolIdentity,
    /// What it turned out to do.
    pub intent: &'a Intent,
    pub facts: &'a Facts,
    /// What it answered, if it succeeded.
    pub answer: Option<&'a Value>,
    /// Where the ledger stood when it was let in, as [`Judgement::stand`] said.
    pub stand: Stand,
}

/// Where a ledger stands. It changes when a skill is activated, deactivated, or comes to another phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stand(pub(crate) u64);

/// A rule could not come to a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleFailed(pub String);

/// One rule. It has no state of its own: what it must remember is in the ledger.
pub trait Rule: Send + Sync {
    fn name(&self) -> &'static str;

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed>;

    /// Entries that may allow what this rule asks about, were they written, best first. The gate tries them.
    fn offers(&self, _asked: &Asked<'_>) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// What it would say if the user had allowed more.
    fn check_with(&self, asked: &Asked<'_>, _suppose: &Suppose<'_>) -> Result<Verdict, RuleFailed> {
        self.check(asked)
    }

    /// Whether its verdict may depend on this file being touched. Where all of a directory is meant, only such files are
    /// told to it.
    fn concerns(&self, _access: Access, _path: &Path) -> bool {
        false
    }

    /// Whether it may concern any file below this directory.
    fn concerns_below(&self, _access: Access, _directory: &Path, _roots: &[PathBuf]) -> bool {
        false
    }

    /// Learns what happened.
    fn learn(&self, _ledger: &mut Ledger, _happened: &Happened<'_>) {}
}

impl<R: Rule + ?Sized> Rule for Arc<R> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        (**self).check(asked)
    }

    fn offers(&self, asked: &Asked<'_>) -> Vec<Vec<String>> {
        (**self).offers(asked)
    }

    fn check_with(&self, asked: &Asked<'_>, suppose: &Suppose<'_>) -> Result<Verdict, RuleFailed> {
        (**self).check_with(asked, suppose)
    }

    fn concerns(&self, access: Access, path: &Path) -> bool {
        (**self).concerns(access, path)
    }

    fn concerns_below(&self, access: Access, directory: &Path, roots: &[PathBuf]) -> bool {
        (**self).concerns_below(access, directory, roots)
    }

    fn learn(&self, ledger: &mut Ledger, happened: &Happened<'_>) {
        (**self).learn(ledger, happened);
    }
}

/// What all rules say together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The strictest.
    pub verdict: Verdict,
    /// Everything that any rule has against it, in their order.
    pub objections: Vec<Objection>,
    /// Those of them that let the call run.
    pub warnings: Vec<Objection>,
    /// What can be remembered, if a person is to be asked: entries that every rule that asks would be content with.
    pub offer: Option<Vec<String>>,
    pub stand: Stand,
}

/// Entries that the user is supposed to have allowed.
#[derive(Debug, Clone, Copy)]
pub struct Suppose<'a> {
    pub entries: &'a [String],
    /// A person has answered a question with them. Otherwise they stand in the file, where `ask` beats them.
    pub is_remembered: bool,
}

/// All rules, in their order of asking.
pub struct Gate {
    rules: Vec<Box<dyn Rule>>,
}

impl Gate {
    pub fn new(rules: Vec<Box<dyn Rule>>) -> Self {
        Self { rules }
    }

    /// May this call run?
    pub fn before(&self, asked: &Asked<'_>) -> Judgement {
        let (mut objections, mut warnings) = (Vec::new(), Vec::new());
        let mut asking: Vec<&dyn Rule> = Vec::new();
        let verdicts = self.rules.iter().map(|rule| {
            let verdict = rule.check(asked).unwrap_or_else(|failed| refuse_for(rule.name(), &failed));
            objections.extend(verdict.objection().cloned());
            match &verdict {
                Verdict::Warn(objection) => warnings.push(objection.clone()),
                Verdict::Ask(_) => asking.push(&**rule),
                Verdict::Allow { .. } | Verdict::Refuse(_) => {}
            }
            verdict
        });
        // No rule at all is a mistake in the wiring, and mistakes refuse.
        let verdict = verdicts
            .reduce(Verdict::stricter)
            .unwrap_or_else(|| refuse_for("gate", &RuleFailed("there are no rules".into())));
        let (verdict, offer) = match verdict {
            Verdict::Ask(objection) => {
                let offer = offer(&asking, asked);
                (Verdict::Ask(with_advice(objection, offer.as_deref(), &asking, asked)), offer)
            }
            other => (other, None),
        };
        Judgement { verdict, objections, warnings, offer, stand: asked.ledger.stand() }
    }

    /// Whether the verdict on some call may depend on this very file being touched.
    pub fn concerns(&self, access: Access, path: &Path) -> bool {
        self.rules.iter().any(|rule| rule.concerns(access, path))
    }

    /// Whether the verdict on some call may depend on a file below this directory being touched.
    pub fn concerns_below(&self, access: Access, directory: &Path, roots: &[PathBuf]) -> bool {
        self.rules.iter().any(|rule| rule.concerns_below(access, directory, roots))
    }

    /// What each rule says, in their order: for whoever wants to understand it.
    pub fn each(&self, asked: &Asked<'_>) -> Vec<(&'static str, Verdict)> {
        let judge =
            |rule: &dyn Rule| rule.check(asked).unwrap_or_else(|failed| refuse_for(rule.name(), &failed));
        self.rules.iter().map(|rule| (rule.name(), judge(&**rule))).collect()
    }

    /// Learns what happened.
    pub fn after(&self, ledger: &mut Ledger, happened: &Happened<'_>) {
        for rule in &self.rules {
            rule.learn(ledger, happened);
        }
        ledger.append(LedgerEntry {
            call: happened.call.id,
            tool: happened.call.tool.as_str().into(),
            effect: happened.intent.effect,
            files: happened.facts.paths.iter().filter_map(|path| path.real.clone().ok()).collect(),
            at: happened.facts.now,
            success: happened.answer.is_some(),
        });
    }
}

/// The first entries of those that contents every rule that asks, once a person has said yes to them.
fn offer(asking: &[&dyn Rule], asked: &Asked<'_>) -> Option<Vec<String>> {
    let all: Vec<Vec<Vec<String>>> = asking.iter().map(|rule| rule.offers(asked)).collect();
    let longest = all.iter().map(Vec::len).max()?;
    (0..longest).find_map(|at| {
        let mut entries: Vec<String> = Vec::new();
        for offers in &all {
            // One that nothing contents leaves nothing to remember.
            let offer = offers.get(at).or_else(|| offers.last())?;
            for entry in offer {
                if !entries.contains(entry) {
                    entries.push(entry.clone());
                }
            }
        }
        is_enough(asking, asked, &Suppose { entries: &entries, is_remembered: true }).then_some(entries)
    })
}

/// Whether no rule asks any more. Those that have allowed it already do not change their minds.
fn is_enough(asking: &[&dyn Rule], asked: &Asked<'_>, suppose: &Suppose<'_>) -> bool {
    let is_content = |verdict| matches!(verdict, Ok(Verdict::Allow { .. } | Verdict::Warn(_)));
    asking.iter().all(|rule| is_content(rule.check_with(asked, suppose)))
}

/// What the person who runs bowline can write, if it helps.
fn with_advice(
    objection: Objection,
    offer: Option<&[String]>,
    asking: &[&dyn Rule],
    asked: &Asked<'_>,
) -> Objection {
    let Some(entries) = offer else { return objection };
    if !is_enough(asking, asked, &Suppose { entries, is_remembered: false }) {
        return objection;
    }
    let entries: Vec<String> = entries.iter().map(|entry| toml_text(entry)).collect();
    let recovery = format!(
        "nobody can be asked here; the person you work for can allow it with `allow = [{}]` under [rules] in their own \
         bowline.toml",
        entries.join(", ")
    );
    Objection { recovery, ..objection }
}

fn toml_text(entry: &str) -> String {
    if entry.contains('\'') || entry.chars().any(char::is_control) {
        format!("{entry:?}")
    } else if entry.contains(['"', '\\']) {
        format!("'{entry}'")
    } else {
        format!("\"{entry}\"")
    }
}

fn refuse_for(rule: &str, failed: &RuleFailed) -> Verdict {
    Verdict::Refuse(Objection {
        code: RefusalCode::RuleFailed,
        rule: rule.to_owned(),
        reason: format!("the rule could not be checked: {failed}"),
        recovery: "ask the person you work for to look at bowline's rules; until then this call is refused"
            .into(),
        skill: None,
    })
}
