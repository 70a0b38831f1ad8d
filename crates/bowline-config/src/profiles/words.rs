//! Values of a file with their places, read one by one: every mistake knows where it stands.

use std::time::{Duration, SystemTime};

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml::value::Offset;

use crate::servers::Mistake;

pub(super) type Value<'a> = Spanned<DeValue<'a>>;
pub(super) type Table<'a> = DeTable<'a>;

/// Longer than anything that is waited for.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;
const MOST_ENTRIES: usize = 200;

pub(super) fn wrong(at: usize, message: impl Into<String>) -> Mistake {
    Mistake { at, message: message.into() }
}

fn expected(value: &Value<'_>, what: &str) -> Mistake {
    wrong(value.span().start, format!("expected {what}, and this is {}", kind(value.get_ref())))
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "yes or no",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

pub(super) fn table<'a, 'i>(value: &'a Value<'i>, what: &str) -> Result<&'a Table<'i>, Mistake> {
    value.get_ref().as_table().ok_or_else(|| expected(value, what))
}

pub(super) fn list<'a, 'i>(value: &'a Value<'i>, what: &str) -> Result<Vec<&'a Value<'i>>, Mistake> {
    let list = value.get_ref().as_array().ok_or_else(|| expected(value, what))?;
    if list.len() > MOST_ENTRIES {
        let message = format!("there are {} of them; at most {MOST_ENTRIES} are read", list.len());
        return Err(wrong(value.span().start, message));
    }
    Ok(list.iter().collect())
}

pub(super) fn text<'a>(value: &'a Value<'_>, what: &str) -> Result<&'a str, Mistake> {
    let text = value.get_ref().as_str().ok_or_else(|| expected(value, what))?;
    if text.trim().is_empty() {
        return Err(wrong(value.span().start, format!("expected {what}, and this is empty")));
    }
    Ok(text)
}

/// A whole number from 1 on.
pub(super) fn count(value: &Value<'_>) -> Result<u64, Mistake> {
    let DeValue::Integer(number) = value.get_ref() else {
        return Err(expected(value, "a whole number from 1 on"));
    };
    let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
    let number = number.and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0);
    number.ok_or_else(|| wrong(value.span().start, "expected a whole number from 1 on"))
}

/// More than none, and not for ever.
pub(super) fn seconds(value: &Value<'_>) -> Result<Duration, Mistake> {
    let seconds = match value.get_ref() {
        DeValue::Integer(_) => count(value).map(|seconds| seconds as f64)?,
        DeValue::Float(number) => number.as_str().parse().unwrap_or(f64::NAN),
        _ => return Err(expected(value, "a number of seconds")),
    };
    let sane = seconds > 0.0 && seconds <= MOST_SECONDS;
    let duration = sane.then(|| Duration::try_from_secs_f64(seconds).ok()).flatten();
    duration.filter(|duration| !duration.is_zero()).ok_or_else(|| {
        wrong(value.span().start, "expected seconds: more than 0, and at most those of a year")
    })
}

/// A moment that means the same everywhere.
pub(super) fn moment(value: &Value<'_>) -> Result<SystemTime, Mistake> {
    let at = value.span().start;
    let Some(written) = value.get_ref().as_datetime() else {
        return Err(expected(value, "a moment such as 2026-12-01T12:00:00Z, without quotes"));
    };
    let (Some(date), Some(time), Some(offset)) = (written.date, written.time, written.offset) else {
        let message = "a deadline needs date, time and offset, such as 2026-12-01T12:00:00Z or …+01:00";
        return Err(wrong(at, message));
    };
    let minutes = match offset {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    let seconds = time.second.unwrap_or(0);
    let text = format!("{date}T{:02}:{:02}:{seconds:02}Z", time.hour, time.minute);
    let local = bowline_std::clock::parse_rfc3339(&text);
    let away = Duration::from_secs(minutes.unsigned_abs() * 60);
    let moment = local.and_then(|local| match minutes {
        1.. => local.checked_sub(away),
        _ => local.checked_add(away),
    });
    moment.ok_or_else(|| wrong(at, "there is no such moment"))
}

/// What is in a table besides these keys is a mistake.
pub(super) fn only(table: &Table<'_>, known: &[&str]) -> Result<(), Mistake> {
    for key in table.keys() {
        let name: &str = key.get_ref();
        if !known.contains(&name) {
            let known = known.join("`, `");
            let message = format!("`{}` is not known here: `{known}` are", name.escape_debug());
            return Err(wrong(key.span().start, message));
        }
    }
    Ok(())
}
