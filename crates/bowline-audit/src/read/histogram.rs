//! Durations, counted within bounds: exact below 32 ms, and to about three parts in a hundred above.

use std::collections::BTreeMap;

/// Steps between a power of two and the next.
const STEPS: u32 = 32;

/// How often each duration was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Histogram {
    counts: BTreeMap<u64, u64>,
    total: u64,
}

impl Histogram {
    pub(super) fn add(&mut self, value: u64) {
        *self.counts.entry(floor(value)).or_default() += 1;
        self.total += 1;
    }

    /// The value that this many of a hundred do not exceed.
    pub(super) fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (self.total * percent).div_ceil(100).max(1);
        let mut seen = 0;
        self.counts.iter().find_map(|(value, count)| {
            seen += count;
            (seen >= rank).then_some(*value)
        })
    }
}

/// The lower bound of the step that the value falls into.
fn floor(value: u64) -> u64 {
    let shift = value.checked_ilog2().unwrap_or(0).saturating_sub(STEPS.ilog2());
    value >> shift << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact_when_small_and_near_when_large() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.percentile(50), None);
        (1..=20).for_each(|value| histogram.add(value));
        assert_eq!((histogram.percentile(50), histogram.percentile(95)), (Some(10), Some(19)));
        let mut histogram = Histogram::default();
        histogram.add(100_003);
        let found = histogram.percentile(95).unwrap();
        assert!((96_900..=100_003).contains(&found), "{found}");
        histogram.add(u64::MAX);
        assert!(histogram.percentile(100).unwrap() > u64::MAX / 2);
    }
}
