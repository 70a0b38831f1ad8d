//! Programs that only read, whatever they are told, or unless they are told otherwise.

use super::Meaning;
use super::line::{Order, parse};
use super::table::{Kind, Row};
use crate::{Pin, Word};

/// A program that reads the files it is given.
pub(super) struct Reader {
    /// Options, of which those with values matter: a value is no file.
    pub(super) options: &'static str,
    /// Operands before the files, such as a pattern; none of them if one of these options is given.
    pub(super) own: usize,
    pub(super) unless: &'static str,
    /// Options that run something: all of it must be spelt.
    pub(super) runs: &'static str,
    /// Options that name a file it writes.
    pub(super) writes: &'static str,
    /// Options with which it reads everything below; `*` if it always does.
    pub(super) deep: &'static str,
    /// Some option runs or writes something: the list is whole, and one that is not in it is a doubt.
    pub(super) is_strict: bool,
}

const PLAIN: Reader =
    Reader { options: "", own: 0, unless: "", runs: "", writes: "", deep: "", is_strict: false };

const fn reads(options: &'static str) -> Kind {
    Kind::Reads(Reader { options, ..PLAIN })
}

/// All its options are listed: one that is not is a doubt.
/// As `beware`, and its operands are no files.
const fn tells(options: &'static str, runs: &'static str) -> Kind {
    Kind::Reads(Reader { options, runs, own: NO_FILES, is_strict: true, ..PLAIN })
}

const fn beware(options: &'static str, runs: &'static str, writes: &'static str) -> Kind {
    Kind::Reads(Reader { options, runs, writes, is_strict: true, ..PLAIN })
}

const GREP: &str = "e/regexp= f/file= A/after-context= B/before-context= C/context= m/max-count= \
    d/directories= D/devices= label= color? colour? include= exclude= exclude-dir= exclude-from= \
    binary-files= group-separator= # r/recursive R/dereference-recursive i n l L c v w x o q s H h E F G P \
    z Z a b T U y ignore-case line-number files-with-matches files-without-match count invert-match \
    word-regexp line-regexp only-matching quiet silent no-messages with-filename no-filename \
    extended-regexp fixed-strings basic-regexp perl-regexp null null-data text byte-offset initial-tab \
    no-ignore-case line-buffered";

const SORT: &str = "b/ignore-leading-blanks d/dictionary-order f/ignore-case g/general-numeric-sort \
    i/ignore-nonprinting M/month-sort h/human-numeric-sort n/numeric-sort R/random-sort r/reverse \
    V/version-sort c C check? m/merge s/stable u/unique z/zero-terminated sort= random-source= batch-size= \
    compress-program= debug files0-from= k/key= o/output= S/buffer-size= t/field-separator= \
    T/temporary-directory= parallel= help version";

const RG: &str = "e/regexp= f/file= A/after-context= B/before-context= C/context= g/glob= iglob= t/type= \
    T/type-not= m/max-count= M/max-columns= d/max-depth= maxdepth= j/threads= r/replace= E/encoding= \
    color= colors= sort= sortr= engine= ignore-file= max-filesize= path-separator= field-match-separator= \
    field-context-separator= context-separator= type-add= type-clear= generate= dfa-size-limit= \
    regex-size-limit= pre= pre-glob= hostname-bin= hyperlink-format= i/ignore-case S/smart-case \
    s/case-sensitive F/fixed-strings w/word-regexp x/line-regexp v/invert-match n/line-number \
    N/no-line-number l/files-with-matches files-without-match c/count count-matches o/only-matching \
    q/quiet H/with-filename I/no-filename a/text z/search-zip u/unrestricted U/multiline multiline-dotall \
    P/pcre2 p/pretty L/follow 0/null . hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot \
    no-ignore-global no-ignore-exclude no-ignore-files no-ignore-messages no-messages no-config no-heading \
    heading column vimgrep json stats files type-list trim no-hidden one-file-system passthru \
    line-buffered block-buffered debug trace crlf null-data b/byte-offset auto-hybrid-regex include-zero \
    mmap no-mmap no-unicode V/version h/help";

pub(super) const ROWS: &[Row] = &[
    (
        "echo basename dirname whoami id uname printenv which whereis sleep usleep seq yes arch tty nproc \
            free uptime ps pgrep pidof w who last groups locale getconf cal logname users hostid tput stty \
            factor expr numfmt clear reset lsb_release sw_vers lscpu lsblk lspci lsusb lsmod vmstat iostat \
            mpstat nslookup host ping ping6 traceroute netstat ss ifconfig pathchk sync apropos whatis \
            cowsay figlet mesg pwdx pstree dmesg getent lsattr getfacl getfattr tsort",
        Kind::Harmless,
    ),
    ("pwd", Kind::Harmless),
    (
        "ls dir vdir exa eza lsd",
        reads(
            "I/ignore= w/width= T/tabsize= block-size= color? format= hide= indicator-style= \
                quoting-style= sort= time= time-style= L/level=",
        ),
    ),
    (
        "cat tac rev nl zcat gzcat bzcat xzcat zstdcat lz4cat",
        reads("b= d= f= h= i= l= n= s= v= w= separator="),
    ),
    ("head tail", reads("# n/lines= c/bytes= s/sleep-interval= pid= max-unchanged-stats=")),
    ("wc", reads("files0-from= total=")),
    (
        "cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum md5 shasum crc32 \
            xxhsum xxh64sum",
        reads("a/algorithm= l/length= files0-from= total="),
    ),
    (
        "grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep ggrep",
        Kind::Reads(Reader { options: GREP, own: 1, unless: "e f", deep: "r R", ..PLAIN }),
    ),
    (
        "rg",
        Kind::Reads(Reader {
            options: RG,
            own: 1,
            unless: "e f files type-list",
            runs: "pre hostname-bin",
            deep: "*",
            is_strict: true,
            ..PLAIN
        }),
    ),
    (
        "ag ack",
        Kind::Reads(Reader {
            options: "A= B= C= m= G= i s S w v l L c o n H h a u f g Q F r R nocolor color nogroup group \
                hidden ignore= ignore-dir= pager= nopager column numbers nonumbers files-with-matches",
            own: 1,
            runs: "pager",
            is_strict: true,
            ..PLAIN
        }),
    ),
    (
        "diff gdiff cmp comm colordiff",
        reads(
            "C/context= U/unified= W/width= I/ignore-matching-lines= x/exclude= X/exclude-from= \
                F/show-function-line= L/label= S/starting-file= D/ifdef= line-format= old-line-format= \
                new-line-format= unchanged-line-format= from-file= to-file= horizon-lines= tabsize= color? \
                palette= n/bytes= output-delimiter= i= j=",
        ),
    ),
    (
        "diff3",
        beware(
            "A/show-all e/ed E/show-overlap m/merge 3/easy-only x/overlap-only X T/initial-tab a/text i \
                L/label= strip-trailing-cr diff-program=",
            "diff-program",
            "",
        ),
    ),
    (
        "sdiff",
        beware(
            "o/output= i/ignore-case E Z b/ignore-space-change W B a/text w/width= l/left-column \
                s/suppress-common-lines t/expand-tabs d/minimal H diff-program= tabsize=",
            "diff-program",
            "o",
        ),
    ),
    (
        "cut paste join fold expand unexpand fmt pr column colrm",
        reads(
            "b/bytes= c/characters= d/delimiter/delimiters= f/fields= output-delimiter= 1= 2= a= e= j= o= \
                t= v= w/width= s= p= g= l= n= N= S= W= C= H= O= R= T= i=",
        ),
    ),
    ("tr", Kind::Harmless),
    (
        "od hexdump hd strings gstrings",
        reads("A/address-radix= j/skip-bytes= N/read-bytes= t/format= w/width? e= n/bytes= s= f= radix="),
    ),
    // `-r` turns text back into bytes, and a second operand is written.
    ("xxd uniq", Kind::Does(second_is_written)),
    (
        "file",
        beware(
            "b/brief c/checking-printout E e/exclude= exclude-quiet= f/files-from= F/separator= \
                h/no-dereference i/mime mime-type mime-encoding extension apple k/keep-going l/list \
                L/dereference m/magic-file= n/no-buffer N/no-pad 0/print0 p/preserve-date P/parameter= \
                r/raw s/special-files S/no-sandbox v/version z/uncompress Z/uncompress-noreport C/compile",
            "C",
            "",
        ),
    ),
    (
        "stat gstat readlink greadlink realpath grealpath du df namei",
        reads(
            "c/format= printf= t= f= B/block-size= d/max-depth= t/threshold= X/exclude-from= exclude= \
                relative-to= relative-base= output? x/exclude-type= type= time? time-style= files0-from=",
        ),
    ),
    (
        "date gdate",
        tells(
            "d/date= f/file= I/iso-8601? r/reference= R/rfc-email rfc-3339= u/utc/universal debug j v= \
                s/set= resolution",
            "s",
        ),
    ),
    ("hostname", tells("a A d f F= i I s y alias all-fqdns domain fqdn long ip-address short", "F")),
    (
        "base64 base32 basenc gbase64",
        beware(
            "d/D/decode i= b/break= w/wrap= ignore-garbage o/output= z85 base64url base32hex base16 \
                base2msbf base2lsbf",
            "",
            "o",
        ),
    ),
    (
        "sort gsort",
        Kind::Reads(Reader {
            options: SORT,
            runs: "compress-program",
            writes: "o",
            is_strict: true,
            ..PLAIN
        }),
    ),
    (
        "shuf gshuf",
        beware(
            "e/echo i/input-range= n/head-count= o/output= random-source= r/repeat z/zero-terminated",
            "",
            "o",
        ),
    ),
    ("iconv", beware("f/from-code= t/to-code= l/list c s/silent o/output= verbose", "", "o")),
    (
        "tree",
        beware(
            "a d l f x L= P= I= gitignore gitfile= infofile= matchdirs metafirst prune info ignore-case \
                filelimit= timefmt= q N Q p u g s h si du D F inodes device v t c U r dirsfirst filesfirst \
                sort? i A S n C X J H= T= nolinks hintro= houtro= charset= noreport fromfile o= R",
            "R",
            "o",
        ),
    ),
    // What stands before the text may run it: `+!cmd`, a key file, a preprocessor.
    ("less more most pg zless bzless xzless", Kind::Does(pager)),
    (
        "man",
        tells(
            "a/all f/whatis k/apropos K/global-apropos w/where/path/location W l/local-file s/S/sections= \
                L/locale= M/manpath= m/systems= e/extension= i/ignore-case I/match-case regex wildcard \
                names-only u/update c/catman 7/ascii E/encoding= no-hyphenation no-justification \
                no-subpages warnings? P/pager= H/html? t/troff T/troff-device? X/gxditview? Z \
                C/config-file= d/debug D/default p/preprocessor= r/prompt= R/recode=",
            "P H X C p",
        ),
    ),
    (
        "info pinfo",
        beware(
            "k/apropos= d/directory= f/file= n/node= w/where o/output= O/show-options all subnodes",
            "",
            "o",
        ),
    ),
    (
        "jq gojq jaq",
        Kind::Reads(Reader {
            options: "arg= argjson= slurpfile= rawfile= f/from-file= L= indent= c n r s e a C M S j tab",
            own: 1,
            unless: "f",
            ..PLAIN
        }),
    ),
    (
        "bat batcat",
        beware(
            "A/show-all p/plain l/language= H/highlight-line= n/number S/chop-long-lines \
                f/force-colorization r/line-range= L/list-languages color= decorations= paging= style= \
                theme= tabs= wrap= terminal-width= map-syntax= diff d file-name= italic-text= pager= P u",
            "pager",
            "",
        ),
    ),
    ("top htop btop iotop iftop", Kind::Hidden("what it does is typed while it runs")),
    ("readelf c++filt otool dwarfdump", Kind::Harmless),
    ("nm objdump size addr2line", Kind::Does(plugins)),
    (
        "strip objcopy ranlib patchelf install_name_tool",
        Kind::Hidden("it rewrites programs, and may load plugins"),
    ),
    ("ldd", Kind::Hidden("it may run the program to see what it loads")),
    (
        "lsof",
        beware(
            "a b c= d= D= e= E f F? g? h i? k= K? l L? m= M n N o O p= P Q r? R s? S? t T? u= U v V w X x? \
                z? Z? # +",
            "D",
            "",
        ),
    ),
    ("tcpdump tshark dumpcap", Kind::Hidden("it may write what it hears, and run a program on it")),
    ("dig drill", reads("f= b= c= k= p= q= t= x= y=")),
    (
        "xmllint",
        beware(
            "noout format pretty= xpath= schema= dtdvalid= valid html recover nonet encode= o/output= huge \
                noent noblanks version stream c14n shell",
            "shell",
            "o",
        ),
    ),
];

/// Options whose value is a program. Others that are as loud take none.
const PROGRAMS: &[&str] = &["pre", "hostname-bin", "compress-program", "diff-program", "pager", "P"];

/// None of its operands is a file.
const NO_FILES: usize = usize::MAX;

impl Reader {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        let line = parse(words, self.options, Order::Anywhere);
        let mut meaning = Meaning::default();
        let program = words[0].shown();
        if let Some(why) = line.unsure.as_ref().filter(|_| self.is_strict) {
            meaning.unreadable(format!("{why}: `{program}` has options that run or write something"));
        }
        if !self.runs.is_empty() && line.has(self.runs) {
            for name in self.runs.split(' ').filter(|name| PROGRAMS.contains(name)) {
                meaning.runs.extend(line.values(name).map(|program| vec![program.clone()]));
            }
            meaning.opaque(Pin::Everything, format!("`{program}` was told to do more than read"));
        }
        for name in self.writes.split(' ').filter(|name| !name.is_empty()) {
            line.values(name).for_each(|path| meaning.writes(path, false));
        }
        meaning.uses(&line, program);
        let own = if !self.unless.is_empty() && line.has(self.unless) { 0 } else { self.own };
        let is_deep = self.deep == "*" || (!self.deep.is_empty() && line.has(self.deep));
        for path in line.words().skip(own) {
            if is_deep { meaning.reads_below(path) } else { meaning.reads(path) }
        }
        meaning
    }
}

/// `uniq in out`, `xxd in out`.
fn second_is_written(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# c/count/cols= d/repeated D all-repeated? f/skip-fields= group? i/ignore-case s/skip-chars/seek= \
            u/unique z/zero-terminated w/check-chars= a/autoskip b/bits C/capitalize e E g/groupsize= h \
            l/len= n/name= o= p/ps/postscript r/revert R= t v",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    // To `uniq -c` and `xxd -c` different things follow: with xxd it is a number.
    let is_uniq = super::meaning::last_part(words[0].shown()) == "uniq";
    let counts = words
        .iter()
        .any(|word| word.literal().is_some_and(|text| text.starts_with('-') && text.contains('c')));
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: a second file would be written"));
    }
    let first = if is_uniq && counts { 0 } else { 1 };
    line.words().take(first).for_each(|path| meaning.reads(path));
    line.words().skip(first).for_each(|path| meaning.writes(path, false));
    meaning
}

/// It shows text, and where there is a terminal it does what is typed, or what stands after `+`.
fn pager(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# e E f F g G i I J m M n N q Q r R s S u U w W X c d l a A B C h= j= x= y= z= P=",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    let is_told = line.words().any(|word| word.start().starts_with('+'));
    if line.unsure.is_some() || is_told {
        meaning.opaque(Pin::Everything, "a pager may be told to run commands and to write files");
    }
    line.words().for_each(|path| meaning.reads(path));
    meaning
}

/// They only look, unless they are told to load code that helps them.
fn plugins(words: &[Word]) -> Meaning {
    let is_loud = |word: &Word| {
        let is_unknown = word.literal().is_none() && word.may_be_option();
        is_unknown || word.start().starts_with("--pl") || word.start().starts_with('@')
    };
    if words[1..].iter().any(is_loud) {
        return Meaning::code(Pin::Everything, "it may load plugins");
    }
    Meaning::default()
}
