//! Every tool's file has its line in `all()`: a tool that nobody lists is a tool that nobody has.

use super::Finding;
use super::tree::{Tree, is_test};

const SOURCES: &str = "crates/bowline-tools/src/";
const LIST: &str = "crates/bowline-tools/src/lib.rs";

/// Folders whose files are no tools, and why.
const NOT_TOOLS: [(&str, &str); 1] =
    [("extensions", "one file a language, listed in `ALL`: the compiler warns of one that is not")];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let tools: Vec<(&str, String)> =
        tree.rust().filter_map(|(path, _)| Some((path, type_name(tool_of(path)?)))).collect();
    let Some((line, list)) = tree.get(LIST).and_then(body_of_all) else {
        return tools
            .first()
            .map(|_| Finding::new(LIST, 1, "there is no `fn all(` to list the tools in"))
            .into_iter()
            .collect();
    };
    tools
        .into_iter()
        .filter(|(_, name)| !words(list).any(|word| word == name))
        .map(|(path, name)| Finding::new(path, 1, format!("add `{name}` to `all()`, {LIST}:{line}")))
        .collect()
}

/// The file's stem, if it stands in a group's folder and is neither its root nor tests.
fn tool_of(path: &str) -> Option<&str> {
    let (folder, file) = path.strip_prefix(SOURCES)?.split_once('/')?;
    let stem = file.strip_suffix(".rs")?;
    let is_tool = !stem.contains('/')
        && stem != "mod"
        && !is_test(path)
        && !NOT_TOOLS.iter().any(|(other, _)| *other == folder);
    is_tool.then_some(stem)
}

/// Its line, and the text from `fn all(` to the brace that closes it.
fn body_of_all(text: &str) -> Option<(usize, &str)> {
    let start = text.find("fn all(")?;
    let body = &text[start..];
    let end = body.find("\n}").unwrap_or(body.len());
    Some((text[..start].lines().count(), &body[..end]))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// `find_references` → `FindReferences`.
fn type_name(stem: &str) -> String {
    stem.split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str = "//! Tools.\nmod navigate;\n\npub fn all() -> Vec<Tool> {\n    vec![erase(FindSymbol { workspace })]\n}\nstruct FindReferences;\n";

    #[test]
    fn finds_a_tool_that_is_not_listed() {
        let tree = Tree::of(&[
            (LIST, LIB),
            ("crates/bowline-tools/src/navigate/mod.rs", ""),
            ("crates/bowline-tools/src/navigate.rs", ""),
            ("crates/bowline-tools/src/navigate/find_symbol.rs", ""),
            ("crates/bowline-tools/src/navigate/find_references.rs", ""),
            ("crates/bowline-tools/src/navigate/find_references/tests.rs", ""),
        ]);
        let shown: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            ["crates/bowline-tools/src/navigate/find_references.rs:1: \
              add `FindReferences` to `all()`, crates/bowline-tools/src/lib.rs:4"]
        );
    }

    #[test]
    fn a_list_that_is_not_there_is_found_once_there_are_tools() {
        let tools = ("crates/bowline-tools/src/navigate/find_symbol.rs", "");
        assert_eq!(check(&Tree::of(&[(LIST, "//! Tools.\n"), tools])).len(), 1);
        assert_eq!(check(&Tree::of(&[(LIST, "//! Tools.\n")])).len(), 0);
    }
}
