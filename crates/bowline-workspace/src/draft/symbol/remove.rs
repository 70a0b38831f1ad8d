//! A symbol is taken out, with everything that was there for its sake.

use std::ops::Range;

use bowline_syntax::{Bond, Commas, Place};

use super::lines::{
    blank_before, blank_behind, is_first_on_line, is_last_on_line, line_end, line_of, line_start, next_line,
};
use super::{Refused, Splices, Target};

pub(super) fn candidates(target: &Target<'_>) -> Result<Vec<Splices>, Refused> {
    let text = target.text();
    let whole = &target.parts.whole;
    let value = &target.parts.value;
    if let Some(next) = value.taken_by.as_ref().filter(|_| !value.is_taken) {
        return Err(Refused::Repeated { line: line_of(text, next.start) });
    }
    let splices = match &target.parts.place {
        Place::Bound { of, why } => {
            let line = line_of(text, of.start);
            return Err(match why {
                Bond::Names => Refused::BoundNames { line },
                Bond::Parameter => Refused::BoundParameter { line },
                Bond::Expression => Refused::BoundExpression { line },
            });
        }
        Place::Part { commas, .. } => vec![(from_list(text, &target.parts.item, commas), String::new())],
        // A suite must hold a statement.
        Place::Alone if target.parsed.is_alone_in_suite(&target.parts.item) => {
            vec![(whole.clone(), "pass".to_owned())]
        }
        Place::Alone if is_own(text, whole) => vec![(whole_lines(target), String::new())],
        Place::Alone => vec![(on_line(text, whole), String::new())],
        Place::Element(commas) if is_own(text, whole) => {
            let mut splices = vec![(whole_lines(target), String::new())];
            if commas.behind.is_none()
                && let Some(comma) = &commas.before
            {
                splices.push((comma.clone(), String::new()));
            }
            splices
        }
        Place::Element(commas) => vec![(from_list(text, &target.parts.item, commas), String::new())],
    };
    Ok(vec![splices])
}

/// It has its lines to itself.
fn is_own(text: &str, whole: &Range<usize>) -> bool {
    is_first_on_line(text, whole.start) && is_last_on_line(text, whole.end)
}

/// All of its lines, and the empty ones that kept it apart from what is beside it.
fn whole_lines(target: &Target<'_>) -> Range<usize> {
    let text = target.text();
    let whole = &target.parts.whole;
    let mut start = line_start(text, whole.start);
    let mut end = next_line(text, whole.end);
    let above = blank_before(text, whole.start);
    let below = blank_behind(text, whole.end);
    // The wider one of the two gaps stays, unless it keeps nothing apart.
    let takes_above = match (target.parts.follows, target.parts.precedes) {
        (true, true) => above <= below,
        (true, false) => true,
        (false, _) => false,
    };
    if takes_above {
        for _ in 0..above {
            start = line_start(text, start.saturating_sub(1));
        }
    } else if target.parts.precedes {
        for _ in 0..below {
            end = next_line(text, end);
        }
    }
    // The last line of a text without a line end takes the one before along.
    if line_end(text, whole.end) == text.len() && start > 0 && !text.ends_with('\n') {
        start = line_end(text, line_start(text, start.saturating_sub(1)));
    }
    start..end
}

/// Its part of a line, and the space that kept it apart.
fn on_line(text: &str, whole: &Range<usize>) -> Range<usize> {
    let rest = text.get(whole.end..line_end(text, whole.end)).unwrap_or_default();
    let space = rest.len() - rest.trim_start().len();
    if space < rest.len() {
        return whole.start..whole.end + space;
    }
    let before = text.get(..whole.start).unwrap_or_default();
    before.trim_end_matches([' ', '\t']).len()..whole.end
}

/// Its part of a list, and one comma.
fn from_list(text: &str, item: &Range<usize>, commas: &Commas) -> Range<usize> {
    match (&commas.behind, &commas.before) {
        (Some(comma), _) => {
            let rest = text.get(comma.end..).unwrap_or_default();
            item.start..comma.end + (rest.len() - rest.trim_start().len())
        }
        (None, Some(comma)) => comma.start..item.end,
        (None, None) => on_line(text, item),
    }
}
