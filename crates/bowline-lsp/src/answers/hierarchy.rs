//! Items of hierarchies in our words, and as the server knows them again.

use std::path::Path;

use bowline_code::{Location, Span, SymbolKind, uri};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Reader, elements, kind, tree, typed};

/// A function or type that the server can be asked about further.
#[derive(Debug, Clone, PartialEq)]
pub struct HierarchyItem {
    pub name: String,
    pub kind: SymbolKind,
    pub detail: Option<String>,
    /// Its name.
    pub location: Location,
    /// The whole of it.
    pub range: Span,
    /// Handed back when it is asked about.
    pub as_sent: Value,
}

/// A call: the other end, and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub item: HierarchyItem,
    /// In the file of the caller.
    pub places: Vec<Span>,
}

impl Reader<'_> {
    pub(crate) fn items(&mut self, answer: &RawValue) -> Result<Vec<HierarchyItem>, String> {
        let mut items = Vec::new();
        for element in elements(answer)? {
            match self.item(tree(element)) {
                Some(item) => items.push(item),
                None => self.dropped += 1,
            }
        }
        items.sort_by(|left: &HierarchyItem, right| left.location.cmp(&right.location));
        Ok(items)
    }

    fn item(&mut self, sent: Value) -> Option<HierarchyItem> {
        let path = uri::to_path(sent["uri"].as_str()?)?;
        let (range, selection) = (typed(&sent["range"])?, typed(&sent["selectionRange"])?);
        Some(HierarchyItem {
            name: sent["name"].as_str()?.to_owned(),
            kind: kind(&sent)?,
            detail: sent["detail"].as_str().filter(|text| !text.is_empty()).map(str::to_owned),
            range: self.span(&path, &range),
            location: Location::new(&path, self.span(&path, &selection)),
            as_sent: sent,
        })
    }

    /// `end`: where the other item stands. Calls are written in the file of the caller, which is `asked` when it is
    /// the one that was asked about.
    pub(crate) fn calls(&mut self, answer: &RawValue, end: &str, asked: &Path) -> Result<Vec<Call>, String> {
        let mut calls = Vec::new();
        for element in elements(answer)? {
            let mut element = tree(element);
            let other = element.get_mut(end).map(Value::take).and_then(|item| self.item(item));
            let Some(item) = other else {
                self.dropped += 1;
                continue;
            };
            let caller = if end == "from" { item.location.file.clone() } else { asked.to_owned() };
            let ranges = element["fromRanges"].as_array().into_iter().flatten();
            let mut places: Vec<Span> =
                ranges.filter_map(typed).map(|range| self.span(&caller, &range)).collect();
            places.sort_unstable();
            places.dedup();
            calls.push(Call { item, places });
        }
        calls.sort_by(|left: &Call, right| left.item.location.cmp(&right.item.location));
        Ok(calls)
    }
}
