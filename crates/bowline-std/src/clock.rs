//! A clock that tests can hold still, and the one way a moment is written down.

use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where the wall-clock time comes from. Bounds and durations use [`std::time::Instant`] instead:
/// a wall clock may jump.
pub trait Clock: Send + Sync {
    fn now(&self) -> SystemTime;
}

/// The machine's clock.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A clock that moves only when told to.
#[derive(Debug)]
pub struct HeldClock(Mutex<SystemTime>);

impl HeldClock {
    /// Holds the clock at this many seconds after 1970.
    pub fn at(seconds: u64) -> Self {
        Self(Mutex::new(UNIX_EPOCH + Duration::from_secs(seconds)))
    }

    pub fn advance(&self, by: Duration) {
        let mut now = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *now += by;
    }
}

impl Clock for HeldClock {
    fn now(&self) -> SystemTime {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// RFC 3339 in UTC with milliseconds: `2026-11-16T08:30:00.000Z`. Moments before 1970 are written as 1970.
pub fn rfc3339(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, rest) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = civil_from_days(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
        since.subsec_millis()
    )
}

/// The moment that [`rfc3339`] would write, or a date alone, which is its first moment. UTC only.
pub fn parse_rfc3339(text: &str) -> Option<SystemTime> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, time.strip_suffix('Z')?),
        None => (text, "00:00:00"),
    };
    let numbers = |text: &str, between: char| -> Option<Vec<u64>> {
        text.split(between)
            .map(|part| part.parse().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit())))
            .collect()
    };
    let [year, month, day] = numbers(date, '-')?[..] else {
        return None;
    };
    let (clock, milliseconds) = match time.split_once('.') {
        Some((clock, fraction)) => (clock, format!("{fraction:0<3}").get(..3)?.parse().ok()?),
        None => (time, 0),
    };
    let [hour, minute, second] = numbers(clock, ':')?[..] else {
        return None;
    };
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 60
    {
        return None;
    }
    // The calendar is counted one way only; a day that does not come back is not in it.
    let days = (365 * (year - 1970)..=366 * (year - 1969))
        .find(|days| civil_from_days(*days) == (year, month, day))?;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    Some(UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(milliseconds))
}

/// Days since 1970-01-01 to year, month, day, counted in eras of 400 years that begin in March,
/// so that the leap day is the last of its year.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(seconds: u64) -> String {
        rfc3339(UNIX_EPOCH + Duration::from_secs(seconds))
    }

    #[test]
    fn writes_known_moments() {
        assert_eq!(written(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(written(1_794_817_800), "2026-11-16T08:30:00.000Z");
        assert_eq!(written(4_107_542_399), "2100-02-28T23:59:59.000Z");
    }

    #[test]
    fn reads_what_it_writes() {
        for seconds in [0, 951_782_400, 1_794_817_800, 4_107_542_399] {
            let moment = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(parse_rfc3339(&rfc3339(moment)), Some(moment));
        }
        assert_eq!(parse_rfc3339("2000-02-29"), Some(UNIX_EPOCH + Duration::from_secs(951_782_400)));
        for wrong in ["2001-02-29", "2000-1", "", "2000-01-01T25:00:00Z", "2000-01-01T00:00:00", "+200-01-01"]
        {
            assert_eq!(parse_rfc3339(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_held_clock_moves_only_when_told() {
        let clock = HeldClock::at(10);
        assert_eq!(clock.now(), clock.now());
        clock.advance(Duration::from_secs(5));
        assert_eq!(rfc3339(clock.now()), "1970-01-01T00:00:15.000Z");
    }
}
