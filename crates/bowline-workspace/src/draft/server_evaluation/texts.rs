//! The texts that a server is shown, and that its answers are read with: the draft's, and the others from disk.

use std::path::Path;
use std::sync::Arc;

use bowline_lsp::{Life, Sheet};

use crate::draft::Files;
use crate::fleet::Assigned;
use crate::query::TextLender;

/// Lends the texts of a draft, and others from the disk.
pub(in crate::draft) struct DraftTexts<'a> {
    pub(super) files: Option<&'a Files>,
    pub(super) disk: TextLender,
}

impl<'a> DraftTexts<'a> {
    pub(in crate::draft) fn new(files: &'a Files, most: u64) -> Self {
        Self { files: Some(files), disk: TextLender::new(most) }
    }
}

impl bowline_lsp::Lender for DraftTexts<'_> {
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        match self.files.and_then(|files| files.get(path)) {
            Some(file) => file.after.clone(),
            None => self.disk.text(path),
        }
    }
}

pub(super) fn sheet(path: &Path, text: &Arc<str>, life: &Life, assigned: &Assigned) -> Sheet {
    let language = life.language_of(path).unwrap_or_else(|| assigned.language.clone());
    Sheet { path: path.to_owned(), language, text: Arc::clone(text) }
}
