//! Text that nobody writes: it is answered, quickly, and never with silence.

use std::time::{Duration, Instant};

use crate::{read, runs};

#[test]
fn control_characters_are_doubted() {
    for text in ["ls\0", "ls \u{7}", "git status\r\nevil", "ls \u{b} x", "\u{1b}[2Kls", "ls\u{85}"] {
        assert!(!read(text).is_readable(), "{text:?}");
    }
    assert!(runs(&read("git status\r\nevil"), "evil"));
}

#[test]
fn blanks_that_nobody_sees_are_doubted_where_they_count() {
    for text in ["ls\u{a0}x", "git\u{2003}status", "ls \u{202e}x", "l\u{200b}s", "ls \u{feff}"] {
        assert!(!read(text).is_readable(), "{text:?}");
    }
    assert!(read("git commit -m 'a\u{a0}b' -m \"c\u{a0}d\"").doubts.is_empty());
}

#[test]
fn text_that_is_no_shell_is_doubted_and_searched() {
    let texts = [
        "evil; )",
        "evil\nfi",
        "echo 'x\nevil",
        "( evil",
        "{ evil",
        "if evil",
        "echo \"$(evil",
        "evil <<E",
        "`evil",
        "${ evil; }",
        "echo ${x; evil",
        "a && ; evil",
        "case x in x) evil",
        "f( evil",
        "[[ a ; evil",
        "(( 1 ; evil",
        "evil |",
        ";; evil",
        "a=( evil",
        "<( evil",
    ];
    for text in texts {
        let script = read(text);
        assert!(!script.is_readable() && runs(&script, "evil"), "{text:?}: {script:?}");
    }
}

#[test]
fn too_long_a_text_is_doubted_and_searched() {
    let script = read(&format!("echo {}; evil", "x".repeat(1 << 20)));
    assert!(!script.is_readable() && !script.forbidden.is_empty() && runs(&script, "evil"));
}

#[test]
fn towers_neither_overflow_nor_take_long() {
    let many = |piece: &str| piece.repeat(10_000);
    let towers = [
        many("("),
        many("$("),
        many(";"),
        many("'"),
        many("\""),
        many("`"),
        many("${x:-"),
        many("{"),
        many("(("),
        many("$(("),
        many("if "),
        many("\\`"),
        many("<("),
        many("[["),
        many("a[$("),
        many("{a,"),
        many("{a,b}"),
        many("f(){ "),
        many("case x in x) "),
        many("! "),
        many("time "),
        many("a|"),
        many("a&&"),
        many("a;"),
        many("a\n"),
        many(">a "),
        many("<<a "),
        many("<<a;"),
        many("\"$("),
        many("x=$x "),
        many("$x "),
        many("@("),
        many("coproc "),
        many("for i in "),
        many("a=("),
        many("cd a;"),
        many("for((;;)){ "),
        format!("{}evil", many("f() { f; f; }; f; ")),
        format!("{}{}", many("("), many(")")),
        format!("{}true{}", many("( "), many(")")),
        format!("x={}; {}", many("y"), "bash -c \"$x\";".repeat(500)),
        format!("{}a", many("a|")),
        format!("{}a", many("a&&")),
        format!("{}a{}", "$((".repeat(38), "))".repeat(38)),
        format!("{}{}", "$(( ".repeat(38), "x".repeat(100_000)),
        many("\\\n"),
        many("#\n"),
        many("$'"),
        many("$[ "),
        many("\u{e9}"),
    ];
    for tower in towers {
        let begin = Instant::now();
        let _ = read(&tower);
        let took = begin.elapsed();
        // Seconds, where a figure that matters would be milliseconds: this is about what never ends.
        let head: String = tower.chars().take(30).collect();
        assert!(took < Duration::from_secs(10), "{head:?} took {took:?}");
    }
}

#[test]
fn functions_that_call_each_other_come_to_an_end() {
    let mut text = String::from("f0() { evil; }\n");
    for index in 1..60 {
        text.push_str(&format!("f{index}() {{ f{0}; f{0}; }}\n", index - 1));
    }
    text.push_str("f59\n");
    let script = read(&text);
    assert!(runs(&script, "evil") && !script.is_readable());
}
