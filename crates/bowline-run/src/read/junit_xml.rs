//! Reports in JUnit's XML: the files `TEST-*.xml` that Surefire writes to `target/surefire-reports`, and Gradle to
//! `build/test-results/TASK`. Several files may be given one after the other. Tests are named `shop.CartTest.adds`.

use super::java::{self, Trace};
use super::text;
use crate::{Failure, Report};

pub(crate) fn read(xml: &str) -> Report {
    let mut report = Report::default();
    let mut rest = xml;
    while let Some(at) = rest.find("<testcase") {
        let (tag, after) = opened(&rest[at..]);
        // What belongs to the next test is not this one's, even where the file is broken.
        let next = after.find("<testcase").unwrap_or(after.len());
        let end = if tag.is_closed { 0 } else { after[..next].find("</testcase>").unwrap_or(next) };
        let counts = report.counts.get_or_insert_default();
        match outcome(&after[..end]) {
            Outcome::Passed => counts.passed += 1,
            Outcome::Skipped => counts.skipped += 1,
            Outcome::Failed(failed, content) => {
                counts.failed += 1;
                report.failures.push(failure(&tag, &failed, content));
            }
        }
        rest = &after[end..];
    }
    report
}

enum Outcome<'a> {
    Passed,
    Skipped,
    Failed(Tag<'a>, &'a str),
}

fn outcome(body: &str) -> Outcome<'_> {
    // What a test printed may look like anything.
    let body = body.split("<system-out").next().unwrap_or(body).split("<system-err").next().unwrap_or(body);
    let failed = ["failure", "error"].iter().find_map(|word| {
        let at = body.find(&format!("<{word}"))?;
        let (tag, after) = opened(&body[at..]);
        let content =
            if tag.is_closed { "" } else { after.split(&format!("</{word}>")).next().unwrap_or(after) };
        Some(Outcome::Failed(tag, content))
    });
    failed.unwrap_or(if body.contains("<skipped") { Outcome::Skipped } else { Outcome::Passed })
}

fn failure(test: &Tag<'_>, failed: &Tag<'_>, content: &str) -> Failure {
    let class = test.attribute("classname").or_else(|| test.attribute("class")).unwrap_or_default();
    let name = test.attribute("name").unwrap_or_default();
    let method = name.split(['(', '[']).next().unwrap_or(&name).trim();
    let mut trace = Trace::default();
    for line in entities(content).lines().take(2_000) {
        trace.push(line, &class, method);
    }
    let (file, line) = trace.place();
    let message = match failed.attribute("message") {
        Some(message) if !message.is_empty() => text::bounded(java::without_class(&message)),
        _ => trace.message(),
    };
    let test_name = match (class.is_empty(), method.is_empty()) {
        (true, _) => name.clone(),
        (false, true) => class,
        (false, false) => format!("{class}.{method}"),
    };
    Failure { test_name, file, line, message }
}

struct Tag<'a> {
    attributes: &'a str,
    is_closed: bool,
}

/// The tag that the text begins with, and what follows it. A `>` within quotes is part of a value.
fn opened(text: &str) -> (Tag<'_>, &str) {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '>') => {
                let attributes = &text[..at];
                return (Tag { attributes, is_closed: attributes.ends_with('/') }, &text[at + 1..]);
            }
            _ => {}
        }
    }
    (Tag { attributes: text, is_closed: true }, "")
}

impl Tag<'_> {
    fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        // Values are skipped whole: they may hold what looks like an attribute.
        while let Some(at) = rest.find('=') {
            let key = rest[..at].rsplit(char::is_whitespace).next().unwrap_or_default();
            let quote = rest[at + 1..].chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, after) = rest[at + 2..].split_once(quote)?;
            if key == name {
                return Some(entities(value));
            }
            rest = after;
        }
        None
    }
}

/// `&lt;` → `<`, and CDATA as it is.
fn entities(text: &str) -> String {
    let text = text.trim().strip_prefix("<![CDATA[").map_or(text, |inner| inner.trim_end_matches("]]>"));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let end = after.bytes().take(10).position(|byte| byte == b';');
        let decoded = end.and_then(|end| Some((character(after.get(..end)?)?, end)));
        match decoded {
            Some((c, end)) => {
                out.push(c);
                rest = &after[end + 1..];
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    text::plain(&out).into_owned()
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests;
