//! Which commands need an entry of their own, and which files those that only look at names read: none.

use std::path::PathBuf;

use bowline_command::{Access, Word};

use crate::{read, runs, shown, touches};

/// The programs that need an entry.
fn needing(text: &str) -> Vec<String> {
    let script = read(text);
    let first = |word: Option<&Word>| word.and_then(Word::literal).unwrap_or_default().to_owned();
    script.needing_entries().map(|command| first(command.words.first())).collect()
}

#[test]
fn words_of_the_shell_need_no_entry_beside_others() {
    for (text, programs) in [
        ("for i in 1 2 3; do cargo test -q || break; done", "cargo"),
        ("cd web && npm test", "npm"),
        ("set -e; export A=b; echo start; make", "make"),
        ("[ -f x ] && cat x || exit 1", "cat"),
        ("ls | while read -r f; do printf '%s\\n' \"$f\"; done", "ls"),
        // By itself, each of them does.
        ("true", "true"),
        ("cd web && pwd", "cd pwd"),
        // What runs there, and what is a program by its path.
        ("echo $(rm x)", "rm"),
        ("/tmp/echo x; ls", "/tmp/echo ls"),
        ("echo() { rm x; }; echo y", "rm"),
        ("kill 1; source x; trap a EXIT", "kill source trap a"),
    ] {
        let mut found = needing(text);
        found.dedup();
        assert_eq!(found.join(" "), programs, "{text}\n{}", shown(text));
    }
    assert!(runs(&read("cd x && ls"), "cd"), "an entry that denies may mean it");
}

#[test]
fn a_shell_with_a_known_text_needs_no_entry() {
    for (text, programs) in [
        ("sh -c 'cargo test -q'", "cargo"),
        ("bash -c \"cd web && npm run lint\"", "npm"),
        ("bash -euo pipefail -c 'make'", "make"),
        ("eval 'git status'", "git"),
        ("sh -c 'ls' _ a b", "ls"),
        ("bash -lc 'ls'", "bash ls"),
        ("bash -ic 'ls'", "bash ls"),
        ("bash --rcfile x -c 'ls'", "bash"),
        ("bash -o posix -c 'ls'", "bash ls"),
        ("zsh -c 'ls'", "zsh ls"),
        ("fish -c 'ls'", "fish ls"),
        ("./bash -c 'ls'", "./bash ls"),
        ("bash -c \"$x\"", "bash"),
        ("bash x.sh", "bash"),
    ] {
        assert_eq!(needing(text).join(" "), programs, "{text}\n{}", shown(text));
    }
    assert!(runs(&read("bash -c 'rm x'"), "rm") && !read("bash -c \"$x\"; ls").is_readable());
}

#[test]
fn names_are_no_content() {
    for text in [
        "ls -d */",
        "ls -la .env",
        "stat .env",
        "du -sh .env",
        "realpath .env",
        "readlink -f .env",
        "tree secrets",
        "test -f .env && [ -r .env ]",
        "find . -name .env",
    ] {
        let script = read(text);
        assert!(script.is_readable() && script.touches.is_empty(), "{text}\n{}", shown(text));
    }
    for text in ["file .env", "cat .env", "tree --fromfile .env", "du --files0-from=.env", "wc -l .env"] {
        assert!(touches(&read(text), Access::Read, "/proj/.env"), "{text}");
    }
}

#[test]
fn a_pattern_may_be_the_first_word_and_files() {
    for text in ["grep --color *env", "rg *env", "ag .en*", "awk *env", "jq .en?", "sed -n p *env"] {
        assert!(
            read(text).touches.iter().any(|touch| touch.access == Access::Read && touch.is_deep),
            "{text}\n{}",
            shown(text)
        );
    }
    assert!(read("uniq *").writes().next().is_some());
    assert!(read("tr a* b < x").touches.iter().all(|touch| touch.paths == [PathBuf::from("/proj/x")]));
}

#[test]
fn git_reads_the_repository_that_it_is_given() {
    for text in [
        "git fetch .env",
        "git fetch --auto-g .env .",
        "git pull --keep .en?",
        "git pull .env",
        "git ls-remote --quiet \"$PWD/.env\" .",
        "git clone .env x",
        "git clone file:///proj/.env x",
        "git fetch file:///proj/.env",
        "git fetch secrets/../.env",
    ] {
        let script = read(text);
        let is_read = |path: &str| touches(&script, Access::Read, path);
        assert!(is_read("/proj/.env") || is_read("/proj/secrets/../.env"), "{text}\n{}", shown(text));
    }
    for text in ["git fetch ../other", "git pull ./x main", "git ls-remote a/b"] {
        let is_there = |touch: &bowline_command::Touch| {
            touch.access == Access::Execute && touch.paths.iter().any(|path| !path.ends_with(".git"))
        };
        assert!(read(text).touches.iter().any(is_there), "{text}\n{}", shown(text));
    }
    for text in ["git fetch git@a.b:c/d.git", "git fetch https://a.b/c", "git ls-remote ssh://a/b"] {
        assert!(read(text).touches.iter().all(|touch| touch.access == Access::Execute), "{}", shown(text));
    }
}

#[test]
fn python_looks_in_directories_of_the_project() {
    for (text, directory) in [
        ("PYTHONPATH=. pytest -q", "/proj"),
        ("PYTHONPATH=src python3 -m pytest", "/proj/src"),
        ("PYTHONPATH=a:src/lib python -m unittest", "/proj/src/lib"),
        ("PYTHONPATH=:x pytest", "/proj"),
    ] {
        let script = read(text);
        let path = PathBuf::from(directory);
        let is_run = script
            .touches
            .iter()
            .any(|touch| touch.access == Access::Execute && touch.paths == [path.clone()]);
        assert!(script.is_readable() && is_run, "{text}\n{}", shown(text));
    }
    for text in [
        "PYTHONPATH=/tmp/x pytest",
        "PYTHONPATH=../x pytest",
        "PYTHONPATH=~/x pytest",
        "PYTHONPATH=$x pytest",
        "PYTHONPATH=x/../../y pytest",
        "PYTHONPATH=. black .",
        "PYTHONPATH=. python3 -m mypy x",
        "PYTHONPATH=.; pytest",
        "PYTHONPATH=. env pytest",
        "export PYTHONPATH=src; pytest",
        "PYTHONHOME=. pytest",
    ] {
        assert!(!read(text).is_readable(), "{text}\n{}", shown(text));
    }
}

#[test]
fn containers_that_are_only_looked_at_are_decided() {
    for text in
        ["docker compose ps", "docker compose logs --tail=50 web", "docker ps -a", "docker-compose ps"]
    {
        let script = read(text);
        assert!(script.doubts.is_empty() && script.commands.iter().all(|one| one.pin.is_none()), "{text}");
    }
}
