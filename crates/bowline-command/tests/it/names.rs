//! Names that one command of a pipe prints and `xargs` takes for words.

use std::path::PathBuf;

use bowline_command::{Access, Touch};

use crate::{read, shown};

/// The touch of this kind that is deep below a directory, if nothing is doubted.
fn below(text: &str, access: Access, directory: &str) -> Option<Touch> {
    let script = read(text);
    assert!(script.is_readable(), "{text}\n{}", shown(text));
    assert!(
        script.touches.iter().all(|touch| touch.paths != [PathBuf::from("/")]),
        "{text}\n{}",
        shown(text)
    );
    script.touches.into_iter().find(|touch| {
        touch.access == access
            && touch.is_deep
            && touch.filter.parts.is_empty()
            && touch.paths == [PathBuf::from(directory)]
    })
}

#[test]
fn names_lie_below_what_is_searched() {
    for (text, directory, only, splits) in [
        ("rg -l foo src | xargs sed -i s/a/b/", "/proj/src", None, true),
        ("rg -l foo src/ lib | xargs sed -i s/a/b/", "/proj/lib", None, true),
        ("rg -l0 foo src | xargs -0 sed -i s/a/b/", "/proj/src", None, false),
        ("rg --files src | xargs -d '\\n' sed -i s/a/b/", "/proj/src", None, true),
        ("find src -name '*.py' -print0 | xargs -0 sed -i s/a/b/", "/proj/src", Some("*.py"), false),
        ("find src -type f -name '*.py' | xargs -n 5 sed -i s/a/b/", "/proj/src", Some("*.py"), true),
        ("find . -name a -o -name .env | xargs sed -i s/a/b/", "/proj", None, true),
        ("grep -rl x src --include=*.ts | xargs sed -i s/a/b/", "/proj/src", Some("*.ts"), true),
        ("grep -rl --include='*.ts' x src | sort -u | xargs sed -i s/a/b/", "/proj/src", Some("*.ts"), true),
        ("git ls-files -z src | xargs -0 sed -i s/a/b/", "/proj/src", None, false),
        ("git ls-files src | grep -v test | head -5 | xargs sed -i s/a/b/", "/proj/src", None, true),
        ("rg -l foo src | xargs -I{} sed -i s/a/b/ {}", "/proj/src", None, true),
        ("find build -name '*.o' -print0 | xargs -0 rm -rf", "/proj/build", None, false),
        ("find src | xargs touch", "/proj/src", None, true),
    ] {
        let touch = below(text, Access::Write, directory);
        let touch = touch.unwrap_or_else(|| panic!("{text}\n{}", shown(text)));
        assert_eq!(touch.filter.only, only.into_iter().collect::<Vec<_>>(), "{text}");
        assert_eq!(touch.filter.splits_names, splits && !text.contains("print0 "), "{text}");
    }
    assert!(below("git ls-files src | xargs wc -l", Access::Read, "/proj/src").is_some());
}

#[test]
fn the_shell_takes_names_for_words() {
    // The marks: names split, expand, are tracked, begin at the top of the repository.
    for (text, directory, only, marks) in [
        ("wc -l $(git ls-files '*.py')", "/proj", Some("*.py"), "set"),
        ("wc -l $(git ls-files)", "/proj", None, "set"),
        ("wc -l $(git ls-files 'src/*.py' | head -3)", "/proj/src", Some("*.py"), "set"),
        ("git add x && wc -l $(git ls-files)", "/proj", None, "se"),
        ("git rm --cached x; wc -l $(git ls-files)", "/proj", None, "se"),
        ("wc -l $(git ls-files -o)", "/proj", None, "se"),
        ("wc -l $(find src -name '*.ts')", "/proj/src", Some("*.ts"), "se"),
        ("git ls-files '*.rs' | xargs wc -l", "/proj", Some("*.rs"), "st"),
        ("git ls-files -z '*.rs' | xargs -0 wc -l", "/proj", Some("*.rs"), "st"),
        ("git diff --name-only | xargs grep -n TODO", "/proj", None, "str"),
        ("git diff --name-only main | xargs grep -n TODO", "/proj", None, "sr"),
        ("git diff --name-only --cached | xargs grep -n TODO", "/proj", None, "sr"),
        ("for f in $(git diff --name-only); do wc -l \"$f\"; done", "/proj", None, "setr"),
        ("for f in $(git diff --name-only); do wc -l $f; done", "/proj", None, "setr"),
        ("for f in $(find src -name '*.ts'); do head -3 \"$f\"; done", "/proj/src", Some("*.ts"), "se"),
        ("find src -name '*.rs' | while read -r f; do head -1 \"$f\"; done", "/proj/src", Some("*.rs"), "s"),
        ("find src -name '*.rs' | while read -r f; do head -1 $f; done", "/proj/src", Some("*.rs"), "se"),
        ("git ls-files src | while IFS= read -r f; do wc -l \"$f\"; done", "/proj/src", None, "st"),
        ("fd foo | xargs cat", "/proj", None, "s"),
    ] {
        let touch = below(text, Access::Read, directory);
        let filter = touch.unwrap_or_else(|| panic!("{text}\n{}", shown(text))).filter;
        assert_eq!(filter.only, only.into_iter().collect::<Vec<_>>(), "{text}");
        let given = [(filter.splits_names, 's'), (filter.expands_names, 'e'), (filter.tracked_only, 't')];
        let given = given.into_iter().chain([(filter.from_top, 'r')]);
        let given: String = given.filter(|(is_set, _)| *is_set).map(|(_, mark)| mark).collect();
        assert_eq!(given, marks, "{text}");
        let begins_anyhow = directory == "/proj" && !text.contains('|');
        assert!(touch_is_bare(text) || !begins_anyhow, "{text}");
    }
}

/// A name that begins with a dash would be an option.
fn touch_is_bare(text: &str) -> bool {
    read(text).bare.iter().any(|bare| bare.pattern == "*" && bare.directories == [PathBuf::from("/proj")])
}

#[test]
fn a_pattern_without_quotation_marks_may_be_several_words() {
    let filter = |text: &str| {
        let script = read(text);
        assert!(script.is_readable(), "{}", shown(text));
        let touch = script.touches.into_iter().find(|touch| touch.paths == [PathBuf::from("/proj/src")]);
        touch.unwrap_or_else(|| panic!("{}", shown(text))).filter
    };
    let quoted = filter("for f in src/*.ts; do cat \"$f\"; done");
    assert!(!quoted.splits_names && quoted.is_shallow, "{quoted:?}");
    let split = filter("for f in src/*.ts; do cat $f; done");
    assert!(split.splits_names && split.expands_names && split.is_shallow, "{split:?}");
    let inner = filter("for d in src/*; do cat $d/x; done");
    assert!(inner.splits_names && inner.parts == ["*", "x"], "{inner:?}");
    let written = filter("for f in src/*.ts; do sed -i 's/foo/bar/' \"$f\"; done");
    assert!(written.is_shallow, "{written:?}");
}

#[test]
fn whatever_else_is_printed_may_be_anything() {
    for text in [
        "git ls-files -t | xargs cat",
        "git diff | xargs cat",
        "cat $(git ls-files -z)",
        "cat \"$(git ls-files)\"",
        "cat $(echo .env; git ls-files)",
        "cat $(git ls-files | sed s/a/b/)",
        "cat x$(git ls-files)",
        "for f in $(git ls-files); do cat ./$f; done",
        "for f in $(git ls-files); do cat \"x/$f\"; done",
        "for f in $(git ls-files); do cat \"$f.bak\"; done",
        "git ls-files | while read -r a b; do cat \"$b\"; done",
        "git ls-files | while IFS=/ read -r a; do cat \"$a\"; done",
        "git ls-files | while read -ra a; do cat \"$a\"; done",
        "read() { f=.env; }; git ls-files | while read -r f; do cat \"$f\"; done",
        "git ls-files | while read -r f; do f=x; cat \"$f$y\"; done",
        "for f in src/*; do timeout 5 cat $f; done",
        "for f in $(git ls-files); do env cat $f; done",
        "f=$'**\\ufdd0t\\ufdd0'; cat $f",
        "cat $'**\\ufdd0t\\ufdd0'*",
        "for f in *; do cat \"$f\"$'\\ufdd0t\\ufdd0'; done",
        "find src -printf '.env' | xargs cat",
        "find src -exec cat {} + | xargs cat",
        "find src -print0 | xargs cat",
        "find src | xargs -0 cat",
        "find src -print -print0 | xargs -0 cat",
        "find -f .env src | xargs cat",
        "rg foo src | xargs cat",
        "rg -l --path-separator x foo src | xargs cat",
        "rg -l foo \"$d\" | xargs cat",
        "rg -l foo src | sed s/a/b/ | xargs cat",
        "rg -l foo src | head -c 9 | xargs cat",
        "rg -l foo src | grep -o e | xargs cat",
        "rg -l foo src | sort .env - | xargs cat",
        "rg -l foo src | xargs -I{} cat x{}",
        "rg -l foo src | xargs -a .env cat",
        "rg -l foo src | xargs env cat",
        "rg -l foo src | xargs sh -c 'cat \"$@\"' _",
        "rg() { echo .env; }; rg -l a src | xargs cat",
        "rg -l foo src | cat - <(echo .env) | xargs cat",
        "rg -l foo src > x | xargs cat",
        "(echo .env; rg -l foo src) | xargs cat",
        "ls src | xargs cat",
        "grep -l x src/* | xargs cat",
    ] {
        let script = read(text);
        let is_open = script.touches.iter().any(|touch| touch.is_deep && touch.paths == [PathBuf::from("/")]);
        assert!(is_open || !script.is_readable(), "{text}\n{}", shown(text));
    }
}

#[test]
fn a_number_of_processors_is_no_option() {
    for text in [
        "cat x$(nproc)",
        "head -n $(nproc) src/a",
        "sed -i s/a/b/ -- src/a; head \"$(nproc --all)\" src/a",
        "tail -n $(getconf _NPROCESSORS_ONLN 2>/dev/null) src/a",
    ] {
        let script = read(text);
        assert!(script.is_readable(), "{text}\n{}", shown(text));
        let count = script
            .commands
            .iter()
            .find(|command| matches!(command.words[0].literal(), Some("nproc" | "getconf")));
        assert!(count.is_some_and(|command| command.is_wrapper), "{text}");
    }
    assert!(!read("nproc() { echo -e x; }; head $(nproc)").is_readable());
}
