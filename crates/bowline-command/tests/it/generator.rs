//! Random shell texts: nestings of lists, pipes, substitutions, quotes, redirections, here-documents, bodies and functions
//! around a program that leaves a mark, or around a write to a guarded file; and the same texts with letters put in at random.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::generator_leaves::{AROUND_OF_SHELLS, LEAVES_OF_SHELLS, READS, reopened};

/// Texts that run `evil`, write the guarded file, or do nothing.
const LEAVES: &[&str] = &[
    "evil",
    "evil",
    "evil",
    "evil a b",
    "ev\"\"il",
    "e\\vil",
    "$'evil'",
    "$'\\x65vil'",
    "$'\\145v\\u0069l'",
    "\"evil\"",
    "'evil'",
    "ev\\\nil",
    "{evil,}",
    "{,evil}",
    "ev${nope}il",
    "$(echo evil)",
    "c=evil; $c",
    "$nope evil",
    "FOO=bar evil",
    ">out evil",
    "evil >out",
    "2>&1 evil",
    "\\evil",
    "$\"evil\"",
    "ev$@il",
    "ev${nope:-i}l",
    "set -- evil; $1",
    "a=(evil); \"${a[@]}\"",
    "\"$PWD\"/../bin/evil",
    "../bin/ev?l",
    "`echo evil`",
    "read x <<< evil; $x",
    "true",
    ":",
    "echo hi",
    "echo 'evil'",
    "echo \"; evil\"",
    "echo \\; evil",
    "echo '$(evil)'",
    "echo a#evil",
    "# evil",
    "echo x > prot/f",
    "echo x >> prot/f",
    "> prot/f",
    ": >| prot/f",
    "echo x >& prot/f",
    "echo x &> prot/f",
    "echo x &>>prot/f",
    "echo x 1<> prot/f",
    "echo x > \"$PWD\"/prot/f",
    "echo x > prot/\"f\"",
    "{ echo x; } > prot/f",
    "(echo x) >prot/f",
    "echo x > ./prot/../prot/f",
    "echo x > {prot/f,}",
    "echo x > pro\\t/f",
    "t=prot/f; echo x > $t",
    "echo x > prot/?",
    "exec 3>prot/f; echo x >&3",
    "cat <<E >prot/f\nx\nE",
    "echo x > >(cat > prot/f)",
    "if :; then echo x; fi > prot/f",
    "f() { echo x; } > prot/f; f",
    "while :; do echo x; break; done > prot/f",
];

/// Texts whose meaning depends on what programs do with their words.
const LEAVES_OF_PROGRAMS: &[&str] = &[
    "cd prot && echo x > f",
    "cd prot; echo x > f",
    "(cd prot; echo x > f)",
    "cd ./prot/../prot; : > f",
    "cd \"$PWD\"/prot; : > f",
    "for d in prot; do cd $d; : > f; done",
    "cd prot; cd ..; cd prot; : > f",
    "g() { cd prot; }; g; : > f",
    "eval evil",
    "eval 'ev''il'",
    "bash -c evil",
    "sh -c 'true; evil'",
    "bash <<< evil",
    "bash <<'E'\nevil\nE",
    "bash <<E\nevil\nE",
    "echo evil | bash",
    "trap evil EXIT",
    "env evil",
    "env A=b evil",
    "command evil",
    "timeout 5 evil",
    "nohup evil",
    "exec evil",
    "builtin eval evil",
    "rm -f prot/f",
    "rm prot/*",
    "echo x | tee prot/f",
    "touch prot/f; rm -rf prot",
    "bash -c 'cd prot; : > f'",
    "env bash -c 'evil'",
    "timeout 5 env nohup bash -c \"evil\"",
    "{ bash; } <<< evil",
    ". <(echo evil)",
    "x=evil; eval \"$x\"",
    "x=evil; bash -c \"$x\"",
    "eval \"$(echo evil)\"",
    "eval x=evil; $x",
    "echo evil > s; bash s",
];

/// Where a command may stand. `@` is the command.
const AROUND: &[&str] = &[
    "true; @",
    "@; true",
    "@\ntrue",
    "true && @",
    "false || @",
    "@ | cat",
    "true | @",
    "true |& @",
    "@ & wait",
    "( @ )",
    "(@)",
    "{ @; }",
    "{ @\n}",
    "! @",
    "if @; then :; fi",
    "if true; then @; fi",
    "if false; then :; else @; fi",
    "if false; then :; elif @; then :; fi",
    "for i in 1; do @; done",
    "for i in 1; { @; }",
    "for ((i=0;i<1;i++)); do @; done",
    "while @; do break; done",
    "until @; do break; done",
    "while true; do @; break; done",
    "case x in x) @;; esac",
    "case x in (x) @\n;; esac",
    "case x in y|x) @;& z) :;; esac",
    "case x in *) @\nesac",
    "f() { @; }; f",
    "f() ( @ ); f",
    "function f { @; }; f",
    "f()\n{ @\n}\nf",
    "true() { @; }; true",
    "coproc { @; }; wait",
    "coproc @; wait",
    "time @",
    "time { @; }",
    "@ > /dev/null",
    "@ 2> out",
    "@ # comment",
    "# it's a comment\n@",
    "\\\n@",
    "echo a \\\n; @",
    "echo 'a\nb'; @",
    "echo \"a;b\"; @",
    "echo a\\;b; @",
    "echo $'it\\'s'; @",
    "echo ${x#\\}}; @",
    "echo \"${x:-y}\"; @",
    "echo a#b; @",
    "echo $#; @",
    "echo ${#x}; @",
    "[[ a =~ (a|b) ]] && @",
    "[[ -n x ]] && @",
    "[ x = x ] && @",
    "echo {a,b}; @",
    "echo a{; @",
    "echo }; @",
    "echo {}; @",
    "cat <<E\nE2\nE\n@",
    "cat <<E\nEE\nE\n@",
    "cat <<'E'\n'\nE\n@",
    "cat <<\"E\"\n\"\nE\n@",
    "cat <<-E\n\tx\n\tE\n@",
    "cat <<E <<F\nE'\nE\nF\"\nF\n@",
    "cat <<\\E\n$(\nE\n@",
    "@ <<E\nx\nE",
    "cat <<E; @\nx\nE",
    "cat <<E &&\nx\nE\n@",
    "cat <<E | cat\nx\nE\n@",
    "echo $(cat <<E\n)\nE\n); @",
    "echo \"$(cat <<'E'\n\"\nE\n)\"; @",
    "echo a & @",
    "@ && @",
    "{ @; } 2>&1 | cat",
    "select i in a; do @; break; done <<< 1",
    "echo $((1 + 2)); @",
    "((1)) && @",
    "let i=1; @",
    "a=(x # )\ny); @",
    "x=1 y=2; @",
    "echo \"\\\"\"; @",
    "echo '\\'; @",
    "echo \\\\; @",
    "echo \\'; @",
    "echo \"`echo \\\"a\\\"`\"; @",
    "echo `echo \\`echo a\\``; @",
    "echo !; @",
    "! ! @",
    "if ! @; then :; fi",
    "\n\n@",
    "\t@",
    "true;\\\n@",
    "true &\\\n& @",
    "true |\n@",
    "true ||\n\n@ && @",
    "echo < /dev/null; @",
    "exec 5>&1; @",
    "echo ${x:-a b}; @",
    "echo ${x/a/\\/}; @",
    "echo \"${x%\\\"}\"; @",
    "echo $'\\\\'; @",
    "echo \"$'\"; @",
    "case x in x) echo \")\" ;; esac; @",
    "echo $(case x in x) :;; esac); @",
];

/// Where a command may stand whose meaning depends on what programs do with their words.
const AROUND_OF_PROGRAMS: &[&str] = &[
    "eval '@'",
    "bash -c '@'",
    "bash <<'Z'\n@\nZ",
    "trap '@' EXIT",
    "env bash -c '@'",
    "timeout 5 bash -c \"@\"",
    "bash -c \"@\"",
    "eval \"@\"",
    "cd prot; cd ..; @",
];

/// Words that hold a command.
const WORDS: &[&str] = &[
    "$(@)",
    "\"$(@)\"",
    "`@`",
    "\"`@`\"",
    "<(@)",
    ">(@)",
    "${x:-$(@)}",
    "\"${x:-$(@)}\"",
    "${x:=`@`}",
    "$(( $(@) + 1 ))",
    "a$(@)b",
    "'$(@)'",
    "\"\\$(@)\"",
    "\\$\\(@\\)",
    "$(\n@\n)",
    "$( @ # c\n)",
    "${x:-`@`}",
    "${x/a/$(@)}",
    "${x:$(@):1}",
    "${a[$(@)]}",
    "{a,$(@)}",
    "$[ $(@) ]",
    "\"a'$(@)'b\"",
    "'a'\"$(@)\"'b'",
    "$'a\\'$(@)'",
    "\"${x:-\"$(@)\"}\"",
    "~$(@)",
    "$((1))$(@)",
    "${x#$(@)}",
    "${x%%`@`}",
    "$(cat <<E\n$(@)\nE\n)",
    "$(cat <<'E'\n$(@)\nE\n)",
    "$(echo \")\"; @)",
    "$(echo ')'; @)",
    "$((@))",
    "$((@) )",
    "$( (@) )",
];

/// Where a word may stand. `@` is the word.
const AROUND_WORDS: &[&str] = &[
    "echo @",
    ": @",
    "x=@",
    "x=@ true",
    "export x=@",
    "readonly x=@",
    "a=(@)",
    "a=([0]=@)",
    "a[@]=1",
    "for i in @; do :; done",
    "case @ in *) :;; esac",
    "case x in @) :;; esac",
    "[[ -n @ ]]",
    "[[ x == @ ]]",
    "[[ x =~ @ ]]",
    "[ -n @ ]",
    "cat < @",
    "cat <<< @",
    "cat <<E\n@\nE",
    "cat <<'E'\n@\nE",
    "cat <<-E\n\t@\n\tE",
    "cat <<\"E\"\n@\nE",
    "(( @ ))",
    "echo a\\\n@",
    "echo 'x'@",
    "echo \"x\"@",
    "echo x > @",
    "x+=@",
    "declare x=@",
    "echo \"a @ b\"",
    "echo \"a\nb @\"",
    "f() { :; }; f @",
    "if [ @ = x ]; then :; fi",
    "x=$(echo @)",
    "echo x 2>@",
    "while [ @ ]; do break; done",
    "echo # @",
    "echo a#@",
    "cat <<E\nit's \"@\nE",
    "cat <<E\n\\@\nE",
    "@ true",
    "true @ @",
];

/// Put in anywhere.
const NOISE: &[&str] = &[
    "'",
    "\"",
    "`",
    "\\",
    "$",
    "(",
    ")",
    "{",
    "}",
    ";",
    "&",
    "|",
    "<",
    ">",
    "#",
    "\n",
    " ",
    "$(",
    "${",
    "((",
    "))",
    "[[",
    "]]",
    "<<E\n",
    "\nE\n",
    "=",
    "!",
    "\\\n",
    "case x in ",
    "esac",
    ";;",
    "do ",
    "done",
    "fi",
    "evil",
    "$'",
    "\t",
    "*",
    "?",
    "[",
    "]",
    "~",
    "@(",
    "|&",
    "&&",
    "||",
    ">&",
    "in ",
    "function ",
    "time ",
];

/// Which texts are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What the grammar alone tells.
    Grammar,
    /// What needs to know what programs do as well.
    Programs,
    /// Files that are opened again by a name of their descriptor, and files that are read.
    Files,
    /// What other shells read in their own way.
    Shells,
}

/// Whole texts of one kind.
pub(crate) fn texts(kind: Kind) -> BoxedStrategy<String> {
    let mut leaves: Vec<String> = LEAVES.iter().map(|leaf| (*leaf).to_owned()).collect();
    let mut around: Vec<&'static str> = AROUND.to_vec();
    match kind {
        Kind::Grammar => {}
        Kind::Programs => {
            leaves.extend(LEAVES_OF_PROGRAMS.iter().map(|leaf| (*leaf).to_owned()));
            around.extend(AROUND_OF_PROGRAMS);
        }
        Kind::Files => {
            leaves = READS.iter().map(|leaf| (*leaf).to_owned()).collect();
            around.extend(AROUND_OF_PROGRAMS);
        }
        Kind::Shells => {
            leaves.extend(LEAVES_OF_SHELLS.iter().flat_map(|leaf| [(*leaf).to_owned(), (*leaf).to_owned()]));
            around.extend(AROUND_OF_SHELLS);
        }
    }
    let leaf = select(leaves);
    let leaf = match kind {
        Kind::Files => prop_oneof![1 => leaf, 2 => reopened()].boxed(),
        _ => leaf.boxed(),
    };
    let nested = leaf.prop_recursive(4, 12, 2, move |inner| {
        let by_command = (select(around.clone()), inner.clone(), inner.clone()).prop_map(|(around, first, second)| {
            let once = around.replacen('@', &first, 1);
            once.replacen('@', &second, 1)
        });
        let by_word = (select(AROUND_WORDS), select(WORDS), inner.clone())
            .prop_map(|(around, word, inner)| around.replacen('@', &word.replacen('@', &inner, 1), 1));
        prop_oneof![2 => by_command, 2 => by_word, 1 => (inner.clone(), inner).prop_map(|(first, second)| format!("{first}\n{second}"))]
    });
    // Pieces in a row, of which bash makes what it can.
    let soup: Vec<&'static str> = NOISE
        .iter()
        .copied()
        .chain(["evil", " evil", "evil ", "\nevil\n", "echo ", "true", "x", "x=", " ", ";"])
        .collect();
    let soup = proptest::collection::vec(select(soup), 2..14).prop_map(|pieces| pieces.concat());
    let nested = prop_oneof![5 => nested, 1 => soup];
    let noise = proptest::collection::vec((select(NOISE), any::<Index>(), any::<bool>()), 0..3);
    (nested, noise, any::<bool>())
        .prop_map(|(mut text, noise, is_noisy)| {
            for (piece, at, replaces) in noise.into_iter().filter(|_| is_noisy) {
                let places: Vec<usize> =
                    text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
                let place = places[at.index(places.len())];
                if replaces && place < text.len() {
                    text.remove(place);
                }
                text.insert_str(place, piece);
            }
            text
        })
        .boxed()
}
