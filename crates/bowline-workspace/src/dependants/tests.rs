//! Tables: files, the one that is edited, and what that reaches.

mod c;
mod go;
mod python;
mod rust;
mod script;
mod whole;

use std::sync::Arc;

use bowline_testkit::Fixture;

use super::*;
use crate::Options;

/// Something that others can see, in the language of a file.
fn visible(file: &str) -> &'static str {
    match file.rsplit('.').next().unwrap_or_default() {
        "py" | "pyi" | "rb" => "\nzz = 1\n",
        "go" => "\nvar zz = 1\n",
        "rs" => "\npub const ZZ: u8 = 1;\n",
        "ts" | "tsx" | "js" | "mts" | "cjs" | "jsx" => "\nlet zz = 1;\n",
        _ => "\nint zz;\n",
    }
}

/// As it is on disk, and with something more in it. One that is not there is made.
fn edit(fixture: &Fixture, file: &str) -> Edited {
    let path = fixture.path(file);
    let before = bowline_std::fs::read_text(&path, 1 << 20).ok().map(|(text, _)| Arc::from(text));
    let after = Some(Arc::from(format!("{}{}", before.as_deref().unwrap_or_default(), visible(file))));
    Edited { path, before, after }
}

async fn ask(fixture: &Fixture, edited: Vec<Edited>, most: usize) -> Dependants {
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
    workspace.dependants(edited, fixture.root(), most, &Patience::default()).await.unwrap()
}

fn shown(fixture: &Fixture, found: &Dependants) -> String {
    let name = |path: &PathBuf| path.strip_prefix(fixture.root()).unwrap().display().to_string();
    let mut shown = found.files.iter().map(name).collect::<Vec<_>>().join(" ");
    if found.left_out > 0 {
        shown.push_str(&format!(" +{}", found.left_out));
    }
    if let Some(doubt) = &found.doubt {
        shown.push_str(&format!(" ? {}", fixture.relative(doubt)));
    }
    if let Some(limit) = &found.limit {
        shown.push_str(&format!(" but {}", fixture.relative(limit)));
    }
    shown
}

/// What an edit of a file reaches, nearest first.
async fn reached(tree: &str, file: &str) -> String {
    let fixture = Fixture::new(tree);
    let found = ask(&fixture, vec![edit(&fixture, file)], 100).await;
    shown(&fixture, &found)
}

/// Each file of a tree, and what its edit reaches.
async fn check(tree: &str, rows: &[(&str, &str)]) {
    for (file, expected) in rows {
        assert_eq!(reached(tree, file).await, *expected, "{file} of\n{tree}");
    }
}
