//! Feedback on its way: what must be looked at before a call and after it, and what goes out with its answer.

use std::sync::Arc;

use bowline_call::{AnyAnswer, ConversationId, Effect, ToolError};
use bowline_gate::{Advice, Completion, Ledger, Stopping, Watched};

use crate::record::CallRecord;
use crate::{Advisor, Corridor};

/// What a caller gets.
#[derive(Debug)]
pub struct Reply {
    pub result: Result<AnyAnswer, ToolError>,
    /// Advice that came due with this very call, as blocks to be shown after the answer or the error.
    pub feedback: Vec<String>,
}

impl Corridor {
    /// From now on these profiles are looked after. To be said once.
    pub fn advised_by(&self, advisor: Arc<Advisor>) {
        let _ = self.advisor.set(advisor);
    }

    /// May this conversation end? Asked by surfaces that learn of it.
    pub async fn stop(&self, conversation: &ConversationId, stopping: &Stopping) -> Completion {
        match self.advisor.get() {
            Some(advisor) => advisor.stop(conversation, stopping).await,
            None => Completion { complete: true, feedback: None, skipped: None },
        }
    }

    /// Before the first call of a conversation: what is there already does not appear any more.
    pub(crate) async fn begin(self: &Arc<Self>, conversation: &ConversationId) {
        let Some(advisor) = self.advisor.get() else { return };
        // Where the past cannot be read, the call is refused before long.
        let Ok(ledger) = self.known(conversation).await else { return };
        if !advisor.profiles.is_new_to(&ledger) {
            return;
        }
        let (watched, conversation, advisor) =
            (advisor.watch().await, conversation.clone(), Arc::clone(advisor));
        let begin = move |corridor: &Self| {
            corridor.ledgers.with(&conversation, |ledger| advisor.profiles.begin(ledger, &watched))
        };
        if let Err(error) = self.at_the_ledgers(begin).await {
            tracing::error!(%error, "the beginning of a conversation could not be written down");
        }
    }

    /// What providers will want to know of the world.
    pub(crate) async fn watch(&self) -> Option<Watched> {
        Some(self.advisor.get()?.watch().await)
    }

    /// One round, once the ledger has learned of the call.
    pub(crate) fn advise(&self, ledger: &mut Ledger, watched: Option<&Watched>) -> Advice {
        match (self.advisor.get(), watched) {
            (Some(advisor), Some(watched)) => advisor.profiles.advise(ledger, watched),
            _ => Advice::default(),
        }
    }

    /// What stands where a call has written. To be looked at while it still has its turn: what somebody else writes after it
    /// is not its own.
    pub(crate) async fn look_again(&self, record: &CallRecord) {
        if !self.advisor.get().is_some_and(|advisor| advisor.profiles.wants_content()) {
            return;
        }
        let mut written = Vec::new();
        for judged in record.judged() {
            if judged.intent.effect == Effect::Write {
                written.extend(judged.facts.paths.iter().cloned());
            }
            // Which of several places it was is not known.
            let places = judged.facts.written_by_commands().filter_map(|touched| match &*touched.readings {
                [place] if !touched.is_deep => Some(place.clone()),
                _ => None,
            });
            written.extend(places);
        }
        if written.is_empty() {
            return;
        }
        let facts = self.facts.clone();
        let look = move || written.iter().map(|path| facts.again(path)).collect();
        // What nobody could look at is not known.
        record.stands_after(tokio::task::spawn_blocking(look).await.unwrap_or_default());
    }
}

pub(crate) fn rendered(advice: &Advice) -> Vec<String> {
    for failure in &advice.failures {
        tracing::warn!("{failure}");
    }
    advice.feedback.iter().map(bowline_gate::Feedback::render).collect()
}
