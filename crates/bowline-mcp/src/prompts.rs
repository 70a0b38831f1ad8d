//! Skills as prompts: what a client offers to a person, who picks one by its name.
//!
//! A prompt is text and nothing else: taking one changes nothing in the conversation.

mod message;
mod page;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bowline_skills::{Locations, SkillError, Store};
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, ListPromptsResult};
use tokio::sync::Semaphore;

/// No more threads than so many wait for a disk that does not answer.
const READERS: usize = 4;
/// As long as a tool may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Messages name things; they do not repeat them.
const LONGEST_MESSAGE: usize = 1000;

/// The prompt that tells a model which skills there are.
const AVAILABLE: &str = "available_skills";

/// The skills that a client may have as prompts.
#[derive(Clone)]
pub struct Prompts {
    store: Arc<dyn Store>,
    max_bytes: usize,
    locations: Locations,
    patience: Duration,
    readers: Arc<Semaphore>,
}

impl Prompts {
    /// At most so many bytes of a skill are handed out.
    pub fn new(store: Arc<dyn Store>, max_bytes: usize, locations: Locations) -> Self {
        let readers = Arc::new(Semaphore::new(READERS));
        Self { store, max_bytes, locations, patience: PATIENCE, readers }
    }

    /// How long the disk may take before the client is told so.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    pub(crate) async fn list(&self, cursor: Option<String>) -> Result<ListPromptsResult, PromptError> {
        let after = cursor.as_deref().map(page::after).transpose()?;
        self.ask(move |store| page::of(&store.list().skills, after.as_deref())).await
    }

    pub(crate) async fn get(
        &self,
        name: &str,
        arguments: Option<JsonObject>,
    ) -> Result<GetPromptResult, PromptError> {
        let (name, max_bytes, locations) = (name.to_owned(), self.max_bytes, self.locations);
        let values = message::values(arguments.unwrap_or_default(), max_bytes)?;
        self.ask(move |store| {
            if name.trim() == AVAILABLE {
                let skills = store.list().skills;
                if let Some(block) = message::block(&skills, locations, max_bytes) {
                    return Ok(block);
                }
            }
            message::of(store, &name, &values, max_bytes)
        })
        .await?
    }

    /// Asks the store, where waiting for the disk is allowed. A disk that hangs keeps a reader and not the client.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Store) -> T + Send + 'static,
    ) -> Result<T, PromptError> {
        let asking = async {
            let reader = Arc::clone(&self.readers).acquire_owned().await.map_err(|_| PromptError::Broken)?;
            let store = Arc::clone(&self.store);
            let reading = tokio::task::spawn_blocking(move || {
                let _reader = reader;
                question(&*store)
            });
            reading.await.map_err(|_| PromptError::Broken)
        };
        let asked = tokio::time::timeout(self.patience, asking).await;
        asked.unwrap_or(Err(PromptError::Slow(self.patience)))
    }
}

impl fmt::Debug for Prompts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompts").field("max_bytes", &self.max_bytes).finish_non_exhaustive()
    }
}

/// Why there is no prompt.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PromptError {
    /// The client can mend it.
    #[error("{0}")]
    Asked(String),
    /// The author of the skill can mend it, or whoever keeps the disk.
    #[error("{0}")]
    Unreadable(String),
    #[error("the skills could not be read within {} ms", .0.as_millis())]
    Slow(Duration),
    /// Ours; stderr has its words.
    #[error("the skills could not be read")]
    Broken,
    #[error("cancelled by the caller")]
    Cancelled,
}

impl From<SkillError> for PromptError {
    fn from(error: SkillError) -> Self {
        match error {
            SkillError::NotFound { .. } | SkillError::BadArgument(_) => Self::Asked(error.to_string()),
            error => Self::Unreadable(error.to_string()),
        }
    }
}

impl From<PromptError> for ErrorData {
    fn from(error: PromptError) -> Self {
        let message = start(&error.to_string(), LONGEST_MESSAGE);
        match error {
            PromptError::Asked(_) => Self::invalid_params(message, None),
            _ => Self::internal_error(message, None),
        }
    }
}

/// At most so many characters of it.
fn start(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
