//! The directives of C and C++: which lines stand between them.

use super::{Conditions, Stretch, is_word, length_of_string};

/// The conditions of a text of C or C++, but for the one that keeps a header from being read twice.
pub(in super::super) fn of_c(text: &str) -> Conditions {
    struct Open<'a> {
        line: u32,
        directive: &'a str,
        is_guard: bool,
    }
    let mut conditions = Conditions::default();
    let mut open: Vec<Open<'_>> = Vec::new();
    // The name that may turn out to be that of a guard.
    let mut guard: Option<&str> = None;
    let mut in_comment = false;
    let mut last = 0;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let code = without_comments(line, &mut in_comment);
        let code = code.trim();
        if code.is_empty() {
            continue;
        }
        let is_first = conditions.code.is_empty();
        let directive = code.strip_prefix('#').map(str::trim_start).unwrap_or_default();
        let name = directive.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_guarded = guard.take().is_some_and(|name| defined_by(directive) == Some(name));
        if let Some(opened) = open.last_mut().filter(|_| is_guarded) {
            opened.is_guard = true;
        }
        // A header may say twice that it is to be read once.
        if directive != "pragma once" {
            conditions.code.insert(number);
        }
        match name {
            "if" | "ifdef" | "ifndef" => {
                guard = guarded_by(line.trim()).filter(|_| is_first);
                open.push(Open { line: number, directive: line.trim(), is_guard: false });
            }
            "else" | "elif" | "elifdef" | "elifndef" => {
                if let Some(opened) = open.last_mut() {
                    opened.is_guard = false;
                }
            }
            "endif" => {
                if let Some(Open { line, directive, .. }) = open.pop().filter(|opened| !opened.is_guard) {
                    let condition = directive.to_owned();
                    conditions.stretches.push(Stretch { lines: line..=number, condition });
                }
            }
            _ => {}
        }
    }
    let unclosed = open.into_iter().filter(|opened| !opened.is_guard);
    conditions.stretches.extend(
        unclosed.map(|opened| Stretch { lines: opened.line..=last, condition: opened.directive.to_owned() }),
    );
    conditions
}

/// The name that must not be defined for what follows.
fn guarded_by(line: &str) -> Option<&str> {
    let directive = line.strip_prefix('#')?.trim_start();
    if let Some(name) = directive.strip_prefix("ifndef") {
        return name.split_whitespace().next();
    }
    let condition = directive.strip_prefix("if")?.trim_start().strip_prefix('!')?.trim_start();
    let name = condition.strip_prefix("defined")?.trim().trim_start_matches('(').trim_end_matches(')').trim();
    name.chars().all(is_word).then_some(name)
}

fn defined_by(directive: &str) -> Option<&str> {
    directive.strip_prefix("define")?.split_whitespace().next()
}

/// What is left of a line of C. `in_comment`: it begins, and then ends, in a comment.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut code = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        if *in_comment {
            let Some((_, behind)) = rest.split_once("*/") else { break };
            (*in_comment, rest) = (false, behind);
            continue;
        }
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => break,
            [b'/', b'*', ..] => {
                (*in_comment, rest) = (true, &rest[2..]);
                code.push(' ');
                continue;
            }
            [b'"' | b'\'', ..] => length_of_string(rest),
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        code.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    code
}

#[cfg(test)]
mod tests {
    use super::super::first_changed;
    use super::*;

    fn c(text: &str, old: &str, new: &str) -> Option<String> {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        let changed = first_changed(text, &text.replace(old, new), of_c);
        changed.map(|(line, condition)| format!("{line}: {condition}"))
    }

    const C: &str = r#"/* A header.
#if in a comment
*/
#ifndef A_H
#define A_H

int one(void);
#ifdef _WIN32
int two(void);
#else // not there
int three(void); /* four */
#endif
const char *s = "/*";
#if defined(X) && \
    defined(Y)
int five(void);
#endif
int six(void);
#endif
"#;

    #[test]
    fn code_between_directives_is_conditional_and_a_guard_is_none() {
        for (old, said) in [
            ("one", None),
            ("two", Some("9: #ifdef _WIN32")),
            ("three", Some("11: #ifdef _WIN32")),
            ("_WIN32", Some("8: #ifdef other")),
            ("five", Some("16: #if defined(X) && \\")),
            ("six", None),
            ("A header", None),
        ] {
            assert_eq!(c(C, old, "other").as_deref(), said, "{old}");
        }
        assert_eq!(c("#if !defined(A)\n#define A\nint a;\n#endif\n", "int", "long"), None);
        let later = "int b;\n#ifndef A\n#define A\nint a;\n#endif\n";
        assert_eq!(c(later, "int a", "long a").as_deref(), Some("4: #ifndef A"), "it guards a part only");
        assert_eq!(c("#ifndef A\nint a;\n#endif\n", "int", "long").as_deref(), Some("2: #ifndef A"));
    }
}
