//! What the servers of a workspace can do, and making them do it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_lsp::{Asker, Editor, Fault, Life, LspError, Shown};
use serde_json::Value;

use super::crew::Member;
use super::served::{Inquiry, Reach, Served};
use crate::fleet::Assigned;
use crate::{Patience, Workspace, WorkspaceError};

/// What one server offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// By which we know it.
    pub server: String,
    /// By which it calls itself, and its version.
    pub name: Option<String>,
    pub version: Option<String>,
    pub root: PathBuf,
    pub languages: Vec<String>,
    /// As the server sent them.
    pub capabilities: Value,
    pub commands: Vec<String>,
    /// Of the methods that were asked about, those it answers.
    pub methods: Vec<&'static str>,
}

impl Workspace {
    /// Whether somebody named a server for a language, rather than that one is merely known.
    pub fn is_asked_for(&self, language: &str) -> bool {
        let speaks =
            |spec: &bowline_lsp::ServerSpec| spec.languages.iter().any(|spoken| spoken.id == language);
        self.fleet.specs().iter().any(|spec| spec.asked_for && speaks(spec))
    }

    /// Whether a server could be asked about such a file.
    pub fn speaks(&self, path: &Path) -> bool {
        self.fleet.specs().iter().any(|spec| spec.language_of(path).is_some())
    }

    /// What every server concerned offers, of these methods; and why others say nothing. Those that do not run yet are
    /// started.
    pub async fn offers(
        &self,
        methods: &'static [&'static str],
        patience: &Patience<'_>,
    ) -> Result<(Vec<Offer>, Vec<String>), WorkspaceError> {
        let members = self.members(patience).await?;
        let (left_out, members) = (members.left_out, members.all());
        let asking = members.iter().map(|member| async move {
            (member, self.ask_member(member, Offers { methods }, patience).await)
        });
        let (mut offers, mut notes) = (Vec::new(), Vec::new());
        for (member, served) in futures_util::future::join_all(asking).await {
            match served {
                Ok(Served::Answer { value, .. }) => {
                    let spec = member.server.spec();
                    let languages = spec.languages.iter().map(|language| language.id.clone()).collect();
                    offers.push(Offer { root: member.server.root().to_owned(), languages, ..value });
                }
                Ok(Served::Nobody) => {}
                Ok(Served::Without(reason)) => notes.push(reason.into_error().to_string()),
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                Err(error) => notes.push(format!("`{}`: {error}", member.server.name())),
            }
        }
        if left_out > 0 {
            notes.push(format!("{left_out} more projects, whose servers do not run"));
        }
        Ok((offers, notes))
    }

    /// Lets the server that knows a command do it; `of` is a file or directory of its project, where several know it.
    /// What it wants to edit on the way is put to the editor.
    pub async fn execute_command(
        &self,
        command: &str,
        arguments: Vec<Value>,
        of: Option<&Path>,
        editor: &dyn Editor,
        patience: &Patience<'_>,
    ) -> Result<(String, Value), WorkspaceError> {
        let of = of.map(|path| self.resolve(path)).transpose()?;
        let members = self.members(patience).await?.all();
        let concerned = |member: &Member| {
            of.as_ref().is_none_or(|path| {
                path.starts_with(member.server.root()) || member.server.root().starts_with(path)
            })
        };
        let members: Vec<Member> = members.into_iter().filter(concerned).collect();
        let asking = members.iter().map(|member| async move {
            (member, self.ask_member(member, Offers { methods: &[] }, patience).await)
        });
        let (mut able, mut known, mut without) = (Vec::new(), Vec::new(), None);
        for (member, served) in futures_util::future::join_all(asking).await {
            match served? {
                Served::Answer { value, .. } => {
                    if value.commands.iter().any(|name| name == command) {
                        able.push(member);
                    }
                    known.extend(value.commands);
                }
                Served::Without(reason) => without = Some(reason),
                Served::Nobody => {}
            }
        }
        match without {
            // It might have been the one.
            Some(reason) if able.is_empty() => return Err(reason.into_error()),
            _ => {}
        }
        if let (true, Some(first)) = (known.is_empty(), members.first()) {
            let (server, fault) = (first.server.name().to_owned(), Fault::Unsupported { what: "commands" });
            return Err(WorkspaceError::Server(LspError { server, fault }));
        }
        let [member] = able.as_slice() else {
            known.sort_unstable();
            known.dedup();
            let servers: Vec<String> = able
                .iter()
                .map(|member| format!("{} in {}", member.server.name(), member.server.root().display()))
                .collect();
            return Err(WorkspaceError::NoSuchCommand { command: command.to_owned(), servers, known });
        };
        let order = Order { command: command.to_owned(), arguments, editor };
        match self.ask_member(member, order, patience).await? {
            Served::Answer { value, .. } => Ok((member.server.name().to_owned(), value)),
            Served::Nobody => Err(self.no_server(&member.file)),
            Served::Without(reason) => Err(reason.into_error()),
        }
    }

    async fn ask_member<I: Inquiry>(
        &self,
        member: &Member,
        inquiry: I,
        patience: &Patience<'_>,
    ) -> Result<Served<I::Answer>, WorkspaceError> {
        let language = member.server.spec().language_of(&member.file).map(|language| language.id.clone());
        let assigned =
            Assigned { server: Arc::clone(&member.server), language: language.unwrap_or_default() };
        self.serve_by(&assigned, &member.file, None, Reach::File, patience, inquiry).await
    }
}

struct Offers {
    methods: &'static [&'static str],
}

impl Inquiry for Offers {
    type Answer = Offer;

    async fn put(&self, life: &Arc<Life>, shown: &Shown, _: Asker<'_>) -> Result<Offer, LspError> {
        let document = Some((shown.path.as_path(), shown.language.as_str()));
        let capabilities = life.capabilities();
        Ok(Offer {
            server: life.name().to_owned(),
            name: capabilities.name().map(str::to_owned),
            version: capabilities.version().map(str::to_owned),
            root: PathBuf::new(),
            languages: Vec::new(),
            capabilities: capabilities.raw().clone(),
            commands: life.commands(),
            methods: self.methods.iter().copied().filter(|method| life.supports(method, document)).collect(),
        })
    }
}

/// A command. It is not put again to the next life: the one before may have done it.
struct Order<'a> {
    command: String,
    arguments: Vec<Value>,
    editor: &'a dyn Editor,
}

impl Inquiry for Order<'_> {
    type Answer = Value;
    const AGAIN: bool = false;

    async fn put(&self, life: &Arc<Life>, _: &Shown, asker: Asker<'_>) -> Result<Value, LspError> {
        life.execute_command(&self.command, &self.arguments, asker, self.editor).await
    }
}
