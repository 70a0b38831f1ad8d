//! `bowline gate`: what the gate would say to calls, one after the other, as one conversation. No tool runs.

mod check;
mod explain;
mod line;

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use bowline_dispatch::Foreseen;
use bowline_gate::{Completion, Stopping, outside_of_places};
use clap::{Args, Subcommand};
use serde_json::Value;

use crate::cli::Shared;
use crate::commands::BadUsage;
use crate::exit::Ending;
use crate::wiring::{Bowline, Purpose, assemble_for};
use line::{Line, Said};

/// Longer lines are no calls.
const MAX_LINE_BYTES: usize = 16 << 20;

#[derive(Debug, Subcommand)]
pub(crate) enum Gate {
    /// Calls as JSON lines on stdin, one verdict as JSON for each on stdout.
    #[command(after_help = "A line is a call, or the end of the work:

  {\"tool\": \"Bash\", \"args\": {\"command\": \"git status\"}, \"cwd\": \"/path\", \"outcome\": \"success\", \"tokens\": 120}
  {\"event\": \"stop\"}

`--config FILE` is read here as a bowline.toml, in place of your own. Without `--root`, the first line's `cwd` is the root.")]
    Check(Input),
    /// The same in words: what was understood, what each rule says, and what would change it.
    #[command(after_help = "  bowline gate explain Bash 'git status && make'
  bowline gate explain Edit src/main.rs
  bowline gate explain rename_symbol --json '{\"symbol_path\": \"a\", \"new_name\": \"b\"}'

Without a tool, calls are read from stdin, as `gate check` reads them.")]
    Explain(Call),
}

#[derive(Debug, Args)]
pub(crate) struct Input {}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The tool, as rules name it.
    tool: Option<String>,
    /// The command, the file or the address that it is about.
    about: Option<String>,
    /// All of its arguments.
    #[arg(long, value_name = "ARGUMENTS", conflicts_with = "about")]
    json: Option<String>,
}

pub(crate) fn run(mut shared: Shared, command: Gate) -> anyhow::Result<Ending> {
    shared.user_file = shared.config.take();
    match command {
        Gate::Check(Input {}) => over_lines(shared, std::io::stdin().lock(), check::show),
        Gate::Explain(Call { tool: Some(tool), about, json }) => {
            let line = line::from_words(&tool, about, json.as_deref()).map_err(BadUsage)?;
            over_lines(shared, format!("{line}\n").as_bytes(), explain::show)
        }
        Gate::Explain(Call { tool: None, .. }) if std::io::stdin().is_terminal() => {
            Err(BadUsage("name a tool, or write calls as JSON lines to stdin".into()).into())
        }
        Gate::Explain(_) => over_lines(shared, std::io::stdin().lock(), explain::show),
    }
}

/// What came of one line.
pub(crate) enum Shown<'a> {
    Call(&'a Foreseen),
    /// The agent wants to end.
    Stop(&'a Completion),
    /// It is neither a call nor an event. It is refused.
    Nonsense(String),
}

fn over_lines(shared: Shared, input: impl BufRead, show: impl Fn(&Shown<'_>)) -> anyhow::Result<Ending> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut shared, mut house, mut ending) = (Some(shared), None, Ending::Well);
    for bytes in input.split(b'\n') {
        let bytes = bytes?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let line = Line::read(&bytes, MAX_LINE_BYTES);
        let bowline: &Bowline = match (&house, shared.take()) {
            (Some(house), _) => house,
            (None, Some(shared)) => {
                house.insert(assemble_for(Purpose::Rehearsal, &rooted(shared, line.as_ref().ok()))?)
            }
            (None, None) => break,
        };
        if let Ok(Line { tokens: tokens @ 1.., .. }) = &line {
            bowline.corridor.spent(&bowline.conversation, *tokens)?;
        }
        match line {
            Err(reason) => {
                ending = Ending::Usage;
                show(&Shown::Nonsense(reason));
            }
            Ok(Line { said: Said::Stop, .. }) => stop(bowline, &runtime, &show),
            Ok(Line { said: Said::Call(call, supposed), .. }) => {
                let call = call.in_conversation(&bowline.conversation);
                let foreseen = runtime.block_on(bowline.corridor.rehearse(call, supposed))?;
                show(&Shown::Call(&foreseen));
            }
        }
    }
    // What was rehearsed has opened nothing that has to be waited for.
    runtime.shutdown_background();
    Ok(ending)
}

fn stop(bowline: &Bowline, runtime: &tokio::runtime::Runtime, show: &impl Fn(&Shown<'_>)) {
    let stopping = Stopping { tentative_output: None, reason: Some("stop".into()) };
    show(&Shown::Stop(&runtime.block_on(bowline.corridor.stop(&bowline.conversation, &stopping))));
}

/// A host's calls say where they happen. Where nobody names a root, that is it.
fn rooted(mut shared: Shared, first: Option<&Line>) -> Shared {
    let cwd = first.and_then(|line| line.cwd.as_deref()).filter(|cwd| cwd.is_dir() && shared.root.is_empty());
    if let Some(cwd) = cwd {
        let real = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        // Whoever happens to stand in `.git` does not mean it.
        shared.root = vec![outside_of_places(&real).map_or(real.clone(), Path::to_owned)];
    }
    shared
}

/// The call's own words for what it is about, for a reader.
fn about(foreseen: &Foreseen) -> String {
    let commands = foreseen.intent.commands().map(str::to_owned);
    let paths = foreseen.facts.paths.iter().map(|path| path.written.display().to_string());
    let words: Vec<String> = commands.chain(paths).collect();
    if words.is_empty() && foreseen.call.arguments != Value::Null {
        return foreseen.call.arguments.to_string();
    }
    words.join(", ")
}
