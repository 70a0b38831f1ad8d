//! A tool is called by a name that can be told from others.

use bowline_call::RefusalCode;

use crate::{Asked, Objection, Rule, RuleFailed, Verdict};

/// Names are plain ASCII: with other letters, or such that nobody sees, a name looks like one that it is not.
#[derive(Debug, Default)]
pub struct Names;

impl Rule for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let name = &asked.call.tool;
        let odd = name.chars().find(|c| !c.is_ascii_graphic());
        let reason = match odd {
            None if !name.is_empty() => return Ok(Verdict::allow(self.name())),
            None => "a tool without a name was called".to_owned(),
            Some(odd) => format!("the tool's name has U+{:04X}, and so looks like another", u32::from(odd)),
        };
        Ok(Verdict::Refuse(Objection {
            code: RefusalCode::Denied,
            rule: self.name().into(),
            reason,
            recovery: "call the tool by the name that it is listed under".into(),
            skill: None,
        }))
    }
}
