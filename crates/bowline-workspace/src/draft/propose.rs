//! Edits that a server proposes for a draft: it is shown the draft, asked, and shown the files again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Encoding, LineTable, Position, Span, uri};
use bowline_lsp::{Asker, Life, Readiness, Sheet, Shown};
use serde_json::{Value, json};

use super::witness::DraftLender;
use super::{Draft, DraftError, Edit, Files, Proposal};
use crate::patience::until;
use crate::query::{Unserved, late, server_deadline};
use crate::{Patience, Workspace, WorkspaceError};

impl Proposal {
    fn file(&self) -> &Path {
        match self {
            Self::Rename { file, .. } | Self::Format { file, .. } | Self::Fix { file, .. } => file,
        }
    }
}

impl Workspace {
    /// What the server makes of a proposal, as an edit of the draft.
    pub(super) async fn propose(
        &self,
        draft: &Draft,
        files: &Files,
        proposal: Proposal,
        patience: &Patience<'_>,
    ) -> Result<Edit, WorkspaceError> {
        let path = self.resolve(proposal.file())?;
        if !path.starts_with(draft.root()) {
            return Err(DraftError::OutsideDraft { path, root: draft.root().to_owned() }.into());
        }
        let Some(assigned) = self.fleet.of_file(&path, &self.shared.roots) else {
            return Err(self.no_server(&path));
        };
        let asked = std::time::Instant::now();
        let asking = async {
            self.steer(&assigned, &path, patience).await?;
            let life = self.alive(&assigned.server).await?;
            self.propose_by(&life, files, &path, &proposal, patience).await
        };
        let answer = tokio::select! {
            biased;
            answer = asking => answer,
            () = patience.cancellation.cancelled() => return Err(WorkspaceError::Cancelled),
            () = until(server_deadline(patience)) => return Err(late(&assigned, asked).into_error()),
        };
        answer.map(Edit::Workspace).map_err(|unserved| match unserved {
            Unserved::Caller(error) => error,
            Unserved::Server(error) => WorkspaceError::Server(error),
        })
    }

    async fn propose_by(
        &self,
        life: &Arc<Life>,
        files: &Files,
        path: &Path,
        proposal: &Proposal,
        patience: &Patience<'_>,
    ) -> Result<Value, Unserved> {
        let language = life.language_of(path).unwrap_or_default();
        let sheet = |path: &Path, text: &Arc<str>| Sheet {
            path: path.to_owned(),
            language: life.language_of(path).unwrap_or_else(|| language.clone()),
            text: Arc::clone(text),
        };
        let on_disk = self.bring_up_to_date(life, path).await;
        // It may take long to be ready, and others need not wait for that.
        let shown = on_disk.as_ref().ok().map(|text| life.show(&sheet(path, text)));
        life.ready(shown.as_ref()).await;

        let overlay = life.overlay().await;
        self.catch_up(life).await?;
        let text = on_disk.or_else(|error| {
            // It may only be there in the draft.
            files.get(path).and_then(|file| file.after.clone()).ok_or(error)
        })?;
        let ours = files.iter().filter(|(path, _)| life.works_on(path) && life.language_of(path).is_some());
        for (path, text) in ours.filter_map(|(path, file)| Some((path, file.after.as_ref()?))) {
            overlay.lay(&sheet(path, text));
        }
        let shown = life.shown(path).unwrap_or_else(|| life.show(&sheet(path, &text)));
        let lender = DraftLender::new(files, self.shared.options.max_named_file_bytes);
        let asker = Asker { lender: &lender, stop: &patience.cancellation };
        life.settled().await;
        match proposal {
            Proposal::Rename { at, new_name, .. } => {
                check(path, &shown, *at)?;
                // What it has not seen it does not rename.
                if !life.knows_all_files() || life.readiness() != Readiness::Ready {
                    let server = life.name().to_owned();
                    return Err(Unserved::Caller(DraftError::SeesAPart { server }.into()));
                }
                Ok(life.rename(&shown, *at, new_name, asker).await?)
            }
            Proposal::Format { within, how, .. } => {
                within.map(|span| check(path, &shown, span.start)).transpose()?;
                let edits = life.format(&shown, *within, *how, asker).await?;
                Ok(json!({"changes": {uri::of(path): edits}}))
            }
            Proposal::Fix { within, title, .. } => {
                check(path, &shown, within.start)?;
                let actions = life.code_actions_in_draft(&shown, clamped(&shown, *within), asker).await?;
                Ok(chosen(actions, title.as_deref())?)
            }
        }
    }
}

fn check(path: &Path, shown: &Shown, at: Position) -> Result<(), Unserved> {
    match shown.lines.offset(&shown.text, at, Encoding::Utf16) {
        Ok(_) => Ok(()),
        Err(exists) => {
            Err(Unserved::Caller(WorkspaceError::BadPosition { path: path.to_owned(), at, exists }))
        }
    }
}

/// The span, or what there is of it.
fn clamped(shown: &Shown, within: Span) -> Span {
    let lines: &LineTable = &shown.lines;
    match lines.offset(&shown.text, within.end, Encoding::Utf16) {
        Ok(_) => within,
        Err(_) => Span::new(within.start, lines.position(&shown.text, shown.text.len(), Encoding::Utf16)),
    }
}

/// The edit of the action that is meant.
fn chosen(actions: Vec<Value>, title: Option<&str>) -> Result<Value, Unserved> {
    let title_of = |action: &Value| action["title"].as_str().unwrap_or_default().to_owned();
    let offered: Vec<String> = actions.iter().map(title_of).collect();
    let usable = actions.into_iter().filter(|action| action.get("disabled").is_none());
    let fits = |action: &Value| match title {
        Some(wanted) => title_of(action).to_lowercase().contains(&wanted.to_lowercase()),
        None => true,
    };
    let found: Vec<Value> = usable.filter(fits).collect();
    let exact = |action: &&Value| title.is_some_and(|wanted| title_of(action) == wanted);
    let preferred = |action: &&Value| action["isPreferred"] == true;
    let one = |among: Vec<&Value>| match among.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    };
    let action = one(found.iter().filter(exact).collect())
        .or_else(|| one(found.iter().collect()))
        .or_else(|| one(found.iter().filter(preferred).collect()));
    let wanted = title.map_or_else(|| "single preferred action".to_owned(), str::to_owned);
    let action = action.ok_or(DraftError::NoSuchAction { wanted, offered }).map_err(WorkspaceError::from)?;
    match action.get("edit").filter(|edit| !edit.is_null()) {
        Some(edit) => Ok(edit.clone()),
        None => Err(WorkspaceError::from(DraftError::OnlyACommand { title: title_of(&action) }).into()),
    }
}

/// The files that a proposal is about, for whoever asks before it is made.
impl Edit {
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Range { file, .. }
            | Self::Text { file, .. }
            | Self::Symbol { file, .. }
            | Self::Body { file, .. } => vec![file.clone()],
            Self::Proposed(proposal) => vec![proposal.file().to_owned()],
            Self::Stretches(files) => files.iter().map(|stretches| stretches.file.clone()).collect(),
            Self::Workspace(edit) => files_of(edit),
        }
    }
}

fn files_of(edit: &Value) -> Vec<PathBuf> {
    let mut uris: Vec<&str> = Vec::new();
    uris.extend(edit["changes"].as_object().into_iter().flatten().map(|(uri, _)| uri.as_str()));
    for change in edit["documentChanges"].as_array().into_iter().flatten() {
        let named = [&change["textDocument"]["uri"], &change["uri"], &change["oldUri"], &change["newUri"]];
        uris.extend(named.into_iter().filter_map(Value::as_str));
    }
    uris.into_iter().filter_map(uri::to_path).collect()
}
