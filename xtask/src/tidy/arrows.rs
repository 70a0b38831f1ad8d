//! Who may depend on whom. A new arrow is an architectural change, and is declared here in a commit of its own.

use super::Finding;
use super::tree::Tree;

/// Each room and the rooms it may see, without the prefix. Rooms to come stand here already.
const ARROWS: [(&str, &[&str]); 23] = [
    ("std", &[]),
    ("code", &["std"]),
    ("call", &["code", "std"]),
    ("lsp", &["code", "std"]),
    ("syntax", &["code"]),
    ("command", &[]),
    ("skills", &["call"]),
    ("store", &["code", "std"]),
    ("run", &["code", "std"]),
    ("write", &["std"]),
    ("workspace", &["code", "lsp", "std", "syntax", "write"]),
    ("tools", &["call", "code", "run", "std", "workspace"]),
    ("upstream", &["call", "std"]),
    ("models", &["call", "std"]),
    ("gate", &["call", "code", "command", "skills"]),
    ("guide", &["call", "gate", "skills"]),
    ("audit", &["call", "std"]),
    ("dispatch", &["audit", "call", "gate", "std"]),
    ("mcp", &["call", "dispatch", "skills"]),
    ("hooks", &["call", "dispatch"]),
    ("shell", &["call", "dispatch", "models", "skills"]),
    ("config", &["audit", "dispatch", "gate", "lsp", "skills", "std", "workspace"]),
    ("testkit", &["call", "code", "std"]),
];

/// The binary sees every room but the one that only tests may see.
const BINARY: &str = "bowline";
const TESTS_ONLY: &str = "testkit";

/// Words of others that stay inside few rooms: the crate, or the beginning of its name, and the rooms.
const BORDERS: [(&str, &[&str]); 3] = [
    ("rmcp", &["bowline", "bowline-mcp", "bowline-upstream"]),
    ("tree-sitter", &["bowline-syntax", "bowline-command"]),
    ("lsp-types", &["bowline-lsp", "bowline-testkit"]),
];

const HERE: &str = "xtask/src/tidy/arrows.rs";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.crates().flat_map(|(name, manifest)| judge(name, manifest)).collect()
}

fn judge(name: &str, manifest: &str) -> Vec<Finding> {
    let path = format!("crates/{name}/Cargo.toml");
    let at = |word: &str, what: String| Finding::new(&path, line_of(manifest, word), what);
    let table: toml::Table = match manifest.parse() {
        Ok(table) => table,
        Err(error) => {
            return vec![Finding::new(&path, 1, format!("cannot be read: {}", error.message()))];
        }
    };
    let mut findings = Vec::new();
    let dependencies = dependencies(&table);

    if let Some(sight) = Sight::of(name) {
        for (dependency, _) in dependencies.iter().filter(|(_, kind)| *kind == Kind::Normal) {
            let Some(room) = dependency.strip_prefix("bowline-") else {
                continue;
            };
            if !sight.covers(room) {
                let what =
                    format!("`{name}` may not depend on `{dependency}`; a new arrow is declared in {HERE}");
                findings.push(at(dependency, what));
            }
        }
    } else {
        let what = format!("declare in {HERE} what `{name}` may depend on");
        findings.push(at("name", what));
    }
    for (dependency, _) in &dependencies {
        for (word, rooms) in BORDERS {
            if dependency.starts_with(word) && !rooms.contains(&name) {
                let what = format!("`{dependency}` stays in {}; {HERE} draws the border", rooms.join(", "));
                findings.push(at(dependency, what));
            }
        }
    }
    if table.get("lib").and_then(|lib| lib.get("doctest")) == Some(&toml::Value::Boolean(false)) {
        findings.push(at("doctest", "examples in the docs must be run: remove this line".into()));
    }
    findings
}

/// What one crate may see of the house.
#[derive(Debug, Clone, Copy)]
enum Sight {
    AllThatShips,
    Only(&'static [&'static str]),
}

impl Sight {
    /// None if nobody declared it.
    fn of(name: &str) -> Option<Self> {
        if name == BINARY {
            return Some(Self::AllThatShips);
        }
        let room = name.strip_prefix("bowline-")?;
        ARROWS.iter().find(|(from, _)| *from == room).map(|(_, seen)| Self::Only(seen))
    }

    fn covers(self, room: &str) -> bool {
        match self {
            Self::AllThatShips => room != TESTS_ONLY,
            Self::Only(seen) => seen.contains(&room),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Normal,
    Dev,
}

/// Of every section, those for one platform included, by the name of the package.
fn dependencies(manifest: &toml::Table) -> Vec<(&str, Kind)> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table);
    let tables = std::iter::once(manifest)
        .chain(platforms.into_iter().flatten().filter_map(|(_, platform)| platform.as_table()));
    let sections = tables.flat_map(|table| {
        let section = |name, kind| (table.get(name).and_then(toml::Value::as_table), kind);
        [
            section("dependencies", Kind::Normal),
            section("build-dependencies", Kind::Normal),
            section("dev-dependencies", Kind::Dev),
        ]
    });
    sections
        .flat_map(|(section, kind)| {
            section.into_iter().flatten().map(move |(key, value)| {
                let package = value.get("package").and_then(toml::Value::as_str);
                (package.unwrap_or(key), kind)
            })
        })
        .collect()
}

fn line_of(text: &str, word: &str) -> usize {
    text.lines().position(|line| line.contains(word)).map_or(1, |line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, manifest: &str) -> Vec<String> {
        judge(name, manifest).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn declared_arrows_and_test_helpers_pass() {
        let manifest = "[dependencies]\nbowline-call.workspace = true\nglobset = \"0.4\"\n\
                        [dev-dependencies]\nbowline-testkit.workspace = true\n";
        assert_eq!(shown("bowline-gate", manifest), [""; 0]);
    }

    #[test]
    fn a_new_arrow_is_told_where_to_declare_itself() {
        let manifest = "[dependencies]\nserde = \"1\"\nbowline-audit.workspace = true\n";
        assert_eq!(
            shown("bowline-gate", manifest),
            ["crates/bowline-gate/Cargo.toml:3: `bowline-gate` may not depend on `bowline-audit`; \
              a new arrow is declared in xtask/src/tidy/arrows.rs"]
        );
        let renamed = "[target.'cfg(unix)'.dependencies]\nlog = { package = \"bowline-audit\" }\n";
        assert_eq!(shown("bowline-gate", renamed).len(), 1);
    }

    #[test]
    fn test_helpers_stay_out_of_what_ships() {
        assert_eq!(shown("bowline", "[dependencies]\nbowline-mcp = {}\n"), [""; 0]);
        assert_eq!(shown("bowline", "[dependencies]\nbowline-testkit = {}\n").len(), 1);
    }

    #[test]
    fn a_crate_that_nobody_drew_is_found() {
        assert_eq!(
            shown("bowline-extra", "[package]\nname = \"bowline-extra\"\n"),
            [
                "crates/bowline-extra/Cargo.toml:2: declare in xtask/src/tidy/arrows.rs what `bowline-extra` may depend on"
            ]
        );
    }

    #[test]
    fn the_words_of_others_stay_in_their_rooms() {
        assert_eq!(shown("bowline-mcp", "[dependencies]\nrmcp = \"3\"\n"), [""; 0]);
        assert_eq!(
            shown("bowline-tools", "[dev-dependencies]\ntree-sitter-rust = \"0.24\"\n"),
            [
                "crates/bowline-tools/Cargo.toml:2: `tree-sitter-rust` stays in bowline-syntax, bowline-command; \
              xtask/src/tidy/arrows.rs draws the border"
            ]
        );
    }

    #[test]
    fn documentation_examples_are_never_switched_off() {
        assert_eq!(shown("bowline-std", "[lib]\ndoctest = false\n").len(), 1);
    }
}
