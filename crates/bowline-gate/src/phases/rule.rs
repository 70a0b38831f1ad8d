//! The active skill as a rule of the gate.

use bowline_call::{Effect, RefusalCode};

use super::active::ActiveSkill;
use super::pattern::Occasion;
use super::recovery;
use super::walk::{Ruling, Violation};
use crate::{
    Asked, Decision, Guidance, Happened, Ledger, Mode, Notice, Objection, Rule, RuleFailed, SkillPlace,
    Verdict,
};

const RULE: &str = "phases";
const DEACTIVATE: &str = "deactivate_skill";
/// What is about skills, or about the work as a whole, is never a step of a skill.
const APART: [&str; 8] = [
    "activate_skill",
    DEACTIVATE,
    "finish_task",
    "get_skill_phase",
    "skills_list",
    "skills_load",
    "skills_read_file",
    "update_plan",
];

/// Keeps the order of the skill that is active.
#[derive(Debug, Clone, Copy)]
pub struct Phases {
    guidance: Guidance,
}

impl Phases {
    pub fn new(guidance: Guidance) -> Self {
        Self { guidance }
    }

    /// Whether an agent may walk out of a workflow that is not finished.
    fn end(&self, active: &ActiveSkill) -> Verdict {
        let objection = |code, recovery: &str| Objection {
            code,
            rule: "skills deactivate".into(),
            reason: format!(
                "the {} workflow is not finished, and is not to be left by the agent alone",
                active.skill
            ),
            recovery: recovery.into(),
            skill: Some(place(active)),
        };
        match self.guidance.deactivate {
            _ if active.is_finished() => Verdict::allow(RULE),
            Decision::Allow => Verdict::allow(RULE),
            Decision::Ask => Verdict::Ask(objection(
                RefusalCode::ConfirmationRequired,
                "finish the workflow; get_skill_phase says what is next",
            )),
            Decision::Deny => Verdict::Refuse(objection(
                RefusalCode::Denied,
                "finish the workflow; get_skill_phase says what is next",
            )),
        }
    }
}

impl Rule for Phases {
    fn name(&self) -> &'static str {
        RULE
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let Some(active) = asked.ledger.active() else {
            return Ok(Verdict::allow(RULE));
        };
        match asked.tool.own() {
            Some(DEACTIVATE) => return Ok(self.end(active)),
            Some(tool) if APART.contains(&tool) => return Ok(Verdict::allow(RULE)),
            _ => {}
        }
        // A command that writes is judged as a writer too, and one that nobody can read as if it wrote.
        let unreadable = asked.facts.commands.iter().any(|command| !command.script.is_readable());
        let effects = asked.effects().chain(unreadable.then_some(Effect::Write));
        let verdicts = effects.map(|effect| {
            let occasion = Occasion { tool: &asked.tool, effect, arguments: &asked.call.arguments };
            match active.table.rule(active.at, &occasion) {
                Ruling::Stay | Ruling::Open(_) | Ruling::Pass => Verdict::allow(RULE),
                Ruling::Violation(violation) => object(active, &occasion, violation),
            }
        });
        Ok(verdicts.reduce(Verdict::stricter).unwrap_or_else(|| Verdict::allow(RULE)))
    }

    fn learn(&self, ledger: &mut Ledger, happened: &Happened<'_>) {
        if happened.tool.own().is_some_and(|tool| APART.contains(&tool)) {
            return;
        }
        // A call counts for the phase that it was let in by: what has changed meanwhile was not what it looked at.
        let answer = happened.answer.filter(|_| happened.stand == ledger.stand());
        let Some(active) = ledger.active_mut() else { return };
        let occasion = Occasion {
            tool: happened.tool,
            effect: happened.intent.effect,
            arguments: &happened.call.arguments,
        };
        let Some(from) = active.learn(&occasion, answer) else { return };
        let notice = Notice::Advanced { place: place(active), from };
        ledger.tell(happened.call.into(), notice);
    }
}

fn object(active: &ActiveSkill, occasion: &Occasion<'_>, violation: Violation) -> Verdict {
    let objection = Objection {
        code: RefusalCode::PhaseViolation,
        rule: format!("phases of {}", active.skill),
        reason: recovery::reason(active, occasion.tool.bare(), violation),
        recovery: recovery::recovery(active, occasion, violation),
        skill: Some(place(active)),
    };
    match active.mode {
        Mode::Warn => Verdict::Warn(objection),
        Mode::Block => Verdict::Refuse(objection),
    }
}

pub(crate) fn place(active: &ActiveSkill) -> SkillPlace {
    SkillPlace {
        skill: active.skill.clone(),
        phase: active.phase().map(|phase| phase.name.clone()),
        mode: Some(active.mode),
    }
}
