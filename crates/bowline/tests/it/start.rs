//! What a start costs, from nothing to the list of tools, by counts that hold on any machine: threads, files, pages and
//! relocations. How long it takes beside others is a figure of `cargo xtask bench start`.

use std::path::Path;

use serde_json::json;

use crate::serve::Server;
use crate::{bowline, fixture};

/// What the test profile may cost, and what ships. The code differs by the optimiser alone.
struct Limits {
    /// Pages that were touched for the first time.
    faults: u64,
    /// Memory of its own: heap, stack, and data that the loader had to change.
    anonymous_kib: u64,
    /// Addresses that the loader writes into the program before it runs.
    relocations: u64,
}

const LIMITS: Limits = if cfg!(debug_assertions) {
    Limits { faults: 1800, anonymous_kib: 4096, relocations: 230_000 }
} else {
    Limits { faults: 700, anonymous_kib: 2048, relocations: 40_000 }
};

/// A number from a file of the process.
fn read(server: &Server, file: &str, of: impl Fn(&str) -> Option<u64>) -> u64 {
    let path = format!("/proc/{}/{file}", server.child.id());
    let text = std::fs::read_to_string(&path).unwrap();
    of(&text).unwrap_or_else(|| panic!("{path}: {text}"))
}

fn faults(server: &Server) -> u64 {
    // Behind the name, which may have blanks in it: state, …, and the eighth is the count of minor faults.
    read(server, "stat", |text| text.rsplit_once(')')?.1.split_whitespace().nth(7)?.parse().ok())
}

#[cfg(target_os = "linux")]
#[test]
fn the_list_costs_one_thread_and_few_pages() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    let answer = server.ask(2, "tools/list", &json!({}));
    assert!(answer["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 70));

    let threads = std::fs::read_dir(format!("/proc/{}/task", server.child.id())).unwrap().count();
    assert_eq!(threads, 1);
    let faults = faults(&server);
    assert!(faults <= LIMITS.faults, "{faults} pages were touched; at most {}", LIMITS.faults);
    let anonymous = read(&server, "smaps_rollup", |text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:"))?;
        line.split_whitespace().next()?.parse().ok()
    });
    assert!(
        anonymous <= LIMITS.anonymous_kib,
        "{anonymous} KiB of its own; at most {}",
        LIMITS.anonymous_kib
    );
    // Nothing is kept before there is something to keep.
    for directory in ["state", "cache"] {
        assert!(!fixture.path(directory).exists(), "`{directory}` was made");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_ping_starts_no_thread() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    for id in 2..50 {
        assert!(server.ask(id, "ping", &json!({})).get("result").is_some());
    }
    assert_eq!(std::fs::read_dir(format!("/proc/{}/task", server.child.id())).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_trivial_call_wakes_no_worker() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    let mut call = |ids: std::ops::Range<u64>| {
        for id in ids {
            let call = json!({"name": "get_skill_phase", "arguments": {}});
            assert_eq!(server.ask(id, "tools/call", &call)["result"]["isError"], false);
        }
        wakes_of_workers(&server)
    };
    let before = call(2..30);
    let after = call(30..230);
    // Two hundred calls would wake one two hundred times.
    assert!(after - before <= 20, "workers woke up {} times", after - before);
}

/// How often the threads woke up that neither read messages nor write records.
#[cfg(target_os = "linux")]
fn wakes_of_workers(server: &Server) -> u64 {
    let process = server.child.id();
    let threads =
        std::fs::read_dir(format!("/proc/{process}/task")).unwrap().map(|thread| thread.unwrap().path());
    let name = |thread: &Path| std::fs::read_to_string(thread.join("comm")).unwrap_or_default();
    let is_worker = |thread: &std::path::PathBuf| name(thread).contains("worker");
    let wakes = |thread: std::path::PathBuf| -> u64 {
        let status = std::fs::read_to_string(thread.join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
    };
    threads.filter(is_worker).map(wakes).sum()
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[test]
fn the_list_reads_no_database_no_skill_and_no_cgroup() {
    use std::io::Write;

    use bowline_testkit::syscalls::see;

    let fixture = fixture();
    let (stdin, mut messages) = std::io::pipe().unwrap();
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ] {
        writeln!(messages, "{message}").unwrap();
    }
    drop(messages);
    // A pipe has room for the whole list.
    let (_unread, stdout) = std::io::pipe().unwrap();
    let seen = match see(bowline(&fixture).stdin(stdin).stdout(stdout)) {
        Ok(seen) => seen,
        Err(error) => panic!("the child cannot be traced, so nothing was shown: {error}"),
    };
    assert_eq!(seen.threads, 0);
    let is_loader = |path: &&String| path.contains(".so");
    let opened: Vec<&String> = seen.opened.iter().filter(|path| !is_loader(path)).collect();
    for never in ["cgroup", ".db", "audit.jsonl", "SKILL.md", "skills"] {
        assert!(!opened.iter().any(|path| path.contains(never)), "{never}: {opened:#?}");
    }
    assert!(opened.len() <= 10, "{opened:#?}");
    assert!(seen.growths <= 12, "the heap grew {} times", seen.growths);
}

#[cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]
#[test]
fn the_loader_has_few_addresses_to_write() {
    let relocations = relocations(Path::new(env!("CARGO_BIN_EXE_bowline"))).unwrap();
    assert!(relocations <= LIMITS.relocations, "{relocations} relocations; at most {}", LIMITS.relocations);
}

/// The number of entries in the sections of relocations that the loader reads.
#[cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]
fn relocations(program: &Path) -> Option<u64> {
    /// `SHT_RELA`, and the bit of sections that are loaded.
    const RELA: u32 = 4;
    const ALLOCATED: u64 = 2;
    let bytes = std::fs::read(program).ok()?;
    let number = |at: usize, length: usize| -> Option<u64> {
        let mut word = [0; 8];
        word[..length].copy_from_slice(bytes.get(at..at + length)?);
        Some(u64::from_le_bytes(word))
    };
    let (headers, size, count) = (number(40, 8)?, number(58, 2)?, number(60, 2)?);
    let mut entries = 0;
    for index in 0..count {
        let at = usize::try_from(headers + index * size).ok()?;
        let (kind, flags) = (u32::try_from(number(at + 4, 4)?).ok()?, number(at + 8, 8)?);
        if kind == RELA && flags & ALLOCATED != 0 {
            entries += number(at + 32, 8)? / number(at + 56, 8)?.max(1);
        }
    }
    Some(entries)
}
