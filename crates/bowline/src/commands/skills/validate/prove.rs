//! A table of phases against the tools that there are: what a skill's library cannot know.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use bowline_gate::{Guidance, KnownTools, Ledgers, Table};
use bowline_guide::Guide;
use bowline_skills::{Finding, Report};
use bowline_tools::House;
use bowline_workspace::Workspace;

/// Proves tables. Which tools there are is found out when the first one comes.
#[derive(Default)]
pub(super) struct Prover {
    known: OnceCell<Option<KnownTools>>,
}

impl Prover {
    /// Proves the table that was read with the skill, if it has one. What cannot be proved is not valid.
    pub(super) fn prove(&self, report: &mut Report) {
        let Some(written) = report.phases.take() else { return };
        match self.known.get_or_init(known) {
            None => {
                let message = "the table cannot be proved: it cannot be told which tools there are";
                report.errors.push(Finding { file: written.file, line: None, message: message.into() });
            }
            Some(known) => match Table::understand(&written, known) {
                Err(findings) => report.errors.extend(findings),
                Ok(table) => {
                    let proof = bowline_gate::prove(&written, &table, known);
                    report.errors.extend(proof.errors);
                    report.warnings.extend(proof.warnings);
                }
            },
        }
        report.valid = report.errors.is_empty();
    }
}

/// Ours, and those of hosts. No configuration has a say in that.
fn known() -> Option<KnownTools> {
    let here = Path::new(".").canonicalize().ok()?;
    let workspace = Workspace::new(bowline_workspace::Options::default(), vec![here], None).ok()?;
    let house = House::of(workspace);
    let guide = Guide::new(Arc::new(bowline_guide::ours()), Ledgers::default(), Guidance::default(), 1);
    let tools: Vec<_> = bowline_tools::all(&house).into_iter().chain(bowline_guide::all(&guide)).collect();
    Some(KnownTools::new(tools.iter().map(|tool| tool.spec())))
}
