//! `gzip` and its like: a file goes, and one with another ending comes.

use super::Meaning;
use super::line::{Line, Order, parse};
use super::meaning::{below, last_part};
use super::table::{Kind, Row};
use crate::{Access, Creates, Filter, Word};

pub(super) const ROWS: &[Row] = &[
    (
        "gzip gunzip ggzip",
        Kind::Does(|words| {
            GZIP.meaning(
                words,
                "# a/ascii best c/stdout/to-stdout d/decompress/uncompress f/force fast h/help k/keep L/license \
                    l/list N/name n/no-name q/quiet r/recursive rsyncable S/suffix= synchronous t/test \
                    V/version v/verbose",
            )
        }),
    ),
    (
        "pigz unpigz",
        Kind::Does(|words| {
            GZIP.meaning(
                words,
                "# 11 A/alias= b/blocksize= best C/comment= c/stdout/to-stdout d/decompress/uncompress F/first \
                    f/force fast H/huffman h/help I/iterations= i/independent J/maxsplits= K/zip k/keep L/license \
                    l/list M/time m/no-time N/name n/no-name O/oneblock p/processes= q/quiet/silent R/rsyncable \
                    r/recursive S/suffix= synchronous Y/synchronous t/test U/rle V/version v/verbose z/zlib",
            )
        }),
    ),
    (
        "bzip2 bunzip2 pbzip2 lbzip2 lbunzip2",
        Kind::Does(|words| {
            BZIP2.meaning(
                words,
                "# best c/stdout d/decompress exponential f/force fast h/help k/keep L/license l/loadavg \
                    ignore-trailing-garbage= n= p? q/quiet r/read repetitive-best repetitive-fast s/small \
                    t/test u/sequential V/version v/verbose z/compress m? b? S",
            )
        }),
    ),
    (
        "xz unxz lzma unlzma pixz",
        Kind::Does(|words| {
            XZ.meaning(
                words,
                "# arm arm64 armthumb bcj? best block-list= block-size= C/check= c/stdout/to-stdout \
                    d/decompress/uncompress delta? e/extreme F/format= f/force fast files0?< files?< flush-timeout= \
                    H/long-help h/help ia64 ignore-check info-memory k/keep l/list lzma1? lzma2? \
                    M/memory/memlimit= memlimit-compress= memlimit-decompress= memlimit-mt-decompress= no-adjust \
                    no-sparse no-sync no-warn powerpc Q q/quiet riscv robot S/suffix= single-stream sparc \
                    T/threads= t/test V/version v/verbose x86 z/compress",
            )
        }),
    ),
    (
        "zstd unzstd zstdmt pzstd",
        Kind::Does(|words| {
            ZSTD.meaning(
                words,
                "# adapt? asyncio auto-threads= B= b? best c/stdout/to-stdout check compress-literals D=< \
                    d/decompress/uncompress dictID= e? exclude-compressed f/force fast? filelist=< format= h \
                    H/help i? k/keep l/list long? M/memory/memlimit/memlimit-decompress= max maxdict= no-asyncio \
                    no-check no-compress-literals no-dictID no-name n no-pass-through no-progress \
                    no-row-match-finder no-sparse o= output-dir-flat= output-dir-mirror= p? pass-through \
                    patch-apply= patch-from=< priority= progress q/quiet r rm row-match-finder rsyncable S \
                    single-thread size-hint= sparse stream-size= T/threads= t/test target-compressed-block-size= \
                    trace=> train train-cover? train-fastcover? train-legacy? ultra V/version v/verbose z/compress",
            )
        }),
    ),
    (
        "lz4 unlz4",
        Kind::Does(|words| {
            LZ4.meaning(
                words,
                "# B? BD BX b? best c/stdout/to-stdout content-size D=< d/decompress/uncompress e? f/force fast? \
                    favor-decSpeed frame-crc H h/help i? k/keep l list m/multiple no-content-size no-frame-crc \
                    no-sparse q/quiet r rm sparse T? t/test V/version v/verbose z/compress",
            )
        }),
    ),
    ("compress uncompress", Kind::Does(|words| COMPRESS.meaning(words, "b= c C d f g H h k m= q r V v"))),
    (
        "brotli unbrotli",
        Kind::Does(|words| {
            BROTLI.meaning(
                words,
                "# Z/best c/stdout concatenated D/dictionary=< d/decompress f/force h/help j/rm k/keep K \
                    large_window= lgwin= n/no-copy-stat o/output= q/quality= s/squash S/suffix= t/test V/version \
                    v/verbose w/lgwin=",
            )
        }),
    ),
    (
        "lzop unlzop",
        Kind::Does(|words| {
            LZOP.meaning(
                words,
                "# C/checksum c/stdout/to-stdout crc32 d/decompress/uncompress F/no-checksum f/force filter= \
                    fast best h/help I/info k/keep L/license l/list ls? N/name n/no-name no-color no-mode no-stdin \
                    no-time no-warn o/output= P p/path? q/quiet S/suffix= t/test T threads= U/unlink/delete V/version v/verbose \
                    x/extract",
            )
        }),
    ),
];

/// One family of formats.
struct Compressor {
    /// What it puts at the end of a name.
    ending: &'static str,
    /// Its programs leave the file that they read where it is.
    keeps: bool,
    /// A second operand is the file that is written.
    second_is_written: bool,
    /// This option makes it look at everything below.
    deep: &'static str,
}

const GZIP: Compressor = Compressor { ending: ".gz", keeps: false, second_is_written: false, deep: "r" };
const BZIP2: Compressor = Compressor { ending: ".bz2", deep: "", ..GZIP };
const XZ: Compressor = Compressor { ending: ".xz", deep: "", ..GZIP };
const ZSTD: Compressor = Compressor { ending: ".zst", keeps: true, ..GZIP };
const LZ4: Compressor = Compressor { ending: ".lz4", keeps: true, second_is_written: true, deep: "r" };
const COMPRESS: Compressor = Compressor { ending: ".Z", ..GZIP };
const BROTLI: Compressor = Compressor { ending: ".br", keeps: true, deep: "", ..GZIP };
const LZOP: Compressor = Compressor { ending: ".lzo", keeps: true, deep: "", ..GZIP };

/// Endings that are taken away, and what comes in their place.
const ENDINGS: &[(&str, &str)] = &[
    (".gz", ""),
    ("-gz", ""),
    (".z", ""),
    ("-z", ""),
    ("_z", ""),
    (".Z", ""),
    (".bz2", ""),
    (".bz", ""),
    (".xz", ""),
    (".lzma", ""),
    (".lz", ""),
    (".zst", ""),
    (".lz4", ""),
    (".br", ""),
    (".lzo", ""),
    (".zz", ""),
    (".zip", ""),
    (".tgz", ".tar"),
    (".taz", ".tar"),
    (".txz", ".tar"),
    (".tlz", ".tar"),
    (".tbz2", ".tar"),
    (".tbz", ".tar"),
    (".tzst", ".tar"),
    (".tlz4", ".tar"),
    (".tzo", ".tar"),
];

impl Compressor {
    fn meaning(&self, words: &[Word], options: &'static str) -> Meaning {
        let line = parse(words, options, Order::Anywhere);
        let mut meaning = Meaning::default();
        let program = words[0].shown();
        if let Some(why) = &line.unsure {
            meaning.unreadable(format!("{why}: what `{program}` writes cannot be told"));
        }
        if line.has("files files0 filelist patch-apply") {
            meaning.unreadable("which files are packed is said by a list");
        }
        meaning.uses(&line, program);
        let is_deep = !self.deep.is_empty() && line.has(self.deep);
        let operands: Vec<&Word> = line.words().collect();
        let (sources, target) = match operands.as_slice() {
            [source, target] if self.second_is_written && !line.has("m r") => (vec![*source], Some(*target)),
            all => (all.to_vec(), None),
        };
        for source in &sources {
            if source.literal() != Some("-") {
                let filter = Filter { follows_links: is_deep, ..Filter::default() };
                meaning.touch(Access::Read, source, is_deep, filter);
            }
        }
        let is_quiet = line.has("c t list I b") || (line.has("l") && self.ending != ".lz4");
        let is_trained = line.has("train train-cover train-fastcover train-legacy");
        if is_trained && !line.has("o") {
            meaning.writes_at("dictionary", false);
        }
        let named: Vec<&Word> = line.values("o").chain(target).collect();
        named.iter().filter(|path| path.literal() != Some("-")).for_each(|path| meaning.writes(path, false));
        // Where only something is shown, or goes to a pipe, no other file is written.
        if is_quiet || is_trained {
            return meaning;
        }
        for name in ["output-dir-flat", "output-dir-mirror", "p"] {
            line.values(name).for_each(|path| meaning.writes(path, true));
        }
        for source in sources {
            let is_removed = if self.keeps { line.has("rm j U") } else { !line.has("k") };
            if is_removed {
                meaning.removes(source, is_deep);
            }
            if named.is_empty() {
                self.written(source, &line, last_part(program), is_deep, &mut meaning);
            }
        }
        meaning
    }

    /// The file that comes of one.
    fn written(&self, source: &Word, line: &Line, program: &str, is_deep: bool, meaning: &mut Meaning) {
        let undoes = line.has("d x")
            || program.starts_with("un")
            || program == "lbunzip2"
            || program == "bunzip2"
            || program == "gunzip";
        // The name that is kept in the file, or one for each file below.
        let is_open = is_deep || (undoes && line.has("N x"));
        let Some(path) = source.literal() else {
            return meaning.writes(source, true);
        };
        if path == "-" {
            return;
        }
        if is_open {
            let beside = path.rsplit_once('/').map_or(".", |(directory, _)| directory);
            meaning.writes_at(if is_deep { path } else { beside }, true);
        }
        let suffix = line.values("S").next_back().map(Word::literal);
        if suffix == Some(None) {
            return meaning.unreadable("which ending the files get is known only when it runs");
        }
        let suffix = suffix.flatten();
        if !undoes {
            let by_format = line.values("format").chain(line.values("F")).next_back().and_then(Word::literal);
            let ending = match (suffix, by_format) {
                (Some(suffix), _) => suffix,
                (None, Some("gzip")) => ".gz",
                (None, Some("lzma" | "alone")) => ".lzma",
                (None, Some("lz4")) => ".lz4",
                (None, Some("xz")) => ".xz",
                (None, _) if program == "lzma" => ".lzma",
                (None, _) if line.has("K") => ".zip",
                (None, _) if line.has("z") && self.ending == ".gz" => ".zz",
                (None, _) => self.ending,
            };
            meaning.writes_at(format!("{path}{ending}"), false);
        }
        // Some undo by themselves what has their ending.
        let endings = ENDINGS.iter().copied().chain(suffix.map(|suffix| (suffix, "")));
        let plain = endings.filter_map(|(ending, other)| {
            path.strip_suffix(ending).filter(|plain| !plain.is_empty()).map(|plain| format!("{plain}{other}"))
        });
        let plain: Vec<String> = plain.collect();
        let is_lost = plain.is_empty();
        if undoes || self.second_is_written {
            plain.into_iter().for_each(|path| meaning.writes_at(path, false));
        }
        if undoes && is_lost {
            meaning.writes_at(format!("{path}.out"), false);
            meaning.changes(source, is_deep, Creates::Nothing);
        }
        for directory in ["output-dir-flat", "output-dir-mirror"] {
            if let Some(directory) = line.values(directory).next_back().and_then(Word::literal) {
                meaning.writes_at(below(directory, last_part(path)), false);
            }
        }
    }
}
