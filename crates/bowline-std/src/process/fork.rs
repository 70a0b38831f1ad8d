//! The one thread that forks.
//!
//! The kernel ties a child's death signal to the thread that forked it, and threads of a runtime come and go. So
//! this one lives as long as the process. That it forks one child after the other also spares scripts that were
//! written a moment ago from "text file busy".

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{Access, access};
use tokio::sync::oneshot;

use super::child::{Image, become_program};
use super::find::{find_program, has_separator};
use super::script::missing_interpreter;
use super::{Process, Program, SpawnError, group};

/// A child with its pipes, before a runtime knows of them.
pub(super) struct Forked {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    /// None where it goes the way of `stdout`.
    pub(super) stderr: Option<ChildStderr>,
    pub(super) process: Process,
}

/// Whether what a program says and what it complains come through two pipes or through one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pipes {
    Apart,
    Joined,
}

struct Request {
    program: Program,
    pipes: Pipes,
    reply: oneshot::Sender<Result<Forked, SpawnError>>,
}

static FORKER: Mutex<Option<Sender<Request>>> = Mutex::new(None);

pub(super) async fn fork(program: Program, pipes: Pipes) -> Result<Forked, SpawnError> {
    let path = program.path.clone();
    let (reply, answer) = oneshot::channel();
    send(Request { program, pipes, reply }).map_err(|source| SpawnError::from_io(&path, source))?;
    answer.await.unwrap_or_else(|_| Err(SpawnError::Io { path, source: gone() }))
}

fn send(request: Request) -> io::Result<()> {
    let mut forker = FORKER.lock().unwrap_or_else(PoisonError::into_inner);
    if forker.is_none() {
        let (sender, receiver) = channel();
        std::thread::Builder::new().name("fork".into()).spawn(move || serve(&receiver))?;
        *forker = Some(sender);
    }
    forker.as_ref().and_then(|forker| forker.send(request).ok()).ok_or_else(gone)
}

fn gone() -> io::Error {
    io::Error::other("the thread that starts programs has ended")
}

fn serve(requests: &Receiver<Request>) {
    for Request { program, pipes, reply } in requests {
        // Who no longer waits for the start no longer wants the program.
        if !reply.is_closed() {
            // A child that nobody takes any more is dropped here, and thereby killed.
            let _ = reply.send(start(&program, pipes));
        }
    }
}

fn start(program: &Program, pipes: Pipes) -> Result<Forked, SpawnError> {
    let dir = directory(program)?;
    let file = file(program, &dir)?;
    if let Some(interpreter) = missing_interpreter(&file, &dir, program.search_path()) {
        return Err(SpawnError::MissingInterpreter { path: file, interpreter });
    }
    let image = Image::of(program, &file)
        .map_err(|error| SpawnError::Io { path: file.clone(), source: error.into() })?;
    let mut command = command(file.as_os_str(), &dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let joined = match pipes {
        Pipes::Apart => None,
        Pipes::Joined => Some(join(&mut command).map_err(|source| SpawnError::from_io(&file, source))?),
    };
    become_program(&mut command, image);
    let child = command.spawn().map_err(|source| SpawnError::from_exec(&file, source))?;
    let (process, child) = group::adopt(child).map_err(|source| SpawnError::from_io(&file, source))?;
    with_pipes(process, child, joined)
        .ok_or_else(|| SpawnError::Io { path: file, source: io::ErrorKind::BrokenPipe.into() })
}

/// Both ways out lead into one pipe, so that what comes out of it is in the order in which it was written. The ends to
/// write to are the command's, and go with it.
fn join(command: &mut Command) -> io::Result<ChildStdout> {
    let (reader, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    Ok(ChildStdout::from(OwnedFd::from(reader)))
}

fn with_pipes(process: Process, child: Child, joined: Option<ChildStdout>) -> Option<Forked> {
    let (stdout, stderr) = match joined {
        Some(joined) => (joined, None),
        None => (child.stdout?, Some(child.stderr?)),
    };
    Some(Forked { stdin: child.stdin?, stdout, stderr, process })
}

/// Absolute, because the child looks for everything else from there.
fn directory(program: &Program) -> Result<PathBuf, SpawnError> {
    std::path::absolute(&program.dir)
        .ok()
        .filter(|dir| dir.is_dir() && access(dir, Access::EXEC_OK).is_ok())
        .ok_or_else(|| SpawnError::Directory { path: program.path.clone(), dir: program.dir.clone() })
}

fn file(program: &Program, dir: &Path) -> Result<PathBuf, SpawnError> {
    let name = program.path.as_os_str();
    if has_separator(name) {
        return Ok(dir.join(name));
    }
    find_program(name, program.search_path(), dir)
        .ok_or_else(|| SpawnError::NotFound { path: program.path.clone() })
}

/// A command in this directory, in a group of its own and with nothing in its environment.
#[expect(clippy::disallowed_methods, reason = "this is the place where children are made")]
pub(super) fn command(program: &OsStr, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir).env_clear().process_group(0);
    command
}
