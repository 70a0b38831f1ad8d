//! A server that is set from outside: it asks for its settings, and looks only at what they name.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use serde_json::{Value, json};

use super::server::Server;

/// Asks for the settings, if the script wants it so, and follows them when they come.
pub(crate) fn read(server: &Server) {
    let Some(section) = server.script.reads_settings.clone() else {
        return;
    };
    let Some(root) = server.project.roots.first().cloned() else {
        return;
    };
    let (post, include) = (server.post.clone(), Arc::clone(&server.project.include));
    let asked = post.ask("workspace/configuration", json!({ "items": [{ "section": section }] }));
    tokio::spawn(async move {
        let Ok(Ok(settings)) = asked.await else {
            return;
        };
        let places = settings.pointer("/0/analysis/include").and_then(Value::as_array).cloned();
        let names = places.iter().flatten().filter_map(Value::as_str);
        let places: Vec<PathBuf> = names.map(|name| root.join(name)).collect();
        let count = places.len();
        *include.lock().unwrap_or_else(PoisonError::into_inner) = places;
        let message = format!("Found source files in {count} places");
        post.notify("window/logMessage", json!({ "type": 3, "message": message }));
    });
}
