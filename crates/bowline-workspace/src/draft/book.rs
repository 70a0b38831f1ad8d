//! Which drafts there are.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bowline_syntax::Language;

use super::{Draft, DraftError, DraftState, Files, Held};
use crate::{Workspace, WorkspaceError};

/// So many drafts are held at once.
const MOST: usize = 128;
/// So many that are gone are remembered by their names.
const MOST_GONE: usize = 1000;

/// The drafts of a workspace.
#[derive(Default)]
pub(crate) struct Drafts(Mutex<Book>);

#[derive(Default)]
struct Book {
    drafts: HashMap<Arc<str>, Draft>,
    gone: VecDeque<Arc<str>>,
}

impl Drafts {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workspace {
    /// A draft of what lies below a directory.
    pub fn new_draft(&self, root: &Path, language: &str) -> Result<Draft, WorkspaceError> {
        self.begin_draft(root, language, false)
    }

    /// A draft that does not outlive the call it is made for, and so takes no place among the others. About a
    /// directory, or else the root that a file lies in.
    pub fn new_passing_draft(&self, about: &Path, language: &str) -> Result<Draft, WorkspaceError> {
        let real = self.resolve(about)?;
        let root = if real.is_dir() { Some(real.as_path()) } else { self.shared.roots.around(&real) };
        self.begin_draft(root.unwrap_or(&real), language, true)
    }

    /// The same about everything below all roots.
    pub fn new_wide_draft(&self) -> Result<Draft, WorkspaceError> {
        match self.shared.roots.all() {
            [only] => self.begin_draft(only, "", true),
            several => {
                let mut around = several.first().cloned().unwrap_or_default();
                while !several.iter().all(|root| root.starts_with(&around)) && around.pop() {}
                Ok(self.enter(&mut self.drafts.book(), around, "", true))
            }
        }
    }

    fn begin_draft(&self, root: &Path, language: &str, is_passing: bool) -> Result<Draft, WorkspaceError> {
        let root = self.resolve(root)?;
        if !root.is_dir() {
            return Err(WorkspaceError::NotADirectory { path: root });
        }
        let known = self.server_languages();
        // One without a grammar may still have a server.
        let is_known = Language::from_id(language).is_some() || known.iter().any(|known| known == language);
        if !language.is_empty() && !is_known {
            return Err(WorkspaceError::NoServerFor { language: language.to_owned(), known });
        }
        let mut book = self.drafts.book();
        if book.kept() >= MOST {
            // Those that came to an end are only kept to be named.
            book.drop_ended();
        }
        if book.kept() >= MOST && !is_passing {
            return Err(DraftError::TooMany { most: MOST }.into());
        }
        Ok(self.enter(&mut book, root, language, is_passing))
    }

    fn enter(&self, book: &mut Book, root: PathBuf, language: &str, is_passing: bool) -> Draft {
        let id: Arc<str> = uuid::Uuid::new_v4().simple().to_string().into();
        let held = Held {
            state: DraftState::Created,
            files: Files::new(),
            version: 0,
            verdict: None,
            is_being_written: false,
            evaluating: Weak::new(),
        };
        let draft = Draft {
            id: Arc::clone(&id),
            root: root.into(),
            language: language.into(),
            is_passing,
            held: Arc::new(Mutex::new(held)),
        };
        book.drafts.insert(id, draft.clone());
        draft
    }

    /// A draft by its id.
    pub fn draft(&self, id: &str) -> Result<Draft, DraftError> {
        let book = self.drafts.book();
        book.drafts.get(id).cloned().ok_or_else(|| {
            let id = bowline_std::text::cut(id, 100);
            match book.gone.iter().any(|gone| **gone == *id) {
                true => DraftError::WrongState { id, state: DraftState::Destroyed, done: "used" },
                false => DraftError::Unknown { id },
            }
        })
    }

    /// Lets go of a draft. `false`: it was gone already, or never was.
    pub fn destroy_draft(&self, id: &str) -> bool {
        self.drafts.book().remove(id)
    }
}

impl Book {
    fn kept(&self) -> usize {
        self.drafts.values().filter(|draft| !draft.is_passing).count()
    }

    fn remove(&mut self, id: &str) -> bool {
        let Some(draft) = self.drafts.remove(id) else {
            return false;
        };
        let mut held = draft.held();
        held.state = DraftState::Destroyed;
        held.files.clear();
        drop(held);
        // The evaluation of a passing draft goes on after its call: the next call drafts the same edit, and joins it.
        if !draft.is_passing {
            draft.stop_evaluating();
        }
        if self.gone.len() == MOST_GONE {
            self.gone.pop_front();
        }
        self.gone.push_back(draft.id);
        true
    }

    fn drop_ended(&mut self) {
        let has_ended =
            |draft: &Draft| matches!(draft.state(), DraftState::Committed | DraftState::Discarded);
        let ended: Vec<Arc<str>> = self
            .drafts
            .values()
            .filter(|draft| has_ended(draft))
            .map(|draft| Arc::clone(&draft.id))
            .collect();
        for id in ended {
            self.remove(&id);
        }
    }
}
