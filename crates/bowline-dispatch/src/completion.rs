//! Whether an agent may say that it is done: finds out what the checkers need to know, then asks them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_call::ConversationId;
use bowline_gate::{
    CommandEnd, CommandNeed, Completion, Found, Ledger, LedgerUnavailable, Ledgers, Need, Profiles,
    RuleFailed, Stopping, Watched,
};
use futures_util::future::BoxFuture;

use crate::FactFinder;

/// Beside the time that the commands themselves may take.
const GRACE: Duration = Duration::from_secs(10);

/// Runs commands that a profile names. The limits of time and output are its own business.
pub trait Prober: Send + Sync {
    fn run<'a>(&'a self, need: &'a CommandNeed) -> BoxFuture<'a, CommandEnd>;
}

/// Looks at the world for profiles.
pub struct Advisor {
    pub(crate) profiles: Profiles,
    ledgers: Ledgers,
    facts: FactFinder,
    prober: Arc<dyn Prober>,
}

impl Advisor {
    pub fn new(
        profiles: Profiles,
        ledgers: Ledgers,
        facts: FactFinder,
        prober: Arc<dyn Prober>,
    ) -> Arc<Self> {
        Arc::new(Self { profiles, ledgers, facts, prober })
    }

    /// May this conversation end?
    pub async fn stop(&self, conversation: &ConversationId, stopping: &Stopping) -> Completion {
        let now = self.facts.now();
        let ledger = match self.known(conversation).await {
            Ok(ledger) => ledger,
            Err(error) => return unknown(&RuleFailed(error.to_string())),
        };
        let found = match self.profiles.needs(&ledger, now) {
            Ok(needs) => self.find_out(needs).await,
            Err(failed) => return unknown(&failed),
        };
        // It may have taken its time.
        match self.known(conversation).await {
            Ok(ledger) => self.profiles.complete(&ledger, self.facts.now(), stopping, &found),
            Err(error) => unknown(&RuleFailed(error.to_string())),
        }
    }

    async fn known(&self, conversation: &ConversationId) -> Result<Arc<Ledger>, LedgerUnavailable> {
        if self.ledgers.is_kept() {
            let (ledgers, conversation) = (self.ledgers.clone(), conversation.clone());
            let refreshed = tokio::task::spawn_blocking(move || ledgers.refresh(&conversation)).await;
            refreshed.unwrap_or_else(|_| Err(LedgerUnavailable::new("somebody stumbled over it")))?;
        }
        Ok(self.ledgers.known(conversation))
    }

    /// How long [`Self::stop`] may take.
    pub fn patience(&self) -> Duration {
        self.profiles.time_of_commands().saturating_add(GRACE)
    }

    async fn find_out(&self, needs: Vec<Need>) -> Found {
        let (mut files, mut commands) = (Vec::new(), Vec::new());
        for need in needs {
            match need {
                Need::File(file) => files.push(file),
                Need::Command(command) => commands.push(command),
            }
        }
        let mut found = self.look_for(files).await;
        // One after the other: they may build the same things.
        for command in commands {
            let end = self.prober.run(&command).await;
            found.add_command(command, end);
        }
        found
    }

    /// The time, and the files that somebody waits for.
    pub(crate) async fn watch(&self) -> Watched {
        let files = self.look_for(self.profiles.watched().into_iter().collect()).await;
        Watched { now: self.facts.now(), files }
    }

    async fn look_for(&self, files: Vec<PathBuf>) -> Found {
        if files.is_empty() {
            return Found::default();
        }
        let facts = self.facts.clone();
        let look = move || {
            let mut found = Found::default();
            for file in files {
                let exists = facts.has_file(&file);
                found.add_file(file, exists);
            }
            found
        };
        // What nobody could look at is not known to be there.
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }
}

fn unknown(failed: &RuleFailed) -> Completion {
    let feedback = format!("what a checker needs to know could not be told: {failed}");
    Completion { complete: false, feedback: Some(feedback), skipped: None }
}

impl FactFinder {
    /// Whether this file is there, below one of the roots and really so.
    fn has_file(&self, file: &Path) -> bool {
        let roots = self.roots();
        let real = roots.iter().filter_map(|root| bowline_std::fs::real_path(&root.join(file)).ok());
        real.into_iter().any(|real| real.is_file() && roots.iter().any(|root| real.starts_with(root)))
    }
}
