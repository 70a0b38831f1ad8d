//! What must be on the machine before anything is tried, said in one sentence.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::run;

const ALL: &str = "the tests need Node ≥ 20, Python ≥ 3.10, Go ≥ 1.21, a C++ compiler, make, CMake ≥ 3.17, Maven ≥ 3.6 \
    with a JDK ≥ 17, and rustup";

struct Need {
    program: &'static str,
    arguments: &'static [&'static str],
    at_least: (u32, u32),
}

const NEEDS: [Need; 11] = [
    Need { program: "node", arguments: &["--version"], at_least: (20, 0) },
    Need { program: "npm", arguments: &["--version"], at_least: (0, 0) },
    Need { program: "python3", arguments: &["--version"], at_least: (3, 10) },
    // Debian splits it off, and `python3 -m venv` then fails half-way.
    Need {
        program: "python3",
        arguments: &["-c", "import ensurepip; print('venv', ensurepip.version())"],
        at_least: (0, 0),
    },
    // The first that brings the newer one by itself which a program asks for.
    Need { program: "go", arguments: &["version"], at_least: (1, 21) },
    // What clangd says of drafts is compared with what it says.
    Need { program: "c++", arguments: &["--version"], at_least: (0, 0) },
    // Builds and tests of sample projects run with these.
    Need { program: "make", arguments: &["--version"], at_least: (0, 0) },
    Need { program: "cmake", arguments: &["--version"], at_least: (3, 17) },
    Need { program: "mvn", arguments: &["--version"], at_least: (3, 6) },
    Need { program: "javac", arguments: &["--version"], at_least: (17, 0) },
    Need { program: "rustup", arguments: &["--version"], at_least: (0, 0) },
];

/// Says what is missing, at once and all by itself.
pub(crate) fn check() -> Result<()> {
    NEEDS.iter().try_for_each(|need| judge(need, answer(need).as_deref()))
}

/// Node's version, where there is one.
pub(crate) fn node() -> Option<(u32, u32)> {
    version(&answer(&NEEDS[0])?)
}

fn answer(need: &Need) -> Option<String> {
    run::stdout(run::command(need.program).args(need.arguments), Duration::from_secs(30)).ok()
}

fn judge(need: &Need, answer: Option<&str>) -> Result<()> {
    let program = need.program;
    let Some(answer) = answer else {
        if need.arguments.first() == Some(&"-c") {
            bail!("{ALL}; `{program}` has no `venv` module (on Debian it is the package python3-venv)");
        }
        bail!("{ALL}; `{program}` was not found");
    };
    match version(answer) {
        Some(found) if found < need.at_least => bail!("{ALL}; `{program}` is {}.{}", found.0, found.1),
        _ => Ok(()),
    }
}

/// The first number with a dot in it: `v20.1.0`, `Python 3.11.7`, `go version go1.26.8`.
fn version(text: &str) -> Option<(u32, u32)> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
        let mut parts = word.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(need: &Need, answer: Option<&str>) -> String {
        judge(need, answer).map_or_else(|error| error.to_string(), |()| "fine".into())
    }

    #[test]
    fn one_sentence_names_what_is_missing_or_too_old() {
        let [node, _, python, venv, go, _, _, cmake, maven, _, rustup] = &NEEDS;
        assert_eq!(said(node, Some("v20.20.2\n")), "fine");
        assert_eq!(said(node, None), format!("{ALL}; `node` was not found"));
        assert_eq!(said(python, Some("Python 3.11.7")), "fine");
        assert_eq!(said(python, Some("Python 3.9.18")), format!("{ALL}; `python3` is 3.9"));
        assert!(said(venv, None).contains("has no `venv` module"));
        assert_eq!(said(go, Some("go version go1.26.8 linux/amd64")), "fine");
        assert!(said(go, None).ends_with("`go` was not found"));
        assert!(said(cmake, Some("cmake version 3.16.3")).ends_with("`cmake` is 3.16"));
        assert_eq!(said(maven, Some("Apache Maven 3.8.7\nMaven home: /usr/share/maven")), "fine");
        assert!(said(rustup, None).ends_with("`rustup` was not found"));
        assert_eq!(said(rustup, Some("rustup 1.29.0 (28d1352db 2026-03-05)")), "fine");
    }
}
