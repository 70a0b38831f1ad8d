//! One commit of twenty files, ended or failed at every single system call: afterwards all files are old or all are
//! new, and nothing else is left.
//!
//! The program runs itself as the child that commits or recovers. Without the right to trace it, it fails.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]
#![expect(clippy::disallowed_methods, reason = "a test prepares and looks at its own files")]
#![expect(clippy::print_stdout, reason = "there is no harness that would print for us")]
#![expect(clippy::panic, reason = "there is no harness that would know of tests")]

mod commit;
mod recovery;
mod scene;
mod sweep;

use std::path::Path;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["commit", dir] => commit::child(Path::new(dir)),
        ["recover", dir] => recovery::child(Path::new(dir)),
        // The flags of a test harness, as `cargo test` hands them on.
        _ => drive(),
    }
}

fn drive() {
    let begun = Instant::now();
    let commits = commit::all();
    let recoveries = recovery::all();
    let limited = commit::with_a_limit_on_file_size();
    println!("faults: {commits}; {recoveries}; {limited}; in {:.1} s", begun.elapsed().as_secs_f64());
}
