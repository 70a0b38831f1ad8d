//! Makes what `tools/list` answers at build time, and puts the functions that a start needs beside each other.
//!
//! The list is made from the committed one: one line for each tool, without blanks. A test compares `tools_list.json` with
//! what the tools say of themselves, so the two cannot differ.
//!
//! The kernel maps a program by pieces of sixteen pages. The functions that run between the start and the first list are a
//! twentieth of the program, and scattered over most of its pieces; `startup.order` names them, for linkers that can
//! put them together. A name that no longer exists has no effect. `cargo xtask order` writes the file anew.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo talks to a build script by its environment, its files and its stdout"
)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const LIST: &str = "tools_list.json";
const ORDER: &str = "startup.order";
/// Where the linker is to say which function is where, for `cargo xtask order`.
const MAP: &str = "BOWLINE_LINK_MAP";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={LIST}");
    println!("cargo::rerun-if-changed={ORDER}");
    println!("cargo::rerun-if-env-changed={MAP}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let list = std::fs::read_to_string(Path::new(LIST))?;
    std::fs::write(out.join("tools_list.jsonl"), lines(&list))?;
    if let Ok(map) = env::var(MAP) {
        println!("cargo::rustc-link-arg-bins=-Wl,-Map={map}");
    }
    let order = Path::new(&env::var_os("CARGO_MANIFEST_DIR").ok_or("no CARGO_MANIFEST_DIR")?).join(ORDER);
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && order.is_file() {
        let arguments = [
            format!("-Wl,--symbol-ordering-file={}", order.display()),
            "-Wl,--no-warn-symbol-ordering".to_owned(),
        ];
        if takes(&arguments, &out) {
            arguments.iter().for_each(|argument| println!("cargo::rustc-link-arg-bins={argument}"));
        }
    }
    Ok(())
}

/// Whether the linker takes these arguments, by trying: which linker it is depends on the toolchain and on settings.
fn takes(arguments: &[String], out: &Path) -> bool {
    let (Some(rustc), Ok(target)) = (env::var_os("RUSTC"), env::var("TARGET")) else { return false };
    let source = out.join("empty.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut command = Command::new(rustc);
    command.args(["--crate-name", "empty", "--target", &target, "-o"]).arg(out.join("empty")).arg(source);
    if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
        command.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    }
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        command.arg(format!("-Clinker={linker}"));
    }
    command.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A JSON array of objects as lines of one object each. Only the blanks between tokens are dropped.
fn lines(list: &str) -> String {
    let mut lines = String::with_capacity(list.len());
    let (mut depth, mut in_text, mut escaped) = (0_u32, false, false);
    for c in list.chars() {
        if in_text {
            lines.push(c);
            in_text = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        let outside = depth;
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        in_text = c == '"';
        match c {
            c if c.is_whitespace() => {}
            // The array's own brackets, and the commas between its objects.
            '[' if outside == 0 => {}
            ']' if outside == 1 => {}
            ',' if outside == 1 => lines.push('\n'),
            c => lines.push(c),
        }
    }
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines
}
