//! What a variable may hold where it is used.

use bowline_command::Access;

use crate::{read, shown, touches};

#[test]
fn a_variable_may_hold_what_is_assigned_elsewhere() {
    for text in [
        "d=a; for i in 1 2; do cat $d; d=key; done",
        "d=a; while :; do cat $d; d=key; done",
        "d=a; trap 'cat $d' EXIT; d=key",
        "f() { cat $d; }; d=a; f; d=key; f",
        "trap f EXIT; f() { cat $d; }; d=a; d=key",
        "d=k; d+=ey; cat $d",
        "d=k; declare d+=ey; cat $d",
        "n=$((1 + 1)); cat key$n",
        "((n = 2)); cat key$n",
        "d=~/key; cat $d",
        "d=$HOME/key; cat $d",
        "d=$PWD/key; cat $d",
        "d=k; e=${d}ey; cat $e",
        "d=x; typeset -l d; d=KEY; cat $d",
        "false && d=x; cat key$d",
        "test -n x || d=x; cat key$d",
        "if false; then d=x; fi; cat key$d",
        "case x in y) d=x;; esac; cat key$d",
        "while false; do d=x; done; cat key$d",
        "(d=x); cat key$d",
        "d=x | :; cat key$d",
        "d=x & cat key$d",
        "d=x true; cat key$d",
        "d=x cat key$d",
        "d=x; unset d; cat key$d",
        "d=x; f() { local d; cat key$d; }; f",
        "f() { d=x; }; cat key$d",
        "trap 'd=x' EXIT; cat key$d",
        "bash -c 'd=x'; cat key$d",
        "REPLY=x; read < l; cat $REPLY",
        "d=x; echo <(d=y); d=$(cat l); cat $d",
        "for d in a b; do for e in $d; do cat $e; done; d=key; done",
        "cd \"$(cat l)\"; cat key",
        "cd $x && cat key",
        "cd -; cat key",
        "for d in a b; do cd $d; done; cat key",
    ] {
        let script = read(text);
        let files = ["/proj/key", "/proj/key2", "/home/me/key"];
        let found = files.iter().any(|path| touches(&script, Access::Read, path));
        assert!(found || !script.is_readable(), "{text}\n{}", shown(text));
    }
}

#[test]
fn what_follows_a_change_of_directory_runs_there() {
    for (text, is_here, is_there) in [
        ("cd sub && cat key", false, true),
        ("cd sub && ls && cat key", false, true),
        ("(cd sub && cat key)", false, true),
        ("cd sub && cd .. && cat key", true, false),
        ("cd sub; cat key", true, true),
        ("cd sub || cat key", true, true),
        ("cd sub && ls || cat key", true, true),
        ("cd sub && ls; cat key", true, true),
        ("! cd sub && cat key", true, true),
        ("cd sub & cat key", true, false),
        ("cd() { :; }; cd sub && cat key", true, true),
        ("cd $(echo sub) && cat key", true, true),
        ("echo $(cd sub) && cat key", true, false),
        ("X=$(cd sub) cd . && cat key", true, false),
    ] {
        let script = read(text);
        let touches = |path| touches(&script, Access::Read, path);
        assert!(touches("/proj/key") || !is_here, "{text}\n{}", shown(text));
        assert!(touches("/proj/sub/key") || !is_there || !script.is_readable(), "{text}\n{}", shown(text));
        assert!(is_here || !touches("/proj/key"), "{text}\n{}", shown(text));
    }
}

#[test]
fn variables_whose_values_are_all_known_are_decided() {
    for text in [
        "d=src; cat $d/a",
        "d=src && cat \"$d\"/a",
        "d=src; cd $d && cat a",
        "for f in a b; do cat \"$f\"; done",
        "for f in a b; do cp \"$f\" \"$f.bak\"; done",
        "if x; then d=a; else d=b; fi; cat $d",
        "f() { local d=a; cat $d; }; f",
        "export d=src; cat $d/a",
        "d=src; e=$d/b; f=$e/c; cat \"$f\"",
        "d=$PWD/src; ls $d",
    ] {
        let script = read(text);
        assert!(script.is_readable(), "{text}\n{}", shown(text));
        assert!(!touches(&script, Access::Read, "/proj/key"), "{text}\n{}", shown(text));
    }
}
