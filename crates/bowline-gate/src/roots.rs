//! Nothing outside the roots is touched, however the way there is written.

use std::sync::Arc;

use bowline_call::{Effect, RefusalCode};
use bowline_command::Access;

use crate::{Asked, Facts, HostRules, Objection, PathFact, PathKind, Rule, RuleFailed, Suppose, Verdict};

const STAY_INSIDE: &str = "name a file inside the workspace, or ask the person you work for to start bowline with \
                           `--root` for that directory";
const NAME_ANOTHER: &str = "name a path whose every part exists and can be looked into";

/// Every path of the intent must really lie under a root. Targets that nobody can tell count as everything
/// under the roots, and so lie within them. What a host reads elsewhere, and what a command writes elsewhere, is asked about,
/// unless the user has an entry for it. Code that a command runs elsewhere is always asked about.
#[derive(Debug, Default)]
pub struct Roots {
    rules: Option<Arc<HostRules>>,
}

impl Roots {
    /// With the user's rules, whose entries about files may open a place outside.
    pub fn new(rules: Arc<HostRules>) -> Self {
        Self { rules: Some(rules) }
    }

    /// What is against one path.
    fn judge(
        &self,
        asked: &Asked<'_>,
        access: Access,
        path: &PathFact,
        more: &[String],
    ) -> Option<(String, &'static str)> {
        let roots = &asked.facts.roots;
        match &path.real {
            Ok(real) if roots.iter().any(|root| real.starts_with(root)) => None,
            // An entry about files says what may stand there, and not that it may run.
            Ok(_)
                if access != Access::Execute
                    && asked.family.is_some()
                    && self.rules.as_ref().is_some_and(|rules| rules.opens(asked, access, path, more)) =>
            {
                None
            }
            Ok(real) if *real == path.absolute => {
                let (real, roots) = (real.display(), list(roots));
                Some((format!("file path `{real}` is outside workspace root {roots}"), STAY_INSIDE))
            }
            Ok(real) => {
                let (written, real, roots) = (path.absolute.display(), real.display(), list(roots));
                let reason =
                    format!("file path `{written}` leads to `{real}`, outside workspace root {roots}");
                Some((reason, STAY_INSIDE))
            }
            Err(why) => {
                let reason = format!("nobody can tell where `{}` leads: {why}", path.absolute.display());
                Some((reason, NAME_ANOTHER))
            }
        }
    }

    fn objection(&self, code: RefusalCode, (reason, recovery): (String, &str)) -> Objection {
        Objection { code, rule: self.name().into(), reason, recovery: recovery.into(), skill: None }
    }
}

impl Rule for Roots {
    fn name(&self) -> &'static str {
        "roots"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        self.check_with(asked, &Suppose { entries: &[], is_remembered: false })
    }

    fn check_with(&self, asked: &Asked<'_>, suppose: &Suppose<'_>) -> Result<Verdict, RuleFailed> {
        let more = suppose.entries;
        let (facts, effect) = (asked.facts, asked.intent.effect);
        if facts.paths.len() != asked.intent.paths().count() {
            return Err(RuleFailed("the facts do not cover every path of the call".into()));
        }
        let access = if effect == Effect::Write { Access::Write } else { Access::Read };
        let only_reads = asked.family.is_some() && effect <= Effect::Draft;
        let mut verdict = Verdict::allow(self.name());
        for path in &facts.paths {
            let Some(against) = self.judge(asked, access, path, more) else { continue };
            verdict = verdict.stricter(if only_reads && path.real.is_ok() {
                Verdict::Ask(self.objection(RefusalCode::ConfirmationRequired, against))
            } else {
                Verdict::Refuse(self.objection(RefusalCode::Denied, against))
            });
        }
        for path in facts.written_by_commands().flat_map(|touched| &touched.readings) {
            let Some(against) = self.judge(asked, Access::Write, path, more) else { continue };
            let objection = self.objection(RefusalCode::ConfirmationRequired, against);
            verdict = verdict.stricter(Verdict::Ask(objection));
        }
        for path in facts.touched_by_commands(Access::Execute).flat_map(|touched| &touched.readings) {
            let Some((reason, recovery)) =
                self.judge(asked, Access::Execute, path, more).or_else(|| door(facts, path))
            else {
                continue;
            };
            let objection = self.objection(
                RefusalCode::ConfirmationRequired,
                (format!("code that was not judged would run: {reason}"), recovery),
            );
            verdict = verdict.stricter(Verdict::Ask(objection));
        }
        Ok(verdict)
    }

    fn offers(&self, asked: &Asked<'_>) -> Vec<Vec<String>> {
        self.rules.as_ref().map_or_else(Vec::new, |rules| rules.offers(asked))
    }
}

/// A directory that git takes for a repository names programs that git runs, and anyone may have made it. Where there is nothing
/// the program will fail, unless another brings it first.
fn door(facts: &Facts, path: &PathFact) -> Option<(String, &'static str)> {
    let reason = match path.door.as_ref() {
        _ if path.kind == PathKind::Missing
            && (is_brought(facts, path) || path.absolute.ends_with(".git")) =>
        {
            format!(
                "there is nothing at `{}` yet, so what runs there cannot be told",
                path.absolute.display()
            )
        }
        Ok(None) => return None,
        Ok(Some(why)) => format!("{why}, which names programs that git runs"),
        Err(why) => format!("what `{}` names cannot be told: {why}", path.absolute.display()),
    };
    Some((reason, "run it in a directory of the project, or ask the person you work for"))
}

/// Whether a whole directory comes to stand there by the same command line: a copy, a clone, what an archive holds.
fn is_brought(facts: &Facts, path: &PathFact) -> bool {
    let mut brought = facts.touched_by_commands(Access::Write).filter(|touched| touched.is_deep);
    brought.any(|touched| {
        let mut readings = touched.readings.iter();
        readings.any(|reading| path.absolute.starts_with(&reading.absolute))
    })
}

fn list(roots: &[std::path::PathBuf]) -> String {
    roots.iter().map(|root| format!("`{}`", root.display())).collect::<Vec<_>>().join(", ")
}
