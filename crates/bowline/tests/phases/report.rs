//! The page that says what was explored. It is committed, and a test keeps it true.

use std::fmt::Write as _;
use std::path::PathBuf;

use bowline_gate::{KnownTools, prove};

use crate::{ENFORCED, explore, sequences, specs, table};

const HEAD: &str = "# Tables of phases, explored

Generated from the tables of bowline's own skills by `cargo test -p bowline --test phases`; `UPDATE_TABLE=1` writes it anew.

A *place* is a phase and whether it is complete. A *state* is a place and what has been seen of what the skill promises. In
every state every tool of bowline and of the hosts is tried with every effect that it can have, with arguments that matter and
with some that lie, and with every kind of outcome. None of the calls that may run breaks a promise; nor does any sequence of
four calls over the names of bowline's tools and of the usual host's.

";

fn page() -> String {
    let specs = specs();
    let (known, names) = (KnownTools::new(&specs), sequences::alphabet().len());
    let mut page = String::from(HEAD);
    page.push_str(
        "| skill | places | states | calls in each | may run | refused | names in sequences | sequences of 4 | of these write |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for skill in ENFORCED {
        let (explored, counted) = (explore::explored(skill), sequences::counted(skill));
        let (places, states, tried) = (explored.places.len(), explored.states, explored.calls);
        let (ran, refused) = (explored.ran, explored.refused);
        let (all, wrote) = (counted.sequences, counted.that_wrote);
        let row = format!(
            "| {skill} | {places} | {states} | {tried} | {ran} | {refused} | {names} | {all} | {wrote} |"
        );
        let _ = writeln!(page, "{row}");
    }
    for skill in ENFORCED {
        let (written, table) = table(skill, &known);
        let proof = prove(&written, &table, &known);
        let _ = write!(page, "\n## {skill}\n\n");
        for (index, phase) in written.phases.iter().enumerate() {
            let words = |words: &[bowline_skills::Word]| {
                words.iter().map(|word| format!("`{}`", word.text)).collect::<Vec<_>>().join(", ")
            };
            let skip = if phase.skippable { "" } else { " It cannot be skipped." };
            let _ = writeln!(page, "{}. **{}**: {}{skip}", index + 1, phase.name.text, phase.description);
            let _ = writeln!(page, "   - allowed: {}", words(&phase.allowed));
            let _ = writeln!(page, "   - forbidden: {}", words(&phase.forbidden));
            let complete =
                phase.complete_when.as_deref().map_or_else(|| "anything allowed".to_owned(), words);
            let _ = writeln!(page, "   - complete after: {complete}");
        }
        let forbidden: Vec<String> =
            written.global_forbidden.iter().map(|word| format!("`{}`", word.text)).collect();
        let _ = writeln!(page, "\nNever: {}. Proved over {} places.", forbidden.join(", "), proof.states);
    }
    page
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a golden file of the repository")]
fn the_page_is_true() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/phase-tables.md");
    let page = page();
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/reference/phase-tables.md is stale: UPDATE_TABLE=1 writes it anew");
}
