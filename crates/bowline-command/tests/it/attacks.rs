//! Ways in which people have hidden a command, or a write, from somebody who reads text. Each was run by bash, and worked.

use crate::{read, runs, shown};

#[rustfmt::skip]
const HIDDEN: &[(&str, &str)] = &[
    ("sh-and", "git status && evil"),
    ("sh-semi", "git status; evil"),
    ("sh-or", "git bogus-sub || evil"),
    ("sh-pipe", "git status | evil"),
    ("sh-pipe-both", "git status |& evil"),
    ("sh-bg", "git status & evil; wait"),
    ("sh-newline", "git status\nevil"),
    ("sh-first-evil", "evil && git status"),
    ("sh-cr", "git status\r\nevil"),
    ("sh-continuation", "git status \\\n&& evil"),
    ("sh-continuation-word", "ev\\\nil"),
    ("sh-dq-subst", "echo \"$(evil)\""),
    ("sh-procsub-in", "diff <(evil) /dev/null"),
    ("sh-procsub-out", "echo x > >(evil)"),
    ("sh-arith", "echo $(( $(evil; echo 1) ))"),
    ("sh-param-default", "echo \"${x:-$(evil)}\""),
    ("sh-param-assign", ": ${x:=$(evil)}"),
    ("sh-export-subst", "export X=$(evil)"),
    ("sh-array-init", "a=( $(evil) )"),
    ("sh-env-plain", "FOO=bar evil"),
    ("sh-env-subst", "X=$(evil) git status"),
    ("wr-time-1", "time evil"),
    ("sp-backslash-mid", "e\\vil"),
    ("sp-ansi-c", "$'evil'"),
    ("sp-locale", "$\"evil\""),
    ("sp-abs", "/opt/tools/evil"),
    ("sp-rel", "bin/../bin/evil"),
    ("sp-extra-space", "  evil   "),
    ("ct-subshell", "( evil )"),
    ("ct-not", "! evil"),
    ("ct-if", "if evil; then :; fi"),
    ("ct-for", "for i in 1; do evil; done"),
    ("ct-func", "git() { evil; }; git status"),
    ("ct-func2", "f() { evil; }; f"),
    ("ct-coproc", "coproc evil; wait"),
];

#[rustfmt::skip]
const DOUBTFUL: &[(&str, &str)] = &[
    ("sh-param-prompt", "x='$(evil)'; echo \"${x@P}\""),
    ("sh-subscript-arith", "x='a[$(evil)]'; echo $((x))"),
    ("sh-printf-v", "printf -v 'a[$(evil)]' x"),
    ("sh-unset-subscript", "a=(1); unset 'a[$(evil)]'"),
    ("sh-env-path", "PATH=$PWD/hijack:$PATH git status"),
    ("sh-env-bashenv", "BASH_ENV=$PWD/rc.sh bash -c :"),
    ("sh-env-git-pager", "GIT_PAGER=evil git -c pager.log=true -p log"),
    ("sh-env-git-ext-diff", "GIT_EXTERNAL_DIFF=evil git diff"),
    ("sp-empty-var", "ev${nope}il"),
    ("sp-var", "c=evil; $c"),
    ("sp-printf", "$(printf evil)"),
    ("sp-brace", "{evil,}"),
    ("sp-glob", "/opt/tools/ev?l"),
    ("sp-ifs", "X=,evil;IFS=,;set -- $X;$2"),
    ("sp-indirect", "n=c;c=evil;${!n}"),
    ("ct-alias", "shopt -s expand_aliases\nalias git=evil\ngit status"),
    ("w-tilde", "HOME=$PWD; echo x > ~/prot/settings.json"),
];

#[rustfmt::skip]
const WRITES: &[(&str, &str)] = &[
    ("w-redirect", "echo x > prot/settings.json"),
    ("w-clobber", "echo x >| prot/settings.json"),
    ("w-stderr", "ls nosuch 2> prot/settings.json"),
    ("w-fd-dup", "echo x >& prot/settings.json"),
    ("w-rw", "echo x 1<> prot/settings.json"),
    ("w-exec-fd", "exec 3> prot/settings.json; echo x >&3"),
    ("w-var-fd", "exec {fd}> prot/settings.json; echo x >&$fd"),
    ("w-heredoc", "cat <<'EOF' > prot/settings.json\nx\nEOF"),
    ("w-procsub", "echo x > >(cat > prot/settings.json); sleep .2"),
    ("w-group", "{ echo x; } > prot/settings.json"),
    ("w-git-show", "git show HEAD:prot/settings.json > prot/settings.json"),
    ("w-abs", "echo x > \"$PWD\"/prot/settings.json"),
];

#[rustfmt::skip]
const HARMLESS: &[(&str, &str)] = &[
    ("ok-sq-subst", "git log --grep='$(evil)'"),
    ("ok-sq-ops", "echo 'x; evil'"),
    ("ok-commit-heredoc", "git commit -qm \"$(cat <<'EOF'\nmsg with $(evil)\nEOF\n)\""),
    ("ok-devnull", "git log > /dev/null 2>&1"),
    ("ok-pipe-head", "git log --oneline | head -5"),
    ("ok-quoted-heredoc", "cat <<'EOF'\n$(evil)\n`evil`\nEOF"),
    ("ok-arith", "echo $((1+2))"),
    ("ok-format", "git log --format='%h | %s; %an'"),
    ("ok-escaped", "echo \\$\\(evil\\)"),
    ("ok-word", "echo evil"),
    ("ok-dollar-name", "echo \"$evil\""),
    ("ok-param", "echo \"${x:-evil}\""),
];

/// Values that are expanded once more: each of these was run by bash, and ran `evil`.
#[rustfmt::skip]
const EXPANDED_AGAIN: &[&str] = &[
    "RANDOM='a[$(evil)]'",
    "OPTIND='a[$(evil)]'",
    "HISTCMD='a[$(evil)]'",
    "SRANDOM='a[$(evil)]'",
    "declare -a 'a=($(evil))'",
    "declare -A 'a=([$(evil)]=1)'",
    "readonly -a 'a=($(evil))'",
    "a=(1); declare a='($(evil))'",
    "a=([x='a[$(evil)]']=1)",
    "x='a[$(evil)]'; a=([x]=1)",
    "x='a[$(evil)]'; a[x]=1",
    "x='a[$(evil)]'; echo ${a[x]}",
    "x='a[$(evil)]'; [[ x -eq 1 ]]",
    "x='a[$(evil)]'; [[ -v $x ]]",
    "x='a[$(evil)]'; test -v \"$x\"",
    "x='a[$(evil)]'; read \"$x\" <<< 1",
    "x='a[$(evil)]'; printf \"-v$x\" y",
    "x='a[$(evil)]'; printf -v \"$x\" y",
    "x='a[$(evil)]'; true & wait -n -p \"$x\"",
    "x='a[$(evil)]'; echo ${!x}",
    "x='a[$(evil)]'; declare -n r=$x; echo $r",
    "x='a[$(evil)]'; echo $((y=x))",
    "x='a[$(evil)]'; case $((x)) in *) ;; esac",
    "x='a[$(evil)]'; for ((i=x;i<0;)); do :; done",
    "x='a[$(evil)]'; f() { local \"$x\"=1; }; f",
    "x='a[$(evil)]'; declare \"$x\"=1",
    "x='a[$(evil)]'; echo ${x@P}",
    "x='$(evil)'; echo ${x@P}",
    "PS4='$(evil)'; set -x; true",
    "jobs -x evil",
    "shopt -s extdebug; trap evil DEBUG; true",
    "x=evil; ${x,,}",
    "x=(evil); $x",
    "x='a[$(evil)]'; : ${a[$x]:=1}",
    "x='a[$(evil)]'; a+=([$x]=1)",
    "x='a[$(evil)]'; [[ ${m[$x]} ]]",
    "command_not_found_handle() { evil; }; nosuch",
    "x='a[$(evil)]'; [ -n \"${a[$x]}\" ]",
    "x='a[$(evil)]'; let y=x",
    "x='a[$(evil)]'; typeset -i y=x",
    "x='a[$(evil)]'; declare -i y; y=$x",
    "x='a[$(evil)]'; y=1; ((y+=x))",
    "x='a[$(evil)]'; echo $[x]",
    "x='a[$(evil)]'; echo ${@:x}",
    "x='-v a[$(evil)]'; [ $x ]",
    "x='a[$(evil)]'; [ -v \"$x\" -a 1 ]",
    "x='a[$(evil)]'; [ -z x -o -v \"$x\" ]",
    "set -- -v 'a[$(evil)]'; [ \"$1\" \"$2\" ]",
    "set -- -v 'a[$(evil)]'; [ \"$@\" ]",
    "set -- -v 'a[$(evil)]'; test \"$@\"",
    "set -- '!' -v 'a[$(evil)]'; [ \"$1\" \"$2\" \"$3\" ]",
    "y=-v x='a[$(evil)]'; [ ! \"$y\" \"$x\" ]",
    "x='($(evil))'; declare -a a=$x",
    "x='($(evil))'; declare -a \"a=$x\"",
    "a=(1); x='($(evil))'; declare \"a=$x\"",
    "x=evil; coproc $x; wait",
    "shopt -s expand_aliases; BASH_ALIASES[zz]=evil; eval zz",
    "read -r 'a[$(evil)]' <<< x",
    "exec {a[$(evil)]}>/dev/null",
    ": {a[$(evil)]}>/dev/null",
];

#[test]
fn a_value_that_is_expanded_again_is_doubted_or_seen() {
    for text in EXPANDED_AGAIN {
        let script = read(text);
        assert!(runs(&script, "evil") || !script.is_readable(), "{text}");
    }
}

#[test]
fn a_hidden_command_is_listed() {
    for (id, text) in HIDDEN {
        assert!(runs(&read(text), "evil"), "{id}: {}", shown(text));
    }
    let long = format!("git status -{} ; evil", "s".repeat(10_000));
    assert!(runs(&read(&long), "evil"));
    let padded = format!("git status{}; evil", "\t".repeat(500));
    assert!(runs(&read(&padded), "evil"));
}

#[test]
fn what_cannot_be_told_is_a_doubt() {
    for (id, text) in DOUBTFUL {
        assert!(!read(text).is_readable(), "{id}: {}", shown(text));
    }
}

#[test]
fn a_redirected_write_is_listed() {
    for (id, text) in WRITES {
        let script = read(text);
        let is_listed =
            script.writes().any(|touch| touch.paths.iter().any(|path| path.ends_with("settings.json")));
        assert!(is_listed, "{id}: {}", shown(text));
    }
}

#[test]
fn harmless_look_alikes_are_read_without_a_doubt() {
    for (id, text) in HARMLESS {
        let script = read(text);
        assert!(!runs(&script, "evil") && script.is_readable(), "{id}: {}", shown(text));
    }
}
