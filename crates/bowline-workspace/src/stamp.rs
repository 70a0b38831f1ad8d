//! What tells one version of a file from the next without reading it, and when that proves nothing.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bowline_std::fs::Stamp;

/// A file changed this shortly before it was looked at may change again and keep its time.
const RACY: Duration = Duration::from_secs(2);
/// Written in the place of a time that proves nothing: no file has it.
pub(crate) const PROVES_NOTHING: i64 = i64::MIN;

/// When a file last changed: its content, or anything else about it. Programs can set the time of the content back,
/// but not the other.
pub(crate) fn changed_ns(metadata: &Metadata) -> i64 {
    let modified = Stamp::of(metadata).modified_ns;
    #[cfg(unix)]
    let changed = {
        use std::os::unix::fs::MetadataExt;
        metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
    };
    #[cfg(not(unix))]
    let changed = modified;
    modified.max(changed)
}

/// The time as it may be kept, given when it was looked at.
pub(crate) fn kept_ns(changed_ns: i64, looked_at: SystemTime) -> i64 {
    let settled = looked_at
        .checked_sub(RACY)
        .and_then(|before| before.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .is_some_and(|before| changed_ns < before);
    if settled { changed_ns } else { PROVES_NOTHING }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_was_set_back_does_not_count() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_modified(UNIX_EPOCH + Duration::from_secs(1)).unwrap();
        let metadata = file.as_file().metadata().unwrap();
        assert!(changed_ns(&metadata) > Stamp::of(&metadata).modified_ns);
    }

    #[test]
    fn a_recent_time_proves_nothing() {
        let now = UNIX_EPOCH + Duration::from_secs(100);
        assert_eq!(kept_ns(97_000_000_000, now), 97_000_000_000);
        assert_eq!(kept_ns(99_000_000_000, now), PROVES_NOTHING);
        assert_eq!(kept_ns(200_000_000_000, now), PROVES_NOTHING);
    }
}
