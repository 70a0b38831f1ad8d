//! The fake language server as a program: `fake-ls [--script FILE] [--log FILE] [--pid FILE] [MODE]...`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bowline_testkit::fake_ls_main()
}
