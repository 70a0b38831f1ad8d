//! bowline's own skills: what is compiled in is what is in the tree, and all of it is to the letter.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "the tree is looked at as it is")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bowline_skills::{Reading, Store, available_skills, prompt, validate};

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills")
}

/// Every file below a directory, by its path there.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut waiting) = (BTreeMap::new(), vec![dir.to_owned()]);
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn what_is_compiled_in_is_what_is_in_the_tree() {
    let compiled: BTreeMap<String, Vec<u8>> = bowline_guide::OURS
        .iter()
        .flat_map(|skill| {
            skill.files.iter().map(move |(path, bytes)| (format!("{}/{path}", skill.name), bytes.to_vec()))
        })
        .collect();
    let tree = files(&tree());
    assert_eq!(compiled.keys().collect::<Vec<_>>(), tree.keys().collect::<Vec<_>>());
    assert_eq!(compiled, tree);
}

#[test]
fn all_twenty_four_are_to_the_letter() {
    let catalogue = bowline_guide::ours().list();
    assert_eq!((catalogue.skills.len(), catalogue.rejected.len(), catalogue.warnings.len()), (24, 0, 0));
    for skill in &catalogue.skills {
        let report = validate(&tree().join(&skill.name), Reading::Strict);
        assert_eq!((report.valid, report.errors, report.warnings), (true, vec![], vec![]), "{}", skill.name);
        assert!(skill.license.is_some() && skill.allowed_tools.is_some(), "{}", skill.name);
    }
}

/// What people see who choose a skill as a prompt.
#[test]
fn arguments_are_words_that_a_person_can_fill_in() {
    let catalogue = bowline_guide::ours().list();
    let shown: Vec<String> = catalogue
        .skills
        .iter()
        .map(|skill| {
            let arguments = prompt::arguments(skill).into_iter().map(|argument| {
                if argument.required { argument.name } else { format!("[{}]", argument.name) }
            });
            format!("{}: {}", skill.name, arguments.collect::<Vec<_>>().join(" "))
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    lsp-architecture: [workspace-root]
    lsp-concurrency-audit: file-path [type]
    lsp-cross-repo: symbol-name library-file consumer-roots
    lsp-dead-code: file-path
    lsp-docs: symbol-name [file-path]
    lsp-edit-export: symbol-name
    lsp-edit-symbol: symbol-name new-body-or-signature
    lsp-explore: symbol-name [file-path]
    lsp-extract-function: file-path start-line end-line new-function-name
    lsp-fix-all: file-path
    lsp-format-code: file-path [start_line-end_line]
    lsp-generate: file-path-line-col generation-intent
    lsp-impact: symbol-or-file
    lsp-implement: type-or-method-name [file-path]
    lsp-inspect: file-or-directory [checks] [top] [diff] [json]
    lsp-local-symbols: file-path [symbol-name]
    lsp-onboard: [workspace-root]
    lsp-refactor: symbol-or-file intent
    lsp-rename: old-name new-name
    lsp-safe-edit: 
    lsp-simulate: 
    lsp-test-correlation: file-path [run]
    lsp-understand: symbol-or-file
    lsp-verify:
    ");
}

#[test]
fn the_block_names_each_once() {
    let block =
        available_skills(&bowline_guide::ours().list().skills, bowline_skills::Locations::Hidden).unwrap();
    assert_eq!(block.matches("<skill>").count(), 24);
    assert!(!block.contains("<location>"));
}
