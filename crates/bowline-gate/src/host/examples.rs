//! The examples that a rule may carry: what it is to match and what it is not, tried when it is read.

use std::path::PathBuf;
use std::time::SystemTime;

use bowline_call::{CallId, ConversationId, Effect, Family, Intent, Origin, Target, ToolCall, host_tool};
use bowline_command::{Access, ShellKind, Surroundings};
use serde_json::Value;

use super::entry::Meant;
use super::list::List;
use crate::scope::command::Reading;
use crate::scope::path::Bases;
use crate::{
    Asked, BadPattern, CommandFact, Decision, Facts, Ledger, Maker, PathFact, PathKind, RuleEntry, TouchFact,
    TreeNames,
};

/// A rule that does not do what it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadExample {
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    #[error("`{entry}` does not match its example `{example}`")]
    NotMatched { entry: String, example: String },
    #[error("`{entry}` matches `{example}`, which it is not to match")]
    Matched { entry: String, example: String },
}

/// Where examples take place.
pub(super) const ROOT: &str = "/root-of-examples";

pub(super) fn check(decision: Decision, entry: &RuleEntry) -> Result<(), BadExample> {
    let reading = match decision {
        Decision::Allow => Reading::Allowing,
        Decision::Ask | Decision::Deny => Reading::Denying,
    };
    let root = PathBuf::from(ROOT);
    let bases =
        Bases { roots: vec![root.clone()], sources: vec![root], home: Some("/home/of-examples".into()) };
    let list = List::new(std::slice::from_ref(entry), &bases, reading)?;
    let meant = Meant::parse(entry.pattern(), reading == Reading::Allowing)?;
    let (wanted, unwanted) = entry.examples();
    for example in wanted {
        if !matches(&list, &meant, example, reading) {
            return Err(BadExample::NotMatched { entry: entry.pattern().into(), example: example.clone() });
        }
    }
    for example in unwanted {
        if matches(&list, &meant, example, reading) {
            return Err(BadExample::Matched { entry: entry.pattern().into(), example: example.clone() });
        }
    }
    Ok(())
}

/// A command line, a path, an address or a tool: whichever the entry is about.
pub(super) fn matches(list: &List, meant: &Meant, example: &str, reading: Reading) -> bool {
    let home = PathBuf::from("/home/of-examples");
    let mut facts = Facts::new(SystemTime::UNIX_EPOCH, vec![ROOT.into()], Vec::new());
    let path = |path: PathBuf| {
        let path = if let Ok(rest) = path.strip_prefix("~") {
            home.join(rest)
        } else {
            PathBuf::from(ROOT).join(path)
        };
        PathFact {
            links: TreeNames::NONE,
            below: TreeNames::Unknown,
            written: path.clone(),
            absolute: path.clone(),
            real: Ok(path),
            kind: PathKind::File,
            hash: None,
            maker: Maker::Person,
            door: Ok(None),
        }
    };
    let named =
        |of: &Option<crate::NamePattern>, usual: &str| of.as_ref().map_or(usual, |of| of.text()).to_owned();
    let (tool, intent) = match meant {
        Meant::Commands { of, .. } => {
            let script = bowline_command::read(
                example,
                &Surroundings { cwd: Some(ROOT.into()), home: Some(home.clone()), shell: ShellKind::Bash },
            );
            let touched = script.touches.iter().map(|touch| TouchFact {
                access: touch.access,
                is_deep: touch.is_deep,
                may_be_fewer: touch.filter.may_be_fewer,
                tracked_only: touch.filter.tracked_only,
                is_copy: touch.filter.creates.is_copy(),
                readings: touch.paths.iter().cloned().map(path).collect(),
            });
            facts.commands.push(CommandFact { touched: touched.collect(), script });
            (named(of, "Bash"), Intent::new(Effect::Run, [Target::Command(example.to_owned())]))
        }
        Meant::Files { of, access, .. } => {
            facts.paths.push(path(example.into()));
            let (usual, effect) = match access {
                Access::Read => ("Read", Effect::Read),
                Access::Write | Access::Execute => ("Edit", Effect::Write),
            };
            (named(of, usual), Intent::new(effect, [Target::Path(example.into())]))
        }
        Meant::Domain(_) => {
            ("WebFetch".to_owned(), Intent::new(Effect::Read, [Target::Address(example.to_owned())]))
        }
        Meant::Class(_) | Meant::Name(_) | Meant::Argument { .. } => {
            let effect = host_tool(example).map_or(Effect::Read, |tool| tool.most);
            (example.to_owned(), Intent::new(effect, []))
        }
    };
    let call = ToolCall {
        id: CallId::fresh(),
        conversation: ConversationId::new("example"),
        origin: Origin::Cli,
        tool,
        arguments: Value::Null,
        cwd: None,
        server: None,
    };
    let ledger = Ledger::default();
    let asked = Asked::new(&ledger, &call, &intent, &facts);
    match reading {
        // An entry about commands is asked about the commands alone: what they write is another entry's business.
        Reading::Allowing if asked.family == Some(Family::Shell) => facts.commands.iter().all(|fact| {
            let mut runs = fact.script.needing_entries();
            fact.script.is_readable() && runs.all(|command| list.allows_command(&asked, command))
        }),
        Reading::Allowing => super::covering(&[list], &asked).is_some(),
        Reading::Denying => list.any(&asked).is_some_and(|found| found.certain),
    }
}
