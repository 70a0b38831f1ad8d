//! How bowline itself is: memory, descriptors, and children that nobody asked for.

use std::fmt;

use crate::processes;

/// Memory may grow by this factor and this many KiB over the first look before it counts as a leak.
const GROWTH: f64 = 1.5;
const MORE_KIBIBYTES: u64 = 20 * 1024;
/// A server that is being started has three pipes.
const MORE_DESCRIPTORS: usize = 5;

pub(super) struct Health {
    process: u32,
    first: Option<Look>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    kibibytes: u64,
    descriptors: usize,
    zombies: usize,
}

impl Health {
    pub(super) fn new(process: u32) -> Self {
        Self { process, first: None }
    }

    /// How it is now, and what is wrong with that.
    pub(super) fn look(&mut self) -> (Look, Vec<String>) {
        let look = Look {
            kibibytes: processes::resident(self.process).unwrap_or_default(),
            descriptors: processes::descriptors(self.process).unwrap_or_default(),
            zombies: processes::zombies(self.process),
        };
        let first = self.first.get_or_insert(look);
        (look, look.faults(first))
    }
}

impl Look {
    fn faults(&self, first: &Self) -> Vec<String> {
        let mut faults = Vec::new();
        let growth = self.kibibytes as f64 / first.kibibytes as f64;
        if growth > GROWTH && self.kibibytes > first.kibibytes + MORE_KIBIBYTES {
            faults.push(format!("memory grew {growth:.2} times, to {} KiB", self.kibibytes));
        }
        if self.descriptors > first.descriptors + MORE_DESCRIPTORS {
            faults.push(format!("{} descriptors after {}", self.descriptors, first.descriptors));
        }
        if self.zombies > 0 {
            faults.push(format!("{} zombies", self.zombies));
        }
        faults
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = self.kibibytes as f64 / 1024.0;
        write!(f, "{mebibytes:.1} MiB, {} descriptors, {} zombies", self.descriptors, self.zombies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_more_is_no_leak() {
        let first = Look { kibibytes: 40_000, descriptors: 20, zombies: 0 };
        assert!(first.faults(&first).is_empty());
        assert!(Look { kibibytes: 62_000, descriptors: 25, zombies: 0 }.faults(&first).len() == 1);
        assert!(Look { kibibytes: 55_000, descriptors: 25, zombies: 0 }.faults(&first).is_empty());
        assert_eq!(Look { kibibytes: 90_000, descriptors: 40, zombies: 1 }.faults(&first).len(), 3);
    }
}
