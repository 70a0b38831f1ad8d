//! Nothing outside the roots is touched, however the way there is written.

use bowline_call::RefusalCode;

use crate::{Asked, Objection, Rule, RuleFailed, Verdict};

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
            let reason = match &path.real {
                Ok(real) if facts.roots.iter().any(|root| real.starts_with(root)) => continue,
                Ok(real) if *real == path.absolute => {
                    format!("file path `{}` is outside workspace root {}", real.display(), list(&facts.roots))
                }
                Ok(real) => format!(
                    "file path `{}` leads to `{}`, outside workspace root {}",
                    path.absolute.display(),
                    real.display(),
                    list(&facts.roots)
                ),
                Err(why) => format!("nobody can tell where `{}` leads: {why}", path.absolute.display()),
            };
            return Ok(Verdict::Refuse(Objection {
                code: RefusalCode::Denied,
                rule: self.name().into(),
                reason,
                recovery:
                    "name a file inside the workspace, or ask the person you work for to start bowline with \
                           `--root` for that directory"
                        .into(),
            }));
        }
        Ok(Verdict::allow(self.name()))
    }
}

fn list(roots: &[std::path::PathBuf]) -> String {
    roots.iter().map(|root| format!("`{}`", root.display())).collect::<Vec<_>>().join(", ")
}
