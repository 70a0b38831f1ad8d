//! The part of a project that a server is limited to, and how single servers are told of it.
//!
//! Nothing is ever written into the project: what its own configuration files say is the user's word. pyright takes a
//! list of places from its settings; tsserver takes a plugin, which lies in a directory of ours as long as the server
//! lives.

use std::path::Path;

use bowline_std::fs::replace_private;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::quirks::Quirks;
use crate::{Reach, ServerSpec};

/// By this name tsserver finds it.
const PLUGIN: &str = "bowline-scope";
const PLUGIN_CODE: &str = include_str!("scope/plugin.js");

/// Directories, and single files where no directory says it, relative to the root of the project. A server that is
/// limited to them knows all that they import, too, but finds uses only in them and in open documents.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    places: Vec<String>,
}

impl Scope {
    /// `None`, if no place is named: that is no limit.
    pub fn new(places: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut places: Vec<String> = places.into_iter().collect();
        places.sort_unstable();
        places.dedup();
        (!places.is_empty()).then_some(Self { places })
    }

    /// In order.
    pub fn places(&self) -> &[String] {
        &self.places
    }

    /// Whether a file of the project lies in it.
    pub fn covers(&self, root: &Path, file: &Path) -> bool {
        let Ok(relative) = file.strip_prefix(root) else {
            return false;
        };
        relative.ancestors().any(|part| {
            part.to_str()
                .is_some_and(|part| self.places.binary_search_by(|place| place.as_str().cmp(part)).is_ok())
        })
    }
}

/// How a server can be limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limiting {
    /// It asks for its settings, and asks again when it is told that they have changed.
    Settings,
    /// A plugin of ours hides files from it.
    Plugin,
}

impl ServerSpec {
    /// How this server can be limited to a part of a project, as far as is known before it runs. Most cannot, or do it
    /// by themselves.
    pub fn limiting(&self) -> Option<Limiting> {
        let how = Quirks::of(None, &self.name).limiting?;
        // Whoever started it has given it its plugins.
        let is_ours = matches!(self.reach, Reach::Program { .. });
        (is_ours || how == Limiting::Settings).then_some(how)
    }
}

/// The settings that limit pyright, laid over those that the user gave it.
pub(crate) fn settings(own: Option<&Value>, scope: Option<&Scope>) -> Value {
    let mut settings = own.cloned().unwrap_or_default();
    let places: &[String] = scope.map_or(&[], |scope| scope.places());
    // An empty list is how it is told that there is no limit any more.
    *entry(entry(entry(&mut settings, "python"), "analysis"), "include") = json!(places);
    settings
}

/// What stands under a key, in a table that is made where there is none.
fn entry<'a>(table: &'a mut Value, key: &str) -> &'a mut Value {
    if !table.is_object() {
        *table = json!({});
    }
    &mut table[key]
}

/// The plugin of tsserver, on disk. It goes with this.
pub(crate) struct Plugin {
    directory: TempDir,
}

impl Plugin {
    /// Readable by this user alone: whoever could write it would run code in the server.
    pub(crate) fn write() -> std::io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("bowline-scope-").tempdir()?;
        let module = directory.path().join("node_modules").join(PLUGIN);
        replace_private(&module.join("index.js"), PLUGIN_CODE.as_bytes())?;
        let manifest = json!({"name": PLUGIN, "version": env!("CARGO_PKG_VERSION"), "main": "index.js"});
        replace_private(&module.join("package.json"), manifest.to_string().as_bytes())?;
        Ok(Self { directory })
    }

    /// Adds it to the options that the server starts with.
    pub(crate) fn add_to(&self, options: &mut Value) {
        let plugins = entry(options, "plugins");
        if plugins.is_null() {
            *plugins = json!([]);
        }
        if let Value::Array(plugins) = plugins {
            plugins.push(json!({"name": PLUGIN, "location": self.directory.path()}));
        }
    }
}

/// The command that tells the plugin of a scope.
pub(crate) fn plugin_command(root: &Path, scope: Option<&Scope>) -> Value {
    let places = scope.map(|scope| -> Vec<String> {
        scope.places().iter().map(|place| format!("{}/{place}", root.display())).collect()
    });
    json!({"command": "_typescript.configurePlugin", "arguments": [PLUGIN, {"places": places}]})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(places: &[&str]) -> Scope {
        Scope::new(places.iter().map(|place| (*place).to_owned())).unwrap()
    }

    #[test]
    fn covers_what_is_below_its_places_and_nothing_else() {
        let (scope, root) = (scope(&["pkg/a", "one.py"]), Path::new("/w"));
        for inside in ["/w/pkg/a/x.py", "/w/pkg/a/b/x.py", "/w/one.py"] {
            assert!(scope.covers(root, Path::new(inside)), "{inside}");
        }
        for outside in ["/w/pkg/ab/x.py", "/w/pkg/x.py", "/v/pkg/a/x.py", "/w/one.pyi"] {
            assert!(!scope.covers(root, Path::new(outside)), "{outside}");
        }
    }

    #[test]
    fn settings_keep_what_the_user_set() {
        let own = json!({"python": {"pythonPath": "/p", "analysis": {"extraPaths": ["x"]}}});
        let limited = settings(Some(&own), Some(&scope(&["a"])));
        assert_eq!(
            limited,
            json!({"python": {"pythonPath": "/p", "analysis": {"extraPaths": ["x"], "include": ["a"]}}})
        );
        assert_eq!(settings(None, None), json!({"python": {"analysis": {"include": []}}}));
    }

    #[test]
    fn the_plugin_is_added_to_others_and_goes_with_its_owner() {
        let plugin = Plugin::write().unwrap();
        let mut options = json!({"plugins": [{"name": "theirs"}], "tsserver": {}});
        plugin.add_to(&mut options);
        let location = options["plugins"][1]["location"].as_str().unwrap().to_owned();
        assert!(Path::new(&location).join("node_modules/bowline-scope/index.js").is_file());
        drop(plugin);
        assert!(!Path::new(&location).exists());
    }
}
