//! Commands wherever they stand, and files wherever they are touched.

use crate::{read, runs, shown};

#[test]
fn commands_in_structures_are_listed() {
    let texts = [
        "a | evil",
        "a |& evil",
        "a & evil",
        "a\nevil",
        "(evil)",
        "{ evil; }",
        "! evil",
        "time -p evil",
        "coproc evil",
        "if evil; then :; fi",
        "while evil; do :; done",
        "for x in a; do evil; done",
        "for ((;;)); do evil; done",
        "select x in a; do evil; done",
        "case a in b) ;; (c|d) evil;; esac",
        "[[ -n $(evil) ]]",
        "(( $(evil) ))",
        "f() { evil; }",
        "function f { evil; }",
        "f() (evil)",
        "echo \"a $(b `evil`)\"",
        "echo ${x:-$(evil)}",
        "echo ${x#`evil`}",
        "a[$(evil)]=1",
        "a=($(evil))",
        "cat <<E\n$(evil)\nE",
        "cat <<< $(evil)",
        "cat <(evil)",
        "x > >(evil)",
        "> $(evil)",
        "echo $((1+$(evil)))",
        "x=`evil` y",
        "export X=$(evil)",
        "echo {a,$(evil)}",
        "echo ~$(evil)",
        "ls && git() { evil; }; git status",
        "echo @($(evil))",
        "echo $(cat <<E\n$(evil)\nE\n)",
    ];
    for text in texts {
        assert!(runs(&read(text), "evil"), "{text:?}\n{}", shown(text));
    }
}

#[test]
fn quoted_text_is_no_command() {
    let texts = [
        "echo '$(evil)'",
        "echo \\$\\(evil\\)",
        "echo \"\\$(evil)\"",
        "cat <<'E'\n$(evil)\nE",
        "cat <<\\E\n`evil`\nE",
        "echo a # evil",
        "echo $'$(evil)'",
    ];
    for text in texts {
        assert!(!runs(&read(text), "evil"), "{text:?}\n{}", shown(text));
    }
}

#[test]
fn redirections_are_reads_and_writes() {
    insta::assert_snapshot!(shown("a > b 2>> c < d &> e >| f 3<> g >& h"), @"
    a
    writes /proj/b
    writes /proj/c
    reads /proj/d
    writes /proj/e
    writes /proj/f
    reads /proj/g
    writes /proj/g
    writes /proj/h
    ? the grammar does not know such text
    ");
    insta::assert_snapshot!(shown("a > /dev/null 2>&1 >&- < /dev/stdin; { b; } > ../x; if c; then d; fi >> ./y/../z"), @"
    a
    b
    c
    d
    writes /proj/../x
    writes /proj/y/../z
    ");
    insta::assert_snapshot!(shown("f() { a; } > b; while c; do d; done > e; (f) > g"), @"
    a
    c
    d
    f
    a
    writes /proj/b
    writes /proj/e
    writes /proj/g
    writes /proj/b
    ");
    insta::assert_snapshot!(shown("a > $x; b > prot/*; c > /dev/tcp/h/1"), @"
    a
    b
    c
    writes below /proj/prot
    writes /dev/tcp/h/1
    ? `$x` is written, and is known only when it runs
    ? `/dev/tcp/h/1` is a connection to another machine
    ");
}

#[test]
fn without_a_directory_paths_stay_relative() {
    let script = bowline_command::read("a > b/./c; d > /e", &bowline_command::Surroundings::default());
    let paths: Vec<_> = script.touches.iter().map(|touch| touch.paths.clone()).collect();
    assert_eq!(paths, [vec![std::path::PathBuf::from("b/c")], vec!["/e".into()]]);
    assert!(script.doubts.is_empty());
}

#[test]
fn what_changes_the_meaning_of_text_is_doubted() {
    let texts = [
        "PATH=. ls",
        "export PATH=.",
        "declare -x LD_PRELOAD=x",
        "BASH_ENV=x ls",
        "IFS=,",
        "for PATH in a; do ls; done",
        "read PATH",
        "((PATH=1))",
        "${PATH:=x}",
        "export $x",
        "declare \"$x\"",
        "GIT_SSH_COMMAND=x git pull",
        "git_x=1 GIT_DIR=x git status",
        "alias ls=x",
        "shopt -s expand_aliases",
        "shopt -s extglob",
        "set -k",
        "set -o posix",
        "enable -f x y",
        "hash -p x y",
        "exec > f",
        "echo ${x@P}",
        "echo ${!x}",
        "echo $((x))",
        "x=$(ls); echo $((x))",
        "printf -v x y",
        "unset 'a[1]'",
        "read 'a[1]'",
        "let 'a[1]=2'",
        "[[ -v $x ]]",
        "test -v 'a[1]'",
        "[[ $x -eq 1 ]]",
        "declare -i x",
        "declare -n x=y",
        "echo ${a[x]}",
        "echo ${x:y}",
        "$x",
        "$(ls)",
        "*",
        "/usr/bin/ca?",
        "echo !(a)",
        "HOME=/x; ls",
        "x=1; eval=2; while :; do echo $((x)); x=$(ls); done",
        "${x}ls",
        "readonly IFS",
    ];
    for text in texts {
        // A name that is only marked keeps its value.
        assert_eq!(read(text).is_readable(), text == "readonly IFS", "{text:?}\n{}", shown(text));
    }
}
