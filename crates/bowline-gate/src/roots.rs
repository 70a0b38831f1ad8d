//! Nothing outside the roots is touched, however the way there is written.

use bowline_call::RefusalCode;

use crate::{Asked, Objection, Rule, RuleFailed, Verdict};

const STAY_INSIDE: &str = "name a file inside the workspace, or ask the person you work for to start bowline with \
                           `--root` for that directory";
const NAME_ANOTHER: &str = "name a path whose every part exists and can be looked into";

/// Every path of the intent must really lie under a root. Targets that nobody can tell count as everything
/// under the roots, and so lie within them.
#[derive(Debug, Default)]
pub struct Roots;

impl Rule for Roots {
    fn name(&self) -> &'static str {
        "roots"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let facts = asked.facts;
        if facts.paths.len() != asked.intent.paths().count() {
            return Err(RuleFailed("the facts do not cover every path of the call".into()));
        }
        for path in &facts.paths {
            let (reason, recovery) = match &path.real {
                Ok(real) if facts.roots.iter().any(|root| real.starts_with(root)) => continue,
                Ok(real) if *real == path.absolute => {
                    let (real, roots) = (real.display(), list(&facts.roots));
                    (format!("file path `{real}` is outside workspace root {roots}"), STAY_INSIDE)
                }
                Ok(real) => {
                    let (written, real, roots) =
                        (path.absolute.display(), real.display(), list(&facts.roots));
                    (
                        format!("file path `{written}` leads to `{real}`, outside workspace root {roots}"),
                        STAY_INSIDE,
                    )
                }
                Err(why) => (
                    format!("nobody can tell where `{}` leads: {why}", path.absolute.display()),
                    NAME_ANOTHER,
                ),
            };
            return Ok(Verdict::Refuse(Objection {
                code: RefusalCode::Denied,
                rule: self.name().into(),
                reason,
                recovery: recovery.into(),
                skill: None,
            }));
        }
        Ok(Verdict::allow(self.name()))
    }
}

fn list(roots: &[std::path::PathBuf]) -> String {
    roots.iter().map(|root| format!("`{}`", root.display())).collect::<Vec<_>>().join(", ")
}
