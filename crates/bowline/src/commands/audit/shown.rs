//! One record on one line, for people.

use bowline_audit::Record;
use bowline_audit::read::Item;

use crate::paint::{BAD, BOLD, DIM, GOOD, NAME, complain, styled, tame, try_line};

/// Prints an item, and says whether anybody still reads. Machines get the record as it was written.
pub(crate) fn print(item: &Item, json: bool) -> bool {
    match item {
        Item::Record(entry) if json => try_line(serde_json::to_string(&entry.record).unwrap_or_default()),
        Item::Record(entry) if entry.is_genuine() => try_line(describe(&entry.record)),
        Item::Record(entry) => {
            let changed = styled(BAD, "  this record is not what was written");
            try_line(format_args!("{}\n{changed}", describe(&entry.record)))
        }
        Item::Damaged(damaged) => {
            complain(&format!("{}: {}", damaged.file.display(), damaged.damage));
            true
        }
    }
}

/// `08:30:00 find_symbol  allow (user default)  12 ms  src/lib.rs`
pub(crate) fn describe(record: &Record) -> String {
    let time = record.timestamp.get(11..19).unwrap_or(&record.timestamp);
    let mut words = vec![styled(DIM, time)];
    match &record.tool {
        Some(tool) => words.push(styled(BOLD, format_args!("{:<20}", tame(tool)))),
        None => words.push(styled(DIM, format_args!("{:<20}", record.event.as_str()))),
    }
    if record.tool.is_some() && record.event.as_str() != "call" {
        words.push(styled(DIM, record.event.as_str()));
    }
    if let (Some(verdict), Some(rule)) = (&record.verdict, &record.rule) {
        let style = if verdict == "allow" { GOOD } else { BAD };
        words.push(format!(
            "{} {}",
            styled(style, tame(verdict)),
            styled(DIM, format_args!("({})", tame(rule)))
        ));
    }
    if let Some(duration) = record.duration_ms {
        words.push(format!("{duration} ms"));
    }
    if let Some(file) = record.files.first() {
        let more = record.files_total.unwrap_or(record.files.len()) - 1;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        words.push(styled(NAME, format_args!("{}{more}", tame(file))));
    }
    if let Some(error) = &record.error_message {
        words.push(styled(BAD, tame(error)));
    }
    words.join("  ")
}
