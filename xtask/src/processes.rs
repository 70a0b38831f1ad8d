//! What the kernel tells of running processes. Nothing, where there is no `/proc`.

use std::path::{Path, PathBuf};

fn of(process: u32) -> PathBuf {
    Path::new("/proc").join(process.to_string())
}

/// Memory that is resident now, in KiB.
pub(crate) fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(of(process).join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// How many descriptors it holds.
pub(crate) fn descriptors(process: u32) -> Option<usize> {
    Some(std::fs::read_dir(of(process).join("fd")).ok()?.count())
}

/// Children that have ended, and were not asked how.
pub(crate) fn zombies(parent: u32) -> usize {
    let is_one = |process: &u32| {
        let stat = std::fs::read_to_string(of(*process).join("stat")).unwrap_or_default();
        // The second field is the program's name in parentheses, and may hold anything.
        let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        fields.next() == Some("Z") && fields.next().and_then(|field| field.parse().ok()) == Some(parent)
    };
    all().filter(is_one).count()
}

/// Those in whose environment a path stands, whoever their parent is by now, with their command lines.
pub(crate) fn that_know(path: &Path) -> Vec<(u32, String)> {
    let path = path.as_os_str().as_encoded_bytes();
    let knows = |process: &u32| {
        let environment = std::fs::read(of(*process).join("environ")).unwrap_or_default();
        environment.windows(path.len()).any(|window| window == path)
    };
    all()
        .filter(knows)
        .map(|process| {
            let line = std::fs::read(of(process).join("cmdline")).unwrap_or_default();
            (process, String::from_utf8_lossy(&line).replace('\0', " ").trim_end().to_owned())
        })
        .collect()
}

fn all() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::run;

    #[test]
    fn this_very_process_has_memory_and_descriptors() {
        let us = std::process::id();
        assert!(resident(us).unwrap() > 100 && descriptors(us).unwrap() > 2);
    }

    #[test]
    fn a_process_is_found_by_its_environment_and_as_a_zombie() {
        let mark = tempfile::tempdir().unwrap();
        let mut child = run::spawn(run::command("sleep").arg("60").env("MARK", mark.path())).unwrap();
        // Until `exec` is done it has our own environment.
        let found = || that_know(mark.path()).iter().any(|(process, _)| *process == child.id());
        assert!((0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            found()
        }));
        let before = zombies(std::process::id());
        child.kill().unwrap();
        assert!((0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            zombies(std::process::id()) > before
        }));
        child.wait().unwrap();
        assert!(!that_know(mark.path()).iter().any(|(process, _)| *process == child.id()));
    }
}
