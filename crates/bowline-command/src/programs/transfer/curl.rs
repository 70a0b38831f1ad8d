//! `curl`.

use super::{local_file, name_in};
use crate::programs::Meaning;
use crate::programs::line::{Line, Order, parse};
use crate::programs::meaning::below;
use crate::{Pin, Word};

const CURL: &str = "# 0/http1.0 1/tlsv1 2/sslv2 3/sslv3 4/ipv4 6/ipv6 : A/user-agent= a/append abstract-unix-socket= \
    alt-svc=> anyauth aws-sigv4= B/use-ascii b/cookie= basic C/continue-at= c/cookie-jar=> ca-native cacert=< \
    capath=< cert-status cert-type= ciphers= compressed compressed-ssh connect-timeout= connect-to= create-dirs \
    create-file-mode= crlf crlfile=< curves= D/dump-header=> d/data= data-ascii= data-binary= data-raw= \
    data-urlencode= delegation= digest disable-eprt disable-epsv disallow-username-in-url dns-interface= \
    dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url= dump-ca-embed E/cert= \
    e/referer= ech= egd-file=< engine=! etag-compare=< etag-save=> expect100-timeout= F/form= f/fail fail-early \
    fail-with-body false-start follow form-escape form-string= ftp-account= ftp-alternative-to-user= \
    ftp-create-dirs ftp-method= ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl ftp-ssl-ccc ftp-ssl-ccc-mode= \
    ftp-ssl-control ftp-ssl-reqd G/get g/globoff H/header= h/help? happy-eyeballs-timeout-ms= haproxy-clientip= \
    haproxy-protocol hostpubmd5= hostpubsha256= hsts=> http0.9 http1.1 http2 http2-prior-knowledge http3 http3-only \
    I/head i/include/show-headers ignore-content-length interface= ip-tos= ipfs-gateway= J/remote-header-name \
    j/junk-session-cookies json= K/config=< k/insecure keepalive-cnt= keepalive-time= key=< key-type= \
    knownhosts=< krb= L/location l/list-only libcurl=> limit-rate= local-port= location-trusted login-options= \
    M/manual m/max-time= mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails max-filesize= max-redirs= \
    metalink mptcp N/no-buffer n/netrc negotiate netrc-file=< netrc-optional next no-alpn no-clobber \
    no-compressed no-fail no-include no-insecure no-keepalive no-location no-netrc no-npn no-parallel \
    no-progress-bar no-progress-meter no-sessionid no-show-error no-silent no-verbose noproxy= ntlm ntlm-wb! O/remote-name \
    o/output= oauth2-bearer= out-null output-dir= P/ftp-port= p/proxytunnel parallel-immediate parallel-max= \
    parallel-max-host= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= proto= proto-default= \
    proto-redir= proxy-anyauth proxy-basic proxy-ca-native proxy-cacert=< proxy-capath=< proxy-cert=< \
    proxy-cert-type= proxy-ciphers= proxy-crlfile=< proxy-digest proxy-header= proxy-http2 proxy-insecure \
    proxy-key=< proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name= \
    proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= \
    proxy-tlsuser= proxy-tlsv1 proxy1.0= pubkey=< Q/quote= q/disable R/remote-time r/range= random-file=< rate= \
    raw remote-name-all remove-on-error request-target= resolve= retry= retry-all-errors retry-connrefused \
    retry-delay= retry-max-time= S/show-error s/silent sasl-authzid= sasl-ir service-name= sigalgs= \
    skip-existing socks4= socks4a= socks5= socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= \
    socks5-hostname= ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort \
    ssl-sessions=> stderr=> styled-output suppress-connect-headers T/upload-file= t/telnet-option= tcp-fastopen \
    tcp-nodelay tftp-blksize= tftp-no-options tls-earlydata tls-max= tls13-ciphers= tlsauthtype= tlspassword= \
    tlsuser= tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace=> trace-ascii=> trace-config= trace-ids trace-time \
    U/proxy-user= u/user= unix-socket=> upload-flags= url= url-query= V/version v/verbose variable= \
    vlan-priority= w/write-out= X/request= x/proxy= xattr Y/speed-limit= y/speed-time= Z/parallel z/time-cond= \
    progress-bar";

pub(super) fn curl(words: &[Word]) -> Meaning {
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
    meaning.uses(&line, "curl");
    // What it would show, it does not read as a file.
    meaning.touches.retain(|touched| !matches!(touched.path.literal(), Some("-" | "%" | "")));
    written(&line, &mut meaning);
    read(&line, &mut meaning);
    meaning
}

fn written(line: &Line, meaning: &mut Meaning) {
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
    if !line.has("O remote-name-all J") {
        return;
    }
    let is_pattern = |text: &str| text.contains(['{', '[']) && !line.has("g");
    for address in line.words().chain(line.values("url")) {
        match address.literal().filter(|text| !is_pattern(text) && !line.has("J")) {
            Some(address) => meaning.writes(&place(&Word::Literal(name_in(address).to_owned())), false),
            None => meaning.unreadable("by which name `curl` writes cannot be told"),
        }
    }
}

fn read(line: &Line, meaning: &mut Meaning) {
    // A list between braces is several files.
    for file in line.values("T").filter(|file| file.literal() != Some(".")) {
        match file.literal() {
            Some(text) if text.contains(['{', '[']) => meaning.reads_below(&Word::Literal("/".to_owned())),
            _ => meaning.reads(file),
        }
    }
    for given in &line.given {
        let Some(value) = &given.value else { continue };
        let file = match given.name {
            "d" | "data-ascii" | "data-binary" | "json" | "H" | "proxy-header" | "w" => after(value, "", "@"),
            "data-urlencode" | "url-query" | "variable" => after(value, "name", "@"),
            "F" => form(value, meaning),
            // Without `=` it is the name of a file.
            "b" => (!value.start().contains('=')).then(|| value.clone()),
            // A password may follow.
            "E" => Some(cut(value, ':')),
            "alt-svc" | "hsts" | "ssl-sessions" => Some(value.clone()),
            _ => None,
        };
        if let Some(file) = file {
            meaning.reads(&file);
        }
    }
    let is_other = line.values("proto-default").any(|name| {
        name.literal().is_none_or(|name| !matches!(name.to_ascii_lowercase().as_str(), "http" | "https"))
    });
    let uploads = line.has("T");
    for address in line.words().chain(line.values("url")) {
        match local_file(address) {
            Some(None) if !is_other => {}
            Some(Some(_)) | None if uploads => {
                meaning.unreadable("`curl -T` writes the file that the address names");
            }
            Some(Some(path)) => meaning.reads(&Word::Literal(path)),
            Some(None) | None => meaning.reads_below(&Word::Literal("/".to_owned())),
        }
    }
}

/// What follows the sign, if it stands at the beginning, or after a name.
fn after(value: &Word, name: &str, sign: &str) -> Option<Word> {
    let start = value.start();
    let at = start.find(sign)?;
    let is_file = at == 0 || (!name.is_empty() && !start[..at].contains('='));
    is_file.then(|| value.after(at + sign.len()))
}

/// `name=@file;type=x`, `name=<file`, `name=@one,two`.
fn form(value: &Word, meaning: &mut Meaning) -> Option<Word> {
    let content = value.after(value.start().find('=')? + 1);
    // Of each part the headers may come from files, too.
    for part in content.start().split([';', ',']).skip(1) {
        let file = part.split_once('@').map(|(_, file)| file).filter(|file| !file.is_empty());
        let file = file.or_else(|| (!part.contains('=')).then_some(part));
        file.into_iter()
            .for_each(|file| meaning.reads(&Word::Literal(file.trim().trim_matches('"').to_owned())));
    }
    let sign = content.start().starts_with(['@', '<']);
    sign.then(|| cut(&cut(&content.after(1), ';'), ',')).map(unquoted)
}

fn unquoted(word: Word) -> Word {
    match word {
        Word::Literal(text) => Word::Literal(text.trim_matches('"').to_owned()),
        other => other,
    }
}

fn cut(word: &Word, at: char) -> Word {
    match word {
        Word::Literal(text) => Word::Literal(text.split(at).next().unwrap_or_default().to_owned()),
        other => other.clone(),
    }
}
