//! What the grammar could not read.

use std::ops::Range;

use crate::{
    Parsed,
    walk::{Place, Visitor, walk},
};

/// A stretch that is not of the language, or a token that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub bytes: Range<usize>,
    /// The token that should stand there.
    pub missing: Option<String>,
}

pub(super) fn all(parsed: &Parsed) -> Vec<Fault> {
    let mut faults = Faults(Vec::new());
    walk(parsed.root().walk(), (), &mut faults);
    faults.0
}

struct Faults(Vec<Fault>);

impl<'t> Visitor<'t> for Faults {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, (): &mut ()) -> Option<()> {
        let node = place.node;
        if node.is_error() || node.is_missing() {
            let missing = node.is_missing().then(|| node.kind().to_owned());
            self.0.push(Fault { bytes: node.byte_range(), missing });
        }
        node.has_error().then_some(())
    }
}
