//! Secrets do not belong into a log: what has the shape of one is masked before it is remembered.
//!
//! Shapes are all that can be seen from here. A password in the middle of a sentence stays.

use std::sync::LazyLock;

use bowline_std::text;
use regex::Regex;

const MASK: &str = "[redacted]";
const TEMPLATE: &str = "${keep}[redacted]${after}";
/// More than any field may hold; what lies behind is never looked at.
const LONGEST: usize = 8 << 10;

/// What a secret looks like. The groups `keep` and `after`, where there are any, stay readable. Classes are ASCII, so that the
/// patterns do not depend on which tables the regex crate was built with.
const SHAPES: [&str; 11] = [
    // A block may be cut off before its end.
    r"(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|\z)",
    r"(?P<keep>(?-u:\b)|_)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
    r"(?P<keep>(?-u:\b)|_)sk-[A-Za-z0-9_-]{8,}",
    r"(?P<keep>(?-u:\b)|_)(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{8,}",
    r"(?P<keep>(?-u:\b)|_)(?:glpat-|npm_|pypi-|hf_|AIza)[A-Za-z0-9_-]{16,}",
    r"(?P<keep>(?-u:\b)|_)(?:AKIA|ASIA)[A-Z0-9]{12,}",
    r"(?P<keep>(?-u:\b)|_)xox[a-z]-[A-Za-z0-9-]{8,}",
    r"(?P<keep>(?i-u:\bbearer)[ \t]+)[A-Za-z0-9._~+/=-]{6,}",
    r"(?P<keep>(?i-u:\bauthorization)[ \t]*[:=][ \t]*(?:(?i-u:basic|token)[ \t]+)?)[A-Za-z0-9._~+/=-]{8,}",
    // The password in `scheme://user:password@address`.
    r"(?P<keep>://[^/ \t\r\n:@]{0,80}:)[^/ \t\r\n@]+(?P<after>@)",
    // `password=…`, `"api_key": "…"`, also where the quotes are escaped once more. Code has
    // `Token::End`, and compilers say "token: `x`"; neither is meant.
    concat!(
        r"(?P<keep>(?i-u:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?:api|access|private|auth)[_-]?key)",
        r#"[A-Za-z0-9_-]{0,40}\\?["']?[ \t]*[:=][ \t]*)"#,
        r#"(?:\\?"[^"\r\n]+"?|\\?'[^'\r\n]+'?|[^ \t\r\n"'`&,;:=][^ \t\r\n"'&,;]{2,})"#,
    ),
];

/// All shapes, or nothing where one of them is no pattern.
static PATTERNS: LazyLock<Option<Vec<Regex>>> =
    LazyLock::new(|| SHAPES.iter().map(|shape| Regex::new(shape).ok()).collect());

/// What the secrets that are made of lower-case letters, digits, `_` and `-` alone begin with.
const PLAIN_SECRETS: [&str; 8] = ["gh", "github_pat_", "npm_", "hf_", "sk-", "glpat-", "pypi-", "xox"];

/// Whether no shape can be in it. That is so for the names of tools and clients, which are in every record; the patterns
/// are not even compiled for them.
fn is_plain(text: &str) -> bool {
    let plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    text.len() <= 100
        && text.as_bytes().iter().all(plain)
        && !PLAIN_SECRETS.iter().any(|secret| text.contains(secret))
}

/// The text, at most its first 8 KiB, with everything masked that looks like a secret.
pub fn redact(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    // If it cannot be told what is secret, everything is.
    let Some(patterns) = &*PATTERNS else {
        return MASK.to_owned();
    };
    let text = text::prefix(text, LONGEST).to_owned();
    patterns.iter().fold(text, |text, pattern| pattern.replace_all(&text, TEMPLATE).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_shape_is_a_pattern() {
        assert!(PATTERNS.is_some());
    }

    #[test]
    fn names_of_tools_are_plain_and_secrets_are_not() {
        for name in ["find_references", "get_skill_phase", "rust-expand_macro", "claude-code", "bench"] {
            assert!(is_plain(name), "{name}");
        }
        for secret in
            ["ghp_aaaaaaaaaaaa", "github_pat_aaaaaaaa", "xoxb-1234567890", "sk-aaaaaaaaaa", "a b", "A"]
        {
            assert!(!is_plain(secret), "{secret}");
        }
    }

    proptest! {
        #[test]
        fn plain_is_what_no_pattern_masks(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "gh", "ghp_", "github_pat_", "npm_", "hf_", "sk-", "glpat-", "pypi-", "xoxb-", "eyj", "token",
                    "password", "bearer", "authorization", "-----", "_", "-", "a", "0123456789abcdef", "key", "akia",
                ]),
                0..8,
            )
        ) {
            let text = parts.concat();
            let masked = PATTERNS.as_ref().unwrap().iter().any(|pattern| pattern.is_match(&text));
            prop_assert!(!(is_plain(&text) && masked), "{}", text);
        }
    }

    #[test]
    fn masks_what_looks_like_a_secret() {
        let texts = [
            "key sk-ant-api03-AbCdEf_123456 was refused",
            "clone with ghp_16C7e42F292c6912E7710c838347Ae178B4a failed",
            "github_pat_11ABCDEFG0abcdefghijkl_mnop",
            "AKIAIOSFODNN7EXAMPLE in eu-west-1",
            "xoxb-123456789012-abcdefGHIJ posted",
            "Authorization: Bearer abc.def-ghi/jkl=",
            "authorization: Basic dXNlcjpwYXNzd29yZA==",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "DB_PASSWORD=hunter2 cargo run",
            "{\"api_key\": \"very secret\", \"port\": 80}",
            "\\\"token\\\":\\\"abc def\\\"",
            "postgres://me:hunter2@db.example/main",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb",
        ];
        let masked = texts.iter().fold(String::new(), |mut out, text| {
            writeln!(out, "{}", redact(text)).unwrap();
            out
        });
        assert_snapshot!(masked, @r#"
        key [redacted] was refused
        clone with [redacted] failed
        [redacted]
        [redacted] in eu-west-1
        [redacted] posted
        Authorization: Bearer [redacted]
        authorization: Basic [redacted]
        [redacted]
        DB_PASSWORD=[redacted] cargo run
        {"api_key": [redacted], "port": 80}
        \"token\":[redacted]
        postgres://me:[redacted]@db.example/main
        [redacted]
        after
        [redacted]
        "#);
    }

    #[test]
    fn leaves_ordinary_text_alone() {
        for text in [
            "expected one of `;` or `}`, found token `fn`",
            "unexpected token: `}`",
            "cannot find `ask-question` in risk-assessment",
            "if token == Token::End { return }",
            "https://example.com:8080/path",
            "basic functionality is missing",
        ] {
            assert_eq!(redact(text), text);
        }
    }

    proptest! {
        #[test]
        fn a_secret_is_found_whatever_stands_around_it(
            before in r#"(?s).{0,200}|([a-z]{0,9}(token|password)?[=:"' \\]{0,3}(sk-|ghp_|eyJ)?){0,40}"#,
            secret in "(sk-|ghp_|xoxb-)[a-z0-9]{20}",
            after in "(?s).{0,50}",
        ) {
            let masked = redact(&format!("{before} {secret} {after}"));
            prop_assert!(!masked.contains(&secret), "{}", masked);
        }
    }
}
