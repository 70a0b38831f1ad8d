//! Running other programs: in the repository, within a time, and never left behind.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A program, started in the repository, that gets no input.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(crate::paths::root()).stdin(Stdio::null());
    command
}

/// The cargo that started this task.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Nothing of the person's own settings or caches is read or written.
pub(crate) fn isolate(command: &mut Command, home: &Path) {
    command.env("HOME", home);
    for (name, folder) in [
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
    ] {
        command.env(name, home.join(folder));
    }
}

/// Runs for everyone to see: a header, the program's own output, its time. Fails if the program does.
pub(crate) fn step(title: &str, mut command: Command, limit: Duration) -> Result<Duration> {
    header(title);
    let started = Instant::now();
    let mut child = spawn(&mut command)?;
    let status = wait(&mut child, limit).with_context(|| format!("`{title}`"))?;
    let took = started.elapsed();
    println!("-- {title}: {status}, {:.1} s", took.as_secs_f64());
    if status.success() { Ok(took) } else { bail!("`{title}` failed ({status})") }
}

pub(crate) fn header(title: &str) {
    println!("\n== {title}");
}

/// Runs quietly, to the end or the limit.
pub(crate) fn capture(command: &mut Command, limit: Duration) -> Result<Output> {
    let mut child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    // Both pipes are emptied while it runs, or a talkative program would wait for ever.
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, limit).with_context(|| format!("`{}`", shown(command)))?;
    Ok(Output {
        status,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
    })
}

/// What it prints on stdout; an error, with what it said on stderr, if it fails.
pub(crate) fn stdout(command: &mut Command, limit: Duration) -> Result<String> {
    let output = capture(command, limit)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({})\n{}", shown(command), output.status, said.trim_end());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` printed what is not text", shown(command)))
}

pub(crate) fn spawn(command: &mut Command) -> Result<Child> {
    command.spawn().with_context(|| format!("cannot start `{}`", command.get_program().display()))
}

/// Waits for the end. After the limit it is killed, and all that it started.
pub(crate) fn wait(child: &mut Child, limit: Duration) -> Result<ExitStatus> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            end(child);
            bail!("still running after {} s, killed", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a child and its descendants. They share our process group, so that Ctrl-C reaches them: a group
/// cannot be killed here, and the tree is read instead.
pub(crate) fn end(child: &mut Child) {
    let family = descendants(child.id());
    let _ = child.kill();
    if !family.is_empty() {
        let _ = Command::new("kill")
            .arg("-KILL")
            .args(family.iter().map(u32::to_string))
            .stderr(Stdio::null())
            .status();
    }
    let _ = child.wait();
}

/// Empty where there is no `/proc`.
fn descendants(ancestor: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|id| Some((id, parent_of(id)?)))
        .collect();
    let mut family = vec![ancestor];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        next += 1;
    }
    family.split_off(1)
}

fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat")).ok()?;
    // The second field is the program's name in parentheses, and may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// Everything that a pipe gives, read beside whatever else goes on.
pub(crate) fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before a pipe broke is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The command as a person would type it.
fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_killed_with_its_children() {
        let started = Instant::now();
        let error = capture(command("sh").args(["-c", "sleep 60 & sleep 60"]), Duration::from_millis(200))
            .unwrap_err();
        assert!(format!("{error:#}").ends_with("killed"), "{error:#}");
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn says_what_a_failing_program_said() {
        let error =
            stdout(command("sh").args(["-c", "echo why >&2; exit 3"]), Duration::from_secs(20)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("exit status: 3") && text.ends_with("why"), "{text}");
    }
}
