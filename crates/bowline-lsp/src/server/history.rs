//! How often a server failed lately, and whether it is worth another try.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::Fault;

/// Failures further back are forgotten.
const WINDOW: Duration = Duration::from_secs(180);
/// So many restarts within the window; the next failure is the last.
const MOST_RESTARTS: usize = 4;
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(crate) struct History {
    failures: VecDeque<Instant>,
    restarts: u64,
}

pub(crate) enum Next {
    Again { after: Duration },
    Never(Fault),
}

impl History {
    /// What to do after a failure. `pause` is the first of the pauses.
    pub(crate) fn failed(&mut self, fault: Fault, pause: Duration, now: Instant) -> Next {
        if !fault.is_passing() {
            return Next::Never(fault);
        }
        self.failures.retain(|failure| now.duration_since(*failure) < WINDOW);
        self.failures.push_back(now);
        let times = self.failures.len();
        if times > MOST_RESTARTS {
            return Next::Never(Fault::GaveUp { times, last: Box::new(fault) });
        }
        self.restarts += 1;
        // 0.1, 0.4, 1.6 and 5 seconds, where nobody says otherwise.
        let after = pause.saturating_mul(4_u32.saturating_pow(u32::try_from(times - 1).unwrap_or(u32::MAX)));
        Next::Again { after: after.min(LONGEST_PAUSE) }
    }

    /// How often it was started again.
    pub(crate) fn restarts(&self) -> u64 {
        self.restarts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_millis(100);

    #[test]
    fn four_restarts_with_growing_pauses_and_then_no_more() {
        let (mut history, now) = (History::default(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..4 {
            match history.failed(Fault::Deaf, PAUSE, now) {
                Next::Again { after } => pauses.push(after.as_millis()),
                Next::Never(fault) => panic!("{fault}"),
            }
        }
        assert_eq!(pauses, [100, 400, 1600, 5000]);
        let Next::Never(fault) = history.failed(Fault::Deaf, PAUSE, now) else {
            panic!("a fifth restart");
        };
        assert_eq!(
            fault.of("x").to_string(),
            "`x` failed 5 times in three minutes and is not started again by itself; the last time it does not read what is sent to it"
        );
    }

    #[test]
    fn failures_of_long_ago_do_not_count() {
        let (mut history, now) = (History::default(), Instant::now());
        for minute in 0..20 {
            let next = history.failed(Fault::Deaf, PAUSE, now + Duration::from_secs(60 * minute));
            assert!(matches!(next, Next::Again { .. }), "minute {minute}");
        }
    }

    #[test]
    fn what_cannot_be_started_is_not_tried_again_at_once() {
        let next = History::default().failed(Fault::CannotStart("gone".into()), PAUSE, Instant::now());
        assert!(matches!(next, Next::Never(Fault::CannotStart(_))));
    }
}
