//! Programs that bring files from elsewhere, or send them: `curl`, `wget`, `rsync`, `scp`.

mod curl;
mod wget;

use super::Meaning;
use super::copies::Way;
use super::line::{Order, parse};
use super::look::only_asks_about_itself;
use super::meaning::last_part;
use super::table::{Kind, Row};
use crate::{Access, Filter, Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("curl", Kind::Does(curl::curl)),
    ("wget", Kind::Does(wget::wget)),
    ("rsync", Kind::Does(rsync)),
    ("scp", Kind::Does(scp)),
    (
        "sftp ftp lftp tftp aria2c axel wget2 rclone unison mc s3cmd gsutil http https httpie xh yt-dlp \
            youtube-dl croc magic-wormhole wormhole",
        Kind::Hidden("it writes what another machine sends"),
    ),
];

/// The last part of an address, without what follows the path.
fn name_in(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, path)| path);
    path.split_once('/').map_or("", |(_, path)| last_part(path))
}

/// With `%2e` read as the letter that it stands for.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match (*first, code.and_then(|code| u8::from_str_radix(code, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The file that an address names, if it names one here. `None` where that cannot be told.
fn local_file(address: &Word) -> Option<Option<String>> {
    let start = address.start().to_ascii_lowercase();
    let Some(text) = address.literal() else {
        let is_elsewhere = start.contains(':') && !start.starts_with("file:");
        return if is_elsewhere { Some(None) } else { None };
    };
    let Some(path) = start.strip_prefix("file:") else { return Some(None) };
    let path = &text[text.len() - path.len()..];
    if path.contains(['{', '[']) {
        return None;
    }
    // A host may stand between the slashes.
    let path = match path.strip_prefix("//") {
        Some(path) if path.starts_with('/') => path,
        Some(path) => path.find('/').map_or(path, |at| &path[at..]),
        None => path,
    };
    Some(Some(decoded(path.split(['?', '#']).next().unwrap_or_default())))
}

const RSYNC: &str = "0/from0 4/ipv4 6/ipv6 8/8-bit-output A/acls a/archive address= append append-verify B/block-size= \
    b/backup backup-dir=> blocking-io bwlimit= C/cvs-exclude c/checksum checksum-choice/cc= checksum-seed= chmod= chown= \
    compare-dest=< compress-choice/zc= compress-level/zl= contimeout= copy-as= copy-dest=< copy-devices \
    copy-unsafe-links crtimes D d/dirs debug= del delay-updates delete delete-after delete-before delete-delay \
    delete-during delete-excluded delete-missing-args devices E/executability e/rsh= early-input=< exclude= \
    exclude-from=< existing/ignore-non-existing F f/filter= fake-super files-from=< force fsync G g/group groupmap= \
    H/hard-links h/human-readable I/ignore-times i/itemize-changes iconv= ignore-errors ignore-existing \
    ignore-missing-args include= include-from=< info= inplace J/omit-link-times K/keep-dirlinks k/copy-dirlinks \
    L/copy-links l/links link-dest=< list-only log-file=> log-file-format= M/remote-option= m/prune-empty-dirs \
    max-alloc= max-delete= max-size= min-size= mkpath modify-window/@= munge-links N n/dry-run no-D no-a no-archive no-blocking-io \
    no-compress no-delay-updates no-devices no-fake-super no-force no-fsync no-g no-group no-h no-human-readable \
    no-implied-dirs no-inc-recursive no-inplace no-l no-links no-motd no-n no-dry-run no-o no-owner no-p no-partial \
    no-perms no-progress no-r no-recursive no-relative no-R no-specials no-super no-t no-times no-v no-verbose no-W no-whole-file \
    no-z numeric-ids O/omit-dir-times o/owner old-args old-dirs only-write-batch=> open-noatime out-format= \
    outbuf= P p/perms partial partial-dir=> password-file=< port= preallocate progress protocol= q/quiet R/relative \
    r/recursive read-batch=< remove-source-files rsync-path= S/sparse s/secluded-args/protect-args safe-links size-only \
    skip-compress= sockopts= specials stats stderr= stop-after= stop-at= suffix= super T/temp-dir=> t/times \
    timeout= trust-sender U/atimes u/update usermap= V/version v/verbose W/whole-file write-batch=> write-devices \
    X/xattrs x/one-file-system y/fuzzy z/compress help";

fn rsync(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, RSYNC, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `rsync` has options that run and write"));
    }
    for program in line.values("e").chain(line.values("rsync-path")) {
        meaning.shell.push(program.clone());
        meaning.opaque(Pin::Everything, "`rsync` was told to run a program");
    }
    if line.has("M read-batch f") {
        meaning.opaque(Pin::Everything, "what `rsync` does is said elsewhere");
    }
    meaning.uses(&line, "rsync");
    for name in ["backup-dir", "temp-dir", "T", "partial-dir"] {
        line.values(name).for_each(|path| meaning.writes(path, true));
    }
    for batch in ["write-batch", "only-write-batch"].iter().flat_map(|name| line.values(name)) {
        if let Some(path) = batch.literal() {
            meaning.writes_at(format!("{path}.sh"), false);
        }
    }
    let operands: Vec<Word> = line.words().cloned().collect();
    if operands.iter().any(|word| word.start().contains(':')) {
        meaning.opaque(Pin::Everything, "it reads from another machine, or writes there");
    }
    let Some((target, sources)) = operands.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        operands.iter().for_each(|path| meaning.reads_below(path));
        return meaning;
    };
    let is_dry = line.has("n list-only") && !line.has("no-n no-dry-run");
    let filter = Filter { follows_links: line.has("L k copy-unsafe-links"), ..Filter::default() };
    for source in sources {
        meaning.touch(Access::Read, source, true, filter.clone());
        if line.has("remove-source-files") && !is_dry {
            meaning.removes(source, true);
        }
    }
    if target.start().contains(':') || is_dry {
        return meaning;
    }
    if sources.iter().any(|source| source.start().contains(':')) {
        meaning.writes(target, true);
    }
    if line.given.iter().any(|given| given.name.starts_with("del")) || line.has("write-devices") {
        meaning.removes(target, true);
    }
    let backups = line.values("suffix").filter_map(Word::literal).map(str::to_owned);
    let backups = if line.has("b") { backups.chain(["~".to_owned()]).collect() } else { Vec::new() };
    let keeps_path = line.has("R files-from") && !line.has("no-R no-relative");
    let way = Way { is_deep: true, keeps_path, filter, backups, ..Way::default() };
    way.arrive(sources, target, &mut meaning);
    // With a slash at its end a source is what is in it.
    for source in sources.iter().filter_map(Word::literal).filter(|source| source.ends_with('/')) {
        way.arrive(&[Word::Literal(format!("{source}."))], target, &mut meaning);
    }
    meaning
}

fn scp(words: &[Word]) -> Meaning {
    let line = parse(words, "3 4 6 A B C c= D=! F=< i=< J= l= O o= P= p q R r S=! s T v X=", Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `scp` has options that run programs"));
    }
    meaning.uses(&line, "scp");
    let operands: Vec<Word> = line.words().cloned().collect();
    let is_far = |word: &Word| word.start().contains(':') || word.literal().is_none();
    if operands.iter().any(is_far) || line.has("o F S D") || operands.is_empty() {
        meaning.opaque(Pin::Everything, "it reads from another machine, or writes there");
    }
    let Some((target, sources)) = operands.split_last() else { return meaning };
    let is_deep = line.has("r");
    let near = |source: &&Word| !source.start().contains(':');
    for source in sources.iter().filter(near) {
        meaning.touch(Access::Read, source, is_deep, Filter::default());
    }
    if near(&target) {
        if sources.iter().all(|source| near(&source)) {
            Way { is_deep, ..Way::default() }.arrive(sources, target, &mut meaning);
        } else {
            meaning.writes(target, true);
        }
    }
    meaning
}
