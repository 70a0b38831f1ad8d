//! `bowline call`: one tool, through the same gate as everybody. The answer goes to stdout, what is known about
//! it to stderr.

mod flags;

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use bowline_call::{AnyAnswer, CallId, Caller, NoProgress, Origin, Progress, ToolCall, ToolError};
use bowline_dispatch::Malformed;
use clap::Args;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{complain, line, note};
use crate::wiring::{Bowline, assemble};

/// A person can interrupt, so a first look at a large tree may take its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is being written when the call is over is waited for.
const SETTLING: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "The tool's own arguments follow its name, as `bowline tools` shows them:

  bowline call find_symbol --query Corridor --limit 5
  bowline call list_symbols --file-path src/main.rs --format outline
  bowline call go_to_symbol --json '{\"symbol_path\": \"Corridor.call\"}'")]
pub(crate) struct Arguments {
    /// The tool, by name.
    tool: String,
    /// `--argument value` for each argument, or `--json '{…}'` for all of them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    rest: Vec<String>,
}

pub(crate) fn run(mut shared: Shared, arguments: Arguments) -> anyhow::Result<Ending> {
    // Where the roots are must be known before the tools are, so our own flags are taken out first.
    let rest = shared.take_from(arguments.rest)?;
    let bowline = assemble(&shared)?;
    let schema =
        bowline.corridor.registry().get(&arguments.tool).map(|tool| tool.spec().input_schema().clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let json = match flags::to_json(schema.as_ref(), rest) {
        Ok(json) => json,
        Err(error) => {
            // It never became a call, and is remembered all the same.
            let malformed = Malformed {
                origin: Origin::Cli,
                conversation: Some(bowline.conversation),
                what: Some(arguments.tool),
                why: error.to_string(),
            };
            runtime.block_on(bowline.corridor.malformed(malformed));
            return Err(error.into());
        }
    };
    drop(runtime);
    if shared.conversation.is_none() && bowline_guide::LASTING.contains(&arguments.tool.as_str()) {
        note(
            "this lasts for one call: without `--conversation ID` each `bowline call` is a conversation of its own",
        );
    }
    make(&bowline, arguments.tool, json)
}

/// Makes one call, and shows what came of it.
pub(crate) fn make(bowline: &Bowline, tool: String, arguments: Value) -> anyhow::Result<Ending> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let call = ToolCall {
        id: CallId::fresh(),
        conversation: bowline.conversation.clone(),
        origin: Origin::Cli,
        arguments,
        tool,
        cwd: None,
        server: None,
    };
    let reply = runtime.block_on(async {
        let caller = Caller {
            patience: Some(PATIENCE),
            progress: progress(),
            asker: crate::asker::person(),
            ..Caller::default()
        };
        tokio::spawn(cancel_on_interrupt(caller.cancellation.clone()));
        let reply = bowline.corridor.call(call, caller).await;
        bowline.corridor.settle(SETTLING).await;
        bowline.workspace.stop_servers().await;
        reply
    });
    // What was cancelled may still be looking at the disk.
    runtime.shutdown_background();
    crate::paint::clear_status();
    let ending = match reply.result {
        Ok(answer) => show(answer),
        Err(error) => fail(&error),
    };
    if !reply.feedback.is_empty() {
        note(reply.feedback.join("\n\n"));
    }
    Ok(ending)
}

/// How far the call has come, on a terminal's last line.
struct OnOneLine;

impl Progress for OnOneLine {
    fn report(&self, done: u64, total: Option<u64>, message: &str) {
        let total = total.map_or_else(String::new, |total| format!(" of {total}"));
        crate::paint::status(&format!("{message}: {done}{total}"));
    }
}

fn progress() -> Arc<dyn Progress> {
    if std::io::stderr().is_terminal() { Arc::new(OnOneLine) } else { Arc::new(NoProgress) }
}

async fn cancel_on_interrupt(cancellation: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        cancellation.cancel();
    }
}

fn show(answer: AnyAnswer) -> Ending {
    match answer.payload {
        Value::String(text) => line(text),
        payload if std::io::stdout().is_terminal() => line(format_args!("{payload:#}")),
        payload => line(payload),
    }
    for warning in answer.warnings {
        note(warning);
    }
    let mut known = Vec::new();
    known.extend(answer.engine.map(|engine| format!("engine: {}", engine.as_str())));
    known.extend(answer.indexed.map(|indexed| format!("indexed: {indexed}")));
    known.extend(answer.savings.map(|savings| format!("tokens saved: {}", savings.tokens_saved)));
    if !known.is_empty() {
        note(known.join(", "));
    }
    if let Some(hint) = answer.hint {
        note(hint);
    }
    Ending::Well
}

fn fail(error: &ToolError) -> Ending {
    complain(&error.text());
    Ending::from(error)
}
