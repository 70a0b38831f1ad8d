//! Time and memory of a program, and the order of figures.

use std::io::BufReader;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::run;

/// A program that ran to its end.
pub(crate) struct Whole {
    pub(crate) status: ExitStatus,
    pub(crate) took: Duration,
    /// In KiB; none where the system does not tell.
    pub(crate) peak: Option<u64>,
    /// What it said beside its answer.
    pub(crate) stderr: String,
}

pub(crate) fn whole(command: &mut Command, limit: Duration) -> Result<Whole> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = run::spawn(command)?;
    let watch = Watch::start(child.id());
    let (ended, end) = mpsc::channel();
    // Its output ends when it does; a clock that looks every few milliseconds would be too coarse.
    let pipe = child.stdout.take().context("no pipe")?;
    thread::spawn(move || {
        let _ = std::io::copy(&mut BufReader::new(pipe), &mut std::io::sink());
        let _ = ended.send(());
    });
    let stderr = run::drain(child.stderr.take());
    if end.recv_timeout(limit).is_err() {
        run::end(&mut child);
        bail!("`{}`: killed after {} s", command.get_program().display(), limit.as_secs());
    }
    let status = run::wait(&mut child, Duration::from_secs(30))?;
    let took = started.elapsed();
    let peak = watch.stop();
    let stderr = String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned();
    Ok(Whole { status, took, peak, stderr })
}

impl Whole {
    /// For programs that have no reason to fail.
    pub(crate) fn succeeded(self) -> Result<Self> {
        if self.status.success() { Ok(self) } else { bail!("{}: {}", self.status, self.stderr.trim_end()) }
    }
}

/// Asks the kernel again and again for a process's high-water mark. The figure that `wait4` gives would be
/// simpler, but it starts at the size of the process that forked: ours.
struct Watch {
    done: Arc<AtomicBool>,
    peak: Arc<AtomicU64>,
    thread: thread::JoinHandle<()>,
}

impl Watch {
    fn start(process: u32) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let peak = Arc::new(AtomicU64::new(0));
        let thread = thread::spawn({
            let (done, peak) = (Arc::clone(&done), Arc::clone(&peak));
            move || {
                while !done.load(Ordering::Relaxed) {
                    if let Some(now) = high_water(process) {
                        peak.fetch_max(now, Ordering::Relaxed);
                    }
                    thread::sleep(Duration::from_millis(3));
                }
            }
        });
        Self { done, peak, thread }
    }

    fn stop(self) -> Option<u64> {
        self.done.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
        Some(self.peak.load(Ordering::Relaxed)).filter(|peak| *peak > 0)
    }
}

/// The most memory that a process ever had resident, in KiB.
pub(crate) fn high_water(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The value below which `percent` of all lie.
pub(crate) fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let index = (values.len() * percent).div_ceil(100).saturating_sub(1);
    values.get(index).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_few_and_many() {
        assert!(percentile(&mut [], 50).is_nan());
        assert_eq!(percentile(&mut [3.0, 1.0, 2.0], 50), 2.0);
        let mut hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(&mut hundred, 95), 95.0);
        assert_eq!(percentile(&mut hundred, 99), 99.0);
    }

    #[test]
    fn a_program_is_timed_and_one_that_hangs_is_killed() {
        let whole_run =
            whole(run::command("sh").args(["-c", "sleep 0.05; echo done >&2"]), Duration::from_secs(20))
                .unwrap();
        assert_eq!(whole_run.stderr, "done\n");
        assert!(whole_run.took >= Duration::from_millis(50));
        assert!(whole(run::command("sleep").arg("60"), Duration::from_millis(100)).is_err());
    }
}
