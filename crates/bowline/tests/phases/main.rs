//! The tables of our own skills against what they promise: every state, every tool that there is, and every short sequence.
//!
//! What is promised is written down here once more, by hand and without a word of the table: `promise.rs` watches the calls
//! and not the phases.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod explore;
mod over_mcp;
mod promise;
mod report;
mod sequences;
mod stdio;
mod walk;

use std::sync::Arc;

use bowline_call::{AnyTool, Effect, HOST_TOOLS, HostTool, ToolSpec};
use bowline_gate::{Guidance, KnownTools, Ledgers, Table, prove};
use bowline_guide::Guide;
use bowline_skills::{PhaseTable, Store};
use bowline_tools::House;
use bowline_workspace::Workspace;

/// The skills that have phases.
const ENFORCED: [&str; 4] = ["lsp-refactor", "lsp-rename", "lsp-safe-edit", "lsp-verify"];

/// Every tool that a real bowline offers.
fn specs() -> Vec<ToolSpec> {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::new(bowline_workspace::Options::default(), vec![dir.path().to_owned()], None);
    let house = House::of(workspace.unwrap());
    let guide = Guide::new(Arc::new(bowline_guide::ours()), Ledgers::default(), Guidance::default(), 1000);
    let tools = bowline_tools::all(&house).into_iter().chain(bowline_guide::all(&guide));
    tools.map(|tool: Arc<dyn AnyTool>| tool.spec().clone()).collect()
}

/// A table as it was written, and as it was understood.
fn table(skill: &str, known: &KnownTools) -> (PhaseTable, Table) {
    let written = bowline_guide::ours().phases(skill).unwrap().unwrap();
    let table = Table::understand(&written, known).unwrap();
    (written, table)
}

/// A tool, with the least and the most that it does.
struct Named {
    name: String,
    least: Effect,
    most: Effect,
}

/// Ours and those of hosts. A command may turn out to do anything.
fn named(specs: &[ToolSpec]) -> Vec<Named> {
    let ours = specs.iter().map(|spec| Named { name: spec.name.clone(), least: spec.least, most: spec.most });
    let hosts = HOST_TOOLS.iter().map(|HostTool { name, most, .. }| Named {
        name: (*name).to_owned(),
        least: if *most == Effect::Run { Effect::Read } else { *most },
        most: *most,
    });
    let strangers = ["mcp__somebody__write", "files.write", "a tool nobody knows"];
    let strangers =
        strangers.map(|name| Named { name: name.to_owned(), least: Effect::Read, most: Effect::Run });
    ours.chain(hosts).chain(strangers).collect()
}

#[test]
fn exactly_these_have_phases_and_all_are_proved_without_a_doubt() {
    let specs = specs();
    let known = KnownTools::new(&specs);
    let store = bowline_guide::ours();
    let phased: Vec<String> = store
        .list()
        .skills
        .iter()
        .filter(|skill| store.phases(&skill.name).unwrap().is_some())
        .map(|skill| skill.name.clone())
        .collect();
    assert_eq!(phased, ENFORCED);
    for skill in ENFORCED {
        let (written, table) = table(skill, &known);
        let proof = prove(&written, &table, &known);
        assert_eq!((proof.errors, proof.warnings), (vec![], vec![]), "{skill}");
    }
}

/// What a skill lists must be there: a name that nothing has is a promise that nothing keeps.
#[test]
fn every_skill_lists_tools_that_there_are() {
    let specs = specs();
    let tools = named(&specs);
    for skill in bowline_guide::ours().list().skills {
        let listed = skill.allowed_tools.as_ref().map(|list| list.entries.as_slice()).unwrap_or_default();
        assert!(!listed.is_empty(), "{}", skill.name);
        for entry in listed {
            let bare = entry.tool.strip_prefix("mcp__bowline__").unwrap_or(&entry.tool);
            let is_there = tools.iter().any(|tool| tool.name == bare);
            assert!(is_there, "{} lists `{}`", skill.name, entry.tool);
        }
    }
}
