//! Lines that begin inside a text literal.

use crate::{
    Parsed,
    compiled::Compiled,
    walk::{Place, Visitor, walk},
};

pub(super) fn lines(parsed: &Parsed) -> Vec<usize> {
    let mut found = Lines { compiled: parsed.language().compiled(), text: parsed.text(), found: Vec::new() };
    walk(parsed.root().walk(), (), &mut found);
    found.found
}

struct Lines<'a> {
    compiled: &'a Compiled,
    text: &'a str,
    found: Vec<usize>,
}

impl<'t> Visitor<'t> for Lines<'_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, (): &mut ()) -> Option<()> {
        let node = place.node;
        if node.start_position().row == node.end_position().row {
            return None;
        }
        if !self.compiled.row(node.kind_id()).verbatim {
            return Some(());
        }
        let inside = self.text.get(node.byte_range()).unwrap_or_default();
        let starts = inside.match_indices('\n').map(|(at, _)| node.start_byte() + at + 1);
        self.found.extend(starts);
        None
    }
}
