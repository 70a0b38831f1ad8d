//! A table of phases against the tools that there are: what a skill's library cannot know.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use bowline_gate::{Guidance, KnownTools, Ledgers, Table};
use bowline_guide::Guide;
use bowline_skills::{FileSystemStore, Finding, PhaseTable, PhasesError, Reading, Report, Scope, Store};
use bowline_tools::House;
use bowline_workspace::Workspace;

/// Proves tables. Which tools there are is found out when the first one comes.
pub(super) struct Prover {
    reading: Reading,
    known: OnceCell<Option<KnownTools>>,
}

impl Prover {
    pub(super) fn new(reading: Reading) -> Self {
        Self { reading, known: OnceCell::new() }
    }

    /// Checks a skill, and its table of phases if it has one.
    pub(super) fn validate(&self, dir: &Path) -> Report {
        let mut report = bowline_skills::validate(dir, self.reading);
        if report.valid {
            match self.table_of(dir) {
                Ok(None) => {}
                Ok(Some(table)) => self.prove(&table, &mut report),
                Err(error) => unproved(&mut report, &error.to_string()),
            }
            report.valid = report.errors.is_empty();
        }
        report
    }

    fn table_of(&self, dir: &Path) -> Result<Option<PhaseTable>, PhasesError> {
        let Ok(real) = dir.canonicalize() else { return Ok(None) };
        let (Some(root), Some(name)) = (real.parent(), real.file_name()) else { return Ok(None) };
        let store = FileSystemStore::new([(root.to_owned(), Scope::User)], self.reading);
        store.phases(&name.to_string_lossy())
    }

    fn prove(&self, written: &PhaseTable, report: &mut Report) {
        let Some(known) = self.known.get_or_init(known) else {
            return unproved(report, "it cannot be told which tools there are");
        };
        match Table::understand(written, known) {
            Err(findings) => report.errors.extend(findings),
            Ok(table) => {
                let proof = bowline_gate::prove(written, &table, known);
                report.errors.extend(proof.errors);
                report.warnings.extend(proof.warnings);
            }
        }
    }
}

fn unproved(report: &mut Report, why: &str) {
    let message = format!("whether it has a table of phases that holds was not checked: {why}");
    report.warnings.push(Finding { file: ".".into(), line: None, message });
}

/// Ours, and those of hosts. No configuration has a say in that.
fn known() -> Option<KnownTools> {
    let here = Path::new(".").canonicalize().ok()?;
    let workspace = Workspace::new(bowline_workspace::Options::default(), vec![here], None).ok()?;
    let house = House {
        workspace: Arc::new(workspace),
        path: OsString::new(),
        log_level: None,
        run_logs: None,
        skills: None,
    };
    let guide = Guide::new(Arc::new(bowline_guide::ours()), Ledgers::default(), Guidance::default(), 1);
    let tools: Vec<_> = bowline_tools::all(&house).into_iter().chain(bowline_guide::all(&guide)).collect();
    Some(KnownTools::new(tools.iter().map(|tool| tool.spec())))
}
