//! What reading a text may cost: past a bound it is refused, and searched for commands all the same.

use bowline_command::{Script, ShellKind, Surroundings};
use proptest::prelude::*;
use proptest::sample::select;

use crate::runs;

fn read(text: &str, shell: ShellKind) -> Script {
    let surroundings = Surroundings { cwd: Some("/proj".into()), home: Some("/home/me".into()), shell };
    bowline_command::read(text, &surroundings)
}

fn is_refused(script: &Script) -> bool {
    !script.is_readable() && script.forbidden.iter().any(|why| why.contains("split it"))
}

/// Everything that was found: each costs about as much as another.
fn found(script: &Script) -> usize {
    let words: usize = script.commands.iter().map(|command| command.words.len()).sum();
    script.commands.len() + script.touches.len() + script.doubts.len() + words
}

const MAX_FOUND: usize = 100_000;

#[test]
fn texts_past_the_bound_are_refused() {
    let many = |piece: &str, length: usize| piece.repeat(length / piece.len());
    for text in [
        format!("{}; evil", many("cat a{1..200} ", 34_000)),
        format!("evil; echo {}", many("a{1..200} ", 34_000)),
        format!("{}; evil", many("a ", 900_000)),
        format!("evil; {}", many("a;", 900_000)),
        format!("evil {}", many("$(a)", 100_000)),
        format!("{}; evil", many("cat b;", 100_000)),
        format!("x='{}'; {}; evil", many("a;", 4_000), many("bash -c \"$x\";", 4_000)),
        format!("evil; {}", many("cd a;cat b;", 34_000)),
        format!("evil > x; {}", many("sh -c 'a &> b';", 34_000)),
        format!("evil; cat <<'E'\n{}\nE\n", many("text\n", 300_000)),
    ] {
        for shell in [ShellKind::Bash, ShellKind::Unknown] {
            let script = read(&text, shell);
            let head: String = text.chars().take(40).collect();
            assert!(is_refused(&script) && runs(&script, "evil"), "{head:?} {:?}", script.forbidden);
            assert!(found(&script) < MAX_FOUND, "{head:?}: {}", found(&script));
        }
    }
}

#[test]
fn long_texts_that_cost_little_are_read() {
    let line = "git log --oneline -5 | head -3 && grep -rn \"needle $x\" src/ > out.txt 2>&1; ";
    let many = |piece: &str, length: usize| piece.repeat(length / piece.len());
    for text in [
        many(line, 10_000),
        format!("cat <<'E' > notes.md\n{}\nE", many("it's a \"line\" of $text\n", 200_000)),
        format!("git commit -m '{}'", many("a line. ", 200_000)),
        format!("git commit -m \"{}\"", many("a line. ", 200_000)),
        format!("git add {}", (0..1_500).map(|index| format!("src/file{index}.rs ")).collect::<String>()),
        (0..200).map(|index| format!("mv src/a{index}.ts src/b{index}.ts\n")).collect(),
        (0..150).map(|index| format!("if [ -f a{index} ]; then sed -i 's/a/b/' a{index}; fi\n")).collect(),
        format!(
            "for f in {}; do wc -l \"$f\"; done",
            (0..500).map(|index| format!("a{index} ")).collect::<String>()
        ),
    ] {
        for shell in [ShellKind::Bash, ShellKind::Unknown] {
            let script = read(&text, shell);
            let head: String = text.chars().take(40).collect();
            assert!(script.is_readable() && script.forbidden.is_empty(), "{head:?} {:?}", script.doubts);
        }
    }
}

const PIECES: &[&str] = &[
    "a",
    " ",
    ";",
    "|",
    "&",
    "\n",
    "{a,b}",
    "{1..99}",
    "$x",
    "x=$x",
    "$(a)",
    "`a`",
    "'",
    "\"",
    "(",
    ")",
    "((",
    "))",
    "[[ ",
    " ]]",
    ">a",
    "3<a ",
    "&>a",
    "<<E\n",
    "\nE\n",
    "cd a;",
    "cat b ",
    "eval a;",
    "sh -c 'a;b';",
    "f(){ f;f;};",
    "f;",
    "for i in a b;do ",
    "done;",
    "if a;then ",
    "fi;",
    "cat >/dev/fd/3 ",
    "$((x))",
    "*",
    "~",
    "\\",
    "#",
    "é",
    "trap a EXIT;",
    "x=a;cat $x;",
    "while a;do ",
    "xargs ",
    "time ",
    "! ",
    "a[1]=2 ",
    "${x:-a}",
    "$'a'",
    "<(a)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_costs_more_than_the_bound(
        unit in proptest::collection::vec(select(PIECES), 1..6),
        count in 1_000usize..60_000,
        is_bash in any::<bool>(),
    ) {
        let unit = unit.concat();
        let text = unit.repeat((count / unit.len()).max(1));
        let shell = if is_bash { ShellKind::Bash } else { ShellKind::Unknown };
        prop_assert!(found(&read(&text, shell)) < MAX_FOUND);
    }

    #[test]
    fn a_command_is_found_whatever_stands_around_it(
        before in proptest::collection::vec(select(PIECES), 0..200),
        after in proptest::collection::vec(select(PIECES), 0..200),
    ) {
        let text = format!("{}\nevil\n{}", before.concat(), after.concat());
        let script = read(&text, ShellKind::Unknown);
        // It may be a part of a quotation, of a comment, or of a text.
        prop_assert!(runs(&script, "evil") || script.is_readable() || before.contains(&"'") || before.contains(&"\"")
            || before.contains(&"<<E\n") || before.contains(&"`") || before.contains(&"$'a'"), "{text:?}");
    }
}
