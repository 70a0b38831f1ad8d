//! The system's table of processes, where it can be read (Linux: `/proc`).

use std::path::Path;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Longer than any line the kernel writes there.
const LINE: u64 = 4096;

/// Resident bytes of a process group, by its leader's number. None where the system does not say, and for a group
/// without processes. Pages that processes share are counted for each of them.
pub fn group_memory(leader: u32) -> Option<u64> {
    // The kernel's own threads are in group 0.
    let members = processes().filter(|entry| leader != 0 && entry.group == leader && !entry.has_ended());
    let pages = members.map(|entry| entry.resident_pages).reduce(|sum, more| sum + more)?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Ticks that the processes of a group have spent computing so far. None as for [`group_memory`].
pub fn group_ticks(leader: u32) -> Option<u64> {
    let members = processes().filter(|entry| leader != 0 && entry.group == leader && !entry.has_ended());
    members.map(|entry| entry.ticks).reduce(|sum, more| sum + more)
}

/// Whether a process with this number runs. One that has ended and is not reaped yet does not.
///
/// Numbers are used again: whoever keeps one keeps [`start_ticks`] with it.
pub fn alive(pid: u32) -> bool {
    if let Some(entry) = entry(pid) {
        return !entry.has_ended();
    }
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return false;
    };
    matches!(test_kill_process(pid), Ok(()) | Err(Errno::PERM))
}

/// When the process started, in ticks since the machine did: with the number it names one process only. None where
/// the system does not say.
pub fn start_ticks(pid: u32) -> Option<u64> {
    entry(pid).map(|entry| entry.start_ticks)
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    state: u8,
    group: u32,
    /// Spent computing, in the program and in the kernel.
    ticks: u64,
    start_ticks: u64,
    resident_pages: u64,
}

impl Entry {
    fn has_ended(&self) -> bool {
        b"ZXx".contains(&self.state)
    }
}

fn processes() -> impl Iterator<Item = Entry> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|file| entry(file.file_name().to_str()?.parse().ok()?))
}

fn entry(pid: u32) -> Option<Entry> {
    let file = Path::new("/proc").join(pid.to_string()).join("stat");
    parse(&crate::fs::read_bounded(&file, LINE).ok()?.0)
}

/// See `proc_pid_stat(5)`, which counts from 1. The second field is the name in parentheses, and may hold anything.
fn parse(line: &[u8]) -> Option<Entry> {
    let name_end = line.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(&line[name_end + 1..]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    Some(Entry {
        state: *field(3)?.as_bytes().first()?,
        group: field(5)?.parse().ok()?,
        ticks: field(14)?.parse::<u64>().ok()? + field(15)?.parse::<u64>().ok()?,
        start_ticks: field(22)?.parse().ok()?,
        resident_pages: field(24)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_line_whatever_the_name() {
        let line = b"7 (a) R 1\xff) S 1 42 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 9876 1000 512 18446744073709551615 1";
        let entry = Entry { state: b'S', group: 42, ticks: 11, start_ticks: 9876, resident_pages: 512 };
        assert_eq!(parse(line), Some(entry));
        assert_eq!(parse(b"7 (a) S 1 42"), None);
        assert_eq!(parse(b""), None);
    }

    #[test]
    fn we_are_alive_and_numbers_that_nobody_has_are_not() {
        assert!(alive(std::process::id()));
        for nobody in [0, i32::MAX.cast_unsigned(), u32::MAX] {
            assert!(!alive(nobody));
            assert_eq!(start_ticks(nobody), None);
            assert_eq!(group_memory(nobody), None);
        }
    }
}
