//! Runs of a shell: limits, endings, and what is left of them.

use super::*;
use crate::{ALL, Task};

fn nothing(_: &str) -> Report {
    Report::default()
}

fn sh(script: &str) -> Plan {
    let step = Step::new("sh", "/", nothing).args(["-c", script]);
    Plan::of(ALL[0], vec![step], vec![("PATH".into(), "/usr/bin:/bin".into())], Path::new(""))
}

fn limits(seconds: u64) -> Limits<'static> {
    Limits {
        time: Duration::from_secs(seconds),
        cancellation: CancellationToken::new(),
        progress: None,
        logs: None,
    }
}

#[tokio::test]
async fn a_run_that_goes_wrong_never_has_an_empty_list() {
    let said = async |script: &str| {
        let outcome = run(&sh(script), &limits(60)).await.unwrap();
        assert!(!outcome.success());
        outcome.report.problems.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    assert_eq!(said("exit 3").await, ["`sh` exited with code 3 and printed nothing"]);
    assert_eq!(said("echo no; echo really >&2; exit 1").await.len(), 1);
    assert_eq!(said("echo so; kill -9 $$").await, ["`sh` was killed by signal 9 (SIGKILL):\nso"]);
    let good = run(&sh("echo $CI; cat"), &limits(60)).await.unwrap();
    assert!(good.success() && good.report == Report::default() && good.raw.text == "1\n");
}

#[tokio::test]
async fn a_missing_program_is_an_error_that_says_how_to_get_it() {
    let step = Step::new("no-such-program", "/", nothing);
    let plan = Plan::of(ALL[0], vec![step], vec![], Path::new(""));
    let error = run(&plan, &limits(60)).await.unwrap_err().to_string();
    assert!(error.starts_with("`no-such-program` was not found; install "), "{error}");
}

#[tokio::test]
async fn the_log_has_everything_and_the_next_step_waits_for_success() {
    let keep = tempfile::tempdir().unwrap();
    let logs = Logs::new(keep.path().to_owned());
    let mut plan = sh("seq 100000");
    plan.steps.extend(sh("exit 1").steps);
    plan.steps.extend(sh("echo never").steps);
    let outcome = run(&plan, &Limits { logs: Some(&logs), ..limits(60) }).await.unwrap();
    assert_eq!(outcome.ending, Some(Ending::Code(1)));
    let (log, _) = bowline_std::fs::read_text(&outcome.log.unwrap(), 1 << 20).unwrap();
    assert!(log.starts_with("$ sh -c 'seq 100000'\n1\n") && log.ends_with("\n100000\n$ sh -c 'exit 1'\n"));
    assert!(outcome.raw.left_out > 500_000 && outcome.raw.text.len() < 17 << 10);
}

#[tokio::test]
async fn what_is_too_slow_or_unwanted_ends_with_all_its_children() {
    let keep = tempfile::tempdir().unwrap();
    let pids = keep.path().join("pids");
    let script = format!(
        "trap '' TERM; sleep 1000 & echo $$ $! > {0}.new; mv {0}.new {0}; echo up; wait",
        pids.display()
    );
    let outcome = run(&sh(&script), &limits(1)).await.unwrap();
    assert!(outcome.timed_out && !outcome.success() && outcome.raw.text == "up\n");
    assert_eq!(outcome.report.problems[0].message, "`sh` did not end within 1 s and was ended:\nup");
    gone(&pids).await;

    let (plan, limits) = (sh(&script), limits(60));
    let token = limits.cancellation.clone();
    let cancel = async {
        while !pids.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        token.cancel();
    };
    let (ended, ()) = tokio::join!(run(&plan, &limits), cancel);
    assert!(matches!(ended, Err(RunError::Cancelled)));
    gone(&pids).await;
}

async fn gone(pids: &Path) {
    let (text, _) = bowline_std::fs::read_text(pids, 100).unwrap();
    std::fs::remove_file(pids).unwrap();
    for pid in text.split_whitespace().map(|pid| pid.parse().unwrap()) {
        for _ in 0..500 {
            if !bowline_std::process::alive(pid) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!bowline_std::process::alive(pid), "{pid} is still there");
    }
}

#[test]
fn every_runner_has_its_words() {
    for runner in ALL {
        assert!(!runner.languages.is_empty() && !runner.by.is_empty() && !runner.get.is_empty());
        let twin = ALL.iter().filter(|other| other.name == runner.name).count();
        assert_eq!(twin, 1, "{}", runner.name);
        assert!(runner.task == Task::Build || runner.task == Task::Test);
    }
}

#[test]
fn paths_that_are_there_become_real() {
    let keep = tempfile::tempdir().unwrap();
    let dir = keep.path().canonicalize().unwrap();
    bowline_std::fs::replace_private(&dir.join("src/a.c"), b"").unwrap();
    let problem = |file: &str| Problem {
        file: Some(file.into()),
        line: None,
        column: None,
        severity: Severity::Error,
        code: None,
        message: String::new(),
    };
    let mut report = Report {
        problems: ["./src/../src/a.c", "./src/../src/a.c", "a.c", "gone.c", "src"].map(problem).to_vec(),
        ..Report::default()
    };
    settle(&mut report, &Step::new("make", &dir, nothing).base(dir.join("src")));
    let files: Vec<PathBuf> = report.problems.into_iter().filter_map(|one| one.file).collect();
    let real = dir.join("src/a.c");
    assert_eq!(files, [real.clone(), real.clone(), real, "gone.c".into(), "src".into()]);
}
