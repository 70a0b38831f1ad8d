//! What a change reaches, as `blast_radius` and `detect_changes` answer it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bowline_workspace::{Caller, Impact, Impacted, Reached, is_elsewhere};
use serde::Serialize;

use crate::compact::{Base, ByFile, Detail, Shaped, shaped};
use crate::wire::{WireCaller, is_zero};

/// Symbols on one page.
pub(crate) const USUAL: usize = 100;
/// More callers of one symbol are counted.
const MOST_CALLERS: usize = 50;
const MOST_REACHED: usize = 200;
const MOST_TESTS: usize = 200;

#[derive(Debug, Serialize)]
pub struct WireImpact {
    changed_symbols: Vec<WireChanged>,
    affected_symbols: Vec<WireAffected>,
    /// Of all symbols, each once.
    non_test_callers: Vec<WireCaller>,
    test_files: Vec<PathBuf>,
    test_functions: Vec<WireCaller>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    transitive_callers: Vec<WireReached>,
    pub(crate) summary: String,
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct WireChanged {
    name: String,
    file: PathBuf,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    risk: Option<Risk>,
    #[serde(skip_serializing_if = "Option::is_none")]
    risk_reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Risk {
    High,
    Medium,
    Low,
}

#[derive(Debug, Serialize)]
struct WireAffected {
    name: String,
    file: PathBuf,
    line: u32,
    test_callers: Vec<WireCaller>,
    non_test_callers: Vec<WireCaller>,
    /// Callers that are not listed here.
    #[serde(skip_serializing_if = "is_zero")]
    more_callers: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sync_guarded: bool,
    /// Why nothing is known of its callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

#[derive(Debug, Serialize)]
struct WireReached {
    #[serde(flatten)]
    caller: WireCaller,
    via: String,
    depth: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    test: bool,
}

/// The same in few words. What is said of all callers together is said with each symbol alone.
#[derive(Debug, Serialize)]
pub struct CompactImpact {
    /// What paths are relative to.
    root: PathBuf,
    summary: String,
    /// `name:line`, by file, with the risk where that is known.
    changed_symbols: ByFile,
    /// Those of them that something uses, or of which that is not known.
    affected_symbols: Vec<CompactAffected>,
    test_files: Vec<String>,
    /// `name:line via …`, by file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    transitive_callers: ByFile,
    warnings: Vec<String>,
    /// What is not listed here and is in the full form.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

#[derive(Debug, Serialize)]
struct CompactAffected {
    name: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    test_callers: ByFile,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    non_test_callers: ByFile,
    #[serde(skip_serializing_if = "is_zero")]
    more_callers: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sync_guarded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

/// How many callers of one symbol, test files and callers of callers a compact answer has.
pub(crate) type Level = (usize, usize, usize);

/// From the most that is told to the least.
pub(crate) const LEVELS: [Level; 5] = [(50, 200, 200), (20, 100, 60), (8, 60, 20), (3, 30, 0), (0, 15, 0)];

impl CompactImpact {
    /// Says that something is not listed.
    pub(crate) fn leave_out(&mut self, count: usize, what: &str) {
        if count > 0 {
            self.left_out.push(format!("{count} {what}"));
        }
    }
}

impl Risk {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

impl WireImpact {
    /// The same in few words, with so much of each.
    pub(crate) fn compact(&self, root: Option<&Path>, (most, tests, reached): Level) -> CompactImpact {
        let base = Base(root);
        let mut changed = ByFile::new();
        for symbol in &self.changed_symbols {
            let risk = symbol.risk.map_or_else(String::new, |risk| {
                let reason = symbol.risk_reason.as_deref().unwrap_or_default();
                format!(" {}: {reason}", risk.as_str())
            });
            changed
                .entry(base.path(&symbol.file))
                .or_default()
                .push(format!("{}:{}{risk}", symbol.name, symbol.line));
        }
        let mut callers_left = 0;
        let affected = self.affected_symbols.iter().map(|symbol| {
            let first = |all: &[WireCaller]| base.by_file(&all[..all.len().min(most)]);
            let cut = symbol.test_callers.len().saturating_sub(most)
                + symbol.non_test_callers.len().saturating_sub(most);
            callers_left += cut;
            CompactAffected {
                name: symbol.name.clone(),
                test_callers: first(&symbol.test_callers),
                non_test_callers: first(&symbol.non_test_callers),
                more_callers: symbol.more_callers + cut,
                sync_guarded: symbol.sync_guarded,
                unknown: symbol.unknown.clone(),
            }
        });
        let affected: Vec<CompactAffected> = affected.collect();
        let mut transitive = ByFile::new();
        for one in self.transitive_callers.iter().take(reached) {
            let told = format!("{}:{} via {}", one.caller.name, one.caller.line, one.via);
            transitive.entry(base.path(&one.caller.file)).or_default().push(told);
        }
        let left = [
            (callers_left, "callers"),
            (self.test_files.len().saturating_sub(tests), "test files"),
            (self.transitive_callers.len().saturating_sub(reached), "callers of callers"),
        ];
        CompactImpact {
            root: root.unwrap_or(Path::new("/")).to_owned(),
            summary: self.summary.clone(),
            changed_symbols: changed,
            affected_symbols: affected,
            test_files: base.paths(&self.test_files[..self.test_files.len().min(tests)]),
            transitive_callers: transitive,
            warnings: self.warnings.clone(),
            left_out: (left.iter().filter(|(count, _)| *count > 0))
                .map(|(count, what)| format!("{count} {what}"))
                .collect(),
        }
    }

    /// One page of symbols, and how many are on later ones. What is said of all callers is of all symbols.
    pub(crate) fn new(impact: &Impact, (limit, offset): (usize, usize), untested: bool) -> (Self, usize) {
        let is_untested =
            |symbol: &&Impacted| !untested || !symbol.callers.iter().any(|caller| caller.is_test);
        let symbols: Vec<&Impacted> = impact.symbols.iter().filter(is_untested).collect();
        let page: Vec<&Impacted> = symbols.iter().skip(offset).take(limit).copied().collect();
        let callers = || symbols.iter().flat_map(|symbol| &symbol.callers);
        let reached = || impact.reached.iter();
        let others: BTreeSet<WireCaller> =
            callers().filter(|caller| !caller.is_test).map(WireCaller::from).collect();
        let test_functions: BTreeSet<WireCaller> =
            callers().filter(|caller| caller.is_test).map(test_function).collect();
        let test_files: BTreeSet<PathBuf> = callers()
            .chain(reached().map(|reached| &reached.caller))
            .filter(|caller| caller.is_test)
            .map(|caller| caller.place.file.clone())
            .collect();
        let files: BTreeSet<&Path> = others.iter().map(|caller| caller.file.as_path()).collect();
        let unknown = symbols.iter().filter(|symbol| symbol.unknown.is_some()).count();
        let mut summary = format!(
            "{} changed symbols, {} callers in {} files outside tests, {} test functions in {} files",
            symbols.len(),
            others.len(),
            files.len(),
            test_functions.len(),
            test_files.len(),
        );
        if unknown > 0 {
            summary.push_str(&format!("; callers of {unknown} symbols are not known"));
        }
        let missing = symbols.len().saturating_sub(offset + page.len());
        let mut warnings = impact.warnings.clone();
        let mut cut = |what: &str, all: usize, most: usize| {
            if all > most {
                warnings.push(format!("and {} more {what}", all - most));
            }
        };
        cut("callers outside tests", others.len(), MOST_REACHED);
        cut("test files", test_files.len(), MOST_TESTS);
        cut("test functions", test_functions.len(), MOST_TESTS);
        cut("callers of callers", impact.reached.len(), MOST_REACHED);
        let wire = Self {
            changed_symbols: page.iter().map(|symbol| changed(symbol)).collect(),
            affected_symbols: page
                .iter()
                .filter(|symbol| is_affected(symbol))
                .map(|symbol| affected(symbol))
                .collect(),
            non_test_callers: others.into_iter().take(MOST_REACHED).collect(),
            test_files: test_files.into_iter().take(MOST_TESTS).collect(),
            test_functions: test_functions.into_iter().take(MOST_TESTS).collect(),
            transitive_callers: reached().take(MOST_REACHED).map(wire_reached).collect(),
            summary,
            warnings,
        };
        (wire, missing)
    }

    /// Says of each changed symbol how far a mistake in it would be felt, and why that is.
    pub(crate) fn with_risks(mut self, impact: &Impact, indexed: bool) -> Self {
        for wire in &mut self.changed_symbols {
            let symbol = impact.symbols.iter().find(|symbol| {
                symbol.name == wire.name && symbol.place.file == wire.file && symbol.place.line == wire.line
            });
            if let Some((risk, reason)) = symbol.map(|symbol| risk(symbol, indexed)) {
                (wire.risk, wire.risk_reason) = (Some(risk), Some(reason));
            }
        }
        self
    }

    pub(crate) fn high_risks(&self) -> usize {
        self.changed_symbols.iter().filter(|symbol| symbol.risk == Some(Risk::High)).count()
    }
}

fn is_affected(symbol: &Impacted) -> bool {
    !symbol.callers.is_empty() || symbol.unknown.is_some() || symbol.sync_guarded
}

fn changed(symbol: &Impacted) -> WireChanged {
    WireChanged {
        name: symbol.name.clone(),
        file: symbol.place.file.clone(),
        line: symbol.place.line,
        risk: None,
        risk_reason: None,
    }
}

fn affected(symbol: &Impacted) -> WireAffected {
    // Two uses on one line are one place to look at.
    let listed = |tests: bool, wire: fn(&Caller) -> WireCaller| -> Vec<WireCaller> {
        let mut listed: Vec<WireCaller> =
            symbol.callers.iter().filter(|caller| caller.is_test == tests).map(wire).collect();
        listed.dedup();
        listed
    };
    let (mut tests, mut others) = (listed(true, test_function), listed(false, |caller| caller.into()));
    let more = tests.len().saturating_sub(MOST_CALLERS) + others.len().saturating_sub(MOST_CALLERS);
    tests.truncate(MOST_CALLERS);
    others.truncate(MOST_CALLERS);
    WireAffected {
        name: symbol.name.clone(),
        file: symbol.place.file.clone(),
        line: symbol.place.line,
        test_callers: tests,
        non_test_callers: others,
        more_callers: more,
        sync_guarded: symbol.sync_guarded,
        unknown: symbol.unknown.clone(),
    }
}

/// A test is known by where it begins, not by where it calls.
fn test_function(caller: &Caller) -> WireCaller {
    let mut wire = WireCaller::from(caller);
    if let Some(around) = caller.around {
        wire.line = around.start.line;
    }
    wire
}

fn wire_reached(reached: &Reached) -> WireReached {
    WireReached {
        caller: WireCaller::from(&reached.caller),
        via: reached.via.clone(),
        depth: reached.depth,
        test: reached.caller.is_test,
    }
}

/// High: felt in another directory, or nobody can tell. Medium: in its own directory, or in code that no test reaches.
/// Low: only tests use it, or nothing does.
fn risk(symbol: &Impacted, indexed: bool) -> (Risk, String) {
    if let Some(why) = &symbol.unknown {
        return (Risk::High, format!("who uses it is not known: {why}"));
    }
    let others: Vec<&Caller> = symbol.callers.iter().filter(|caller| !caller.is_test).collect();
    let tests = symbol.callers.len() - others.len();
    let elsewhere: BTreeSet<&Path> = others
        .iter()
        .map(|caller| caller.place.file.as_path())
        .filter(|file| is_elsewhere(&symbol.place.file, file))
        .collect();
    let tested = if tests == 0 { "no test calls it".to_owned() } else { format!("{tests} uses in tests") };
    if !elsewhere.is_empty() {
        return (Risk::High, format!("used in {} files of other directories; {tested}", elsewhere.len()));
    }
    let outside = others.iter().filter(|caller| caller.place.file != symbol.place.file).count();
    match others.len() {
        0 if !indexed => {
            (Risk::Medium, format!("no use is known, and not everything was looked at; {tested}"))
        }
        0 if tests == 0 => (Risk::Low, "nothing uses it by name".to_owned()),
        0 => (Risk::Low, "only tests use it".to_owned()),
        count => (
            Risk::Medium,
            format!("{count} uses in its directory, {outside} of them in other files; {tested}"),
        ),
    }
}

/// In the form that is wanted, or that fits.
pub(crate) fn shaped_impact(
    wire: WireImpact,
    detail: Option<Detail>,
    root: Option<&Path>,
) -> Shaped<WireImpact, CompactImpact> {
    shaped(wire, detail, &LEVELS, |wire, level| wire.compact(root, level))
}

/// What to do next.
pub(crate) fn hint(wire: &WireImpact, missing: usize, indexed: bool) -> String {
    if missing > 0 {
        let next = wire.changed_symbols.len();
        return format!("and {missing} more symbols; a higher offset (this page has {next}) shows them");
    }
    match (wire.non_test_callers.is_empty(), wire.test_files.is_empty()) {
        _ if wire.changed_symbols.is_empty() => {
            "no symbol of these files counts in this scope; `all` takes in the others".to_owned()
        }
        (_, true) if !indexed => {
            "no test is known, and not everything was looked at; see the warnings".to_owned()
        }
        (true, true) => "nothing uses these symbols by name; they may be entry points, or dead".to_owned(),
        (_, true) => "no test calls these symbols; get_tests_for_file looks for tests by name".to_owned(),
        _ => "get_symbol_source shows a caller; the test files are those to run after the change".to_owned(),
    }
}
