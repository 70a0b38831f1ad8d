//! Edits of symbols and renames: what it takes to make them, beside what the server takes to say where they are, and what
//! it takes to write the same files.

mod figures;
mod rename;
mod symbol;
mod target;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::drafts::project::{LANGUAGES, Language};
use super::{Effort, Report};
use crate::{install, servers, tools};

struct Rounds {
    warm_up: usize,
    measured: usize,
    /// The peer often takes seconds.
    peer: usize,
    /// A rename writes a hundred files three times over.
    renamed: usize,
}

pub(crate) fn report(ours: &Path, effort: Effort, only: Option<&str>) -> Result<Report> {
    let chosen = choose(only)?;
    let rounds = match effort {
        Effort::Quick => Rounds { warm_up: 1, measured: 5, peer: 1, renamed: 3 },
        Effort::Full => Rounds { warm_up: 3, measured: 30, peer: 5, renamed: 12 },
    };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown").to_owned();
    let peer = install::tool(&tools::AGENT_LSP)?;
    let places = servers::environment()?;
    let (mut symbols, mut renames) = (Vec::new(), Vec::new());
    for Chosen { language, symbol, rename } in chosen {
        let program = places.iter().find(|(name, _)| *name == language.variable);
        let (_, program) = program.with_context(|| format!("`{}` is not known", language.variable))?;
        let sides = Sides { ours, peer: &peer, language, program };
        if symbol {
            symbols.extend(symbol::measure(&sides, &rounds)?);
        }
        if rename {
            renames.push(rename::measure(&sides, &rounds)?);
        }
    }
    let (mut tables, mut values) = (Vec::new(), json!({ "load": load }));
    if !symbols.is_empty() {
        let (found, value) = figures::symbols(&symbols, &rounds, &load);
        tables.extend(found);
        values["symbol_edit"] = value;
    }
    if !renames.is_empty() {
        let (found, value) = figures::renames(&renames, &rounds, &load);
        tables.extend(found);
        values["rename"] = value;
    }
    Ok(Report { tables, values })
}

/// Who is measured, and with which server.
struct Sides<'a> {
    ours: &'a Path,
    peer: &'a Path,
    language: &'static Language,
    program: &'a str,
}

struct Chosen {
    language: &'static Language,
    symbol: bool,
    rename: bool,
}

/// By language, and by what is done: no word of either kind chooses all of that kind.
fn choose(only: Option<&str>) -> Result<Vec<Chosen>> {
    let wanted: Vec<&str> = only.map(|only| only.split(',').collect()).unwrap_or_default();
    let names = LANGUAGES.each_ref().map(|language| language.name);
    let kinds = ["symbol", "rename"];
    if let Some(unknown) = wanted.iter().find(|word| !kinds.contains(word) && !names.contains(word)) {
        bail!("there are no edits of `{unknown}`; there are {}, {}", names.join(", "), kinds.join(", "));
    }
    let is_wanted = |word: &str, all: &[&str]| {
        wanted.contains(&word) || !wanted.iter().any(|wanted| all.contains(wanted))
    };
    let chosen =
        LANGUAGES.iter().filter(|language| is_wanted(language.name, &names)).map(|language| Chosen {
            language,
            symbol: is_wanted("symbol", &kinds),
            rename: is_wanted("rename", &kinds) && rename::LANGUAGES.contains(&language.name),
        });
    Ok(chosen.collect())
}

fn millis(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses_by_language_and_by_what_is_done() {
        let names = |only| -> Vec<(&str, bool, bool)> {
            let chosen = choose(only).unwrap();
            chosen.iter().map(|one| (one.language.name, one.symbol, one.rename)).collect()
        };
        assert_eq!(names(None).len(), 5);
        assert_eq!(names(Some("go,cpp")), [("go", true, true), ("cpp", true, false)]);
        assert_eq!(names(Some("rename,go")), [("go", false, true)]);
        assert_eq!(names(Some("symbol")).len(), 5);
        assert!(choose(Some("cobol")).is_err());
    }
}
