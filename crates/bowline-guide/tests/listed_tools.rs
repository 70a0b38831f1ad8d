//! What a skill of ours tells the model to call is what its `allowed-tools` lists, and nothing else: where a host makes a
//! fence of the list, no skill is stopped by its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "the tree is looked at as it is")]

use std::collections::BTreeSet;
use std::path::Path;

use bowline_skills::Store;

/// They stay within every fence, so nobody has to list them.
const ALWAYS: [&str; 7] = [
    "deactivate_skill",
    "finish_task",
    "get_skill_phase",
    "skills_list",
    "skills_load",
    "skills_read_file",
    "update_plan",
];
/// Tools of hosts that our skills use.
const HOSTS: [&str; 6] = ["Bash", "Edit", "Glob", "Grep", "Read", "Write"];

/// Every tool that there is, by the reference that is generated from them.
fn tools() -> BTreeSet<String> {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/tools.md");
    let text = std::fs::read_to_string(reference).unwrap();
    let named = text.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`'));
    let tools: BTreeSet<String> = named.chain(HOSTS).map(str::to_owned).collect();
    assert!(tools.contains("activate_skill") && tools.contains("apply_edit") && tools.len() > 60);
    tools
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
}

/// The first words of what stands between backticks, and in blocks of code those that a line begins with, or that come
/// after a comma.
fn words(markdown: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    for (number, part) in markdown.split("```").enumerate() {
        if number % 2 == 1 {
            let calls = part.lines().flat_map(|line| line.split(", "));
            words.extend(calls.map(|call| first_word(call.trim_start_matches(['>', ' ', '…']))));
        } else {
            words.extend(part.split('`').skip(1).step_by(2).map(first_word));
        }
    }
    words
}

/// Tools that a skill names only to say that they are refused.
fn refused(name: &str) -> BTreeSet<String> {
    let phases = bowline_guide::ours().phases(name).unwrap();
    let patterns = phases.into_iter().flat_map(|table| table.global_forbidden);
    patterns.map(|pattern| pattern.text).collect()
}

/// What is named and not listed, and what is listed and not named.
fn compare(name: &str, tools: &BTreeSet<String>) -> (Vec<String>, Vec<String>) {
    let ours = bowline_guide::ours();
    let skill = ours.load(name, usize::MAX).unwrap();
    let bundled = skill.files.iter().map(|file| ours.read_file(name, file, usize::MAX).unwrap());
    let texts: Vec<String> = std::iter::once(skill.body).chain(bundled).collect();
    let named: BTreeSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
    let raw = &skill.summary.allowed_tools.as_ref().unwrap().raw;
    let listed: BTreeSet<&str> =
        raw.split(' ').map(|entry| entry.strip_prefix("mcp__bowline__").unwrap_or(entry)).collect();
    let refused = refused(name);
    let is_missing = |word: &&&str| {
        tools.contains(**word)
            && !listed.contains(**word)
            && !ALWAYS.contains(*word)
            && !refused.contains(**word)
    };
    let is_idle = |entry: &&&str| !named.contains(**entry) || refused.contains(**entry);
    let own = |words: Vec<&&str>| words.into_iter().map(|word| (*word).to_owned()).collect();
    (own(named.iter().filter(is_missing).collect()), own(listed.iter().filter(is_idle).collect()))
}

#[test]
fn what_a_text_names_is_listed_and_what_is_listed_is_named() {
    let tools = tools();
    let mut wrong = Vec::new();
    for skill in bowline_guide::ours().list().skills {
        let (missing, idle) = compare(&skill.name, &tools);
        if !missing.is_empty() || !idle.is_empty() {
            wrong.push(format!("{}: not listed {missing:?}, not named {idle:?}", skill.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_entry_is_a_tool() {
    let tools = tools();
    for skill in bowline_guide::ours().list().skills {
        for entry in skill.allowed_tools.as_ref().unwrap().raw.split(' ') {
            let tool = entry.strip_prefix("mcp__bowline__");
            let is_known = match tool {
                Some(tool) => tools.contains(tool) && !HOSTS.contains(&tool),
                None => HOSTS.contains(&entry),
            };
            assert!(is_known, "{}: {entry}", skill.name);
        }
    }
}

#[test]
fn names_are_found_in_text_and_in_examples() {
    let text = "Call `apply_edit {old}`, not apply.\n```text\n> run_build {}\nend_it, run_tests → ok\n  (asked)\n```\n`Edit`";
    let found = words(text);
    for word in ["apply_edit", "run_build", "end_it", "run_tests", "Edit"] {
        assert!(found.contains(word), "{word} in {found:?}");
    }
    assert!(!found.contains("Call") && !found.contains("apply"));
}
