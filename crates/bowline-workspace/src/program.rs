//! Programs that are run for what they say: a toolchain's documentation, git.
//!
//! Each gets a directory, the children's environment, no input and a limit of time and of output. However the run
//! ends, its whole process group ends with it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bowline_std::process::{Ending, Process, Program, Running, SpawnError, spawn};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::patience::until;
use crate::{Patience, WorkspaceError};

/// So much of the end of what a program complains is kept.
const TAIL: usize = 8 << 10;
/// So much of it is shown.
const SHOWN: usize = 1500;
/// A process that has left the group may hold the pipes open. It is not waited for.
const GRACE: Duration = Duration::from_millis(500);

/// Nobody is at a terminal: no pager, no colours, no questions, and messages in one language.
const QUIET: [(&str, &str); 8] = [
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("NO_COLOR", "1"),
    ("CLICOLOR", "0"),
    ("TERM", "dumb"),
    ("LANGUAGE", ""),
    ("LC_ALL", "C.UTF-8"),
];

/// Why a program did not say what it was run for.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It is not installed, or cannot be run.
    #[error(transparent)]
    Start(#[from] SpawnError),
    #[error("`{program}` did not answer within {:.1} s and was ended{}", .after.as_secs_f64(), after_colon(.last))]
    TooSlow {
        program: String,
        after: Duration,
        /// The last line of its standard error, where it wrote any.
        last: String,
    },
    #[error("`{program}` wrote more than {most} bytes and was ended")]
    TooMuch { program: String, most: usize },
    #[error("`{program}` {ending}{}", after_colon(.said))]
    Failed {
        program: String,
        ending: Ending,
        /// The end of what it wrote to its standard error.
        said: String,
    },
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

/// One run of a program.
pub(crate) struct Run {
    program: Program,
    limit: Duration,
    most: usize,
}

/// What it wrote, and how it ended.
#[derive(Debug)]
pub(crate) struct Output {
    name: String,
    pub(crate) stdout: Vec<u8>,
    /// The end of it.
    pub(crate) stderr: Vec<u8>,
    pub(crate) ending: Ending,
}

impl Run {
    /// A program, by its name on the `PATH` of the environment or by its path.
    pub(crate) fn new(
        program: impl Into<PathBuf>,
        dir: &Path,
        environment: &[(OsString, OsString)],
        limit: Duration,
    ) -> Self {
        let quiet = QUIET.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let env = environment.iter().cloned().chain(quiet).collect();
        let program = Program { path: program.into(), args: Vec::new(), dir: dir.to_owned(), env };
        Self { program, limit, most: 8 << 20 }
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.program.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.program.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub(crate) fn without_env(mut self, names: &[&str]) -> Self {
        self.program.env.retain(|(name, _)| !names.iter().any(|unwanted| name == unwanted));
        self
    }

    /// It may write so many bytes to its standard output.
    pub(crate) fn at_most(mut self, bytes: usize) -> Self {
        self.most = bytes;
        self
    }

    fn name(&self) -> String {
        let name = self.program.path.file_name().unwrap_or(self.program.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Runs it to its end. A program that fails is no error here: [`Output::successful`] makes it one.
    pub(crate) async fn output(&self, patience: &Patience<'_>) -> Result<Output, WorkspaceError> {
        let started = Instant::now();
        let tail = Mutex::new(Vec::new());
        let due = started.checked_add(self.limit).into_iter().chain(patience.deadline).min();
        tokio::select! {
            biased;
            () = patience.cancellation.cancelled() => Err(WorkspaceError::Cancelled),
            output = self.talk(started, &tail, patience) => output,
            () = until(due) => {
                let last = last_line(&tail).unwrap_or_default();
                Err(ProgramError::TooSlow { program: self.name(), after: started.elapsed(), last }.into())
            }
        }
    }

    async fn talk(
        &self,
        started: Instant,
        tail: &Mutex<Vec<u8>>,
        patience: &Patience<'_>,
    ) -> Result<Output, WorkspaceError> {
        let Running { stdin, stdout, stderr, process } =
            spawn(&self.program).await.map_err(ProgramError::from)?;
        drop(stdin);
        let out = Mutex::new(Vec::new());
        let complete = {
            let mut reading =
                pin!(async { tokio::try_join!(read_all(stdout, self.most, &out), read_tail(stderr, tail)) });
            let mut ended = pin!(ended_and_quiet(&process));
            let mut second = tokio::time::interval(Duration::from_secs(1));
            loop {
                tokio::select! {
                    biased;
                    read = &mut reading => break read.map(|_| ()),
                    () = &mut ended => break Ok(()),
                    _ = second.tick() => self.report(started, tail, patience),
                }
            }
        };
        if let Err(Flood) = complete {
            return Err(ProgramError::TooMuch { program: self.name(), most: self.most }.into());
        }
        let inside = |bytes: &Mutex<Vec<u8>>| {
            std::mem::take(&mut *bytes.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let ending = process.ended().await;
        Ok(Output { name: self.name(), stdout: inside(&out), stderr: inside(tail), ending })
    }

    /// Says how long it has been running, and what it said last.
    fn report(&self, started: Instant, tail: &Mutex<Vec<u8>>, patience: &Patience<'_>) {
        let Some(report) = patience.progress else { return };
        let last = last_line(tail).unwrap_or_else(|| "runs".to_owned());
        report(started.elapsed().as_secs(), Some(self.limit.as_secs()), &format!("{}: {last}", self.name()));
    }
}

impl Output {
    /// What it wrote, if it ended well.
    pub(crate) fn successful(self) -> Result<Vec<u8>, ProgramError> {
        match self.ending {
            Ending::Code(0) => Ok(self.stdout),
            ending => Err(ProgramError::Failed { said: self.complaint(), program: self.name, ending }),
        }
    }

    /// The end of its standard error, for people.
    pub(crate) fn complaint(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let text = text.trim();
        let mut from = text.len().saturating_sub(SHOWN);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let cut = if from > 0 { "… " } else { "" };
        format!("{cut}{}", &text[from..])
    }
}

/// What it said last.
fn last_line(tail: &Mutex<Vec<u8>>) -> Option<String> {
    let tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&tail);
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(bowline_std::text::prefix(last, 200).to_owned())
}

/// It wrote more than it may, or its pipe broke.
struct Flood;

async fn read_all(mut pipe: impl AsyncRead + Unpin, most: usize, into: &Mutex<Vec<u8>>) -> Result<(), Flood> {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + count > most {
            return Err(Flood);
        }
        kept.extend_from_slice(&buffer[..count]);
    }
    Ok(())
}

/// Reads to the end and keeps the last of it: a program whose complaints nobody reads would stand still.
async fn read_tail(mut pipe: impl AsyncRead + Unpin, into: &Mutex<Vec<u8>>) -> Result<(), Flood> {
    let mut buffer = vec![0; 4 << 10];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(TAIL);
        kept.drain(..surplus);
    }
    Ok(())
}

async fn ended_and_quiet(process: &Process) {
    process.ended().await;
    tokio::time::sleep(GRACE).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Run {
        let environment = [("PATH".into(), "/usr/bin:/bin".into())];
        Run::new("sh", Path::new("/"), &environment, limit).args(["-c", script])
    }

    async fn said(run: &Run) -> String {
        match run.output(&Patience::default()).await.map(Output::successful) {
            Ok(Ok(text)) => String::from_utf8(text).unwrap(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        }
    }

    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn says_what_the_program_says_or_why_it_did_not() {
        assert_eq!(said(&sh("echo $PAGER $LC_ALL; cat", LONG)).await, "cat C.UTF-8\n", "there is no input");
        assert_eq!(said(&sh("echo bad >&2; exit 3", LONG)).await, "`sh` exited with code 3: bad");
        let both = "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero | tr '\\0' a";
        assert_eq!(said(&sh(both, LONG)).await.len(), 300_000, "neither pipe holds up the other");
        assert_eq!(
            said(&sh("yes", LONG).at_most(100_000)).await,
            "`sh` wrote more than 100000 bytes and was ended"
        );
        let missing = Run::new("no-such-program", Path::new("/"), &[], LONG);
        assert_eq!(
            said(&missing).await,
            "no program `no-such-program` was found; install it or correct its path"
        );
    }

    #[tokio::test]
    async fn what_is_too_slow_or_unwanted_ends_with_all_its_children() {
        let keep = tempfile::tempdir().unwrap();
        let pids = keep.path().join("pids");
        let script = format!(
            "echo working >&2; trap '' TERM; sleep 1000 & echo $$ $! > {}; wait; sleep 1000",
            pids.display()
        );
        let run = sh(&script, Duration::from_secs(2));
        let text = said(&run).await;
        assert!(
            text.starts_with("`sh` did not answer within 2.") && text.ends_with("ended: working"),
            "{text}"
        );
        gone(&pids).await;

        let patience = Patience::default();
        let run = sh(&script, LONG);
        let cancel = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            patience.cancellation.cancel();
        };
        let (ended, ()) = tokio::join!(run.output(&patience), cancel);
        assert!(matches!(ended, Err(WorkspaceError::Cancelled)));
        gone(&pids).await;
    }

    #[tokio::test]
    async fn a_process_that_left_the_group_does_not_keep_us() {
        let started = Instant::now();
        let text = said(&sh("setsid sleep 20 & echo done", LONG)).await;
        assert_eq!(text, "done\n");
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    async fn gone(pids: &Path) {
        let (text, _) = bowline_std::fs::read_text(pids, 100).unwrap();
        for pid in text.split_whitespace().map(|pid| pid.parse().unwrap()) {
            for _ in 0..100 {
                if !bowline_std::process::alive(pid) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert!(!bowline_std::process::alive(pid), "{pid} is still there");
        }
    }
}
