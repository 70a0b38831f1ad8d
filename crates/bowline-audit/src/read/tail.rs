//! The last records, without reading those before.

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::open;
use super::filter::Filter;
use super::item::{Damaged, Item, items_of};
use super::lines::Backward;
use crate::names::{self, Identity};

/// As many as fit a screen without being asked for.
const USUAL: usize = 10;
/// A trail full of rubbish must not fill the memory.
const MOST_DAMAGED: usize = 1000;

pub(super) fn tail(path: &Path, filter: &Filter) -> Vec<Item> {
    let mut found = VecDeque::new();
    let mut wanted = filter.limit.unwrap_or(USUAL);
    let mut damaged = 0;
    for opened in newest_first(path) {
        if wanted == 0 {
            break;
        }
        let (file, mut lines) = match opened {
            Ok(opened) => opened,
            Err(unreadable) => {
                found.push_front(Item::Damaged(unreadable));
                continue;
            }
        };
        while wanted > 0 && damaged < MOST_DAMAGED {
            match lines.next() {
                Ok(Some(line)) => {
                    for item in items_of(&file, &line).into_iter().rev() {
                        match &item {
                            Item::Damaged(_) => damaged += 1,
                            Item::Record(entry) if wanted > 0 && filter.passes(&entry.record) => wanted -= 1,
                            Item::Record(_) => continue,
                        }
                        found.push_front(item);
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    found.push_front(Item::Damaged(Damaged::unreadable(&file, &error)));
                    break;
                }
            }
        }
    }
    found.into()
}

type Opened = Result<(Arc<Path>, Backward), Damaged>;

fn newest_first(path: &Path) -> impl Iterator<Item = Opened> {
    // Opened before the others are listed, so that it cannot slip between the two.
    let current = open(path).ok();
    let identity = |file: &File| file.metadata().ok().map(|metadata| Identity::of(&metadata));
    let now = current.as_ref().and_then(identity);
    let others: Vec<PathBuf> =
        names::rotated(path).unwrap_or_default().into_iter().map(|(_, path)| path).collect();
    let backward = |path: &Path, file: File| match Backward::new(file) {
        Ok(lines) => Ok((path.into(), lines)),
        Err(error) => Err(Damaged::unreadable(path, &error)),
    };
    let first = current.map(|file| backward(path, file));
    let rest = others.into_iter().rev().filter_map(move |path| match open(&path) {
        Ok(file) if now.is_some() && identity(&file) == now => None,
        Ok(file) => Some(backward(&path, file)),
        Err(error) => Some(Err(Damaged::unreadable(&path, &error))),
    });
    first.into_iter().chain(rest)
}
