//! Where whole outputs are kept: a few newest, none larger than a limit.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// So many logs are kept.
const KEPT: usize = 20;
/// So much of one output.
const MOST: u64 = 64 << 20;

/// A folder of logs.
#[derive(Debug, Clone)]
pub struct Logs {
    dir: PathBuf,
}

/// One log that is being written. What goes wrong on the way ends the log and not the run.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    written: u64,
    left_out: u64,
}

impl Logs {
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// A new one, and the oldest is taken away. Its name begins with the time, so that names sort by age.
    pub(crate) fn begin(&self, what: &str) -> io::Result<Log> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        std::fs::create_dir_all(&self.dir)?;
        self.prune(KEPT - 1);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let what = what.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let path = self.dir.join(format!("{now:015}-{}-{count}-{what}.log", std::process::id()));
        let file = bowline_std::fs::create_private(&path)?;
        Ok(Log { path, file: Some(BufWriter::new(file)), written: 0, left_out: 0 })
    }

    /// Leaves so many. Others may do the same at the same time.
    fn prune(&self, leave: usize) {
        let Ok(entries) = self.dir.read_dir() else { return };
        let mut logs: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "log"))
            .collect();
        logs.sort_unstable();
        let surplus = logs.len().saturating_sub(leave);
        for old in &logs[..surplus] {
            let _ = std::fs::remove_file(old);
        }
    }
}

impl Log {
    pub(crate) fn line(&mut self, line: &str) {
        let Some(file) = &mut self.file else { return };
        let length = line.len() as u64 + 1;
        if self.left_out > 0 || self.written + length > MOST {
            self.left_out += length;
            return;
        }
        self.written += length;
        let done = file.write_all(line.as_bytes()).and_then(|()| file.write_all(b"\n"));
        if done.is_err() {
            self.file = None;
        }
    }

    /// Where it is, if it could be written, and how many bytes are not in it.
    pub(crate) fn end(mut self) -> Option<(PathBuf, u64)> {
        let mut file = self.file.take()?;
        if self.left_out > 0 {
            writeln!(file, "… {} more bytes were left out", self.left_out).ok()?;
        }
        file.flush().ok()?;
        Some((self.path, self.left_out))
    }

    #[cfg(test)]
    fn path(&self) -> &std::path::Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &std::path::Path) -> String {
        bowline_std::fs::read_text(path, 2 * MOST).unwrap().0
    }

    #[test]
    fn the_newest_are_kept() {
        let keep = tempfile::tempdir().unwrap();
        let logs = Logs::new(keep.path().join("runs"));
        let mut last = PathBuf::new();
        for number in 0..KEPT + 3 {
            let mut log = logs.begin("go test").unwrap();
            log.line(&number.to_string());
            assert!(log.path().to_str().unwrap().ends_with("-go-test.log"));
            let left_out;
            (last, left_out) = log.end().unwrap();
            assert_eq!(left_out, 0);
        }
        assert_eq!(text(&last), format!("{}\n", KEPT + 2));
        assert_eq!(logs.dir.read_dir().unwrap().count(), KEPT);
    }

    #[test]
    fn a_flood_is_cut_and_counted() {
        let keep = tempfile::tempdir().unwrap();
        let mut log = Logs::new(keep.path().to_owned()).begin("yes").unwrap();
        let line = "y".repeat((1 << 20) - 1);
        for _ in 0..66 {
            log.line(&line);
        }
        let (path, left_out) = log.end().unwrap();
        assert_eq!(left_out, 2 << 20);
        let text = text(&path);
        assert!(text.len() as u64 <= MOST + 100);
        assert!(text.ends_with("… 2097152 more bytes were left out\n"), "{}", &text[text.len() - 100..]);
    }
}
