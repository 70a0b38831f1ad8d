//! The edits of real repositories: data, in `xtask/edits/`, one file for each repository.
//!
//! Each names its kind, a file, a text that stands there once, and what takes its place. Without a text to find, the file is
//! a new one. `also` has the same for more files. `symbol` stands in the text that is found, and says whose users matter;
//! `breaks` says what the compiler is expected to say, and is checked.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use toml::Table;

use crate::bench::repositories::Repository;
use crate::bench::servers::raw::uri;
use crate::paths;

/// What an answer may take, compared with the server by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Budget {
    /// Milliseconds more than the server takes for the edited file.
    Added(f64),
    /// Times what the server takes for the edited file.
    OfFile(f64),
    /// Times what the server takes for the edited file and all files that refer to the symbol.
    OfReferring(f64),
}

/// Kinds of edits, by the name that they have in the data, and what each may take.
pub(super) const KINDS: [(&str, Budget); 19] = [
    ("comment", Budget::Added(50.0)),
    ("comment-shared", Budget::Added(50.0)),
    ("docstring", Budget::Added(50.0)),
    ("local", Budget::Added(50.0)),
    ("body", Budget::Added(50.0)),
    ("test-body", Budget::Added(50.0)),
    ("type-error", Budget::Added(50.0)),
    ("removed-import", Budget::Added(50.0)),
    ("new-file", Budget::Added(50.0)),
    ("private-signature", Budget::OfFile(1.5)),
    ("exported-signature", Budget::OfReferring(3.0)),
    ("default-parameter", Budget::OfReferring(3.0)),
    ("renamed-export", Budget::OfReferring(3.0)),
    ("removed-export", Budget::OfReferring(3.0)),
    ("changed-type", Budget::OfReferring(3.0)),
    ("field-renamed", Budget::OfReferring(3.0)),
    ("field-added", Budget::OfReferring(3.0)),
    ("trait-method", Budget::OfReferring(3.0)),
    ("macro-value", Budget::OfReferring(3.0)),
];

pub(super) struct Edit {
    pub(super) kind: &'static str,
    pub(super) budget: Budget,
    pub(super) changes: Vec<Change>,
    /// Where the symbol stands whose users matter: in the first file, counted from zero, in UTF-16.
    pub(super) symbol: Option<(usize, usize)>,
    pub(super) breaks: bool,
}

/// One file, before and after.
pub(super) struct Change {
    /// From the root on.
    pub(super) file: PathBuf,
    /// None: there is no such file.
    pub(super) before: Option<String>,
    pub(super) after: String,
    /// What is replaced: from where to where, and by what.
    range: [(usize, usize); 2],
    new_text: String,
}

/// The edits of a repository whose sources are below `root`, in the order of the data.
pub(super) fn of(repository: &Repository, root: &Path) -> Result<Vec<Edit>> {
    let file = paths::root().join("xtask/edits").join(format!("{}.toml", repository.short()));
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(Vec::new()) };
    let table: Table = text.parse().with_context(|| format!("`{}`", file.display()))?;
    ensure!(
        table.get("version").and_then(|version| version.as_str()) == Some(repository.version),
        "`{}` is not about {} {}",
        file.display(),
        repository.name,
        repository.version
    );
    let edits = table.get("edit").and_then(|edits| edits.as_array()).context("no edits")?;
    let edit = |(at, edit): (usize, &toml::Value)| {
        let edit = edit.as_table().context("an edit is a table")?;
        Edit::read(edit, root).with_context(|| format!("edit {} in `{}`", at + 1, file.display()))
    };
    edits.iter().enumerate().map(edit).collect()
}

impl Edit {
    fn read(table: &Table, root: &Path) -> Result<Self> {
        let known = ["kind", "file", "find", "replace", "symbol", "breaks", "also"];
        if let Some(unknown) = table.keys().find(|key| !known.contains(&key.as_str())) {
            bail!("`{unknown}` means nothing");
        }
        let kind = text(table, "kind")?;
        let (kind, budget) =
            KINDS.into_iter().find(|(name, _)| *name == kind).with_context(|| format!("no kind `{kind}`"))?;
        let first = Change::read(table, root)?;
        let symbol = match table.get("symbol").and_then(toml::Value::as_str) {
            None => None,
            Some(symbol) => {
                let find = text(table, "find")?;
                let inside = word(find, symbol).with_context(|| format!("`{symbol}` is not in `find`"))?;
                let before = first.before.as_deref().unwrap_or_default();
                let at = before.find(find).context("it is there")? + inside;
                Some(place(before, at))
            }
        };
        let mut changes = vec![first];
        for more in table.get("also").and_then(toml::Value::as_array).into_iter().flatten() {
            changes.push(Change::read(more.as_table().context("`also` has tables")?, root)?);
        }
        let breaks = table.get("breaks").and_then(toml::Value::as_bool).context("`breaks` is missing")?;
        Ok(Self { kind, budget, changes, symbol, breaks })
    }

    /// For a person: the kind, and the file.
    pub(super) fn name(&self) -> String {
        format!("{} in {}", self.kind, self.changes[0].file.display())
    }

    /// As an LSP WorkspaceEdit.
    pub(super) fn workspace_edit(&self, root: &Path) -> Value {
        let mut all = Vec::new();
        for change in &self.changes {
            let uri = uri(&root.join(&change.file));
            if change.before.is_none() {
                all.push(json!({ "kind": "create", "uri": uri }));
            }
            let [start, end] =
                change.range.map(|(line, character)| json!({ "line": line, "character": character }));
            let edit = json!({ "range": { "start": start, "end": end }, "newText": change.new_text });
            all.push(json!({ "textDocument": { "uri": uri, "version": null }, "edits": [edit] }));
        }
        json!({ "documentChanges": all })
    }

    /// What makes it this edit and no other: the texts afterwards.
    pub(super) fn identity(&self) -> String {
        self.changes.iter().map(|change| format!("{}\n{}\n", change.file.display(), change.after)).collect()
    }
}

impl Change {
    fn read(table: &Table, root: &Path) -> Result<Self> {
        let file = PathBuf::from(text(table, "file")?);
        let replace = text(table, "replace")?;
        let Some(find) = table.get("find").and_then(toml::Value::as_str) else {
            ensure!(!root.join(&file).exists(), "`{}` is no new file", file.display());
            let (after, new_text) = (replace.to_owned(), replace.to_owned());
            return Ok(Self { file, before: None, after, range: [(0, 0); 2], new_text });
        };
        let before =
            std::fs::read(root.join(&file)).with_context(|| format!("no file `{}`", file.display()))?;
        let before =
            String::from_utf8(before).with_context(|| format!("`{}` is not UTF-8", file.display()))?;
        let found: Vec<usize> = before.match_indices(find).map(|(at, _)| at).collect();
        let [at] = found[..] else {
            bail!(
                "`{}` stands {} times in `{}`",
                find.lines().next().unwrap_or(""),
                found.len(),
                file.display()
            );
        };
        let after = format!("{}{replace}{}", &before[..at], &before[at + find.len()..]);
        let range = [place(&before, at), place(&before, at + find.len())];
        Ok(Self { file, before: Some(before), after, range, new_text: replace.to_owned() })
    }
}

fn text<'t>(table: &'t Table, key: &str) -> Result<&'t str> {
    table.get(key).and_then(toml::Value::as_str).with_context(|| format!("`{key}` is missing"))
}

/// Where a whole word stands last: what is said of it stands before it.
fn word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let whole = |at: usize| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    };
    text.rmatch_indices(word).map(|(at, _)| at).find(|at| whole(*at))
}

/// The line and the column of an offset, from zero, as LSP counts.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count(), before[line..].encode_utf16().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_found_by_its_text_and_told_as_a_workspace_edit() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.py"), "é = 1\ndef add(a, padd):\n    return a\n").unwrap();
        let table: Table = "kind = 'new-file'\nfile = 'a.py'\nfind = 'def add(a'\nreplace = 'def add(b'\n\
                            symbol = 'add'\nbreaks = true\nalso = [{ file = 'b.py', replace = 'x' }]"
            .parse()
            .unwrap();
        let edit = Edit::read(&table, folder.path()).unwrap();
        assert_eq!(edit.symbol, Some((1, 4)));
        assert!(edit.changes[0].after.contains("def add(b, padd)"));
        let told = edit.workspace_edit(Path::new("/r"));
        assert_eq!(
            told["documentChanges"][0]["edits"][0]["range"]["end"],
            json!({ "line": 1, "character": 9 })
        );
        assert_eq!(told["documentChanges"][1]["kind"], "create");
        let twice: Table =
            "kind = 'body'\nfile = 'a.py'\nfind = 'a'\nreplace = 'b'\nbreaks = false".parse().unwrap();
        assert!(Edit::read(&twice, folder.path()).is_err());
    }

    #[test]
    fn a_symbol_is_a_whole_word() {
        assert_eq!(word("add padd add", "add"), Some(9));
        assert_eq!(word("padding", "add"), None);
    }

    /// What can be seen without the sources: every file of edits is about a repository, with kinds that there are.
    #[test]
    fn every_file_of_edits_is_read() {
        use crate::bench::repositories::REPOSITORIES;
        let (mut count, mut kinds, mut repositories) = (0, std::collections::BTreeSet::new(), 0);
        for repository in &REPOSITORIES {
            let file = paths::root().join("xtask/edits").join(format!("{}.toml", repository.short()));
            let table: Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
            assert_eq!(table["version"].as_str(), Some(repository.version), "{}", file.display());
            let edits = table["edit"].as_array().unwrap();
            for edit in edits {
                let kind = edit["kind"].as_str().unwrap();
                assert!(KINDS.iter().any(|(name, _)| *name == kind), "{kind} in {}", file.display());
                kinds.insert(kind.to_owned());
            }
            count += edits.len();
            repositories += 1;
        }
        assert!(
            count >= 150 && kinds.len() >= 15 && repositories >= 10,
            "{count} edits, {} kinds",
            kinds.len()
        );
    }
}
