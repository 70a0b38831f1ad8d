//! What must hold after an edit: what could be read can still be read, and every other symbol is what it was.

use std::collections::HashSet;
use std::ops::Range;

use bowline_code::{IndexedSymbol, SymbolKind};
use bowline_syntax::{Fault, Parsed, Style};

use super::lines::{bytes_of, line_of};
use super::{Change, Moved, Refused, Splices, Target, spliced};

/// The text with the splices made, if it may be so.
pub(super) fn applied(target: &Target<'_>, change: Change<'_>, splices: Splices) -> Result<String, Refused> {
    let (text, moved) = spliced(target.text(), splices);
    if text == target.text() {
        return Ok(text);
    }
    let after = (target.parse)(&text).map_err(|_| Refused::Unparsed)?;
    readable(target.parsed, &after, &moved)?;
    others(target.parsed, &after, &moved)?;
    match change {
        Change::Body(_) => body(target, &after, &moved)?,
        Change::Before(_) | Change::After(_) => stays(target, &after, &moved)?,
        Change::Delete => alone(target, &after, &moved)?,
        Change::Whole(_) => {}
    }
    Ok(text)
}

/// There is nothing that the grammar cannot read and could before. What was wrong in a stretch that is replaced does not
/// pay for what is wrong elsewhere, and new text has no fault of its own.
fn readable(before: &Parsed, after: &Parsed, moved: &[Moved]) -> Result<(), Refused> {
    if !after.has_error() {
        return Ok(());
    }
    let (mut was, is) = (before.faults(), after.faults());
    was.retain(|fault| !moved.iter().any(|moved| holds(&moved.before, &fault.bytes)));
    let known: HashSet<usize> = was.iter().filter_map(|fault| shifted(moved, fault.bytes.start)).collect();
    let mut new = is.iter().filter(|fault| !known.contains(&fault.bytes.start));
    if let Some(own) = new.clone().find(|fault| moved.iter().any(|moved| meets(&moved.after, &fault.bytes))) {
        return Err(unreadable(after, own));
    }
    if is.len() <= was.len() {
        return Ok(());
    }
    new.next().or(is.first()).map_or(Ok(()), |fault| Err(unreadable(after, fault)))
}

fn holds(stretch: &Range<usize>, fault: &Range<usize>) -> bool {
    !stretch.is_empty() && stretch.start <= fault.start && fault.end <= stretch.end
}

/// A missing token is an empty range, which may stand at either end.
fn meets(stretch: &Range<usize>, fault: &Range<usize>) -> bool {
    let overlaps = fault.start < stretch.end && stretch.start < fault.end;
    let is_missing_there = fault.is_empty() && stretch.start <= fault.start && fault.start <= stretch.end;
    !stretch.is_empty() && (overlaps || is_missing_there)
}

fn unreadable(after: &Parsed, fault: &Fault) -> Refused {
    let text = after.text();
    let found = match &fault.missing {
        Some(token) => format!("`{token}` is missing"),
        None => {
            let line =
                text.get(fault.bytes.clone()).unwrap_or_default().trim().lines().next().unwrap_or_default();
            format!("`{}`", line.chars().take(60).collect::<String>())
        }
    };
    Refused::Unreadable { line: line_of(text, fault.bytes.start), found }
}

/// Every symbol that the edit is not about is where it was, with the same name in the same container.
fn others(before: &Parsed, after: &Parsed, moved: &[Moved]) -> Result<(), Refused> {
    let now = after.flat_symbols();
    let key = |symbol: &IndexedSymbol, at: usize| (at, symbol.container.clone(), symbol.name.clone());
    let there: HashSet<_> =
        now.iter().map(|symbol| key(symbol, bytes_of(after, symbol.selection).start)).collect();
    let named: HashSet<_> = now.iter().map(|symbol| (&symbol.container, &symbol.name)).collect();
    for symbol in before.flat_symbols() {
        let at = bytes_of(before, symbol.selection).start;
        let Some(is_at) = shifted(moved, at) else { continue };
        // Where the first assignment declares a variable, another one may be the first now.
        let is_elsewhere = !symbol.kind.is_callable()
            && symbol.kind != SymbolKind::Class
            && named.contains(&(&symbol.container, &symbol.name));
        if !is_elsewhere && !there.contains(&key(&symbol, is_at)) {
            let line = symbol.selection.start.line;
            return Err(Refused::Harms { other: symbol.name, line });
        }
    }
    Ok(())
}

/// Nothing went with the symbol but what is nested in it: `a = b = 1` declares two.
fn alone(target: &Target<'_>, after: &Parsed, moved: &[Moved]) -> Result<(), Refused> {
    let own = &target.named.name;
    let range = bytes_of(target.parsed, target.named.range);
    let body = target.parts.body.as_ref().map(|body| body.outer.clone());
    let now = after.flat_symbols();
    let named: HashSet<_> = now.iter().map(|symbol| (&symbol.container, &symbol.name)).collect();
    for symbol in target.parsed.flat_symbols() {
        let at = bytes_of(target.parsed, symbol.selection).start;
        if at == target.selection.start || shifted(moved, at).is_some() {
            continue;
        }
        let below = symbol.container.strip_prefix(own.as_str());
        // What a method assigns may be a field of its class, and stands inside the method all the same.
        let is_nested = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            || body.as_ref().is_some_and(|body| body.contains(&at))
            || (holds_others(target.named.kind) && range.contains(&at));
        if !is_nested && !named.contains(&(&symbol.container, &symbol.name)) {
            return Err(Refused::BoundNames { line: line_of(target.text(), target.selection.start) });
        }
    }
    Ok(())
}

/// Whatever is written inside of such a symbol is there for its sake.
fn holds_others(kind: SymbolKind) -> bool {
    !matches!(kind, SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field | SymbolKind::Property)
}

/// What was put in is the body, from its first byte to its last.
fn body(target: &Target<'_>, after: &Parsed, moved: &[Moved]) -> Result<(), Refused> {
    let text = after.text();
    let put = moved.first().map(|moved| moved.after.clone()).unwrap_or_default();
    let spills = Refused::Spills { line: line_of(text, put.end) };
    let Some(is) = target_after(target, after, moved).and_then(|parts| parts.body) else {
        let was_suite =
            target.parts.body.as_ref().is_some_and(|body| matches!(body.style, Style::Indented { .. }));
        return Err(if was_suite { Refused::EmptyBody } else { spills });
    };
    let same = match is.style {
        Style::Indented { .. } => {
            // A comment that stood behind the body on its line is now inside of it.
            let (is, put) = (solid(text, &is.outer), solid(text, &put));
            let rest = text.get(put.end..is.end.max(put.end)).unwrap_or_default().trim_start();
            is.start == put.start && is.end >= put.end && (rest.is_empty() || rest.starts_with('#'))
        }
        Style::Delimited | Style::Keyword | Style::Expression { .. } => is.outer == put,
    };
    // `=> value;` as a block has no semicolon of its own.
    let is_clause =
        matches!(is.style, Style::Expression { .. }) && solid(text, &is.outer) == solid(text, &put);
    if same || is_clause { Ok(()) } else { Err(spills) }
}

/// The symbol ends where it did.
fn stays(target: &Target<'_>, after: &Parsed, moved: &[Moved]) -> Result<(), Refused> {
    let line = line_of(target.text(), target.selection.start);
    let harms = Refused::Harms { other: target.named.name.clone(), line };
    let is = target_after(target, after, moved).ok_or(harms.clone())?;
    let was = &target.parts.item;
    let length = was.end - target.selection.start;
    let selection = shifted(moved, target.selection.start).ok_or(harms.clone())?;
    if is.item.end == selection + length { Ok(()) } else { Err(harms) }
}

fn target_after(target: &Target<'_>, after: &Parsed, moved: &[Moved]) -> Option<bowline_syntax::Parts> {
    let start = shifted(moved, target.selection.start)?;
    after.parts(&(start..start + target.selection.len()))
}

/// The range without white space at its ends.
fn solid(text: &str, range: &Range<usize>) -> Range<usize> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..start.max(range.start + inside.trim_end().len())
}

/// Where a byte of the text before is now, unless it was replaced.
fn shifted(moved: &[Moved], at: usize) -> Option<usize> {
    let mut is_at = at;
    for stretch in moved {
        if at < stretch.before.start {
            break;
        }
        if at < stretch.before.end {
            return None;
        }
        is_at = at - stretch.before.end + stretch.after.end;
    }
    Some(is_at)
}
