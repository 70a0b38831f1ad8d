//! `cargo xtask test`: everything that must hold before a change lands, from a clean clone on.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::arguments::Arguments;
use crate::{
    bench, clients, codegen, compilers, install, paths, prerequisites, run, runners, servers, tidy, tools,
};

/// A clean build of everything on two cores takes minutes; twice that is a hang.
const LIMIT: Duration = Duration::from_secs(2700);

/// The suites that need other people's programs.
const FEATURES: &str = "bowline/real-clients,bowline/real-servers,bowline-run/live-runners,\
    bowline-tools/real-servers,bowline-workspace/real-servers";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Fmt,
    Clippy,
    Unit,
    Tidy,
    Codegen,
    Deny,
    Verdicts,
}

/// In the order in which they run: what is quick to fail comes first.
const PARTS: [(&str, Part); 7] = [
    ("fmt", Part::Fmt),
    ("tidy", Part::Tidy),
    ("clippy", Part::Clippy),
    ("unit", Part::Unit),
    ("codegen", Part::Codegen),
    ("deny", Part::Deny),
    ("verdicts", Part::Verdicts),
];

pub(crate) fn main(mut arguments: Arguments) -> Result<()> {
    let chosen = choose(arguments.option("--only")?.as_deref())?;
    arguments.finish()?;

    let mut environment = Vec::new();
    let mut answered = Vec::new();
    if chosen.iter().any(|(_, part)| *part == Part::Unit) {
        prerequisites::check()?;
        run::header("tools");
        environment = clients::environment()?;
        environment.extend(servers::environment()?);
        environment.extend(compilers::environment()?);
        environment.extend(runners::environment()?);
        answered = servers::versions()?;
        answered.iter().for_each(|server| println!("{server}"));
    }
    let mut ran = Vec::new();
    for (name, part) in &chosen {
        let started = Instant::now();
        perform(*part, &environment).with_context(|| format!("\nFAILED: {name}"))?;
        ran.push((name, started.elapsed()));
    }
    println!("\n== summary");
    for (name, took) in ran {
        println!("{name:<8} ok {:>7.1} s", took.as_secs_f64());
    }
    answered.iter().for_each(|server| println!("with {server}"));
    Ok(())
}

fn choose(only: Option<&str>) -> Result<Vec<(&'static str, Part)>> {
    let Some(only) = only else { return Ok(PARTS.to_vec()) };
    let wanted: Vec<&str> = only.split(',').collect();
    if let Some(unknown) = wanted.iter().find(|name| !PARTS.iter().any(|(part, _)| part == *name)) {
        bail!(
            "`{unknown}` is no part of the tests; the parts are {}",
            PARTS.map(|(name, _)| name).join(", ")
        );
    }
    Ok(PARTS.into_iter().filter(|(name, _)| wanted.contains(name)).collect())
}

fn perform(part: Part, environment: &[(&str, String)]) -> Result<()> {
    let cargo = |title: &str, arguments: &[&str]| {
        let mut cargo = run::cargo();
        cargo.args(arguments);
        run::step(title, cargo, LIMIT).map(drop)
    };
    match part {
        Part::Fmt => cargo("cargo fmt", &["fmt", "--all", "--check"]),
        Part::Clippy => cargo(
            "cargo clippy",
            &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        ),
        Part::Unit => {
            // Tests that are quick when it is there must not wait for it to be built.
            cargo("fake-ls", &["build", "--package", "bowline-testkit", "--bin", "fake-ls", "--locked"])?;
            let mut cargo = run::cargo();
            // Whoever mends one failure wants to know of the others.
            cargo.args(["test", "--workspace", "--features", FEATURES, "--locked", "--no-fail-fast"]);
            cargo.envs(environment.iter().map(|(name, value)| (name, value)));
            run::step("cargo test", cargo, LIMIT).map(drop)
        }
        Part::Verdicts => {
            prerequisites::check()?;
            cargo("bowline", &["build", "--package", "bowline", "--locked"])?;
            run::header("verdicts on real repositories");
            bench::verdicts(&paths::binary("debug"))
        }
        Part::Tidy => tidy::run(),
        Part::Codegen => codegen::run(codegen::Mode::Check),
        Part::Deny => deny(),
    }
}

/// Licences, duplicates and sources of what we depend on.
fn deny() -> Result<()> {
    // Dependencies of other platforms are judged too, and no build has fetched those.
    let mut fetch = run::cargo();
    fetch.args(["fetch", "--locked", "--quiet"]);
    run::step("cargo fetch", fetch, LIMIT)?;
    let mut deny: Command = run::command(install::tool(&tools::CARGO_DENY)?);
    deny.args(["--offline", "--locked", "--log-level", "error", "check", "--hide-inclusion-graph"]);
    deny.args(["licenses", "bans", "sources"]);
    run::step("cargo deny", deny, LIMIT).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_the_chosen_parts_in_their_own_order() {
        let names = |only| -> Vec<&str> { choose(only).unwrap().iter().map(|(name, _)| *name).collect() };
        assert_eq!(names(Some("deny,fmt")), ["fmt", "deny"]);
        assert_eq!(names(None).len(), PARTS.len());
        assert_eq!(
            choose(Some("units")).unwrap_err().to_string(),
            "`units` is no part of the tests; the parts are fmt, tidy, clippy, unit, codegen, deny, verdicts"
        );
    }
}
