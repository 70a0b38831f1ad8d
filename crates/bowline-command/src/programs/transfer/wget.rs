//! `wget`.

use super::decoded;
use crate::programs::Meaning;
use crate::programs::line::{Line, Order, parse};
use crate::programs::look::only_asks_about_itself;
use crate::programs::meaning::below;
use crate::{Pin, Word};

const WGET: &str = "# 4/inet4-only 6/inet6-only A/accept= a/append-output=> accept-regex= adjust-extension/E ask-password \
    auth-no-challenge B/base= b/background backups? bind-address= bind-dns-address= body-data= body-file=< \
    c/continue ca-certificate=< ca-directory=< certificate=< certificate-type= ciphers= compression= config=< \
    connect-timeout= content-disposition content-on-error convert-file-only crl-file=< cut-dirs= D/domains= d/debug default-page= \
    delete-after dns-servers= dns-timeout= e/execute= egd-file=< exclude-domains= F/force-html follow-ftp follow-tags= \
    ftp-password= ftp-user= ftps-clear-data-connection ftps-fallback-to-ftp ftps-implicit ftps-resume-ssl \
    H/span-hosts h/help header= hsts-file=> html-extension http-password/http-passwd= http-user= https-only \
    I/include-directories= i/input-file=< ignore-case ignore-length ignore-tags= input-metalink=< K/backup-converted \
    k/convert-links keep-badhash keep-session-cookies L/relative l/level= limit-rate= load-cookies=< \
    local-encoding= m/mirror max-redirect= metalink-index= metalink-over-http method= N/timestamping n -nc/no-clobber \
    -nd/no-directories -nH/no-host-directories -np/no-parent -nv/no-verbose no-cache no-check-certificate no-config \
    no-cookies no-dns-cache no-glob no-hsts no-http-keep-alive no-if-modified-since no-iri no-netrc \
    no-passive-ftp no-proxy no-remove-listing no-use-server-timestamps no-warc-compression no-warc-digests \
    no-warc-keep-log O/output-document= o/output-file=> P/directory-prefix= p/page-requisites password= \
    pinnedpubkey= post-data= post-file=< prefer-family= preferred-location= preserve-permissions private-key=< \
    private-key-type= progress= protocol-directories proxy? proxy-password/proxy-passwd= proxy-user= Q/quota= \
    q/quiet R/reject= r/recursive random-file=< random-wait read-timeout= referer= regex-type= reject-regex= \
    rejected-log=> remote-encoding= report-speed= restrict-file-names= retr-symlinks retry-connrefused \
    retry-on-host-error retry-on-http-error= S/server-response save-cookies=> save-headers secure-protocol= \
    show-progress spider start-pos= strict-comments T/timeout= t/tries= trust-server-names U/user-agent= unlink \
    use-askpass=! user= V/version v/verbose w/wait= waitretry= warc-cdx warc-dedup=< warc-file= warc-header= \
    warc-max-size= warc-tempdir=> X/exclude-directories= x/force-directories xattr";

pub(super) fn wget(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, WGET, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `wget` has options that run and write"));
    }
    if line.has("e i config input-metalink metalink-over-http") {
        meaning.opaque(Pin::Everything, "what `wget` does is said elsewhere");
    }
    meaning.uses(&line, "wget");
    for path in line.values("hsts-file") {
        meaning.reads(path);
    }
    for prefix in line.values("warc-file") {
        match prefix.literal() {
            Some(prefix) => [".warc", ".warc.gz", ".cdx", "-00000.warc.gz", "-meta.warc.gz"]
                .iter()
                .for_each(|end| meaning.writes_at(format!("{prefix}{end}"), false)),
            None => meaning.writes(prefix, false),
        }
    }
    if line.has("b") {
        meaning.writes_at("wget-log", false);
    }
    meaning.touches.retain(|touched| touched.path.literal() != Some("-"));
    if !line.has("spider") || line.has("r m p") {
        pages(&line, &mut meaning);
    }
    meaning
}

/// Where it puts what it is sent.
fn pages(line: &Line, meaning: &mut Meaning) {
    if line.has("O") {
        let shown = line.values("O").filter(|path| path.literal() != Some("-"));
        return shown.for_each(|path| meaning.writes(path, false));
    }
    let here = Word::Literal(".".to_owned());
    let directory = line.values("P").next_back().unwrap_or(&here);
    if line.has("r m p x protocol-directories") {
        return meaning.writes(directory, true);
    }
    let names = line.words().map(|address| {
        let is_told = line.has("content-disposition trust-server-names") || address.start().contains('*');
        address.literal().filter(|_| !is_told).map(|address| name(address, line))
    });
    for name in names.collect::<Vec<_>>() {
        match (name, directory.literal()) {
            (Some(Some(name)), Some(directory)) => {
                let path = if directory == "." { name } else { below(directory, &name) };
                if line.has("adjust-extension html-extension") {
                    meaning.writes_at(format!("{path}.html"), false);
                    meaning.writes_at(format!("{path}.css"), false);
                }
                if line.has("K") {
                    meaning.writes_at(format!("{path}.orig"), false);
                }
                meaning.writes_at(path, false);
            }
            _ => meaning.unreadable("by which name `wget` writes cannot be told"),
        }
    }
}

/// The last part of the path, with the query that follows it.
fn name(address: &str, line: &Line) -> Option<String> {
    let address = address.split('#').next().unwrap_or_default();
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let last = path.split_once('/').map_or("", |(_, path)| path.rsplit('/').next().unwrap_or_default());
    let page = match line.values("default-page").next_back() {
        Some(page) => page.literal()?,
        None => "index.html",
    };
    let name = if last.is_empty() { page.to_owned() } else { decoded(last) };
    let whole = query.map_or_else(|| name.clone(), |query| format!("{name}?{}", decoded(query)));
    // A slash within a name is written as it is escaped.
    (!whole.contains("..") || !whole.contains('/')).then(|| whole.replace('/', "%2F"))
}
