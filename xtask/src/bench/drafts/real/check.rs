//! A smaller set for the tests: small repositories, one for each server, with what the data says of each edit as truth. The
//! benchmark checks the data against the compilers.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use super::edits::{self, Edit};
use super::through::{Answered, Through, Verdict, reasons};
use super::{Class, class};
use crate::bench::repositories::Repository;
use crate::home::Home;

const REPOSITORIES: [&str; 5] = ["httpx", "query-core", "cobra", "serde_json", "lua"];

/// Maximum share of verdicts that may be not known even after asking again, in per cent.
const MAX_UNKNOWN: usize = 5;

/// Fails if one verdict is wrong, or if too many are missing.
pub(in crate::bench) fn check(ours: &Path) -> Result<()> {
    let (mut count, mut wrong, mut unknown) = (0, Vec::new(), Vec::new());
    for repository in Repository::chosen(&REPOSITORIES)? {
        let began = Instant::now();
        let edits = edits::of(repository, &repository.source()?)?;
        let home = Home::new()?;
        let root = home.path()?.join(repository.short());
        repository.copy_to(&root)?;
        let mut through = Through::start(ours, repository, &home, &root, &edits.iter().collect::<Vec<_>>())?;
        for edit in &edits {
            let answered = through.try_out(edit)?;
            let name = format!("{}: {}", repository.short(), edit.name());
            match worst(edit, &answered) {
                Class::Right => {}
                Class::Wrong => wrong.push(format!("{name}: {}", answered.said.1)),
                Class::NotKnown => unknown.push(format!("{name}: {}", reasons(&answered.said.1))),
            }
            count += 1;
        }
        through.close();
        println!("{}: {} edits, {:.0} s", repository.short(), edits.len(), began.elapsed().as_secs_f64());
    }
    println!("{count} edits, {} wrong, {} not known", wrong.len(), unknown.len());
    ensure!(wrong.is_empty(), "wrong verdicts:\n{}", wrong.join("\n"));
    if unknown.len() * 100 > count * MAX_UNKNOWN {
        bail!("too many verdicts are not known:\n{}", unknown.join("\n"));
    }
    Ok(())
}

/// The first answer must not be wrong either.
fn worst(edit: &Edit, answered: &Answered) -> Class {
    let of = |verdict: Verdict| class(verdict, !edit.breaks);
    if of(answered.first) == Class::Wrong { Class::Wrong } else { of(answered.settled) }
}
