//! Durations as people say them.

use std::time::Duration;

/// The two largest units that matter: `1 second`, `5 minutes`, `1 hour 20 minutes`.
pub(super) fn in_words(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => counted(seconds, "second"),
        // A minute more or less matters at the end, a second does not.
        (0, minutes) => counted(minutes, "minute"),
        (hours, 0) => counted(hours, "hour"),
        (hours, minutes) => format!("{} {}", counted(hours, "hour"), counted(minutes, "minute")),
    }
}

fn counted(count: u64, unit: &str) -> String {
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_small_units_are_left_out() {
        let said = |seconds| in_words(Duration::from_secs(seconds));
        let table = [
            (0, "0 seconds"),
            (1, "1 second"),
            (59, "59 seconds"),
            (60, "1 minute"),
            (119, "1 minute"),
            (3599, "59 minutes"),
            (3600, "1 hour"),
            (3661, "1 hour 1 minute"),
            (10_000, "2 hours 46 minutes"),
        ];
        for (seconds, words) in table {
            assert_eq!(said(seconds), words, "{seconds}");
        }
    }
}
