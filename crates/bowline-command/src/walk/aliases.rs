//! Links that a command line makes itself: what it touches by their names, it touches where they lead.
//!
//! The disk cannot tell, because the links are not there yet. When they are made does not matter: all touches are compared.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::places::{Places, lexical};
use crate::programs::Alias;
use crate::{Creates, Touch, Word};

/// Links that lead to links.
const MAX_ROUNDS: usize = 4;

/// Touches that links add.
const MAX_TOUCHES: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// A name, and where it leads.
    all: Vec<(PathBuf, PathBuf)>,
}

impl Aliases {
    /// A link of which anything is unknown is a doubt already, for it is written.
    pub(super) fn add(&mut self, alias: &Alias, places: &Places) {
        let (Word::Literal(name), Word::Literal(leads)) = (&alias.name, &alias.leads) else { return };
        let (name, leads) = (Path::new(name), Path::new(leads));
        let inside = leads.file_name().map(|last| name.join(last));
        for link in std::iter::once(name.to_owned()).chain(inside) {
            let directory = link.parent().unwrap_or(Path::new(""));
            let leads = if alias.is_relative { directory.join(leads) } else { leads.to_owned() };
            for (link, leads) in places.paths(&link).into_iter().zip(places.paths(&leads)) {
                let pair = (lexical(&link), leads);
                if pair.0 != pair.1 && !self.all.contains(&pair) {
                    self.all.push(pair);
                }
            }
        }
    }

    /// What is touched besides, and whether that is all.
    pub(super) fn touches(&self, touches: &[Touch]) -> (Vec<Touch>, bool) {
        let mut all: Vec<Touch> = Vec::new();
        if self.all.is_empty() {
            return (all, true);
        }
        // The same touch is made by many commands: it is compared once.
        let mut known: HashSet<Touch> = HashSet::new();
        let mut last: Vec<Touch> =
            touches.iter().filter(|touch| known.insert((*touch).clone())).cloned().collect();
        for _ in 0..MAX_ROUNDS {
            let mut more: Vec<Touch> = Vec::new();
            for touch in &last {
                more.extend(self.through(touch).into_iter().filter(|made| known.insert(made.clone())));
                if all.len() + more.len() > MAX_TOUCHES {
                    all.extend(more);
                    return (all, false);
                }
            }
            if more.is_empty() {
                return (all, true);
            }
            all.extend(more.iter().cloned());
            last = more;
        }
        (all, false)
    }

    /// The same touch, through each link on its way.
    fn through(&self, touch: &Touch) -> Vec<Touch> {
        let mut made = Vec::new();
        // The link itself is made: that changes nothing where it leads.
        if touch.filter.creates == Creates::Names(Vec::new()) {
            return made;
        }
        for path in touch.paths.iter().map(|path| lexical(path)) {
            for (name, leads) in &self.all {
                if let Ok(rest) = path.strip_prefix(name) {
                    let is_link = rest.as_os_str().is_empty();
                    let path = if is_link { leads.clone() } else { leads.join(rest) };
                    made.push(Touch { paths: vec![path], ..touch.clone() });
                } else if name.starts_with(&path) && touch.is_deep && enters_links(touch) {
                    made.push(Touch { paths: vec![leads.clone()], ..touch.clone() });
                }
            }
        }
        made
    }
}

/// A program that goes down there may follow links on its way.
fn enters_links(touch: &Touch) -> bool {
    touch.filter.follows_links
        || touch.access == crate::Access::Write && touch.filter.creates == Creates::Anything
}
