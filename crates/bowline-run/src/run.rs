//! Runs a plan: one program after the other, within a limit of time, and everything that it printed kept.
//!
//! However the run ends, also when its future is dropped, the whole process group of the program ends with it.

mod left;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bowline_code::Severity;
use bowline_std::process::{Ending, Joined, Process, Program, Running, SpawnError, spawn, spawn_joined};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::sync::CancellationToken;

use crate::runner::{Step, View};
use crate::sink::{Lines, Pipe, Sink};
use crate::{Logs, Outcome, Plan, Problem, Report, RunError, Task, environment, read};

/// A process that has left the group may hold the pipes open. It is not waited for.
const GRACE: Duration = Duration::from_millis(500);
/// So much of what a program printed stands for a complaint that nobody could read.
const TAIL: usize = 2000;
/// So many problems, and so many failures, are kept of a report.
const MOST_KEPT: usize = 5000;

/// Hears how many seconds a run has taken, and what it said last. Must return at once.
pub type Tell<'a> = dyn Fn(u64, &str) + Sync + 'a;

/// How long a run may take, and who hears of it.
#[derive(Clone)]
pub struct Limits<'a> {
    pub time: Duration,
    pub cancellation: CancellationToken,
    /// Hears once a second.
    pub progress: Option<&'a Tell<'a>>,
    pub logs: Option<&'a Logs>,
}

/// Runs the programs of a plan until one fails. A build that fails is an outcome, no error.
pub async fn run(plan: &Plan, limits: &Limits<'_>) -> Result<Outcome, RunError> {
    let started = Instant::now();
    let log = limits.logs.and_then(|logs| logs.begin(plan.runner.name).ok());
    let sink = Mutex::new(Sink::new(log));
    let mut report = Report::default();
    let mut ending = None;
    for (at, step) in plan.steps.iter().enumerate() {
        if plan.steps.len() > 1 {
            lock(&sink).show(&format!("$ {}", crate::plan::line(step)));
        }
        let started_at = SystemTime::now();
        let left = limits.time.saturating_sub(started.elapsed());
        ending = tokio::select! {
            biased;
            () = limits.cancellation.cancelled() => return Err(RunError::Cancelled),
            ended = one(plan, step, &sink, started, limits) => Some(ended?),
            () = tokio::time::sleep(left) => None,
        };
        let mut printed = lock(&sink).take();
        if let Some(left) = &step.report {
            printed.report = left::text(left, started_at);
        }
        if ending != Some(Ending::Code(0)) && step.absent.is_some_and(|words| printed.both.contains(words)) {
            return Err(RunError::Missing { program: plan.runner.name.to_owned(), get: plan.runner.get });
        }
        let mut read = read::bounded((step.read)(&printed));
        read.problems.truncate(MOST_KEPT);
        read.failures.truncate(MOST_KEPT);
        settle(&mut read, step);
        if let Some(problem) = unsaid(&read, ending, step, &printed.both, limits.time) {
            read.problems.push(problem);
        }
        report.problems.append(&mut read.problems);
        report.failures.append(&mut read.failures);
        report.counts = read.counts.or(report.counts);
        if ending != Some(Ending::Code(0)) {
            // What was to be built for the tests was not: none ran.
            if plan.runner.task == Task::Test && at + 1 < plan.steps.len() {
                report.counts.get_or_insert_default();
            }
            break;
        }
    }
    let sink = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (raw, log) = sink.end();
    let (log, log_left_out) = log.map_or((None, 0), |(log, left_out)| (Some(log), left_out));
    let timed_out = ending.is_none() && !plan.steps.is_empty();
    Ok(Outcome { report, ending, timed_out, duration: started.elapsed(), raw, log, log_left_out })
}

/// Runs one program to its end.
async fn one(
    plan: &Plan,
    step: &Step,
    sink: &Mutex<Sink>,
    started: Instant,
    limits: &Limits<'_>,
) -> Result<Ending, RunError> {
    let env = environment::of(&plan.environment, &step.env);
    let program = Program { path: step.program.clone(), args: step.args.clone(), dir: step.dir.clone(), env };
    let (stdout, stderr, process) = if step.apart {
        let Running { stdout, stderr, process, .. } =
            spawn(&program).await.map_err(|error| unstarted(error, plan))?;
        (stdout, Some(stderr), process)
    } else {
        let Joined { output, process, .. } =
            spawn_joined(&program).await.map_err(|error| unstarted(error, plan))?;
        (output, None, process)
    };
    let mut reading = pin!(async {
        let complaints = async {
            if let Some(stderr) = stderr {
                drain(stderr, Pipe::Err, sink, step.view).await;
            }
        };
        tokio::join!(drain(stdout, Pipe::Out, sink, step.view), complaints)
    });
    let mut ended = pin!(ended_and_quiet(&process));
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            biased;
            _ = &mut reading => break,
            () = &mut ended => break,
            _ = second.tick() => {
                if let Some(progress) = limits.progress {
                    let last = lock(sink).last().to_owned();
                    progress(started.elapsed().as_secs(), if last.is_empty() { "runs" } else { &last });
                }
            }
        }
    }
    Ok(process.ended().await)
}

/// Every line of a pipe goes into the sink, also the one that is unfinished when nobody reads on.
async fn drain(mut pipe: impl AsyncRead + Unpin, which: Pipe, sink: &Mutex<Sink>, view: View) {
    let mut lines = Lines::default();
    let mut buffer = vec![0; 64 << 10];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        let mut sink = lock(sink);
        lines.feed(&buffer[..count], |line| sink.line(which, line, view));
    }
    lines.end(|line| lock(sink).line(which, line, view));
}

async fn ended_and_quiet(process: &Process) {
    process.ended().await;
    tokio::time::sleep(GRACE).await;
}

fn unstarted(error: SpawnError, plan: &Plan) -> RunError {
    match error {
        SpawnError::NotFound { path } => {
            RunError::Missing { program: path.display().to_string(), get: plan.runner.get }
        }
        other => RunError::Start(other),
    }
}

/// Makes paths real that are there.
fn settle(report: &mut Report, step: &Step) {
    let mut known: Option<(PathBuf, PathBuf)> = None;
    let mut real = |file: &mut Option<PathBuf>| {
        let Some(printed) = file else { return };
        if let Some((_, same)) = known.as_ref().filter(|(before, _)| before == printed) {
            *printed = same.clone();
            return;
        }
        let bases = std::iter::once(&step.dir).chain(&step.bases);
        let found = bases.map(|base| base.join(&printed)).find_map(|path| real_file(&path));
        if let Some(found) = found {
            known = Some((std::mem::replace(printed, found.clone()), found));
        }
    };
    report.problems.iter_mut().for_each(|problem| real(&mut problem.file));
    report.failures.iter_mut().for_each(|failure| real(&mut failure.file));
}

fn real_file(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|real| real.is_file())
}

/// What must be said besides the report: a run that went wrong never has an empty list.
fn unsaid(
    report: &Report,
    ending: Option<Ending>,
    step: &Step,
    printed: &str,
    limit: Duration,
) -> Option<Problem> {
    let told =
        !report.failures.is_empty() || report.problems.iter().any(|one| one.severity == Severity::Error);
    let name = step.program.file_name().unwrap_or(step.program.as_os_str()).to_string_lossy();
    let what = match ending {
        Some(Ending::Code(0)) => return None,
        Some(Ending::Code(_)) if told => return None,
        Some(ending) => format!("`{name}` {ending}"),
        None => format!("`{name}` did not end within {:.0} s and was ended", limit.as_secs_f64()),
    };
    let tail = tail(printed);
    let message = match (told, tail.is_empty()) {
        (true, _) => what,
        (false, true) => format!("{what} and printed nothing"),
        (false, false) => format!("{what}:\n{tail}"),
    };
    Some(Problem { file: None, line: None, column: None, severity: Severity::Error, code: None, message })
}

/// The last lines, whole ones where that is possible.
fn tail(printed: &str) -> &str {
    let printed = printed.trim();
    let mut from = printed.len().saturating_sub(TAIL);
    while !printed.is_char_boundary(from) {
        from += 1;
    }
    let cut = &printed[from..];
    match cut.find('\n') {
        Some(end) if from > 0 => &cut[end + 1..],
        _ => cut,
    }
}

fn lock<'a>(sink: &'a Mutex<Sink>) -> MutexGuard<'a, Sink> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}
