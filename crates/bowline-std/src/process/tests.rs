//! Real processes. What needs a process of its own, to be killed or counted, is a `helper_` that a test runs by
//! starting this very binary again.
#![expect(clippy::disallowed_methods, reason = "fixtures, and helpers are told by a variable what to do")]

use std::future::Future;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::task::{Context, Waker};
use std::time::Duration;

use rustix::process::{WaitId, WaitIdOptions, waitid};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};

use super::*;

/// A leader and a grandchild that ignore every polite request, and say who they are.
const STUBBORN: &str = r#"trap "" TERM; (trap "" TERM; exec sleep 1000) & echo $$ $!; exec sleep 1000"#;

/// Set for helpers only: `--ignored` alone must not run them.
const HELPER: &str = "PROCESS_TEST_HELPER";

fn program(path: impl Into<PathBuf>, args: &[&str]) -> Program {
    let env = vec![("PATH".into(), "/usr/bin:/bin".into())];
    Program { path: path.into(), args: args.iter().map(Into::into).collect(), dir: "/".into(), env }
}

fn sh(script: &str) -> Program {
    program("/bin/sh", &["-c", script])
}

fn helper(name: &str) -> Program {
    let name = format!("process::tests::{name}");
    let mut helper =
        program(std::env::current_exe().unwrap(), &["--exact", &name, "--ignored", "--nocapture"]);
    helper.env.push((HELPER.into(), "1".into()));
    helper
}

fn is_helper() -> bool {
    std::env::var_os(HELPER).is_some()
}

/// All that it writes, and how it ends.
async fn run(program: &Program) -> (String, Ending) {
    let Running { stdin, mut stdout, mut stderr, process } = spawn(program).await.unwrap();
    drop(stdin);
    let (mut out, mut err) = (String::new(), String::new());
    let (read_out, read_err) = tokio::join!(stdout.read_to_string(&mut out), stderr.read_to_string(&mut err));
    read_out.and(read_err).unwrap();
    (out + &err, process.ended().await)
}

/// The next line that consists of numbers: the test harness writes between them.
async fn numbers(lines: &mut Lines<BufReader<ChildStdout>>) -> Vec<u32> {
    while let Some(line) = lines.next_line().await.unwrap() {
        if let Ok(numbers) = line.split(' ').map(str::parse).collect() {
            return numbers;
        }
    }
    panic!("no line of numbers came")
}

#[tokio::test]
async fn joined_output_comes_in_the_order_in_which_it_was_written() {
    let script = "for n in 1 2 3 4 5 6 7 8 9; do echo out $n; echo err $n >&2; done; cat";
    let Joined { stdin, mut output, process } = spawn_joined(&sh(script)).await.unwrap();
    drop(stdin);
    let mut text = String::new();
    output.read_to_string(&mut text).await.unwrap();
    let wanted: String = (1..10).map(|n| format!("out {n}\nerr {n}\n")).collect();
    assert_eq!((text, process.ended().await), (wanted, Ending::Code(0)));
}

async fn refusal(program: &Program) -> String {
    spawn(program).await.unwrap_err().to_string()
}

fn vanish(pids: &[u32]) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while pids.iter().any(|pid| alive(*pid)) {
        assert!(Instant::now() < deadline, "one of {pids:?} lives on");
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn sees_only_the_environment_and_the_directory_it_is_given() {
    let dir = tempfile::tempdir().unwrap();
    let real = dir.path().canonicalize().unwrap();
    let mut program = program("env", &[]);
    program.env.extend([("A".into(), "1".into()), ("A".into(), "two words".into())]);
    assert_eq!(run(&program).await, ("A=two words\nPATH=/usr/bin:/bin\n".into(), Ending::Code(0)));

    let mut program = sh("pwd -P; echo \"$0 $1\"");
    program.dir = real.clone();
    program.args.extend(["näme".into(), "a b".into()]);
    assert_eq!(run(&program).await.0, format!("{}\nnäme a b\n", real.display()));
    assert!(!format!("{program:?}").contains("/usr/bin"), "values of the environment are not shown");
}

#[tokio::test]
async fn a_relative_path_starts_at_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = program("bin/tool", &[]);
    put(dir.path(), "bin/tool", b"#!/bin/sh\npwd -P", 0o755);
    program.dir = dir.path().canonicalize().unwrap();
    assert_eq!(run(&program).await, (format!("{}\n", program.dir.display()), Ending::Code(0)));
}

#[tokio::test]
async fn tells_how_it_ended_to_everybody_at_any_time() {
    assert_eq!(run(&sh("exit 7")).await.1, Ending::Code(7));
    assert_eq!(run(&sh("kill -SEGV $$")).await.1, Ending::Signal(11));

    let Running { mut stdin, process, .. } = spawn(&sh("read word; exit $word")).await.unwrap();
    assert_eq!(process.ending(), None);
    assert!(process.started().elapsed() < Duration::from_secs(60));
    let given_up = tokio::time::timeout(Duration::ZERO, process.ended()).await;
    assert!(given_up.is_err());
    stdin.write_all(b"3\n").await.unwrap();
    assert_eq!(tokio::join!(process.ended(), process.ended()), (Ending::Code(3), Ending::Code(3)));
    assert_eq!((process.ended().await, process.ending()), (Ending::Code(3), Some(Ending::Code(3))));
    assert_eq!(process.memory(), None);
    process.terminate();
    process.kill();
}

#[tokio::test]
async fn terminate_asks_and_kill_does_not() {
    let Running { stdin: _open, stdout, process, .. } =
        spawn(&sh("trap 'exit 5' TERM; echo 1; while :; do read x; done")).await.unwrap();
    numbers(&mut BufReader::new(stdout).lines()).await;
    process.terminate();
    assert_eq!(process.ended().await, Ending::Code(5));

    let Running { stdin: _open, stdout, process, .. } = spawn(&sh(STUBBORN)).await.unwrap();
    let pids = numbers(&mut BufReader::new(stdout).lines()).await;
    process.terminate();
    process.kill();
    assert_eq!(process.ended().await, Ending::Signal(9));
    vanish(&pids);
}

#[tokio::test]
async fn dropped_it_leaves_no_stubborn_grandchild() {
    let Running { stdin: _open, stdout, process, .. } = spawn(&sh(STUBBORN)).await.unwrap();
    let pids = numbers(&mut BufReader::new(stdout).lines()).await;
    assert_eq!(pids[0], process.pid());
    assert!(pids.iter().all(|pid| alive(*pid)));
    drop(process);
    vanish(&pids);
}

#[test]
fn dropped_after_its_runtime_it_leaves_nothing_either() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (process, pids) = runtime.block_on(async {
        let Running { stdin: _open, stdout, process, .. } = spawn(&sh(STUBBORN)).await.unwrap();
        (process, numbers(&mut BufReader::new(stdout).lines()).await)
    });
    drop(runtime);
    assert!(pids.iter().all(|pid| alive(*pid)));
    drop(process);
    vanish(&pids);
}

#[tokio::test]
async fn a_leader_that_ends_leaves_no_grandchild() {
    let script = r#"(trap "" TERM HUP; exec sleep 1000) & echo $!; exit 3"#;
    let Running { stdin: _open, stdout, process, .. } = spawn(&sh(script)).await.unwrap();
    let grandchild = numbers(&mut BufReader::new(stdout).lines()).await;
    assert_eq!(process.ended().await, Ending::Code(3));
    vanish(&grandchild);
}

#[tokio::test]
async fn a_start_that_nobody_waits_for_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = sh("echo $$ > pid; exec sleep 1000");
    program.dir = dir.path().to_owned();
    let polled_once = Box::pin(spawn(&program)).as_mut().poll(&mut Context::from_waker(Waker::noop()));
    drop(polled_once);
    // The thread that forks does one thing after the other, so the program was refused or killed before this one.
    run(&sh("exit")).await;
    if let Ok(pid) = std::fs::read_to_string(dir.path().join("pid")) {
        vanish(&[pid.trim().parse().unwrap_or(u32::MAX)]);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn knows_the_memory_of_the_group_and_the_start_of_the_leader() {
    let script = r#"(x=$(head -c 8000000 /dev/zero | tr "\0" a); echo 1; read w); :"#;
    let Running { stdin: _open, stdout, process, .. } = spawn(&sh(script)).await.unwrap();
    numbers(&mut BufReader::new(stdout).lines()).await;
    let memory = process.memory().unwrap();
    assert!(memory > 8_000_000, "the grandchild counts: {memory}");
    assert_eq!(group_memory(process.pid()).is_some(), alive(process.pid()));
    assert!(start_ticks(process.pid()).unwrap() >= start_ticks(std::process::id()).unwrap());
}

fn put(dir: &Path, name: &str, bytes: &[u8], mode: u32) -> PathBuf {
    let file = dir.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, bytes).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    file
}

#[tokio::test]
async fn says_why_it_did_not_start() {
    let keep = tempfile::tempdir().unwrap();
    let dir = keep.path().canonicalize().unwrap();
    let shown = |text: String| text.replace(&dir.display().to_string(), "");
    let of = async |path: PathBuf| shown(refusal(&program(path, &[])).await);
    let with = async |bytes: &[u8], mode| of(put(&dir, "tool", bytes, mode)).await;

    let missing = "no program `/none` was found; install it or correct its path";
    assert_eq!(of(dir.join("none")).await, missing);
    assert_eq!(of("none".into()).await, missing.replace("/none", "none"));
    assert_eq!(of("".into()).await, missing.replace("/none", ""));
    put(&dir, "file", b"", 0o644);
    assert_eq!(of(dir.join("file/none")).await, missing.replace("/none", "/file/none"));

    let forbidden = "`/tool` is not an executable file; allow it with `chmod +x` or name another program";
    assert_eq!(with(b"#!/bin/sh\n", 0o644).await, forbidden);
    assert_eq!(of(dir.clone()).await, forbidden.replace("/tool", ""));

    let script = |interpreter: &str| {
        format!(
            "`/tool` is a script for `{interpreter}`, which was not found; install that, or correct the script's \
             first line or the `PATH`"
        )
    };
    assert_eq!(with(b"#!/opt/none/python -u\n", 0o755).await, script("/opt/none/python"));
    assert_eq!(with(b"#!/usr/bin/env no-such-node\n", 0o755).await, script("no-such-node"));
    assert_eq!(with(b"#!/usr/bin/env -S no-such-node --x\n", 0o755).await, script("no-such-node"));
    assert_eq!(with(b"#!/bin/sh\r\necho\r\n", 0o755).await, script("/bin/sh\\r"));

    let foreign = "`/tool` cannot run on this system; install the build for this system and processor, or give \
                   it a `#!` line if it is a script";
    for bytes in
        [&b"\x7fELF\x02\x01\x01garbage garbage garbage garbage garbage garbage"[..], b"#!\n", b"exit", b""]
    {
        assert_eq!(with(bytes, 0o755).await, foreign, "{}", bytes.escape_ascii());
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_without_its_loader_is_of_another_system() {
    let keep = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read("/bin/sh").unwrap();
    let Some(at) = bytes.windows(4).position(|four| four == b"/ld-") else {
        return; // This shell needs no loader.
    };
    bytes[at + 1] = b'x';
    let file = put(keep.path(), "tool", &bytes, 0o755);
    assert!(matches!(spawn(&program(file, &[])).await, Err(SpawnError::WrongFormat { .. })));
}

#[tokio::test]
async fn says_that_the_directory_is_missing() {
    for dir in ["/no/such/dir", "/bin/sh", ""] {
        let mut program = sh("exit");
        program.dir = dir.into();
        let expected = format!(
            "`/bin/sh` cannot start in `{dir}`, which is no directory that can be entered; create it or name another"
        );
        assert_eq!(refusal(&program).await, expected);
    }
}

#[tokio::test]
async fn a_byte_that_no_program_can_be_given_is_an_error() {
    let error = refusal(&sh("exit\0")).await;
    assert_eq!(error, "cannot start `/bin/sh`: data provided contains a nul byte");
}

#[tokio::test]
async fn says_that_a_limit_is_reached() {
    let binary = helper("helper_at_the_limit");
    let mut limited = sh(r#"ulimit -n 40; exec "$0" "$@""#);
    limited.args.push(binary.path.into());
    limited.args.extend(binary.args);
    limited.env = binary.env;
    let (said, ending) = run(&limited).await;
    assert_eq!(ending, Ending::Code(0), "{said}");
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_at_the_limit() {
    if !is_helper() {
        return;
    }
    let mut running = Vec::new();
    let error = loop {
        match spawn(&sh("read forever")).await {
            Ok(one) => running.push(one),
            Err(error) => break error,
        }
    };
    assert_eq!(
        error.to_string(),
        "`/bin/sh` cannot start because there are too many processes or open files; end some programs or raise \
         the limits (`ulimit -u`, `ulimit -n`)"
    );
    drop(running);
    assert_eq!(run(&sh("exit 4")).await.1, Ending::Code(4));
}

#[tokio::test]
async fn nothing_survives_when_we_are_killed() {
    let Running { stdin: _open, stdout, process, .. } = spawn(&helper("helper_parent")).await.unwrap();
    let mut lines = BufReader::new(stdout).lines();
    let stubborn = numbers(&mut lines).await;
    let watchdog = numbers(&mut lines).await;
    assert!(stubborn.iter().chain(&watchdog).all(|pid| alive(*pid)));
    process.kill();
    assert_eq!(process.ended().await, Ending::Signal(9));
    vanish(&stubborn);
    vanish(&watchdog);
}

#[tokio::test]
async fn nothing_survives_when_we_end_well() {
    let Running { mut stdin, stdout, process, .. } = spawn(&helper("helper_parent")).await.unwrap();
    let mut lines = BufReader::new(stdout).lines();
    let mut pids = numbers(&mut lines).await;
    pids.extend(numbers(&mut lines).await);
    stdin.write_all(b"\n").await.unwrap();
    assert_eq!(process.ended().await, Ending::Code(0));
    vanish(&pids);
}

/// The kernel's net alone: the watchdog is killed first.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_the_watchdog_the_leaders_still_end_with_us() {
    use rustix::process::{Pid, kill_process};

    let Running { stdin: _open, stdout, process, .. } = spawn(&helper("helper_parent")).await.unwrap();
    let mut lines = BufReader::new(stdout).lines();
    let stubborn = numbers(&mut lines).await;
    let watchdog = numbers(&mut lines).await;
    let kill = |pid: u32| kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL).unwrap();
    kill(watchdog[0]);
    vanish(&watchdog);
    process.kill();
    vanish(&stubborn[..1]);
    kill(stubborn[1]);
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_parent() {
    if !is_helper() {
        return;
    }
    let Running { stdin: _open, stdout, process, .. } = spawn(&sh(STUBBORN)).await.unwrap();
    let pids = numbers(&mut BufReader::new(stdout).lines()).await;
    println!("\n{} {}", pids[0], pids[1]);
    println!("{}", watchdog::pid().unwrap());
    std::io::stdin().read_line(&mut String::new()).unwrap();
    // As in a process that ends without unwinding: nothing is dropped.
    std::mem::forget(process);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn two_hundred_starts_leave_no_zombie_and_no_open_file() {
    let (said, ending) = run(&helper("helper_many")).await;
    assert_eq!(ending, Ending::Code(0), "{said}");
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_many() {
    if !is_helper() {
        return;
    }
    let open_files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    run(&sh("exit")).await;
    let before = open_files();
    for round in 0..200 {
        assert_eq!(run(&sh(&format!("exit {round}"))).await.1, Ending::Code(round));
    }
    assert_eq!(open_files(), before);
    // The watchdog is a child that runs; a zombie would be found.
    let zombie = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
    assert!(zombie.unwrap().is_none());
}
