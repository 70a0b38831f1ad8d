//! Shells, and the words of a shell that make it read more code.

use super::Meaning;
use super::line::{Order, parse};
use super::meaning::joined;
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("bash sh dash ash rbash ksh mksh pdksh ksh93 oksh loksh yash bosh posh hush", Kind::Does(posix)),
    // Their grammars are others: what was read is believed where it accuses, and not where it excuses.
    ("zsh rzsh fish csh tcsh nu xonsh elvish ion rc es oil osh ysh murex", Kind::Does(other)),
    ("eval", Kind::Does(eval)),
    ("source .", Kind::Does(source)),
    ("trap", Kind::Does(trap)),
];

const OPTIONS: &str = "a b e f h i k l/login m n p r/restricted s t u v/verbose x B C \
    D/dump-strings/dump-po-strings E H P T c o= O= N d q noprofile norc posix debugger debug noediting \
    interactive emulate= no-rcs no-config private";

fn posix(words: &[Word]) -> Meaning {
    if super::look::only_asks_about_itself(words) && words[1].literal() != Some("-h") {
        return Meaning::default();
    }
    let mut meaning = Meaning::default();
    let line = parse(words, OPTIONS, Order::First);
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `{}` runs cannot be told", words[0].shown()));
    }
    // `+x` turns an option off and stands among them.
    let pluses = line.words().take_while(|word| word.start().starts_with('+')).count();
    if pluses > 0 {
        meaning.unreadable(format!("what `{}` runs cannot be told", words[0].shown()));
    }
    let operand = line.operands.get(pluses);
    if line.has("c") {
        match operand {
            Some((_, code)) => {
                // Others read files of their own before.
                let is_plain = line.given.iter().all(|given| match (given.name, &given.value) {
                    ("c" | "e" | "u" | "x", _) => true,
                    ("o", Some(Word::Literal(name))) => {
                        matches!(name.as_str(), "pipefail" | "errexit" | "nounset")
                    }
                    _ => false,
                });
                meaning.is_wrapper = is_plain && code.literal().is_some();
                meaning.shell.push(code.clone());
            }
            None => meaning.unreadable("there is no code after `-c`"),
        }
    } else if let Some((at, file)) = operand.filter(|_| !line.has("s")) {
        script(*at, file, line.has("n"), &mut meaning);
    } else {
        meaning.shell_from_stdin = true;
    }
    meaning
}

fn script(at: usize, file: &Word, is_only_checked: bool, meaning: &mut Meaning) {
    match file.literal() {
        Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => meaning.shell_from_stdin = true,
        Some(path) => {
            meaning.reads(file);
            if !is_only_checked {
                meaning.opaque(Pin::Words(at + 1), format!("it runs the script `{path}`"));
            }
        }
        None => meaning.unreadable(format!("which script `{}` is, is known only when it runs", file.shown())),
    }
}

/// `fish` and `nu` take the code as the value of `-c`; elsewhere it is the first operand. In both it follows.
fn other(words: &[Word]) -> Meaning {
    let mut meaning = Meaning { is_wrapper: false, ..posix(words) };
    if !meaning.shell.is_empty() || meaning.shell_from_stdin || !meaning.doubts.is_empty() {
        let is_script = meaning.shell.is_empty() && !meaning.shell_from_stdin && meaning.pin.is_some();
        if !is_script {
            meaning.opaque(Pin::Everything, format!("the grammar of `{}` is another one", words[0].shown()));
        }
    }
    meaning
}

fn eval(words: &[Word]) -> Meaning {
    let code = &words[1..];
    let code = code.strip_prefix(&[Word::Literal("--".to_owned())]).unwrap_or(code);
    match joined(code) {
        Some(code) => Meaning { shell: vec![code], is_wrapper: true, ..Meaning::default() },
        None => Meaning::doubtful("what `eval` runs is known only when it runs"),
    }
}

fn source(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let file = words[1..].iter().find(|word| word.literal() != Some("--"));
    match file.map(|file| (file, file.literal())) {
        None => {}
        Some((_, Some("/dev/stdin" | "/dev/fd/0"))) => meaning.shell_from_stdin = true,
        Some((file, Some(path))) => {
            meaning.reads(file);
            meaning.opaque(Pin::Everything, format!("it runs the script `{path}` in this very shell"));
        }
        Some((file, None)) => {
            meaning.unreadable(format!("which script `{}` is, is known only when it runs", file.shown()));
        }
    }
    meaning
}

fn trap(words: &[Word]) -> Meaning {
    let line = parse(words, "l p P", Order::First);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `trap` runs cannot be told"));
    }
    match line.operand(0) {
        Some(code)
            if !line.has("l p P")
                && (line.operands.len() > 1 || code.literal().is_none())
                && code.literal() != Some("-") =>
        {
            meaning.shell.push(code.clone());
        }
        _ => {}
    }
    meaning
}
