//! `bowline doctor`: starts each language server that the project could use, and says what works.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_workspace::servers::Examination;
use bowline_workspace::{Patience, Workspace, WorkspaceError};
use clap::Args;
use serde_json::{Value, json};

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{BAD, BOLD, DIM, GOOD, NAME, clear_status, line, note, status, styled, tame};
use crate::wiring::assemble;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only these languages. Default: those of the project whose servers are installed or configured.
    languages: Vec<String>,
    /// How long each server may take to see the whole project, in seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// As JSON, one line for each server.
    #[arg(long)]
    json: bool,
}

/// One server put to the test.
struct Report {
    language: String,
    server: String,
    program: Option<PathBuf>,
    outcome: Result<Examination, WorkspaceError>,
}

pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> anyhow::Result<Ending> {
    let bowline = assemble(shared)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ending = runtime.block_on(examine(&bowline.workspace, &bowline.settings.warnings, arguments));
    runtime.shutdown_background();
    ending
}

async fn examine(
    workspace: &Arc<Workspace>,
    warnings: &[String],
    arguments: &Arguments,
) -> anyhow::Result<Ending> {
    let patience = Patience::default();
    let (mut examined, mut failed) = (0, 0);
    for warning in warnings {
        note(warning);
    }
    for root in workspace.roots() {
        if !arguments.json {
            line(format_args!("{}  {}\n", styled(BOLD, "bowline doctor"), root.display()));
        }
        let languages = match arguments.languages.as_slice() {
            [] => workspace.startable_languages(root, &patience).await?,
            asked => asked.to_vec(),
        };
        for language in languages {
            let report = put_to_the_test(workspace, &language, root, arguments, &patience).await;
            examined += 1;
            failed += usize::from(!report.is_well());
            if arguments.json { line(report.json()) } else { report.show(root) }
        }
        if !arguments.json {
            missing(workspace, root, &patience).await?;
        }
    }
    workspace.stop_servers().await;
    if !arguments.json {
        line(match (examined, failed) {
            (0, _) => {
                "No language server to examine; answers come from the embedded syntax engine.".to_owned()
            }
            (_, 0) => styled(GOOD, format_args!("{examined} of {examined} servers work.")),
            _ => styled(BAD, format_args!("{failed} of {examined} servers failed.")),
        });
    }
    Ok(if failed == 0 { Ending::Well } else { Ending::Failed })
}

async fn put_to_the_test(
    workspace: &Workspace,
    language: &str,
    root: &Path,
    arguments: &Arguments,
    patience: &Patience<'_>,
) -> Report {
    let within = Duration::from_secs(arguments.timeout);
    let on_terminal = std::io::stderr().is_terminal();
    let last = std::sync::Mutex::new(String::new());
    let tell = |what: &str| {
        let said = tame(&format!("{language}: {what} …"));
        if on_terminal {
            return status(&said);
        }
        // A log is read line by line: each step once, without its percentages.
        let step =
            said.split(|character: char| character.is_ascii_digit()).next().unwrap_or_default().to_owned();
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *last != step {
            note(&said);
            *last = step;
        }
    };
    let known = workspace.server_named(language, root);
    let outcome = workspace.examine_server(language, root, within, &tell, patience).await;
    clear_status();
    let (server, program) = known.unwrap_or_default();
    Report { language: language.to_owned(), server, program, outcome }
}

/// What the project could use, and is not there.
async fn missing(workspace: &Workspace, root: &Path, patience: &Patience<'_>) -> anyhow::Result<()> {
    let missing = workspace.missing_servers(root, patience).await?;
    for (language, error) in &missing {
        line(format_args!("{}  {}", styled(NAME, format_args!("{language:<12}")), styled(DIM, error)));
    }
    if !missing.is_empty() {
        line("");
    }
    Ok(())
}

impl Report {
    fn is_well(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|found| found.is_well() && found.ready.is_some())
    }

    fn show(&self, root: &Path) {
        let language = styled(NAME, format_args!("{:<12}", self.language));
        match &self.outcome {
            Err(error) => {
                line(format_args!("{language}{} {}", styled(BAD, "failed"), tame(&error.to_string())));
            }
            Ok(found) => {
                let version = found.version.as_deref().unwrap_or_default();
                let state = match found.ready {
                    Some(ready) => styled(GOOD, format_args!("ready in {}", seconds(ready))),
                    None => styled(BAD, "not ready in time"),
                };
                line(format_args!("{language}{} {version}  {state}", styled(BOLD, tame(&found.name))));
                self.details(found, root);
            }
        }
        line("");
    }

    fn details(&self, found: &Examination, root: &Path) {
        let indent = " ".repeat(12);
        let program = self.program.as_deref().unwrap_or(Path::new("-")).display();
        let memory = found.memory.map_or_else(String::new, |bytes| format!(", {} MiB", bytes >> 20));
        let facts =
            format!("{program}  (handshake {}, columns {}{memory})", seconds(found.handshake), found.columns);
        line(format_args!("{indent}{}", styled(DIM, facts)));
        if let Some(file) = &found.file {
            let file = file.strip_prefix(root).unwrap_or(file);
            line(format_args!("{indent}{}", styled(DIM, format_args!("asked about {}", file.display()))));
        }
        for trial in &found.trials {
            let outcome = match &trial.outcome {
                Ok(found) => styled(GOOD, found),
                Err(error) => styled(BAD, tame(&error.to_string())),
            };
            line(format_args!("{indent}{:<12} {:>9}  {outcome}", trial.what, seconds(trial.took)));
        }
        if found.file.is_none() {
            line(format_args!("{indent}{}", styled(DIM, "no file of this language to ask about")));
        }
        line(format_args!(
            "{indent}{}",
            styled(DIM, format_args!("offers {}", tame(&found.offers.join(", "))))
        ));
    }

    fn json(&self) -> Value {
        let mut report = json!({
            "language": self.language,
            "server": self.server,
            "program": self.program,
            "ok": self.is_well(),
        });
        match &self.outcome {
            Err(error) => report["error"] = json!(error.to_string()),
            Ok(found) => {
                report["name"] = json!(found.name);
                report["version"] = json!(found.version);
                report["handshake_ms"] = json!(found.handshake.as_millis());
                report["ready_ms"] = json!(found.ready.map(|ready| ready.as_millis()));
                report["memory_bytes"] = json!(found.memory);
                report["offers"] = json!(found.offers);
                report["trials"] = found.trials.iter().map(trial).collect();
            }
        }
        report
    }
}

fn trial(trial: &bowline_workspace::servers::Trial) -> Value {
    let mut shown = json!({"what": trial.what, "took_us": trial.took.as_micros()});
    match &trial.outcome {
        Ok(found) => shown["found"] = json!(found),
        Err(error) => shown["error"] = json!(error.to_string()),
    }
    shown
}

fn seconds(took: Duration) -> String {
    match took.as_secs_f64() {
        short if short < 1.0 => format!("{:.1} ms", short * 1000.0),
        long => format!("{long:.1} s"),
    }
}
