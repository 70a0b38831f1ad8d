//! Programs that look into programs and libraries.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{beware, options_of, reads};
use crate::Word;

pub(in super::super) const ROWS: &[Row] = &[
    ("nm gnm llvm-nm", Kind::Does(nm)),
    ("objdump gobjdump llvm-objdump", Kind::Does(objdump)),
    ("size gsize", Kind::Does(size)),
    ("addr2line", Kind::Does(addr2line)),
    ("readelf greadelf", Kind::Does(readelf)),
    ("c++filt gc++filt", Kind::Does(demangle)),
    ("otool", reads("arch= p= s= t= m= a f h l D r S T M H G I L R V x X v")),
    (
        "dwarfdump",
        beware(
            "all debug-info debug-line debug-abbrev debug-frame a arch= c/show-children p/show-parents \
                r/recurse-depth= n/name= i/ignore-case x/regex statistics verify uuid u q/quiet v/verbose o/out-file=>",
        ),
    ),
    (
        "strip objcopy ranlib patchelf install_name_tool",
        Kind::Hidden("it rewrites programs, and may load plugins"),
    ),
    ("ldd", Kind::Hidden("it may run the program to see what it loads")),
];

const NM: &str = "a/debug-syms A/print-file-name B C demangle? no-demangle recurse-limit no-recurse-limit \
    D/dynamic e f/format= g/extern-only ifunc-chars= j/just-symbols l/line-numbers n/numeric-sort o p/no-sort \
    P/portability r/reverse-sort plugin=! S/print-size s/print-armap quiet size-sort special-syms synthetic \
    t/radix= target= u/undefined-only U defined-only unicode= v W/no-weak with-symbol-versions without-symbol-versions \
    m X= h/help V/version";

fn nm(words: &[Word]) -> Meaning {
    with_lists(words, NM)
}

const OBJDUMP: &str = "a/archive-headers f/file-headers p/private-headers P/private= h/headers/section-headers \
    x/all-headers d D/disassemble-all disassemble? S/source source-comment? s/full-contents Z/decompress g/debugging \
    e/debugging-tags G/stabs W/dwarf? L/process-links ctf? sframe? t/syms T/dynamic-syms r/reloc \
    R/dynamic-reloc v/version i/info H/help b/target= m/architecture= j/section= M/disassembler-options= EB EL endian= \
    file-start-context I/include= l/line-numbers F/file-offsets C demangle? recurse-limit no-recurse-limit w/wide U= \
    unicode= z/disassemble-zeroes start-address= stop-address= no-addresses prefix-addresses show-raw-insn \
    no-show-raw-insn insn-width= adjust-vma= show-all-symbols special-syms inlines prefix= prefix-strip= dwarf-depth= \
    dwarf-start= dwarf-check ctf-parent= visualize-jumps? disassembler-color= plugin=! -EB -EL";

fn objdump(words: &[Word]) -> Meaning {
    with_lists(words, OBJDUMP)
}

const SIZE: &str = "A B G o d x t/totals f m l common format= radix= target= plugin=! h/H/?/help v/V/version";

fn size(words: &[Word]) -> Meaning {
    with_lists(words, SIZE)
}

const ADDR2LINE: &str = "a/addresses b/target= e/exe=< i/inlines j/section= p/pretty-print s/basenames \
    f/functions C demangle? R/recurse-limit r/no-recurse-limit h/help v/version";

fn addr2line(words: &[Word]) -> Meaning {
    with_lists(words, ADDR2LINE)
}

const READELF: &str = "a/all h/file-header l/program-headers/segments S/section-headers/sections g/section-groups \
    t/section-details e/headers s/syms/symbols dyn-syms lto-syms sym-base= C demangle? no-demangle recurse-limit \
    no-recurse-limit U/unicode= n/notes r/relocs u/unwind d/dynamic V/version-info A/arch-specific c/archive-index \
    D/use-dynamic L/lint/enable-checks x/hex-dump= p/string-dump= R/relocated-dump= z/decompress w/debug-dump? \
    P/process-links dwarf-depth= dwarf-start= ctf= ctf-parent= ctf-symbols= ctf-strings= sframe? I/histogram W/wide \
    T/silent-truncation H/help v/version";

fn readelf(words: &[Word]) -> Meaning {
    with_lists(words, READELF)
}

/// Its words are names, but for those that stand for words in a file.
fn demangle(words: &[Word]) -> Meaning {
    let mut meaning = with_lists(
        words,
        "_/strip-underscore n/no-strip-underscore p/no-params t/types i/no-verbose r/R/no-recurse-limit recurse-limit \
        s/format= h/help v/version",
    );
    meaning.touches.clear();
    words[1..]
        .iter()
        .filter(|word| word.start().starts_with('@'))
        .for_each(|word| meaning.reads(&word.after(1)));
    meaning
}

/// In `@file` stand more words, and `--plugin` loads code.
pub(super) fn with_lists(words: &[Word], options: &'static str) -> Meaning {
    let line = parse(words, options, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    for word in &words[1..] {
        if word.start().starts_with('@') {
            meaning.reads(&word.after(1));
            meaning.unreadable(format!("`{}` stands for words in a file", word.shown()));
        } else if word.literal().is_none() && word.start().is_empty() {
            meaning.unreadable(format!("`{}` may stand for words in a file", word.shown()));
        }
    }
    line.words().for_each(|path| meaning.reads(path));
    meaning
}
