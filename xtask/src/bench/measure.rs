//! Time and memory of a program, and the order of figures.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::run;

/// A program that ran to its end.
pub(crate) struct Whole {
    pub(crate) took: Duration,
    /// In KiB; none where the system does not tell.
    pub(crate) peak: Option<u64>,
    pub(crate) stdout: String,
}

pub(crate) fn whole(command: &mut Command, limit: Duration) -> Result<Whole> {
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = run::spawn(command)?;
    let watch = Watch::start(child.id());
    let (ended, end) = mpsc::channel();
    // Its output ends when it does; a clock that looks every few milliseconds would be too coarse.
    let pipe = child.stdout.take().context("no pipe")?;
    let reader = thread::spawn(move || {
        let text = std::io::read_to_string(pipe);
        let _ = ended.send(());
        text
    });
    if end.recv_timeout(limit).is_err() {
        run::end(&mut child);
        bail!(
            "`{}`: killed after {} s",
            command.get_program().display(),
            limit.as_secs()
        );
    }
    let status = run::wait(&mut child, Duration::from_secs(30))?;
    let took = started.elapsed();
    let peak = watch.stop();
    let stdout = reader.join().ok().context("the reader panicked")??;
    if !status.success() {
        bail!(
            "`{}` failed ({status}): {stdout}",
            command.get_program().display()
        );
    }
    Ok(Whole { took, peak, stdout })
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
        let whole_run = whole(
            run::command("sh").args(["-c", "sleep 0.05; echo done"]),
            Duration::from_secs(20),
        )
        .unwrap();
        assert_eq!(whole_run.stdout, "done\n");
        assert!(whole_run.took >= Duration::from_millis(50));
        assert!(whole(run::command("sleep").arg("60"), Duration::from_millis(100)).is_err());
    }
}
