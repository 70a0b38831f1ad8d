//! Programs that read structured text.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{beware, options_of};
use crate::{Pin, Word};

pub(in super::super) const ROWS: &[Row] = &[
    ("jq gojq jaq", Kind::Does(jq)),
    (
        "xmllint",
        beware(
            "noout/-noout format/-format pretty/-pretty= xpath/-xpath= schema/-schema=< dtdvalid/-dtdvalid=< \
                relaxng/-relaxng=< schematron/-schematron=< html/-html recover/-recover nonet/-nonet \
                encode/-encode= o/output/-output=> huge/-huge noblanks/-noblanks version/-version stream/-stream \
                c14n/-c14n quiet/-quiet nowarning/-nowarning noent/-noent^ valid/-valid^ xinclude/-xinclude^ \
                loaddtd/-loaddtd^ dtdattr/-dtdattr^ shell/-shell^",
        ),
    ),
];

const JQ: &str = "arg== argjson== slurpfile==< rawfile==< f/from-file L= indent= args jsonargs stream \
    stream-errors seq c/compact-output n/null-input e/exit-status s/slurp r/raw-output j/join-output \
    raw-output0 a/ascii-output R/raw-input C/color-output M/monochrome-output S/sort-keys tab unbuffered \
    h/help V/version i/in-place^ build-configuration yaml-input yaml-output from= to=";

/// The first operand is the program, or, with `-f`, the file that holds it.
fn jq(words: &[Word]) -> Meaning {
    let line = parse(words, JQ, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    let is_file = line.has("f") || line.unsure.is_some();
    if let Some(program) = line.operand(0).filter(|_| !line.has("f")) {
        match program.literal() {
            Some(text) if text.contains("import") || text.contains("include") => {
                meaning.unreadable("the program of `jq` reads files that it names");
            }
            Some(_) => {}
            None => {
                meaning.unreadable(format!("what `{}` reads is known only when it runs", program.shown()));
            }
        }
    }
    if line.has("f") {
        meaning.opaque(Pin::Everything, "the program of `jq` is in a file, and may read others");
    }
    // Where `-f` takes a value it stands among the operands as well.
    line.files(usize::from(!is_file)).for_each(|path| meaning.reads(path));
    meaning
}
