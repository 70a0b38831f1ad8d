//! Compilers that are started by hand: what they read, where they write, and the few options that are known to do no more.
//!
//! Every other option may load a plugin or run another program, so that all of the command must be spelt.

use super::runner::here;
use super::touches::{fills, runs_at};
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::programs::look::only_asks_about_itself;
use crate::programs::meaning::last_part;
use crate::programs::table::{Kind, Row};
use crate::{Pin, Word};

const WHY: &str = "a compiler writes where it is told, and may load and run plugins";

pub(in crate::programs) const ROWS: &[Row] = &[
    ("gcc g++ cc c++ clang clang++", Kind::Does(native)),
    ("rustc", Kind::Does(rust)),
    ("javac", Kind::Does(java)),
];

/// Options of gcc and clang that stand alone.
const FLAGS: &str = "-c -S -E -g -g0 -g1 -g2 -g3 -ggdb -s -w -pipe -pthread -shared -static -rdynamic -pedantic \
    -pedantic-errors -ansi -m32 -m64 -mavx -mavx2 -msse4.2 -fPIC -fpic -fPIE -fpie -pie -no-pie -fsyntax-only -fopenmp \
    -fno-exceptions -fno-rtti -fno-omit-frame-pointer -fomit-frame-pointer -fno-strict-aliasing -fwrapv -ffast-math -flto \
    -fstack-protector-strong -fno-common -fcoroutines -nostdlib -ffreestanding -fpermissive -v";

/// What the value of these is, is a word for the compiler.
const CHOICES: &str = "-std= -O -march= -mtune= -fsanitize= -fno-sanitize= -fdiagnostics-color= -fvisibility= -fmax-errors= \
    -fno-builtin- -ferror-limit=";

/// Files whose names say that they are sources, and no scripts for the linker.
const SOURCES: &str = "c cc cpp cxx c++ C i ii m mm s S";
const OBJECTS: &str = "o obj a so dylib";

/// gcc, clang: sources and objects are read, one file is written.
fn native(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let mut meaning = Meaning::default();
    let mut is_known = true;
    let mut output: Option<Word> = None;
    let mut operands: Vec<&Word> = Vec::new();
    let has = |list: &str, text: &str| list.split_ascii_whitespace().any(|each| each == text);
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.start();
        let next = words.get(at + 1);
        at += 1;
        if !word.may_be_option() {
            is_known &= !text.starts_with('@') && !word.is_loose();
            operands.push(word);
            continue;
        }
        is_known &= word.literal().is_some();
        let (letter, rest) = text.split_at_checked(2).unwrap_or((text, ""));
        let attached = (!rest.is_empty()).then(|| word.after(2));
        match letter {
            _ if has(FLAGS, text) => {}
            "-o" | "-I" | "-L" | "-l" | "-D" | "-U" | "-x" => {
                at += usize::from(attached.is_none());
                let value =
                    attached.or_else(|| next.cloned()).unwrap_or_else(|| Word::Literal(String::new()));
                is_known &= !value.is_loose() && !value.start().is_empty();
                match letter {
                    "-o" => {
                        is_known &= output.is_none();
                        output = Some(value);
                    }
                    "-I" => meaning.reads(&value),
                    "-x" => {
                        let languages = "c c++ objective-c objective-c++ none";
                        is_known &= value.literal().is_some_and(|value| has(languages, value));
                    }
                    _ => {}
                }
            }
            _ if is_warning(text) => {}
            _ if CHOICES.split_ascii_whitespace().any(|start| is_choice(text, start)) => {}
            _ => is_known = false,
        }
    }
    operands.iter().filter(|path| path.literal() != Some("-")).for_each(|path| meaning.reads(path));
    let given = |name: &str| words[1..].iter().any(|word| word.literal() == Some(name));
    let ends = |list: &str, word: &Word| {
        let name = last_part(word.shown());
        word.literal() == Some("-") || name.rsplit_once('.').is_some_and(|(_, ending)| has(list, ending))
    };
    is_known &= operands.iter().all(|word| ends(SOURCES, word) || ends(OBJECTS, word));
    match output {
        Some(path) => meaning.writes(&path, false),
        None if given("-fsyntax-only") || given("-E") => {}
        // What is written without a name is called like the source.
        None => {
            is_known &= operands.iter().all(|word| ends(SOURCES, word) && word.literal().is_some());
            let ending = if given("-c") { "o" } else { "s" };
            if given("-c") || given("-S") {
                let stems = operands.iter().filter_map(|word| last_part(word.start()).rsplit_once('.'));
                stems.for_each(|(stem, _)| meaning.writes_at(format!("{stem}.{ending}"), false));
            } else {
                meaning.writes_at("a.out", false);
                // A library there may be a script of the linker, which says where to write.
                is_known &= !words[1..].iter().any(|word| word.start().starts_with("-L"));
            }
        }
    }
    // Sources take in other files, and macros of the compiler show them.
    meaning.opaque(Pin::Words(1), format!("`{}` takes in what its sources name", words[0].shown()));
    known(meaning, is_known)
}

/// `-Wall`, `-Wno-unused`, `-Werror=return-type`; a comma hands words on to the assembler or the linker.
fn is_warning(text: &str) -> bool {
    let is_plain =
        |rest: &str| rest.chars().all(|letter| letter.is_ascii_alphanumeric() || "-=+".contains(letter));
    text.strip_prefix("-W").is_some_and(|rest| !rest.is_empty() && is_plain(rest))
}

fn is_choice(text: &str, start: &str) -> bool {
    let is_plain =
        |rest: &str| rest.chars().all(|letter| letter.is_ascii_alphanumeric() || "-+.,_".contains(letter));
    text.strip_prefix(start).is_some_and(is_plain)
}

/// Without a doubt only if every word was understood.
fn known(mut meaning: Meaning, is_known: bool) -> Meaning {
    if !is_known {
        meaning.opaque(Pin::Everything, WHY);
    }
    meaning
}

const RUST: &str = "explain= o=> edition= crate-name= crate-type= print= test O g W/warn= A/allow= D/deny= \
    F/forbid= cap-lints= cfg= check-cfg= color= error-format= target= C/codegen= v/verbose V/version h/help";

/// How code is made. Others may name a linker, or a file that is written.
const CODEGEN: &str =
    "opt-level debuginfo debug-assertions overflow-checks panic lto codegen-units strip target-cpu";

/// The toolchain is the one that the directory names, and macros of crates beside the source run.
fn rust(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    if words.len() == 1 || only_asks_about_itself(words) {
        return meaning;
    }
    let line = parse(words, RUST, Order::Anywhere);
    let plain = |word: &Word, of: fn(&str) -> bool| word.literal().is_some_and(of);
    let is_codegen = |text: &str| {
        let name = text.split('=').next().unwrap_or_default();
        CODEGEN.split(' ').any(|known| known == name)
    };
    let mut is_known = line.unsure.is_none()
        && line.values("C").all(|word| plain(word, is_codegen))
        && line.values("print").all(|word| plain(word, |text| !text.contains('=')))
        // A target may be a file, which names a linker.
        && line.values("target").all(|word| plain(word, |text| !text.contains(['/', '.'])));
    meaning.uses(&line, "rustc");
    let only_tells = line.has("explain print V h") && line.operands.is_empty();
    if !only_tells {
        is_known &= line.operands.len() == 1 && line.words().all(|word| word.start().ends_with(".rs"));
        // Without it, the source says what is written.
        is_known &= line.has("o");
        line.words().for_each(|path| meaning.reads(path));
    }
    runs_at(&mut meaning, &here());
    meaning.opaque(Pin::Words(1), "`rustc` runs what the project says");
    known(meaning, is_known)
}

const JAVA: &str = "-d= -g -nowarn -parameters -deprecation -verbose -Werror -encoding= -source= -target= -Xlint \
    -proc:none -release= -version -help version help release= source= target=";

/// Programs that treat annotations are found beside the classes, and run.
fn java(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    if words.len() == 1 || only_asks_about_itself(words) {
        return meaning;
    }
    let lints = |word: &&Word| !word.literal().is_some_and(|text| text.starts_with("-Xlint:"));
    let plain: Vec<Word> = words.iter().filter(lints).cloned().collect();
    let line = parse(&plain, JAVA, Order::Anywhere);
    let mut is_known = line.unsure.is_none() && line.values("-d").count() == 1;
    for path in line.values("-d") {
        fills(&mut meaning, path);
    }
    for path in line.words() {
        is_known &= path.shown().ends_with(".java") && !path.start().starts_with('@') && !path.is_loose();
        meaning.reads(path);
    }
    runs_at(&mut meaning, &here());
    meaning.opaque(Pin::Words(1), "`javac` runs what the project says");
    known(meaning, is_known)
}
