//! One record on one line, for people.

use bowline_audit::read::Item;
use bowline_audit::{AllowedToolsPolicy, Record, RecordedDiscovery};

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
    if let Some(answer) = &record.answer {
        words.push(styled(DIM, format_args!("answered: {}", tame(answer))));
    }
    if let Some(skill) = &record.skill {
        words.push(styled(NAME, skill_of(record, skill)));
    }
    if let Some(discovery) = &record.discovery {
        words.push(found(discovery));
    }
    if let Some(policy) = &record.skills_allowed_tools {
        words.push(styled(DIM, allowed(policy)));
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

/// `lsp-refactor: blast_radius -> speculative_preview (block)`
fn skill_of(record: &Record, skill: &str) -> String {
    let mut text = tame(skill);
    match (&record.from_phase, &record.phase) {
        (Some(from), Some(to)) => text.push_str(&format!(": {} -> {}", tame(from), tame(to))),
        (None, Some(only)) | (Some(only), None) => text.push_str(&format!(": {}", tame(only))),
        (None, None) => {}
    }
    if let Some(mode) = &record.mode {
        text.push_str(&format!(" ({})", tame(mode)));
    }
    text
}

/// `2 found, 1 shadowed, 1 rejected`
fn found(discovery: &RecordedDiscovery) -> String {
    let shadowed = discovery.shadowed_total.unwrap_or(discovery.shadowed.len());
    let rejected = discovery.rejected_total.unwrap_or(discovery.rejected.len());
    format!("{} found, {shadowed} shadowed, {rejected} rejected", discovery.found)
}

/// `allowed-tools of lsp-refactor: fence, 7 inside`
fn allowed(policy: &AllowedToolsPolicy) -> String {
    let whose = policy.skill_name.as_deref().map_or_else(String::new, |name| format!(" of {}", tame(name)));
    let extent = match &policy.ignored_reason {
        Some(reason) => format!("ignored ({})", tame(reason)),
        None if policy.enforced => format!("{} inside", policy.allow_set_count),
        None => "not enforced".to_owned(),
    };
    format!("allowed-tools{whose}: {}, {extent}", tame(&policy.mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(fields: &str) -> String {
        let line = format!(
            r#"{{"timestamp":"2026-11-16T08:30:00.000Z",{fields},"writer":"00000000-0000-0000-0000-000000000000","seq":1,"prev":"","hash":""}}"#
        );
        let record: Record = serde_json::from_str(&line).unwrap();
        anstream::adapter::strip_str(&describe(&record)).to_string()
    }

    #[test]
    fn skills_and_phases_are_seen() {
        assert_eq!(
            described(
                r#""event":"phase_advance","tool":"blast_radius","skill":"lsp-refactor","phase":"preview","from_phase":"radius""#
            ),
            "08:30:00  blast_radius          phase_advance  lsp-refactor: radius -> preview"
        );
        assert_eq!(
            described(
                r#""event":"phase_violation","tool":"apply_edit","error_message":"not yet","skill":"lsp\u001b[2K","phase":"radius","mode":"block""#
            ),
            "08:30:00  apply_edit            phase_violation  lsp\\u{1b}[2K: radius (block)  not yet"
        );
        assert_eq!(
            described(
                r#""event":"skills_discovered","discovery":{"roots":[],"found":24,"found_names":[],"rejected":[],"rejected_total":3}"#
            ),
            "08:30:00  skills_discovered     24 found, 0 shadowed, 3 rejected"
        );
        assert_eq!(
            described(
                r#""event":"call","tool":"x","skills_allowed_tools":{"mode":"fence","enforced":true,"skill_name":"s","allow_set_count":7}"#
            ),
            "08:30:00  x                     allowed-tools of s: fence, 7 inside"
        );
    }
}
