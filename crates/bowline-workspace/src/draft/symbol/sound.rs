//! Whether a symbol is all there: what the grammar could not read to its end has parts that are guesses, and so has what
//! a preprocessor directive cuts in two.

use bowline_syntax::{Fault, Language};

use super::lines::line_of;
use super::{Refused, Target};

/// Refuses a symbol with something unreadable in it or at its ends. Inside of its body, anything may stand.
pub(super) fn check(target: &Target<'_>) -> Result<(), Refused> {
    directives(target)?;
    if !target.parsed.has_error() {
        return Ok(());
    }
    let text = target.text();
    let item = &target.parts.item;
    let body = target.parts.body.as_ref().map(|body| &body.inner);
    let touches = |fault: &Fault| fault.bytes.start <= item.end && item.start <= fault.bytes.end;
    let is_in_body = |fault: &Fault| {
        body.is_some_and(|body| body.start <= fault.bytes.start && fault.bytes.end <= body.end)
    };
    // What is unreadable around the whole of it says nothing about its own parts.
    let is_around = |fault: &Fault| fault.bytes.start < item.start && item.end < fault.bytes.end;
    let faults = target.parsed.faults();
    let cut = faults.iter().find(|fault| touches(fault) && !is_in_body(fault) && !is_around(fault));
    let Some(fault) = cut else { return Ok(()) };
    let found = match &fault.missing {
        Some(token) => format!("`{token}` is missing"),
        None => "it cannot be read".to_owned(),
    };
    Err(Refused::Cut { line: line_of(text, fault.bytes.start), found })
}

/// Every `#if` in it ends in it, and no other one does.
fn directives(target: &Target<'_>) -> Result<(), Refused> {
    if !matches!(target.parsed.language(), Language::C | Language::Cpp | Language::CSharp) {
        return Ok(());
    }
    let item = &target.parts.item;
    let inside = target.text().get(item.clone()).unwrap_or_default();
    let mut open: Vec<usize> = Vec::new();
    let mut at = item.start;
    for line in inside.split_inclusive('\n') {
        let word = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
        let is_cut = if word.starts_with("if") {
            open.push(at);
            false
        } else if word.starts_with("endif") {
            open.pop().is_none()
        } else {
            word.starts_with("el") && open.is_empty()
        };
        if is_cut {
            return Err(cut(target, at));
        }
        at += line.len();
    }
    open.first().map_or(Ok(()), |at| Err(cut(target, *at)))
}

fn cut(target: &Target<'_>, at: usize) -> Refused {
    let line = target.text().get(at..).unwrap_or_default().lines().next().unwrap_or_default();
    let found = format!("`{}`", line.trim().chars().take(60).collect::<String>());
    Refused::Cut { line: line_of(target.text(), at), found }
}
