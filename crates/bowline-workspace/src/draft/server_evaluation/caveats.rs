//! What keeps an answer of a server from being proof, known before anything is asked.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bowline_lsp::Readiness;

use super::session::Session;
use crate::draft::Drafted;

impl Session<'_> {
    /// What stands between this server and proof, whatever it says.
    pub(super) fn caveats(&self, reaches_others: bool) -> BTreeSet<String> {
        let name = self.life.name();
        let mut doubts = BTreeSet::new();
        if self.life.readiness() != Readiness::Ready {
            doubts.insert(format!("`{name}` has not seen the whole project yet"));
        }
        let is_gone = |(_, file): &(&PathBuf, &Drafted)| file.before.is_some() && file.after.is_none();
        for (path, _) in self.files.iter().filter(is_gone) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            doubts.insert(format!("`{name}` cannot be shown that `{file}` is gone"));
        }
        if !self.life.judges_drafts() {
            doubts.insert(format!("`{name}` leaves a part of the checks to the compiler, which reads files"));
        }
        if let Err(flag) = self.life.shares_open_files()
            && reaches_others
        {
            doubts.insert(format!("other files do not see the draft: `{name}` runs without {flag}"));
        }
        let is_new = |(_, file): &(&PathBuf, &Drafted)| file.before.is_none();
        if self.files.iter().any(|file| is_new(&file)) && !self.life.sees_new_files() && reaches_others {
            doubts.insert(format!(
                "`{name}` does not see files that are not on disk yet: what imports them looks broken to it"
            ));
        }
        if let Some(scope) = self.life.scope() {
            let root = self.assigned.server.root();
            let beyond = self.files.keys().filter(|path| !scope.covers(root, path)).count();
            if beyond > 0 {
                doubts.insert(format!(
                    "`{name}` is limited to a part of the project, and {beyond} of the files lie beyond it"
                ));
            }
        }
        doubts
    }
}
