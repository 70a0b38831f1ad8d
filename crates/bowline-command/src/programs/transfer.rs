//! Programs that bring files from elsewhere, or send them: `curl`, `wget`, `rsync`, `scp`.

use super::Meaning;
use super::line::{Order, parse};
use super::look::only_asks_about_itself;
use super::meaning::{below, last_part};
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("curl", Kind::Does(curl)),
    ("wget", Kind::Does(wget)),
    ("rsync", Kind::Does(rsync)),
    ("scp", Kind::Does(scp)),
    (
        "sftp ftp lftp tftp aria2c axel wget2 rclone unison mc s3cmd gsutil http https httpie xh yt-dlp \
            youtube-dl croc magic-wormhole wormhole",
        Kind::Hidden("it writes what another machine sends"),
    ),
];

const CURL: &str = "# 0/http1.0 1/tlsv1 2/sslv2 3/sslv3 4/ipv4 6/ipv6 A/user-agent= a/append B/use-ascii b/cookie= C/continue-at= c/cookie-jar= D/dump-header= d/data= E/cert= e/referer= F/form= f/fail G/get g/globoff H/header= h/help? I/head i/include/show-headers J/remote-header-name j/junk-session-cookies K/config= k/insecure L/location l/list-only M/manual m/max-time= N/no-buffer n/netrc O/remote-name o/output= P/ftp-port= p/proxytunnel Q/quote= q/disable R/remote-time r/range= S/show-error s/silent T/upload-file= t/telnet-option= U/proxy-user= u/user= V/version v/verbose w/write-out= X/request= x/proxy= Y/speed-limit= y/speed-time= Z/parallel z/time-cond= : \
    alt-svc= basic cacert= capath= cert-type= ciphers= compressed connect-timeout= connect-to= create-dirs data-ascii= data-binary= data-raw= data-urlencode= digest dns-servers= doh-url= etag-compare= etag-save= fail-early fail-with-body form-string= ftp-create-dirs haproxy-protocol hsts= http0.9 http1.1 http2 http2-prior-knowledge http3 interface= json= keepalive-time= key= key-type= libcurl= limit-rate= local-port= location-trusted max-filesize= max-redirs= negotiate netrc-file= netrc-optional next no-alpn no-keepalive no-progress-meter no-sessionid noproxy= ntlm oauth2-bearer= output-dir= parallel-max= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= progress-bar proto= proto-default= proto-redir= proxy-header= rate= raw referer= remote-name-all remove-on-error request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= skip-existing socks5= socks5-hostname= ssl ssl-reqd stderr= styled-output tcp-fastopen tcp-nodelay tls-max= tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace= trace-ascii= trace-config= trace-ids trace-time unix-socket= abstract-unix-socket= url= url-query= variable= aws-sigv4= anyauth crlf";

fn curl(words: &[Word]) -> Meaning {
    let line = parse(words, CURL, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `curl` has options that write files"));
    }
    if line.has("K") {
        meaning.opaque(Pin::Everything, "a file of options says what `curl` does");
    }
    for text in line.values("w") {
        if text.literal().is_none_or(|text| text.contains("%output") || text.starts_with('@')) {
            meaning.opaque(Pin::Everything, "`curl -w` may write files");
        }
    }
    let uploads = line.has("T");
    let is_file =
        |word: &Word| word.literal().is_none_or(|word| word.to_ascii_lowercase().starts_with("file:"));
    if uploads && line.words().chain(line.values("url")).any(is_file) {
        meaning.unreadable("`curl -T` writes the file that the address names");
    }
    let directory = line.values("output-dir").next_back();
    let place = |name: &Word| match (directory.map(Word::literal), name.literal()) {
        (None, _) => name.clone(),
        (Some(Some(directory)), Some(name)) => Word::Literal(below(directory, name)),
        _ => Word::filled("", name.shown(), false),
    };
    for name in line.values("o") {
        // `#1` stands for what differs between addresses.
        if name.literal().is_some_and(|name| name.contains('#')) {
            meaning.unreadable("where `curl` writes is made of the address");
        }
        if name.literal() != Some("-") {
            meaning.writes(&place(name), false);
        }
    }
    for name in ["c", "D", "alt-svc", "hsts", "etag-save", "libcurl", "stderr", "trace", "trace-ascii"] {
        line.values(name)
            .filter(|path| !matches!(path.literal(), Some("-" | "%")))
            .for_each(|path| meaning.writes(path, false));
    }
    if line.has("O remote-name-all J") {
        for address in line.words().chain(line.values("url")) {
            match address.literal().filter(|text| !text.contains(['{', '[']) && !line.has("J")) {
                Some(address) => meaning.writes(&place(&Word::Literal(name_in(address).to_owned())), false),
                None => meaning.unreadable("by which name `curl` writes cannot be told"),
            }
        }
    }
    line.values("T").for_each(|path| meaning.reads(path));
    for data in ["d", "data-binary", "data-ascii", "json", "data-urlencode", "F"]
        .iter()
        .flat_map(|name| line.values(name))
    {
        if let Some((_, path)) = data.literal().and_then(|text| text.split_once('@')) {
            meaning.reads(&Word::Literal(path.split(';').next().unwrap_or_default().to_owned()));
        }
    }
    for path in line.words().filter_map(|word| word.literal().and_then(|text| text.strip_prefix("file://"))) {
        meaning.reads(&Word::Literal(path.to_owned()));
    }
    meaning
}

/// The last part of an address, as programs take it for a name.
fn name_in(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, path)| path);
    path.split_once('/').map_or("", |(_, path)| last_part(path))
}

const WGET: &str = "# A/accept= b/background B/base= c/continue D/domains= d/debug E/adjust-extension e/execute= F/force-html H/span-hosts h/help I/include-directories= i/input-file= K/backup-converted k/convert-links L/relative l/level= m/mirror N/timestamping np nc nd nH n no-parent no-clobber no-directories no-host-directories O/output-document= o/output-file= a/append-output= P/directory-prefix= p/page-requisites Q/quota= q/quiet R/reject= r/recursive S/server-response T/timeout= t/tries= U/user-agent= V/version v/verbose w/wait= X/exclude-directories= x/force-directories 4/inet4-only 6/inet6-only \
    header= method= body-data= body-file= post-data= post-file= user= password= ask-password no-check-certificate ca-certificate= certificate= private-key= max-redirect= show-progress progress= no-verbose nv spider content-disposition trust-server-names load-cookies= save-cookies= keep-session-cookies no-cookies no-cache referer= limit-rate= random-wait retry-connrefused waitretry= compression= https-only no-hsts secure-protocol= proxy= no-proxy connect-timeout= read-timeout= dns-timeout= cut-dirs= no-iri delete-after unlink rejected-log= warc-file= hsts-file=";

fn wget(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, WGET, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `wget` has options that run and write"));
    }
    if line.has("e i") {
        meaning.opaque(Pin::Everything, "what `wget` does is said elsewhere");
    }
    for name in ["o", "a", "save-cookies", "rejected-log", "warc-file", "hsts-file"] {
        line.values(name)
            .filter(|path| path.literal() != Some("-"))
            .for_each(|path| meaning.writes(path, false));
    }
    line.values("post-file").chain(line.values("body-file")).for_each(|path| meaning.reads(path));
    if line.has("spider") {
        return meaning;
    }
    if line.has("O") {
        line.values("O")
            .filter(|path| path.literal() != Some("-"))
            .for_each(|path| meaning.writes(path, false));
        return meaning;
    }
    let directory = line.values("P").next_back().cloned().unwrap_or_else(|| Word::Literal(".".to_owned()));
    if line.has("r m p x") {
        meaning.writes(&directory, true);
        return meaning;
    }
    for address in line.words() {
        let address = address.literal().filter(|_| !line.has("content-disposition trust-server-names"));
        match (address.map(name_in), directory.literal()) {
            (Some(name), Some(directory)) => {
                let name = if name.is_empty() { "index.html" } else { name };
                meaning.writes_at(
                    if directory == "." { name.to_owned() } else { below(directory, name) },
                    false,
                );
            }
            _ => meaning.unreadable("by which name `wget` writes cannot be told"),
        }
    }
    meaning
}

const RSYNC: &str = "a/archive A/acls X/xattrs v/verbose q/quiet c/checksum r/recursive R/relative \
    b/backup u/update l/links L/copy-links k/copy-dirlinks K/keep-dirlinks H/hard-links p/perms \
    E/executability o/owner g/group D devices specials t/times O/omit-dir-times S/sparse n/dry-run \
    W/whole-file x/one-file-system z/compress P h/human-readable i/itemize-changes 4/ipv4 6/ipv6 \
    I/ignore-times m/prune-empty-dirs C/cvs-exclude y/fuzzy d/dirs F delete del delete-before \
    delete-during delete-delay delete-after delete-excluded existing ignore-existing remove-source-files \
    force inplace append append-verify safe-links copy-unsafe-links munge-links partial progress stats \
    size-only numeric-ids no-motd list-only mkpath max-delete= max-size= min-size= block-size= exclude= \
    exclude-from= include= include-from= f/filter= files-from= timeout= contimeout= bwlimit= chmod= chown= \
    compare-dest= copy-dest= link-dest= info= debug= out-format= modify-window= suffix= backup-dir= \
    temp-dir/T= partial-dir= log-file= log-file-format= e/rsh= rsync-path= no-perms no-owner no-group \
    no-times no-links human-readable version help";

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
    for name in ["backup-dir", "temp-dir", "partial-dir", "log-file"] {
        line.values(name).for_each(|path| meaning.writes(path, true));
    }
    let operands: Vec<&Word> = line.words().collect();
    if operands.iter().any(|word| word.start().contains(':')) {
        meaning.opaque(Pin::Everything, "it reads from another machine, or writes there");
    }
    if let Some((target, sources)) = operands.split_last() {
        if sources.is_empty() || line.has("list-only") {
            return meaning;
        }
        for source in sources {
            if line.has("remove-source-files") {
                meaning.writes(source, true);
            } else {
                meaning.reads_below(source);
            }
        }
        if !target.start().contains(':') && !line.has("n") {
            meaning.writes(target, true);
        }
    }
    meaning
}

fn scp(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "it reads from another machine, or writes there");
    match words.last() {
        Some(target) if words.len() > 2 && !target.start().contains(':') => meaning.writes(target, true),
        _ => {}
    }
    meaning
}
