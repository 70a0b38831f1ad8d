//! Whatever a record holds, its line is one line, not too long, and proves itself.

use std::path::PathBuf;
use std::time::SystemTime;

use bowline_call::{DiagnosticCounts, EditSummary, Origin, Receipt};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use super::*;
use crate::record::Event;
use crate::skills::{AllowedToolsPolicy, Discovery, RecordedDiscovery, Rejection, Shadowing};

/// Long ones, and ones that grow when they are escaped.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        (0usize..3000).prop_map(|length| "\u{1}".repeat(length)),
        (0usize..1500).prop_map(|length| "\"\\".repeat(length)),
        (0usize..900).prop_map(|length| "😀".repeat(length)),
        Just("{\"timestamp\":\"\n,\"hash\":\"".to_owned()),
    ]
}

prop_compose! {
    fn receipt()(
        mode in text(), path in of(text()), old in of(text()), new in of(text()),
        old_name in of(text()), new_name in of(text()), target in of(text()), errors in of(any::<(u32, u32)>()),
    ) -> Receipt {
        let counts = |error_count| DiagnosticCounts { error_count, warning_count: u32::MAX, files_checked: u32::MAX };
        Receipt {
            files: Vec::new(),
            summary: Some(EditSummary {
                mode, file_path: path.map(PathBuf::from), old_text_preview: old, new_text_preview: new,
                old_name, new_name, receipt: target.clone(), target, apply: Some(false),
            }),
            before: errors.map(|(before, _)| counts(before)),
            after: errors.map(|(_, after)| counts(after)),
        }
    }
}

prop_compose! {
    fn discovery()(
        roots in vec(text(), 0..80), found in vec(text(), 0..80),
        shadowed in vec((text(), text(), text()), 0..20), rejected in vec((text(), text()), 0..20),
    ) -> Discovery {
        Discovery {
            roots: roots.into_iter().map(PathBuf::from).collect(),
            found,
            shadowed: shadowed.into_iter().map(|(name, hidden, by)| Shadowing { name, hidden, by }).collect(),
            rejected: rejected.into_iter().map(|(place, why)| Rejection { place, why }).collect(),
            ..Discovery::default()
        }
    }
}

prop_compose! {
    /// Everything that is said of skills, all at once.
    fn of_skills()(
        skill in of(text()), phase in of(text()), from_phase in of(text()),
        policy in of((text(), of(text()), of(text()))), discovery in of(discovery()),
    ) -> Record {
        let policy = policy.map(|(mode, skill_name, ignored_reason)| AllowedToolsPolicy {
            mode, skill_name, ignored_reason, enforced: false, allow_set_count: usize::MAX,
        });
        Record {
            skill, phase, from_phase,
            mode: Some("block".to_owned()),
            skills_allowed_tools: policy.map(AllowedToolsPolicy::redacted),
            discovery: discovery.as_ref().map(RecordedDiscovery::of),
            ..Record::new(Event::PolicyChanged, SystemTime::UNIX_EPOCH)
        }
    }
}

prop_compose! {
    fn record()(
        tool in of(text()), session_id in of(text()), error_message in of(text()), conversation in of(text()),
        client in of(text()), verdict in of(text()), rule in of(text()), files in vec(text(), 0..80), receipt in receipt(),
        skills in of_skills(),
    ) -> Record {
        let mut record = skills;
        record.set_origin(&Origin::Mcp { client });
        record.set_files(&files.into_iter().map(PathBuf::from).collect::<Vec<_>>());
        record.set_receipt(receipt);
        Record { tool, session_id, error_message, conversation, verdict, rule, success: Some(false), ..record }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_record_becomes_one_line_that_proves_itself(records in vec(record(), 1..4)) {
        let mut chain = Chain::new();
        let mut prev = first_prev();
        for (index, mut record) in records.into_iter().enumerate() {
            let sealed = chain.seal(&mut record).unwrap();
            prop_assert!(sealed.line.len() <= MAX_LINE, "{} bytes", sealed.line.len());
            let line = sealed.line.strip_suffix(b"\n").unwrap();
            prop_assert!(line.starts_with(BEGIN) && !line.contains(&b'\n'));
            prop_assert_eq!(line.windows(BEGIN.len()).filter(|window| *window == BEGIN).count(), 1);
            let read: Record = serde_json::from_slice(line).unwrap();
            prop_assert_eq!(hash_of(line), Some(read.hash.clone()));
            prop_assert_eq!((read.seq, &read.prev), (index as u64 + 1, &prev));
            prop_assert!(read.error_message.as_ref().is_none_or(|message| message.len() <= 1000));
            prop_assert!(read.files_total.is_none_or(|total| total > read.files.len()));
            if let Some(found) = &read.discovery {
                prop_assert!(found.found >= found.found_names.len());
                prop_assert!(found.rejected_total.is_none_or(|total| total > found.rejected.len()));
            }
            prev.clone_from(&read.hash);
            chain.advance(sealed);
        }
    }
}

#[test]
fn a_long_list_of_files_is_cut_and_counted() {
    let files: Vec<PathBuf> =
        (0..5000).map(|number| format!("/project/src/module_{number}.rs").into()).collect();
    let mut record = Record::new(Event::Call, SystemTime::UNIX_EPOCH);
    record.set_files(&files);
    Chain::new().seal(&mut record).unwrap();
    assert_eq!((record.files.len(), record.files_total), (48, Some(5000)));
}

#[test]
fn a_line_without_a_seal_has_no_hash() {
    for line in ["", "{}", "{\"hash\":\"\"}", &"x".repeat(100)] {
        assert_eq!(hash_of(line.as_bytes()), None);
    }
}
