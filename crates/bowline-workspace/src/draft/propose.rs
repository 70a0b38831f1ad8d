//! Edits that a server proposes for a draft: it is shown the draft, asked, and shown the files again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Encoding, Position, uri};
use bowline_lsp::{Asker, Fault, Life, Readiness, Sheet, Shown};
use bowline_syntax::{Language, parse};
use serde_json::{Value, json};

use super::server_evaluation::DraftTexts;
use super::symbol::pick;
use super::{Draft, DraftError, Drafted, Edit, Files, Proposal, Served, ToRename, Which};
use crate::patience::until;
use crate::query::{Unserved, clamped, late, server_deadline};
use crate::{Patience, Workspace, WorkspaceError};

/// What came of a proposal.
#[derive(Debug, Clone)]
pub enum Proposed {
    Edit(Served),
    /// The server would do it itself, and ask for its edits on the way.
    Command {
        title: String,
        command: String,
        arguments: Vec<Value>,
    },
}

impl Proposed {
    pub(super) fn edit(self) -> Result<Edit, DraftError> {
        match self {
            Self::Edit(served) => Ok(Edit::ByServer(served)),
            Self::Command { title, .. } => Err(DraftError::OnlyACommand { title }),
        }
    }
}

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
    ) -> Result<Proposed, WorkspaceError> {
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
        let is_unasked = !assigned.server.spec().asked_for;
        answer.map_err(|unserved| match unserved {
            Unserved::Caller(error) => error,
            // One that nobody named, and that is not there, is none.
            Unserved::Server(error) if is_unasked && matches!(error.fault, Fault::NotInstalled) => {
                self.no_server(&path)
            }
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
    ) -> Result<Proposed, Unserved> {
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
        let lender = DraftTexts::new(files, self.shared.options.max_named_file_bytes);
        let asker = Asker { lender: &lender, stop: &patience.cancellation };
        life.settled().await;
        let made = |edit| {
            Proposed::Edit(Served { edit, made_for: Some((path.to_owned(), Arc::clone(&shown.text))) })
        };
        match proposal {
            Proposal::Rename { what, new_name, .. } => {
                let at = match what {
                    ToRename::At(at) => *at,
                    ToRename::Symbol(symbol) => self.named_in_draft(path, &shown, symbol, patience).await?,
                };
                check(path, &shown, at)?;
                // What it has not seen it does not rename.
                let server = life.name().to_owned();
                if let Some(why) = life.blind_spot() {
                    return Err(Unserved::Caller(DraftError::SeesAPart { server, why }.into()));
                }
                if life.readiness() != Readiness::Ready {
                    let what = "has not seen the whole project yet".to_owned();
                    return Err(Unserved::Caller(WorkspaceError::ServerLate { server, what }));
                }
                Ok(made(life.rename(&shown, at, new_name, asker).await?))
            }
            Proposal::Format { within, how, .. } => {
                within.map(|span| check(path, &shown, span.start)).transpose()?;
                let within = within.map(|span| clamped(&shown, span));
                let edits = life.format(&shown, within, *how, asker).await?;
                Ok(made(json!({"changes": {uri::of(path): edits}})))
            }
            Proposal::Fix { within, which, .. } => {
                check(path, &shown, within.start)?;
                let within = clamped(&shown, *within);
                // Of what is on disk more is known, and the list is the one that is read elsewhere.
                let actions = match files.values().any(Drafted::is_changed) {
                    true => life.code_actions_in_draft(&shown, within, asker).await?,
                    false => life.code_actions(&shown, within, asker).await?,
                };
                let action = chosen(actions, which).map_err(WorkspaceError::from)?;
                Ok(match action.get("edit").filter(|edit| !edit.is_null()) {
                    Some(edit) => made(edit.clone()),
                    None => command(&action).map_err(WorkspaceError::from)?,
                })
            }
        }
    }
}

impl Workspace {
    /// Where the name of a symbol stands in a text that the server is shown.
    async fn named_in_draft(
        &self,
        path: &Path,
        shown: &Shown,
        symbol: &str,
        patience: &Patience<'_>,
    ) -> Result<Position, Unserved> {
        let (owned, text, symbol) = (path.to_owned(), Arc::clone(&shown.text), symbol.to_owned());
        let found = self.blocking(patience, move |work| {
            let language = Language::of_path(&owned)
                .ok_or_else(|| WorkspaceError::UnknownLanguage { path: owned.clone() })?;
            let parsed = parse(language, text, &|| work.stopped())
                .map_err(|source| WorkspaceError::Parse { path: owned.clone(), source })?;
            Ok(pick(&owned, &parsed, &symbol, false)?.position())
        });
        found.await.map_err(Unserved::Caller)
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

/// The action that is meant.
fn chosen(actions: Vec<Value>, which: &Which) -> Result<Value, DraftError> {
    let title_of = |action: &Value| action["title"].as_str().unwrap_or_default().to_owned();
    let offered: Vec<String> = actions.iter().map(title_of).collect();
    let is_usable = |action: &Value| action.get("disabled").is_none();
    let usable: Vec<String> = actions.iter().filter(|action| is_usable(action)).map(title_of).collect();
    let none = |wanted: String| DraftError::NoSuchAction { wanted, offered: usable.clone() };
    let (title, wanted) = match which {
        Which::Nth { index, title } => {
            // Servers make their lists anew each time, and may leave one out; its title is surer than its place.
            let titled: Vec<usize> = match title {
                Some(title) => (0..actions.len()).filter(|at| offered[*at] == *title).collect(),
                None => (0..actions.len()).filter(|at| at == index).collect(),
            };
            let at = titled.iter().find(|at| *at == index).or(match titled.as_slice() {
                [only] => Some(only),
                _ => None,
            });
            let wanted = title.as_ref().map_or_else(String::new, |title| format!(": {title}"));
            return match at.and_then(|at| actions.get(*at)).cloned() {
                None => Err(none(format!("{index}{wanted}"))),
                Some(action) if !is_usable(&action) => Err(DraftError::Disabled {
                    title: title_of(&action),
                    reason: action["disabled"]["reason"].as_str().unwrap_or("no reason").to_owned(),
                }),
                Some(action) => Ok(action),
            };
        }
        Which::Titled(title) => (Some(title.as_str()), title.clone()),
        Which::Preferred => (None, "single preferred action".to_owned()),
    };
    let fits = |action: &Value| match title {
        Some(wanted) => title_of(action).to_lowercase().contains(&wanted.to_lowercase()),
        None => true,
    };
    let found: Vec<Value> = actions.into_iter().filter(|action| is_usable(action) && fits(action)).collect();
    let exact = |action: &&Value| title.is_some_and(|wanted| title_of(action) == wanted);
    let preferred = |action: &&Value| action["isPreferred"] == true;
    let one = |among: Vec<&Value>| match among.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    };
    let action = one(found.iter().filter(exact).collect())
        .or_else(|| one(found.iter().collect()))
        .or_else(|| one(found.iter().filter(preferred).collect()));
    action.ok_or_else(|| none(wanted))
}

/// What an action without an edit lets the server do.
fn command(action: &Value) -> Result<Proposed, DraftError> {
    let title = action["title"].as_str().unwrap_or_default().to_owned();
    let command = &action["command"];
    let Some(name) = command["command"].as_str() else { return Err(DraftError::Empty { title }) };
    let arguments = command["arguments"].as_array().cloned().unwrap_or_default();
    Ok(Proposed::Command { title, command: name.to_owned(), arguments })
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
            Self::Before { file, .. } | Self::After { file, .. } | Self::Delete { file, .. } => {
                vec![file.clone()]
            }
            Self::Stretches(files) => files.iter().map(|stretches| stretches.file.clone()).collect(),
            Self::Workspace(edit) => files_of(edit),
            Self::ByServer(served) => files_of(&served.edit),
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
