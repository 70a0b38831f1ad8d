//! The fake as a program: its command line, its log, and how it becomes deaf to SIGTERM.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use super::fault::Fault;
use super::post::Post;
use super::received::{Host, Received};
use super::script::Script;
use super::server::{USAGE, serve};

/// Said by the program to itself when it has become deaf.
const DEAF: &str = "--deaf";

/// A script is written by hand; nothing longer is one.
const LONGEST_SCRIPT: u64 = 8 << 20;

/// All that `fake-ls` does.
pub fn fake_ls_main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let code = match Invocation::parse(&arguments) {
        Ok(invocation) if invocation.version => {
            let _ = writeln!(io::stdout(), "{} {}", invocation.script.name, invocation.script.version);
            Ok(0)
        }
        Ok(invocation) if invocation.script.has(&Fault::Stubborn) && !invocation.deaf => {
            Err(become_deaf(&arguments).to_string())
        }
        Ok(invocation) => run(invocation).map_err(|error| error.to_string()),
        Err(problem) => Err(problem),
    };
    match code {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(problem) => {
            let _ = write!(io::stderr(), "fake-ls: {problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

#[derive(Debug, Default)]
struct Invocation {
    script: Script,
    log: Option<PathBuf>,
    pid: Option<PathBuf>,
    version: bool,
    deaf: bool,
}

impl Invocation {
    fn parse(arguments: &[OsString]) -> Result<Self, String> {
        let mut invocation = Self::default();
        let mut modes = Vec::new();
        let mut marker = None;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| format!("{} needs a value", argument.display()));
            match argument.to_str() {
                Some("--script") => invocation.script = read_script(value()?)?,
                Some("--log") => invocation.log = Some(value()?.into()),
                Some("--pid") => invocation.pid = Some(value()?.into()),
                Some("--marker") => marker = Some(value()?.into()),
                Some("--version") => invocation.version = true,
                Some(DEAF) => invocation.deaf = true,
                // Many servers must be told so.
                Some("--stdio") => {}
                Some(mode) => modes.push(mode.parse()?),
                None => return Err(format!("not an argument: {}", argument.display())),
            }
        }
        invocation.script.faults.extend::<Vec<Fault>>(modes);
        invocation.script.marker = marker.or(invocation.script.marker);
        Ok(invocation)
    }
}

fn read_script(argument: &OsString) -> Result<Script, String> {
    let text = match argument.to_str() {
        Some(json) if json.trim_start().starts_with('{') => json.to_owned(),
        _ => {
            let read = bowline_std::fs::read_text(Path::new(argument), LONGEST_SCRIPT);
            read.map_err(|error| error.to_string())?.0
        }
    };
    serde_json::from_str(&text).map_err(|error| format!("not a script: {error}"))
}

/// What is ignored at an exec stays ignored, and a shell is the one way there that needs no unsafe code. The process
/// id stays, too.
#[expect(clippy::disallowed_methods, reason = "it replaces this process; no child is started")]
fn become_deaf(arguments: &[OsString]) -> io::Error {
    let own = match std::env::current_exe() {
        Ok(own) => own,
        Err(error) => return error,
    };
    Command::new("/bin/sh")
        .args(["-c", "trap '' TERM; exec \"$0\" \"$@\""])
        .arg(own)
        .arg(DEAF)
        .args(arguments)
        .exec()
}

fn run(invocation: Invocation) -> io::Result<i32> {
    let host = Arc::new(ProcessHost {
        log: invocation.log.as_deref().map(open_log).transpose()?.map(Mutex::new),
        pid: invocation.pid,
    });
    host.write_pid("", std::process::id())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let pipes = (tokio::io::stdin(), tokio::io::stdout());
    let code = runtime.block_on(async { serve(invocation.script, pipes, Post::new(), host).await });
    // A thread may still be reading stdin, and would be waited for.
    runtime.shutdown_background();
    Ok(code)
}

fn open_log(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

struct ProcessHost {
    log: Option<Mutex<File>>,
    pid: Option<PathBuf>,
}

impl ProcessHost {
    /// Written beside its place and moved there: whoever waits for the file finds it whole.
    fn write_pid(&self, suffix: &str, pid: u32) -> io::Result<()> {
        let Some(path) = &self.pid else {
            return Ok(());
        };
        let mut path = path.clone().into_os_string();
        path.push(suffix);
        let mut unfinished = path.clone();
        unfinished.push(".new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&unfinished)?;
        file.write_all(pid.to_string().as_bytes())?;
        std::fs::rename(unfinished, path)
    }
}

impl Host for ProcessHost {
    fn received(&self, received: Received) {
        if let Some(log) = &self.log {
            let line = format!("{}\n", json!(received));
            // In one piece, so that a reader never sees half a line.
            let _ = log.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
        }
    }

    fn stderr(&self, text: &[u8]) {
        let _ = io::stderr().write_all(text);
    }

    /// It inherits the pipes, as children of real servers do: who waits for their end waits for it, too.
    #[expect(clippy::disallowed_methods, reason = "a child that nobody ends is the point")]
    fn grandchild(&self) {
        let child = Command::new("/bin/sleep").arg("1000").stdin(Stdio::null()).spawn();
        if let Ok(child) = child {
            let _ = self.write_pid(".grandchild", child.id());
        }
    }
}
