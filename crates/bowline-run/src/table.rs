//! All runners as a page of the reference.

use std::fmt::Write;

use crate::{ALL, Language, Proof, Task};

/// docs/reference/runners.md
pub fn table() -> String {
    let mut page = String::from(
        "# Runners\n\n\
         What `run_build` and `run_tests` run, by the project's own files. Where a project has several for a language, \
         the upper one is taken. *Live*: a failing project runs in the tests, and what was read is compared with what \
         was printed. *Recorded*: output of real runs is read in the tests, and the runner itself does not run there.\n\n\
         A run that ends, takes too long or is cancelled takes its whole process group along. A process that leaves the \
         group on purpose (`setsid`, `start_new_session=True`) is not held and may outlive the run.\n\n\
         | runner | task | languages | a project has it by | tested |\n|---|---|---|---|---|\n",
    );
    for task in [Task::Build, Task::Test] {
        for runner in ALL.iter().filter(|runner| runner.task == task) {
            let languages: Vec<&str> = runner.languages.iter().copied().map(Language::name).collect();
            let proof = match runner.proof {
                Proof::Live => "live",
                Proof::Recorded => "recorded",
            };
            let _ = writeln!(
                page,
                "| {} | {task} | {} | {} | {proof} |",
                runner.name,
                languages.join(", "),
                runner.by
            );
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_as_the_runners_are() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/runners.md");
        let written =
            bowline_std::fs::read_text(path.as_ref(), 1 << 20).map(|(text, _)| text).unwrap_or_default();
        if std::env::vars().any(|(name, _)| name == "UPDATE_SNAPSHOT") {
            bowline_std::fs::replace_private(path.as_ref(), table().as_bytes()).unwrap();
        } else {
            assert!(
                written == table(),
                "docs/reference/runners.md is stale: UPDATE_SNAPSHOT=1 cargo test -p bowline-run"
            );
        }
    }
}
