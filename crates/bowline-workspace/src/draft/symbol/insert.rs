//! Code before and behind a symbol, on lines of its own.

use std::ops::Range;

use bowline_syntax::{Bond, Commas, Language, Place};

use super::code::Code;
use super::lines::{
    blank_before, blank_behind, indent_at, is_first_on_line, is_last_on_line, line_end, line_of, line_start,
    unit,
};
use super::{Refused, Splices, Target};

pub(super) fn before(target: &Target<'_>, code: &str) -> Result<Vec<Splices>, Refused> {
    let value = &target.parts.value;
    keep_value(target, code, value.is_taken.then_some(&target.parts.item))?;
    let (anchor, commas) = anchor(target)?;
    let text = target.text();
    let is_own_line = is_first_on_line(text, anchor.start);
    if !is_own_line && let Some(commas) = commas {
        return inline(target, code, &commas, Side::Before);
    }
    if !is_own_line {
        return Err(shares(text, anchor.start));
    }
    let at = line_start(text, anchor.start);
    let code = some_code(target, code, at)?;
    // A comment or an attribute belongs to what is below it.
    let gap = if code.all_begin_with(attached(target.parsed.language())) {
        0
    } else {
        gap(target, &anchor, Side::Before)
    };
    let code = if commas.is_some() { code.ending(with_comma) } else { code };
    let fitted = code.fit(indent_at(text, anchor.start), &unit(target.parsed));
    Ok(vec![vec![(at..at, format!("{fitted}\n{}", "\n".repeat(gap)))]])
}

pub(super) fn after(target: &Target<'_>, code: &str) -> Result<Vec<Splices>, Refused> {
    keep_value(target, code, target.parts.value.taken_by.as_ref())?;
    let (anchor, commas) = anchor(target)?;
    let text = target.text();
    let is_own_line = is_first_on_line(text, anchor.start) && is_last_on_line(text, anchor.end);
    if !is_own_line && let Some(commas) = commas {
        return inline(target, code, &commas, Side::After);
    }
    if !is_own_line {
        return Err(shares(text, anchor.end));
    }
    let at = line_end(text, anchor.end);
    let mut code = some_code(target, code, at)?;
    let mut splices = Splices::new();
    if let Some(commas) = &commas {
        code = match &commas.behind {
            Some(_) => code.ending(with_comma),
            None => {
                let end = target.parts.item.end;
                splices.push((end..end, ",".to_owned()));
                code.ending(without_comma)
            }
        };
    }
    let fitted = code.fit(indent_at(text, anchor.start), &unit(target.parsed));
    let gap = gap(target, &anchor, Side::After);
    splices.push((at..at, format!("\n{}{fitted}", "\n".repeat(gap))));
    Ok(vec![splices])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// What the code is put beside; and the commas, if that is an element of a list.
fn anchor(target: &Target<'_>) -> Result<(Range<usize>, Option<Commas>), Refused> {
    match &target.parts.place {
        Place::Alone => Ok((target.parts.whole.clone(), None)),
        Place::Element(commas) => Ok((target.parts.whole.clone(), Some(commas.clone()))),
        Place::Part { of, .. } => Ok((of.clone(), None)),
        Place::Bound { of, why: Bond::Parameter } => {
            Err(Refused::BoundParameter { line: line_of(target.text(), of.start) })
        }
        Place::Bound { of, .. } => Ok((of.clone(), None)),
    }
}

fn some_code(target: &Target<'_>, code: &str, at: usize) -> Result<Code, Refused> {
    let code = Code::new(target, code, at);
    if code.is_empty() { Err(Refused::EmptyCode) } else { Ok(code) }
}

/// An element of a list that is written on one line.
fn inline(target: &Target<'_>, code: &str, commas: &Commas, side: Side) -> Result<Vec<Splices>, Refused> {
    let item = &target.parts.item;
    let code = some_code(target, code, item.start)?;
    if !code.is_one_line() {
        return Err(shares(target.text(), item.start));
    }
    let code = code.trimmed();
    let code = code.trim_end_matches(',');
    let splice = match (side, &commas.behind) {
        (Side::Before, _) => (item.start..item.start, format!("{code}, ")),
        (Side::After, Some(comma)) => (comma.end..comma.end, format!(" {code},")),
        (Side::After, None) => (item.end..item.end, format!(", {code}")),
    };
    Ok(vec![vec![splice]])
}

/// A constant that has the value of the one before must not get another one's.
fn keep_value(target: &Target<'_>, code: &str, taker: Option<&Range<usize>>) -> Result<(), Refused> {
    match taker.filter(|_| code.contains('=')) {
        Some(taker) => Err(Refused::Repeated { line: line_of(target.text(), taker.start) }),
        None => Ok(()),
    }
}

fn shares(text: &str, at: usize) -> Refused {
    Refused::SharesLine { line: line_of(text, at) }
}

/// The empty lines between the code and the symbol: as many as are on that side of it, or else on the other.
fn gap(target: &Target<'_>, anchor: &Range<usize>, side: Side) -> usize {
    let text = target.text();
    let above = target.parts.follows.then(|| blank_before(text, anchor.start));
    let below = target.parts.precedes.then(|| blank_behind(text, anchor.end));
    let found = match side {
        Side::Before => above.or(below),
        Side::After => below.or(above),
    };
    found.unwrap_or_else(|| {
        let is_tall = text.get(target.parts.item.clone()).is_some_and(|item| item.contains('\n'));
        let is_outermost = indent_at(text, anchor.start).is_empty();
        match (is_tall, target.parsed.language()) {
            (false, _) => 0,
            (true, Language::Python) if is_outermost => 2,
            (true, _) => 1,
        }
    })
}

/// How a line begins that belongs to the symbol below it.
fn attached(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["#", "@"],
        Language::Ruby | Language::Bash => &["#"],
        Language::Rust => &["//", "/*", "*", "#["],
        Language::CSharp => &["//", "/*", "*", "["],
        Language::Php => &["//", "/*", "*", "#"],
        _ => &["//", "/*", "*", "@"],
    }
}

fn with_comma(line: &str) -> String {
    if line.trim_end().ends_with(',') { line.to_owned() } else { format!("{line},") }
}

fn without_comma(line: &str) -> String {
    line.trim_end().trim_end_matches(',').to_owned()
}
