//! What a build or a test run reported.

use std::path::PathBuf;

use bowline_code::Severity;

/// What a program's output says. Paths are as the program printed them; whoever ran it knows where it ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What compilers, type checkers and linters complain about, in the order in which they did.
    pub problems: Vec<Problem>,
    /// Tests that failed, in the order in which they did.
    pub failures: Vec<Failure>,
    /// How many tests ran, where the program says so.
    pub counts: Option<Counts>,
}

/// A complaint about the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `None` where the complaint is about no file: a linker's, or a build tool's own.
    pub file: Option<PathBuf>,
    /// Counted from one, as all programs print it.
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub severity: Severity,
    /// `E0308`, `TS2322`, `no-undef`.
    pub code: Option<String>,
    pub message: String,
}

/// A test that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// By which the runner calls it, so that it can be asked to run it alone.
    pub test_name: String,
    pub file: Option<PathBuf>,
    /// Where it failed: in the test, as near to the assertion as the runner says.
    pub line: Option<u32>,
    pub message: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}
