//! Words: quotes, escapes, braces, tildes, globs and what is not known.

use crate::{read, shown, word};

/// The words of the first command.
fn words(text: &str) -> String {
    let script = read(text);
    script.commands[0].words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn quotes_and_escapes_are_resolved() {
    let table = [
        (r#"ev""il"#, "evil"),
        (r"e\vil", "evil"),
        ("ev\\\nil", "evil"),
        (r"$'\x65\166\u0069l\0x'", "evil"),
        (r#"$"evil""#, "evil"),
        (r#"echo a'b "c'"d 'e" "#, r#"echo "ab \"cd 'e""#),
        (r#"echo "\a\$\"\\""#, r#"echo \a$"\"#),
        ("echo ''", "echo \"\""),
        ("echo a#b # c", "echo a#b"),
        ("echo $ a$", "echo $ a$"),
        (r"echo \*.rs '*'", "echo *.rs *"),
        (r"echo $'\ca' $'\e'", "echo \u{1} \u{1b}"),
    ];
    for (text, expected) in table {
        assert_eq!(words(text), expected, "{text:?}");
    }
}

#[test]
fn braces_are_expanded() {
    let table = [
        ("{evil,}", "evil"),
        ("{,evil} x", "evil x"),
        ("echo a{b,c{d,e}}f", "echo abf acdf acef"),
        ("echo {1..3} {c..a} {01..03} {1..9..4}", "echo 1 2 3 c b a 01 02 03 1 5 9"),
        ("echo {a} {} a{b {a,b", "echo {a} {} a{b {a,b"),
        ("echo {a,b}}", "echo a} b}"),
        ("echo '{a,b}' \\{a,b} {a\\,b}", "echo {a,b} {a,b} {a,b}"),
        ("echo {1..100000}", "echo <{1..100000}>"),
        ("echo stash@{0} HEAD^{tree}", "echo stash@{0} HEAD^{tree}"),
    ];
    for (text, expected) in table {
        assert_eq!(words(text), expected, "{text:?}");
    }
}

#[test]
fn the_surroundings_are_known_and_the_rest_is_not() {
    let table = [
        ("echo ~ ~/x $HOME/x \"$PWD\"", "echo /home/me /home/me/x /home/me/x /proj"),
        ("make D=~/x --d=~/x", "make D=/home/me/x --d=~/x"),
        ("echo ~root ~+ '~' \\~", "echo <~root> <~+> ~ ~"),
        (
            "echo $x \"$x\" $1 ${x:-a} $(ls) *.rs [ab] a?",
            "echo <$x> <\\\"$x\\\"> <$1> <${x:-a}> <$(ls)> <*.rs> <[ab]> <a?>",
        ),
        ("[ a ]", "[ a ]"),
    ];
    for (text, expected) in table {
        assert_eq!(words(text), expected, "{text:?}");
    }
}

#[test]
fn what_was_assigned_is_one_more_reading() {
    insta::assert_snapshot!(shown("c=evil; $c x"), @"
    <$c> x
    x
    evil x
    ? which program `$c` is, is known only when it runs
    ");
    insta::assert_snapshot!(shown("a=(evil -x); \"${a[@]}\""), @r#"
    <\"${a[@]}\">
    evil
    -x
    ? which program `"${a[@]}"` is, is known only when it runs
    "#);
    insta::assert_snapshot!(shown("t=prot/f; echo x > $t"), @"
    echo x
    writes /proj/prot/f
    ");
}
