//! What a life is limited to, and how that changes while it goes on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::Life;
use crate::ServerSpec;
use crate::connection::Connection;
use crate::scope::{Limiting, Plugin, Scope, plugin_command, settings};

/// How long a server may take to hand a scope to its plugin.
const TO_PLUGIN: Duration = Duration::from_secs(10);

/// The limits of one life.
pub(crate) struct Bounds {
    how: Option<Limiting>,
    plugin: Option<Plugin>,
    now: Mutex<Option<Scope>>,
    /// Held by whoever changes it.
    turn: tokio::sync::Mutex<()>,
}

impl Bounds {
    /// What a life that is to be limited begins with. One whose plugin cannot be written is not limited.
    pub(super) fn new(spec: &ServerSpec, scope: Option<Scope>) -> Self {
        let mut how = spec.limiting();
        let mut plugin = None;
        if how == Some(Limiting::Plugin) && scope.is_some() {
            match Plugin::write() {
                Ok(written) => plugin = Some(written),
                Err(error) => {
                    tracing::warn!(server = spec.name, %error, "not limited to a part of the project");
                    how = None;
                }
            }
        }
        let now = Mutex::new(scope.filter(|_| how.is_some()));
        Self { how, plugin, now, turn: tokio::sync::Mutex::default() }
    }

    pub(super) fn now(&self) -> Option<Scope> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, scope: Option<Scope>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = scope;
    }

    /// The settings that the server is to have from its beginning.
    pub(super) fn settings(&self, spec: &ServerSpec) -> Option<serde_json::Value> {
        match (self.how, self.now()) {
            (Some(Limiting::Settings), Some(scope)) => Some(settings(spec.settings.as_ref(), Some(&scope))),
            _ => spec.settings.clone(),
        }
    }

    /// The options that the server is to start with.
    pub(super) fn options(&self, spec: &ServerSpec) -> Option<serde_json::Value> {
        let mut options = spec.initialization_options.clone();
        if let Some(plugin) = &self.plugin {
            plugin.add_to(options.get_or_insert_with(|| json!({})));
        }
        options
    }

    /// Tells the plugin, before the first document is opened.
    pub(super) async fn begin(&self, connection: &Connection, root: &std::path::Path) {
        if self.plugin.is_some() {
            let command = plugin_command(root, self.now().as_ref());
            if connection.request("workspace/executeCommand", &command, TO_PLUGIN).await.is_err() {
                tracing::warn!("the scope was not handed to tsserver");
            }
        }
    }
}

impl Life {
    /// What it is limited to. Its answers are about all that this imports, but it finds uses only there.
    pub fn scope(&self) -> Option<Scope> {
        self.bounds.now()
    }

    /// Limits it, or lifts the limit. `false`: it cannot be told while it runs. One that cannot be limited at all
    /// stays as it is.
    pub async fn set_scope(self: &Arc<Self>, scope: Option<&Scope>) -> bool {
        let bounds = &self.bounds;
        let _turn = bounds.turn.lock().await;
        if bounds.now().as_ref() == scope {
            return true;
        }
        match bounds.how {
            None => return true,
            Some(Limiting::Settings) => {
                let settings = settings(self.spec.settings.as_ref(), scope);
                let _documents = self.documents();
                bounds.set(scope.cloned());
                self.board.change_settings(settings.clone());
                self.tell("workspace/didChangeConfiguration", &json!({"settings": settings}));
                self.turn_the_world();
            }
            Some(Limiting::Plugin) => {
                if bounds.plugin.is_none() {
                    return false;
                }
                let command = plugin_command(&self.root, scope);
                // Before it is told: from now on it may have seen less.
                if scope.is_some() {
                    bounds.set(scope.cloned());
                }
                if self.connection.request("workspace/executeCommand", &command, TO_PLUGIN).await.is_err() {
                    return false;
                }
                bounds.set(scope.cloned());
                let _documents = self.documents();
                self.turn_the_world();
            }
        }
        true
    }
}
