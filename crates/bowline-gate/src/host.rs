//! Rules of the person or team who runs bowline, over every tool alike.
//!
//! Two layers are asked, the user's and the project's, and the stricter verdict stands: a repository that was
//! merely cloned can tighten what its user allows, never loosen it.

use bowline_call::{Effect, RefusalCode, Spelling, ToolIdentity};
use globset::{GlobSet, GlobSetBuilder};

use crate::pattern::glob;
use crate::{
    Asked, BadPattern, Decision, Objection, Rule, RuleEntry, RuleFailed, RulesOptions, ToolPattern, Verdict,
};

/// Whose rules they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    User,
    Project,
}

impl Layer {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// One layer of rules, ready to be asked.
#[derive(Debug)]
pub struct HostRules {
    layer: Layer,
    allow: List,
    ask: List,
    deny: List,
    default: Option<Decision>,
}

impl HostRules {
    pub fn new(layer: Layer, options: &RulesOptions) -> Result<Self, BadPattern> {
        Ok(Self {
            layer,
            allow: List::new(&options.allow)?,
            ask: List::new(&options.ask)?,
            deny: List::new(&options.deny)?,
            default: options.default,
        })
    }

    fn judge(&self, asked: &Asked<'_>) -> Verdict {
        let (called, effect) = (&asked.tool, asked.intent.effect);
        let tool = called.bare();
        let named =
            |list: &str, entry: &RuleEntry| format!("{} {list} `{}`", self.layer.word(), entry.pattern());
        if let Some(entry) = self.deny.first_match(called, effect) {
            return self.refuse(named("deny", entry), entry.justification(), tool);
        }
        if let Some(entry) = self.ask.first_match(called, effect) {
            return self.confirm(named("ask", entry), entry.justification(), tool, effect);
        }
        if let Some(entry) = self.allow.first_match(called, effect) {
            return Verdict::allow(named("allow", entry));
        }
        let rule = format!("{} default", self.layer.word());
        match (self.default, self.layer, effect) {
            (Some(Decision::Allow), ..)
            | (None, Layer::Project, _)
            | (None, Layer::User, Effect::Read | Effect::Draft) => Verdict::allow(rule),
            // Nobody has written a rule for it: a skill that the user lets grant may speak.
            (None, Layer::User, Effect::Write | Effect::Run)
                if let Some(skill) = asked.ledger.fences().granting(asked) =>
            {
                Verdict::allow(format!("granted by the skill {skill}"))
            }
            (Some(Decision::Ask), ..) | (None, Layer::User, Effect::Write | Effect::Run) => {
                self.confirm(rule, None, tool, effect)
            }
            (Some(Decision::Deny), ..) => self.refuse(rule, None, tool),
        }
    }

    fn refuse(&self, rule: String, why: Option<&str>, tool: &str) -> Verdict {
        let reason = why.map_or_else(
            || format!("`{tool}` is denied by the {}'s rules", self.layer.word()),
            str::to_owned,
        );
        Verdict::Refuse(Objection {
            code: RefusalCode::Denied,
            rule,
            reason,
            recovery:
                "reach the goal with the tools that are allowed, or ask the person you work for to change \
                       the rule in bowline.toml"
                    .into(),
            skill: None,
        })
    }

    fn confirm(&self, rule: String, why: Option<&str>, tool: &str, effect: Effect) -> Verdict {
        let reason = why.map_or_else(
            || format!("`{tool}` would {} and needs a person's consent", verb(effect)),
            str::to_owned,
        );
        Verdict::Ask(Objection {
            code: RefusalCode::ConfirmationRequired,
            rule,
            reason,
            recovery: format!(
                "nobody can be asked here; the person you work for can allow it with `allow = [\"{tool}\"]` \
                 under [rules] in their own bowline.toml"
            ),
            skill: None,
        })
    }
}

impl Rule for HostRules {
    fn name(&self) -> &'static str {
        "host rules"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        Ok(self.judge(asked))
    }
}

fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Draft => "draft an edit",
        Effect::Write => "change files",
        Effect::Run => "run a program",
    }
}

/// The entries of one list, matched together: ten thousand of them cost one pass over the name.
#[derive(Debug)]
struct List {
    entries: Vec<RuleEntry>,
    classes: Vec<(Effect, usize)>,
    names: GlobSet,
    /// The entry that each glob of `names` came from, and how that was spelt.
    owners: Vec<(usize, Spelling)>,
}

impl List {
    fn new(entries: &[RuleEntry]) -> Result<Self, BadPattern> {
        let mut classes = Vec::new();
        let mut owners = Vec::new();
        let mut names = GlobSetBuilder::new();
        for (index, entry) in entries.iter().enumerate() {
            match ToolPattern::parse(entry.pattern())? {
                ToolPattern::Class(effect) => classes.push((effect, index)),
                ToolPattern::Name(name) => {
                    for spelling in name.spellings() {
                        names.add(glob(&spelling.text)?);
                        owners.push((index, spelling.clone()));
                    }
                }
            }
        }
        let names = names.build().map_err(|error| bad_glob("the list", &error))?;
        Ok(Self { entries: entries.to_vec(), classes, names, owners })
    }

    fn first_match(&self, tool: &ToolIdentity, effect: Effect) -> Option<&RuleEntry> {
        let by_class =
            self.classes.iter().filter(|(class, _)| *class == effect).map(|(_, index)| *index).min();
        let by_name = tool.names().iter().flat_map(|name| {
            let owners = self.names.matches(&name.text).into_iter().map(|glob| &self.owners[glob]);
            owners.filter(|(_, spelling)| spelling.reaches(name)).map(|(index, _)| *index)
        });
        by_class.into_iter().chain(by_name).min().map(|index| &self.entries[index])
    }
}

fn bad_glob(pattern: &str, error: &globset::Error) -> BadPattern {
    BadPattern::Glob { pattern: pattern.to_owned(), reason: error.kind().to_string() }
}
