//! Programs that sum up, encode, and unpack to the screen.

use super::super::table::{Kind, Row};
use super::{PLAIN, Reader, beware, reads};

/// What `-c` reads names of files, of which it says only whether they are as they were.
const SUMS: &str = "a/algorithm= l/length= b/binary c/check tag untagged t/text z/zero ignore-missing quiet status \
    strict w/warn base64 raw debug U/UNIVERSAL 0 01 h help version";

const GZIP: &str = "a/ascii c/stdout d/decompress f/force h/help k/keep l/list L/license n/no-name N/name q/quiet \
    r/recursive rsyncable S/suffix= synchronous t/test v/verbose V/version 1 2 3 4 5 6 7 8 9";

pub(in super::super) const ROWS: &[Row] = &[
    (
        "cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum gmd5sum gsha1sum \
            gsha256sum gsha512sum",
        reads(SUMS),
    ),
    (
        "b3sum",
        reads(
            "c/check keyed derive-key= l/length= seek= num-threads= no-mmap no-names raw tag quiet h/help V/version",
        ),
    ),
    // One that takes text takes no file there.
    ("md5 crc32 xxhsum xxh32sum xxh64sum xxh128sum", reads("q r p t x c s? H? b n")),
    (
        "base64 base32 gbase64",
        beware("d/decode D i?< input=< b? break= w/wrap= ignore-garbage o/output=> h/help version"),
    ),
    (
        "basenc",
        beware(
            "d/decode i/ignore-garbage w/wrap= z85 base58 base64 base64url base32 base32hex base16 base2msbf \
                base2lsbf help version",
        ),
    ),
    ("zcat gzcat", Kind::Reads(Reader { options: GZIP, deep: "r", ..PLAIN })),
    (
        "bzcat",
        reads(
            "c/stdout d/decompress f/force h/help k/keep q/quiet s/small t/test v/verbose V/version L z 1 2 3 4 5 6 7 8 9",
        ),
    ),
    (
        "xzcat lzcat",
        beware(
            "z/compress d/decompress/uncompress t/test l/list k/keep f/force c/stdout no-sparse S/suffix= \
                files?@ files0?@ F/format= C/check= ignore-check 0 1 2 3 4 5 6 7 8 9 e/extreme T/threads= \
                block-size= M/memlimit/memory= q/quiet v/verbose Q/no-warn robot h/help H/long-help V/version",
        ),
    ),
    (
        "zstdcat",
        Kind::Reads(Reader {
            options: "f/force q/quiet v/verbose c/stdout d/decompress D=< M? memory? no-check check long? single-thread t/test \
                adapt? auto-threads= T? threads= dictID no-dictID exclude-compressed fast? maxdict= rsyncable \
                size-hint= stream-size= target-compressed-block-size= ultra S k/keep r l/list no-progress \
                patch-from=< # h/H/help V/version",
            deep: "r",
            is_strict: true,
            ..PLAIN
        }),
    ),
    (
        "lz4cat",
        Kind::Reads(Reader {
            options: "f q v c d t best fast? content-size no-content-size favor-decSpeed no-frame-crc frame-crc \
                sparse no-sparse k l z B D=< m r # h H V",
            deep: "r",
            is_strict: true,
            ..PLAIN
        }),
    ),
];
