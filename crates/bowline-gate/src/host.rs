//! Rules of the person or team who runs bowline, over every tool alike.
//!
//! Two layers are asked, the user's and the project's, and the stricter verdict stands: a repository that was
//! merely cloned can tighten what its user allows, never loosen it.

mod entry;
mod examples;
mod found;
mod list;
mod names;
mod offer;
mod reason;
mod remarks;

use std::path::{Path, PathBuf};

use bowline_call::{Effect, Family, RefusalCode, Target, Targets};
use bowline_command::{Access, Command, Doubt, Word};

use crate::scope::command::Reading;
use crate::scope::path::Bases;
use crate::{
    Asked, BadPattern, Decision, Grant, Objection, PathFact, Rule, RuleEntry, RuleFailed, RulesOptions,
    Suppose, Verdict, addresses,
};
pub use examples::BadExample;
use found::{Cause, Found};
use list::List;

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
    bases: Bases,
    /// Answers that were to be remembered for good, and the definition that each is bound to.
    remembered: Vec<(List, Option<String>)>,
}

impl HostRules {
    pub fn new(layer: Layer, options: &RulesOptions, bases: &Bases) -> Result<Self, BadPattern> {
        Ok(Self {
            layer,
            allow: List::new(&options.allow, bases, Reading::Allowing)?,
            ask: List::new(&options.ask, bases, Reading::Denying)?,
            deny: List::new(&options.deny, bases, Reading::Denying)?,
            default: options.default,
            bases: bases.clone(),
            remembered: Vec::new(),
        })
    }

    /// The same, with what a person has allowed for good.
    pub fn remembering(mut self, grants: &[Grant]) -> Result<Self, BadPattern> {
        for grant in grants {
            self.remembered.push((self.granted(grant)?, grant.definition.clone()));
        }
        Ok(self)
    }

    /// Whether an entry can be understood, and its examples hold.
    pub fn check(decision: Decision, entry: &RuleEntry) -> Result<(), BadExample> {
        examples::check(decision, entry)
    }

    /// What an entry of these rules means that was probably not meant.
    pub fn remarks(decision: Decision, entry: &RuleEntry, options: &RulesOptions) -> Vec<String> {
        remarks::of(decision, entry, options)
    }

    /// Whether an entry about files allows this one, or one of `more` does, and none denies it.
    pub(crate) fn opens(&self, asked: &Asked<'_>, access: Access, path: &PathFact, more: &[String]) -> bool {
        self.counts_allowing(asked)
            && (self.allow.allows_file(asked, access, path)
                || self.listed(more).is_some_and(|list| list.allows_file(asked, access, path))
                || self.grants(asked, |_| true).any(|list| list.allows_file(asked, access, path)))
    }

    fn judge(&self, asked: &Asked<'_>, suppose: Option<&Suppose<'_>>) -> Result<Verdict, RuleFailed> {
        if asked.facts.commands.len() != asked.intent.commands().count() {
            return Err(RuleFailed("the facts do not cover every command of the call".into()));
        }
        if let Some(found) = self.deny.any(asked) {
            let entry = self.deny.entry(found.entry);
            let rule = self.named("deny", entry);
            let told = reason::of_entry(&found, Decision::Deny, entry.pattern(), asked);
            return Ok(if found.certain {
                refuse(rule, with_justification(entry, &found, told))
            } else {
                confirm(rule, told, NOTHING_ALLOWS)
            });
        }
        let verdict = self.undenied(asked, suppose);
        Ok(match verdict {
            Verdict::Ask(objection) if self.is_granted(asked, &objection.rule, suppose) => {
                Verdict::allow(format!("{} remembered", self.layer.word()))
            }
            other => other,
        })
    }

    fn undenied(&self, asked: &Asked<'_>, suppose: Option<&Suppose<'_>>) -> Verdict {
        if let Some(found) = self.ask.any(asked) {
            let entry = self.ask.entry(found.entry);
            let rule = self.named("ask", entry);
            let told = reason::of_entry(&found, Decision::Ask, entry.pattern(), asked);
            // Another entry that allows would not help: asking beats allowing.
            let how = format!(
                "nobody can be asked here; the person you work for can answer where they can be asked, or take `{}` out of \
                 `ask` in bowline.toml",
                entry.pattern()
            );
            return confirm(rule, with_justification(entry, &found, told), &how);
        }
        let written =
            suppose.filter(|suppose| !suppose.is_remembered).and_then(|more| self.listed(more.entries));
        if self.counts_allowing(asked)
            && let Some((list, entry)) = covering(&with(&self.allow, written.as_ref()), asked)
        {
            return match list {
                0 => Verdict::allow(self.named("allow", self.allow.entry(entry))),
                _ => Verdict::allow("an entry that is tried"),
            };
        }
        let rule = format!("{} default", self.layer.word());
        let is_plain = asked.intent.effect <= Effect::Draft && !reaches_out(asked);
        match (self.default, self.layer) {
            (Some(Decision::Deny), _) => refuse(rule, reason::of_none(&self.allow, asked)),
            // What nobody can read is not allowed by saying nothing about it.
            (Some(Decision::Allow), _) | (None, Layer::Project) if unreadable(asked).is_none() => {
                Verdict::allow(rule)
            }
            (None, Layer::User) if is_plain => Verdict::allow(rule),
            // Nobody has written a rule for it: a skill that the user lets grant may speak.
            (None, Layer::User) if let Some(skill) = asked.ledger.fences().granting(asked) => {
                Verdict::allow(format!("granted by the skill {skill}"))
            }
            _ => confirm(rule, reason::of_none(&self.allow, asked), NOTHING_ALLOWS),
        }
    }

    /// A server that a project brings along may call itself what it likes: what is allowed to its namesake is not to it.
    fn counts_allowing(&self, asked: &Asked<'_>) -> bool {
        let source = asked.call.server.as_ref().and_then(|server| server.source.as_deref());
        source != Some("project")
    }

    fn granted(&self, grant: &Grant) -> Result<List, BadPattern> {
        let entries: Vec<RuleEntry> = grant.entries.iter().cloned().map(RuleEntry::Pattern).collect();
        List::new(&entries, &self.bases, Reading::Allowing)
    }

    /// Entries that are only supposed to be there. In a project's file they would allow nothing.
    fn listed(&self, entries: &[String]) -> Option<List> {
        if entries.is_empty() || self.layer == Layer::Project {
            return None;
        }
        let entries: Vec<RuleEntry> = entries.iter().cloned().map(RuleEntry::Pattern).collect();
        List::new(&entries, &self.bases, Reading::Allowing).ok()
    }

    /// Whether a person has said yes to this already. What an entry asks about is answered by a yes to that entry alone.
    fn is_granted(&self, asked: &Asked<'_>, rule: &str, suppose: Option<&Suppose<'_>>) -> bool {
        let supposed = suppose.filter(|suppose| suppose.is_remembered);
        let supposed = supposed.and_then(|suppose| self.listed(suppose.entries));
        let is_enough = |list: &List| covering(&with(&self.allow, Some(list)), asked).is_some();
        self.counts_allowing(asked)
            && (supposed.is_some_and(|list| is_enough(&list))
                || self.grants(asked, |of| is_default(rule) || of == Some(rule)).any(|list| is_enough(&list)))
    }

    /// What a person has allowed for good or for this conversation, of the tool as it is defined now.
    fn grants<'a>(
        &'a self,
        asked: &'a Asked<'_>,
        counts: impl Fn(Option<&str>) -> bool + Copy + 'a,
    ) -> impl Iterator<Item = Held<'a>> {
        let is_bound = |definition: Option<&str>| definition == asked.definition;
        let for_good = self
            .remembered
            .iter()
            .filter(move |(_, definition)| counts(None) && is_bound(definition.as_deref()));
        let now = asked
            .ledger
            .grants()
            .iter()
            .filter(move |grant| counts(grant.rule.as_deref()) && is_bound(grant.definition.as_deref()));
        let now = now.filter_map(|grant| self.granted(grant).ok());
        for_good.map(|(list, _)| Held::Known(list)).chain(now.map(|list| Held::Made(Box::new(list))))
    }

    fn named(&self, list: &str, entry: &RuleEntry) -> String {
        format!("{} {list} `{}`", self.layer.word(), entry.pattern())
    }
}

impl Rule for HostRules {
    fn name(&self) -> &'static str {
        "host rules"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        self.judge(asked, None)
    }

    fn check_with(&self, asked: &Asked<'_>, suppose: &Suppose<'_>) -> Result<Verdict, RuleFailed> {
        self.judge(asked, Some(suppose))
    }

    fn concerns(&self, access: Access, path: &Path) -> bool {
        self.deny.names_file(access, path) || self.ask.names_file(access, path)
    }

    fn concerns_below(&self, access: Access, directory: &Path, _roots: &[PathBuf]) -> bool {
        self.deny.names_below(access, directory) || self.ask.names_below(access, directory)
    }

    fn offers(&self, asked: &Asked<'_>) -> Vec<Vec<String>> {
        // What may be denied cannot be allowed by remembering.
        if self.deny.any(asked).is_some() { Vec::new() } else { self.offers_for(asked) }
    }
}

/// A justification is what the person who wrote the entry wants to be said.
fn with_justification(entry: &RuleEntry, found: &Found<'_>, told: String) -> String {
    match (entry.justification(), found.cause) {
        (None, _) => told,
        (Some(why), Cause::Call) => why.to_owned(),
        (Some(why), _) => format!("{told}: {why}"),
    }
}

const NOTHING_ALLOWS: &str = "nobody can be asked here, and no rule can allow it as it stands; do it in a plainer way, or ask \
                              the person you work for to do it";

fn refuse(rule: String, reason: String) -> Verdict {
    Verdict::Refuse(Objection {
        code: RefusalCode::Denied,
        rule,
        reason,
        recovery: "reach the goal with the tools that are allowed, or ask the person you work for to change \
                   the rule in bowline.toml"
            .into(),
        skill: None,
    })
}

fn confirm(rule: String, reason: String, recovery: &str) -> Verdict {
    Verdict::Ask(Objection {
        code: RefusalCode::ConfirmationRequired,
        rule,
        reason,
        recovery: recovery.to_owned(),
        skill: None,
    })
}

fn is_default(rule: &str) -> bool {
    rule.ends_with(" default")
}

/// A list that is kept, or was made for this question.
enum Held<'a> {
    Known(&'a List),
    Made(Box<List>),
}

impl std::ops::Deref for Held<'_> {
    type Target = List;

    fn deref(&self) -> &List {
        match self {
            Self::Known(list) => list,
            Self::Made(list) => list,
        }
    }
}

/// The first entry of those that allow all of it, and the list that it is in.
fn covering(lists: &[&List], asked: &Asked<'_>) -> Option<(usize, usize)> {
    if unreadable(asked).is_some() {
        return None;
    }
    let whole = lists.iter().enumerate().find_map(|(at, list)| Some((at, list.whole(asked)?)));
    whole.or_else(|| List::parts(lists, asked))
}

/// One list, or two.
fn with<'a>(list: &'a List, more: Option<&'a List>) -> Vec<&'a List> {
    std::iter::once(list).chain(more).collect()
}

/// Why no rule about commands can allow this one.
fn unreadable<'a>(asked: &'a Asked<'_>) -> Option<&'a str> {
    if asked.family != Some(Family::Shell) {
        return None;
    }
    let unclear = asked.facts.commands.iter().find(|command| !command.script.is_readable())?;
    let is_unreadable = |doubt: &&Doubt| matches!(doubt, Doubt::Unreadable(_));
    unclear.script.doubts.iter().find(is_unreadable).map(Doubt::text)
}

/// What of this command no entry spells out. Of several doubts of a line, one belongs to a command whose
/// program or file it names.
fn unspelt<'a>(asked: &'a Asked<'_>, of: &Command) -> Option<&'a str> {
    let commands = asked.facts.commands.iter().filter(|_| asked.family == Some(Family::Shell));
    let doubts: Vec<&Doubt> = commands.flat_map(|command| &command.script.doubts).collect();
    let names_it = |doubt: &&&Doubt| {
        let mut words = of.words.iter().filter_map(Word::literal);
        words.any(|word| doubt.text().contains(&format!("`{word}`")))
    };
    match doubts.as_slice() {
        [one] => Some(one.text()),
        several => several.iter().find(names_it).map(|doubt| doubt.text()),
    }
}

/// Whether it asks another machine.
fn reaches_out(asked: &Asked<'_>) -> bool {
    let Targets::Known(targets) = &asked.intent.targets else { return false };
    targets.iter().any(|target| matches!(target, Target::Address(address) if !addresses::is_ours(address)))
}
