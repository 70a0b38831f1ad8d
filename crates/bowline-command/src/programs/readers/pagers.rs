//! Programs that show text page by page.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{beware, options_of};
use crate::{Pin, Word};

pub(in super::super) const ROWS: &[Row] = &[
    // What stands before the text may run it: `+!cmd`, a key file, a preprocessor.
    ("less more most pg zless bzless xzless", Kind::Does(pager)),
    ("man", Kind::Does(man)),
    (
        "bat batcat",
        beware(
            "A/show-all p/plain l/language= H/highlight-line= n/number S/chop-long-lines \
                f/force-colorization r/line-range= L/list-languages color= decorations= paging= style= \
                theme= tabs= wrap= terminal-width= m/map-syntax= d/diff diff-context= file-name= italic-text= \
                ignored-suffix= list-themes binary= strip-ansi= squeeze-limit= s/squeeze-blank set-terminal-title \
                pager=! P u/unbuffered E/quiet-empty acknowledgements diagnostic h/help V/version",
        ),
    ),
    ("top htop btop iotop iftop", Kind::Hidden("what it does is typed while it runs")),
];

const LESS: &str = "# ?/help a A B c C d e E f F g G i I J K L m M n N q Q r R s S u U V w W X \
    b= h= j= x= y= z= P= p? T/tag-file=< k/lesskey-file=^ o/log-file=> O/LOG-FILE=> buffers= max-back-scroll= \
    jump-target= pattern= prompt= tabs= window= shift= version quit-if-one-screen RAW-CONTROL-CHARS \
    raw-control-chars chop-long-lines ignore-case IGNORE-CASE LINE-NUMBERS line-numbers no-init \
    quit-at-eof QUIT-AT-EOF squeeze-blank-lines silent SILENT quiet QUIET use-color mouse wordwrap lines= \
    number= print-over clean-print plain exit-on-eof logical silent squeeze file-size \
    follow-name incsearch line-num-width= no-histdups no-keypad rscroll= save-marks status-col-width= use-backslash \
    wheel-lines= status-line D/color= tilde auto-buffers no-number-headers header= intr= match-shift= \
    no-search-headers no-search-header-lines no-search-header-columns form-feed proc-backspace proc-tab proc-return \
    redraw-on-quit search-options= exit-follow-on-close show-preproc-errors modelines= autosave= no-paste \
    cmd^ lesskey-src=^ lesskey-content=^";

/// It shows text, and where there is a terminal it does what is typed, or what stands after `+`.
fn pager(words: &[Word]) -> Meaning {
    let line = parse(words, LESS, Order::Anywhere);
    let mut meaning = Meaning::default();
    let is_told = line.words().any(|word| word.start().starts_with('+'));
    if line.unsure.is_some() || is_told {
        meaning.opaque(Pin::Everything, "a pager may be told to run commands and to write files");
    }
    options_of(&line, words, false, &mut meaning);
    line.words().for_each(|path| meaning.reads(path));
    meaning
}

const MAN: &str = "a/all f/whatis k/apropos K/global-apropos w/where/path/location W/where-cat l/local-file \
    s/S/sections= L/locale= M/manpath= m/systems= e/extension= i/ignore-case I/match-case regex wildcard \
    names-only u/update^ c/catman^ 7/ascii E/encoding= no-hyphenation/nh no-justification/nj no-subpages warnings? \
    P/pager=! H/html?! t/troff T/troff-device? X/gxditview?^ Z/ditroff C/config-file=^ d/debug D/default \
    p/preprocessor=^ r/prompt= R/recode= ?/help usage V/version";

/// An operand names a page, unless it has a slash.
fn man(words: &[Word]) -> Meaning {
    let line = parse(words, MAN, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    let is_file = |word: &&Word| line.has("l") || word.literal().is_none_or(|text| text.contains('/'));
    line.words().filter(is_file).for_each(|path| meaning.reads(path));
    meaning
}
