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
fn whatever_else_is_printed_may_be_anything() {
    for text in [
        "rg -l foo | xargs cat",
        "git ls-files | xargs cat",
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
