//! Which projects may say what is run. A project's file travels with code that was merely cloned.

use std::path::{Path, PathBuf};

use bowline_lsp::{LimitOptions, ServerOptions};
use serde::Deserialize;

use super::layer::{Layer, expanded};

/// A directory in which, with everything below it, projects may say what is run.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct TrustedProject(String);

impl TryFrom<String> for TrustedProject {
    type Error = String;

    fn try_from(path: String) -> Result<Self, String> {
        let from_home = path == "~" || path.starts_with("~/");
        if from_home || Path::new(&path).is_absolute() {
            return Ok(Self(path));
        }
        Err(format!("`{}` is not an absolute path, nor does it begin with `~/`", path.escape_debug()))
    }
}

/// What the user trusts.
pub(crate) struct Trust {
    places: Vec<PathBuf>,
    /// There is a list already, even if nothing on it exists.
    listed: bool,
    /// Where the user can say so.
    file: Option<PathBuf>,
}

impl Trust {
    pub(crate) fn new(projects: &[TrustedProject], home: Option<&Path>, file: Option<PathBuf>) -> Self {
        // One that cannot be resolved is not above anything.
        let real = |project: &TrustedProject| expanded(&project.0, home).canonicalize().ok();
        Self { places: projects.iter().filter_map(real).collect(), listed: !projects.is_empty(), file }
    }

    /// Whether the project in this root is trusted. The root is a real path.
    pub(crate) fn covers(&self, root: &Path) -> bool {
        self.places.iter().any(|place| root.starts_with(place))
    }

    /// How the user can say that it is.
    pub(crate) fn mend(&self, root: &Path) -> String {
        let file =
            self.file.as_ref().map_or("your bowline.toml".into(), |file| format!("`{}`", file.display()));
        let entry = toml::Value::from(root.to_string_lossy().as_ref());
        if self.listed {
            format!("add `{entry}` to `trusted_projects` in {file}")
        } else {
            format!("put the line `trusted_projects = [{entry}]` at the top of {file}")
        }
    }

    /// Takes out of a project's layers what could run programs, unless the project is trusted, and says so. The root
    /// is a real path.
    pub(crate) fn sift(&self, root: &Path, layers: &mut [Layer], warnings: &mut Vec<String>) {
        if self.covers(root) {
            return;
        }
        for layer in layers {
            let keys = withhold(layer);
            if !keys.is_empty() {
                warnings.push(self.warning(root, layer, &keys));
            }
        }
    }

    fn warning(&self, root: &Path, layer: &Layer, keys: &[&str]) -> String {
        let (keys, mend) = (keys.join("`, `"), self.mend(root));
        format!(
            "{}: `{keys}` of the server `{}` ignored: it could run programs or make files look clean, and the project is not trusted; \
             if you trust it, {mend}",
            layer.origin, layer.name
        )
    }
}

/// Takes out what could run programs: the command itself, variables that tool chains obey, and options by which
/// servers choose their helpers. The keys that were there. What is new in the options must be judged here.
fn withhold(layer: &mut Layer) -> Vec<&'static str> {
    let ServerOptions {
        command,
        env,
        initialization_options,
        settings,
        extensions,
        language_id,
        root_markers,
        enabled,
        limits,
    } = std::mem::take(&mut layer.options);
    // Files given to another server than their own look clean, and a server without time or memory never answers.
    layer.options = ServerOptions { root_markers, enabled, ..ServerOptions::default() };
    layer.command_withheld = !command.is_empty();
    let keys = [
        ("command", !command.is_empty()),
        ("extensions", !extensions.is_empty()),
        ("language_id", language_id.is_some()),
        ("limits", limits != LimitOptions::default()),
        ("env", !env.is_empty()),
        ("initialization_options", initialization_options.is_some()),
        ("settings", settings.is_some()),
    ];
    keys.into_iter().filter(|(_, was_there)| *was_there).map(|(key, _)| key).collect()
}
