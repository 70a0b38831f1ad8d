//! What the tools of this room share.

use std::sync::{Arc, LazyLock, OnceLock};

use bowline_call::{CallContext, ToolError, nearest};
use bowline_gate::{By, Guidance, KnownTools, Ledger, Ledgers};
use bowline_skills::{Catalogue, SkillError, Store};

use crate::Finisher;

/// Where skills come from, what the host says about them, and the ledgers that remember which are in use.
pub struct Guide {
    store: Arc<dyn Store>,
    ledgers: Ledgers,
    pub(crate) guidance: Guidance,
    /// What a load, or a bundled file, may bring to the model.
    pub(crate) max_bytes: usize,
    known: OnceLock<LazyTools>,
    finisher: OnceLock<Arc<dyn Finisher>>,
}

/// The tools that there are, put together when a skill first needs them: that takes the schema of every tool.
type LazyTools = LazyLock<Arc<KnownTools>, Box<dyn FnOnce() -> Arc<KnownTools> + Send>>;

impl Guide {
    pub fn new(store: Arc<dyn Store>, ledgers: Ledgers, guidance: Guidance, max_bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            store,
            ledgers,
            guidance,
            max_bytes,
            known: OnceLock::new(),
            finisher: OnceLock::new(),
        })
    }

    /// The tools that there are. To be said once; they are looked at when a skill first needs them.
    pub fn know(&self, tools: impl FnOnce() -> KnownTools + Send + 'static) {
        let _ = self.known.set(LazyLock::new(Box::new(move || Arc::new(tools()))));
    }

    pub(crate) fn known(&self) -> Result<&Arc<KnownTools>, ToolError> {
        self.known
            .get()
            .map(|known| &**known)
            .ok_or_else(|| ToolError::internal("nobody has said which tools there are"))
    }

    /// Who judges whether a conversation may end. To be said once.
    pub fn finished_by(&self, finisher: Arc<dyn Finisher>) {
        let _ = self.finisher.set(finisher);
    }

    pub(crate) fn finisher(&self) -> Result<&dyn Finisher, ToolError> {
        let finisher = self.finisher.get().map(|finisher| &**finisher);
        finisher.ok_or_else(|| ToolError::internal("nobody has said who judges whether a task is done"))
    }

    /// Asks the store, where waiting for the disk is allowed.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Store) -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let store = Arc::clone(&self.store);
        let asked = tokio::task::spawn_blocking(move || question(&*store)).await;
        asked.map_err(|_| ToolError::internal("the skills could not be read"))
    }

    pub(crate) async fn list(&self) -> Result<Catalogue, ToolError> {
        if self.store.is_quick() {
            return Ok(self.store.list());
        }
        self.ask(|store| store.list()).await
    }

    /// The ledger of the conversation that a call is a part of.
    pub(crate) async fn ledger(&self, cx: &CallContext) -> Result<Arc<Ledger>, ToolError> {
        if self.ledgers.is_kept() {
            let (ledgers, conversation) = (self.ledgers.clone(), cx.conversation().clone());
            let refreshed = tokio::task::spawn_blocking(move || ledgers.refresh(&conversation)).await;
            let refreshed =
                refreshed.map_err(|_| ToolError::internal("the conversation could not be read"))?;
            refreshed.map_err(|error| ToolError::failed(error.to_string()))?;
        }
        Ok(self.ledgers.known(cx.conversation()))
    }

    /// Changes that ledger when the call has succeeded. The answer is what comes of it as things stand.
    pub(crate) async fn change<T>(
        &self,
        cx: &CallContext,
        work: impl Fn(&mut Ledger) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Result<T, ToolError> {
        self.ledger(cx).await?;
        self.ledgers.stage(cx.conversation(), cx.id(), work)
    }

    /// Why a skill cannot be had, with the name that was probably meant.
    pub(crate) async fn explain(&self, error: SkillError) -> ToolError {
        let code = error.code();
        let SkillError::NotFound { name } = &error else {
            return ToolError::coded(code, error.to_string());
        };
        let told = ToolError::coded(code, error.to_string());
        let Ok(catalogue) = self.list().await else { return told };
        match nearest(name, catalogue.skills.iter().map(|skill| skill.name.as_str())) {
            Some(meant) => told.hint(format!("did you mean `{meant}`?")),
            None => told.hint("skills_list says which there are"),
        }
    }
}

/// The call that a tool is running for.
pub(crate) fn by(cx: &CallContext, tool: &'static str) -> By<'static> {
    By { call: cx.id(), tool }
}
