//! What profiles need to know of the world and only the binary can find out: how a command ends.

use std::ffi::OsString;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bowline_call::ConversationId;
use bowline_dispatch::{Advisor, Prober};
use bowline_gate::{CommandEnd, CommandNeed, Completion, Stopping};
use bowline_guide::Finisher;
use bowline_run::{Limits, run, shell};
use tokio_util::sync::CancellationToken;

/// So much of the end of what a command printed is shown.
const MOST_TAIL: usize = 1500;
const MOST_LINES: usize = 20;

/// Runs the commands of profiles in the first root, as builds and tests are run.
pub(crate) struct Commands {
    pub(crate) dir: PathBuf,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

impl Prober for Commands {
    fn run<'a>(&'a self, need: &'a CommandNeed) -> Pin<Box<dyn Future<Output = CommandEnd> + Send + 'a>> {
        Box::pin(async move {
            let plan = shell(&need.line, &self.dir, &self.environment);
            // Whoever no longer wants the answer drops this future, and the command ends with it.
            let limits = Limits {
                time: need.timeout,
                cancellation: CancellationToken::new(),
                progress: None,
                logs: None,
            };
            let outcome = match run(&plan, &limits).await {
                Ok(outcome) => outcome,
                Err(error) => {
                    return CommandEnd {
                        well: false,
                        how: format!("could not run: {error}"),
                        tail: String::new(),
                    };
                }
            };
            let how = match outcome.ending {
                Some(ending) => ending.to_string(),
                None => format!("did not end within {} s", need.timeout.as_secs()),
            };
            CommandEnd { well: outcome.success(), how, tail: tail(&outcome.raw.text) }
        })
    }
}

/// Where nothing is to run.
pub(crate) struct NothingRuns;

impl Prober for NothingRuns {
    fn run<'a>(&'a self, _need: &'a CommandNeed) -> Pin<Box<dyn Future<Output = CommandEnd> + Send + 'a>> {
        let how = "was not run: this is a rehearsal".to_owned();
        Box::pin(std::future::ready(CommandEnd { well: false, how, tail: String::new() }))
    }
}

/// The last lines.
fn tail(printed: &str) -> String {
    let mut lines: Vec<&str> = printed.trim_end().lines().rev().take(MOST_LINES).collect();
    lines.reverse();
    let text = lines.join("\n");
    let mut from = text.len().saturating_sub(MOST_TAIL);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

/// Judges by the profiles whether a conversation may end.
pub(crate) struct ByProfile(pub(crate) Arc<Advisor>);

impl Finisher for ByProfile {
    fn finish<'a>(
        &'a self,
        conversation: &'a ConversationId,
        stopping: Stopping,
    ) -> Pin<Box<dyn Future<Output = Completion> + Send + 'a>> {
        Box::pin(async move { self.0.stop(conversation, &stopping).await })
    }

    fn patience(&self) -> Duration {
        self.0.patience()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ended(line: &str, timeout: Duration) -> CommandEnd {
        let commands =
            Commands { dir: "/".into(), environment: vec![("PATH".into(), "/usr/bin:/bin".into())] };
        commands.run(&CommandNeed { line: line.into(), timeout }).await
    }

    #[tokio::test]
    async fn a_command_ends_well_or_says_how_it_did_not() {
        let long = Duration::from_secs(60);
        assert!(ended("true", long).await.well);
        let bad = ended("for i in $(seq 100); do echo line $i; done; exit 3", long).await;
        assert_eq!((bad.well, bad.how.as_str()), (false, "exited with code 3"));
        assert!(bad.tail.starts_with("line 81\n") && bad.tail.ends_with("line 100"), "{}", bad.tail);
        let flood = ended("head -c 3000000 /dev/zero | tr '\\0' a; false", long).await;
        assert!(!flood.well && flood.tail.len() <= MOST_TAIL, "{} bytes", flood.tail.len());
        let slow = ended("sleep 1000", Duration::from_secs(1)).await;
        assert_eq!((slow.well, slow.how.as_str()), (false, "did not end within 1 s"));
    }
}
