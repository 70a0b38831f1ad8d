//! Development tasks: `cargo xtask COMMAND`, one file per command.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a task talks to the person who started it, runs programs and reads the repository"
)]

mod bench;
mod clients;
mod codegen;
mod order;
mod runners;
mod servers;
mod soak;
mod test;
mod tidy;

mod arguments;
mod compilers;
mod home;
mod install;
mod links;
mod mcp;
mod node;
mod paths;
mod prerequisites;
mod processes;
mod projects;
mod questions;
mod run;
mod talk;
mod tools;

use std::process::ExitCode;

use arguments::Arguments;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [--only fmt,clippy,unit,tidy,codegen,deny,verdicts]
                      everything that must hold before a change lands; installs what it needs
  clients             install the foreign clients of the tests, print their variables
  runners             install the test frameworks and checkers of the tests, print their variables
  servers             install the language servers of the tests, print the folder that has them all:
                      PATH=$(cargo xtask servers):$PATH
  tidy                the rules of the house that no compiler knows
  codegen [--check]   write docs/reference, or say that it is stale
  bench [start] [calls] [index] [gate] [servers] [impact] [requests] [drafts] [tokens] [reading]
        [--quick] [--only go,python,…] [--json FILE] [--binary FILE]
                      ratios measured in one run; asserts nothing. `--only` is about the servers:
                      go, python, typescript, cpp, rust
  bench drafts --only real[:flask,go,…] [--update]
                      edits of real repositories, with the compilers as truth; `truth[:…]` for these alone
  bench reading [--only flask,go,…] [--update]
                      the tools that read, on real repositories
  order               write down which functions a start needs, for the linker; valgrind does the watching
  soak [--minutes N] [--binary FILE]
                      serves two projects for so long (10) while servers are killed and files change";

fn main() -> ExitCode {
    let mut arguments = Arguments::new(std::env::args().skip(1));
    let done = match arguments.word().as_deref() {
        Some("test") => test::main(arguments),
        Some("clients") => clients::main(arguments),
        Some("runners") => runners::main(arguments),
        Some("servers") => servers::main(arguments),
        Some("tidy") => tidy::main(arguments),
        Some("codegen") => codegen::main(arguments),
        Some("bench") => bench::main(arguments),
        Some("order") => order::main(arguments),
        Some("soak") => soak::main(arguments),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
