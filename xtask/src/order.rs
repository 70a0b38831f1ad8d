//! `cargo xtask order`: which functions run between a start and its first answers, for the linker to put together.
//!
//! The program is built as it ships, with a map of where each function is, and run once under valgrind, which knows each
//! instruction that ran. Names have a hash in them that depends on the compiler and on all dependencies: after an update of
//! either, the file has to be written anew. Until then it has less effect, and no harm comes of it.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::arguments::Arguments;
use crate::{paths, run};

const BUILD: Duration = Duration::from_secs(2700);
const TRACED: Duration = Duration::from_secs(300);

pub(crate) fn main(arguments: Arguments) -> Result<()> {
    arguments.finish()?;
    let folder = paths::target().join("order");
    std::fs::create_dir_all(&folder)?;
    let (map, trace) = (folder.join("link.map"), folder.join("callgrind.out"));
    println!("building bowline as it ships …");
    let mut build = run::cargo();
    build.args(["build", "--release", "--package", "bowline", "--locked"]).env("BOWLINE_LINK_MAP", &map);
    run::stdout(&mut build, BUILD)?;
    let binary = paths::binary("release");
    println!("running it under valgrind …");
    talk(&binary, &folder, &trace)?;
    let functions = functions(&std::fs::read_to_string(&map).context("the linker wrote no map")?);
    let name = binary.file_name().and_then(|name| name.to_str()).context("no name")?;
    let ran = addresses(&std::fs::read_to_string(&trace).context("valgrind wrote nothing")?, name);
    let order = order(&functions, &ran);
    ensure!(!order.is_empty(), "no function that ran is in the map");
    let file = paths::root().join("crates/bowline/startup.order");
    std::fs::write(&file, order.join("\n") + "\n")?;
    println!("{} functions of {} in `{}`", order.len(), functions.len(), file.display());
    Ok(())
}

/// Starts it, asks what every client asks, and lets it end.
fn talk(binary: &Path, folder: &Path, trace: &Path) -> Result<()> {
    let home = tempfile::tempdir_in(folder)?;
    let mut command = run::command(Path::new("valgrind"));
    run::isolate(&mut command, home.path());
    command
        .args(["--tool=callgrind", "--dump-instr=yes"])
        .arg(format!("--callgrind-out-file={}", trace.display()))
        .arg(binary)
        .args(["serve", "--root"])
        .arg(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = run::spawn(&mut command).context("valgrind is needed for this")?;
    let client = json!({ "name": "order", "version": "0" });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let mut stdin = child.stdin.take().context("no pipe")?;
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": { "name": "list_workspace_folders" } }),
    ] {
        writeln!(stdin, "{message}")?;
    }
    drop(stdin);
    run::wait(&mut child, TRACED)?;
    Ok(())
}

/// A function, and where it is.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    from: u64,
    to: u64,
    name: String,
}

/// Every function that has a section of its own, by the map of the linker. Columns: address, load address, size,
/// alignment, and the section with its file: `… file.o:(.text.NAME)`.
fn functions(map: &str) -> Vec<Function> {
    let hex = |word: &str| u64::from_str_radix(word, 16).ok();
    let function = |line: &str| {
        let name = line.trim_end().strip_suffix(')')?.rsplit_once(":(.text.")?.1;
        let name = ["unlikely.", "hot."].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        let mut columns = line.split_whitespace();
        let (from, _, size) = (hex(columns.next()?)?, columns.next()?, hex(columns.next()?)?);
        Some(Function { from, to: from + size, name: name.to_owned() })
    };
    let mut functions: Vec<Function> = map.lines().filter_map(function).collect();
    functions.sort_by_key(|function| function.from);
    functions
}

/// The addresses at which this program ran, by what callgrind wrote. Positions are absolute, or relative to the one before.
fn addresses(trace: &str, program: &str) -> BTreeSet<u64> {
    let mut addresses = BTreeSet::new();
    let mut names = std::collections::HashMap::new();
    let (mut is_ours, mut at) = (false, 0_u64);
    for line in trace.lines() {
        if let Some(object) = line.strip_prefix("ob=").or_else(|| line.strip_prefix("cob=")) {
            // `(3) /path`, and later only `(3)`.
            let (number, name) = object.split_once(' ').unwrap_or((object, ""));
            if !name.is_empty() {
                names.insert(number, name.ends_with(program));
            }
            if line.starts_with("ob=") {
                is_ours = names.get(number).copied().unwrap_or_default();
            }
            continue;
        }
        let Some(position) = line.split(' ').next().filter(|word| word.starts_with(['0', '+', '-', '*']))
        else {
            continue;
        };
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).unwrap_or_default(),
            None => text.parse().unwrap_or_default(),
        };
        at = match position.split_at(1) {
            ("+", by) => at.wrapping_add(number(by)),
            ("-", by) => at.wrapping_sub(number(by)),
            ("*", _) => at,
            _ => number(position),
        };
        if is_ours {
            addresses.insert(at);
        }
    }
    addresses
}

/// The names of those that ran, by address: what was together stays together.
fn order(functions: &[Function], ran: &BTreeSet<u64>) -> Vec<String> {
    let did_run = |function: &&Function| ran.range(function.from..function.to).next().is_some();
    functions.iter().filter(did_run).map(|function| function.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_ran_are_found_by_their_addresses() {
        let map = "\
             VMA              LMA     Size Align Out     In      Symbol
            1000             1000      100    16 .text
            1000             1000       20    16         a.o:(.text._ZN1a17h0123E)
            1000             1000       20     1                 a
            1020             1020       30    16         lib.a(b.o):(.text.unlikely._ZN1b17h0123E)
            1050             1050       30    16         c.o:(.text)
            1080             1080       30    16         c.o:(.text._ZN1c17h0123E)
";
        let functions = functions(map);
        let names: Vec<_> = functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["_ZN1a17h0123E", "_ZN1b17h0123E", "_ZN1c17h0123E"]);
        let trace = "\
ob=(1) /usr/lib/libc.so.6
fn=(1) x
0x1080 0 7
ob=(2) /target/release/bowline
fn=(2) y
0x1004 0 5
+4 0 1
cob=(1)
calls=1 0x1080
* 0 3
ob=(1)
+120 0 1
ob=(2)
-8 0 1
";
        let ran = addresses(trace, "bowline");
        assert_eq!(ran.into_iter().collect::<Vec<_>>(), [0x1004, 0x1008, 0x1078]);
        let ran = BTreeSet::from([0x1008, 0x1090]);
        assert_eq!(order(&functions, &ran), ["_ZN1a17h0123E", "_ZN1c17h0123E"]);
    }
}
