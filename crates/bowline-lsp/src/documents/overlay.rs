//! Drafts over documents: a server is shown a text that is nowhere but in memory, and then what it had before.
//!
//! Whatever else is shown or closed meanwhile happens beneath the draft, so that it is there when the draft is lifted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::Encoding;

use super::{Beneath, Documents, Notice, Open, Sheet, Shown, changed, closed};
use crate::capabilities::Changes;

/// What becomes of documents when no draft lies over them any more.
#[derive(Debug, Default)]
pub(crate) struct Lifted {
    pub(crate) notices: Vec<Notice>,
    /// Those that are as they were before.
    pub(crate) back: Vec<Shown>,
    /// Those that were not open before.
    pub(crate) closed: Vec<PathBuf>,
}

impl Documents {
    /// What to tell the server so that it sees a draft of this document.
    pub(crate) fn lay(
        &mut self,
        sheet: &Sheet,
        encoding: Encoding,
        changes: Changes,
    ) -> (Vec<Notice>, Shown) {
        let Some(open) = self.open.get_mut(&sheet.path) else {
            let (notices, shown) = self.show(sheet, encoding, changes, None);
            if let Some(open) = self.open.get_mut(&sheet.path) {
                open.beneath = Some(Beneath::Nothing);
            }
            return (notices, shown);
        };
        let before = open.shown.clone();
        open.beneath.get_or_insert_with(|| Beneath::Text(Arc::clone(&before.text)));
        if before.text == sheet.text {
            return (Vec::new(), before);
        }
        open.shown.turn_into(&sheet.text);
        let shown = open.shown.clone();
        // Never saved: a draft is not on disk.
        (changed(&before, &shown, encoding, changes, None), shown)
    }

    /// What to tell the server so that it sees no draft any more.
    pub(crate) fn lift(&mut self, encoding: Encoding, changes: Changes) -> Lifted {
        let mut lifted = Lifted::default();
        for path in self.drafted() {
            let Some(Open { shown, beneath, .. }) = self.open.get_mut(&path) else { continue };
            match beneath.take() {
                None => {}
                Some(Beneath::Text(text)) => {
                    let before = shown.clone();
                    if before.text != text {
                        shown.turn_into(&text);
                        lifted.notices.extend(changed(&before, shown, encoding, changes, None));
                        lifted.back.push(shown.clone());
                    }
                }
                Some(Beneath::Nothing) => {
                    lifted.notices.push(closed(shown));
                    self.past = self.past.max(shown.version);
                    self.open.remove(&path);
                    lifted.closed.push(path);
                }
            }
        }
        // All drafts are gone before the first document is opened again: it may be read together with others at once.
        lifted.notices.sort_by_key(|(method, _)| *method != "textDocument/didClose");
        lifted
    }

    pub(crate) fn is_drafted(&self, path: &Path) -> bool {
        self.open.get(path).is_some_and(|open| open.beneath.is_some())
    }

    /// The documents over which a draft lies, in a stable order.
    fn drafted(&self) -> Vec<PathBuf> {
        let drafted = self.open.iter().filter(|(_, open)| open.beneath.is_some());
        let mut paths: Vec<PathBuf> = drafted.map(|(path, _)| path.clone()).collect();
        paths.sort_unstable();
        paths
    }

    /// Puts a text beneath the draft that lies over its document. `None`: there is none.
    pub(super) fn show_beneath(&mut self, sheet: &Sheet) -> Option<Shown> {
        let open = self.open.get_mut(&sheet.path)?;
        *open.beneath.as_mut()? = Beneath::Text(Arc::clone(&sheet.text));
        Some(open.shown.clone())
    }
}
