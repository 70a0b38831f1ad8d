//! What the settings of rust-analyzer say about a check: the same that it would do itself.
//!
//! Arguments of the user's own are left out: a `--target-dir` among them would lead the build into the project.

use std::ffi::OsString;
use std::sync::Arc;

use bowline_lsp::ServerSpec;
use serde_json::Value;

use super::ShadowError;

/// How cargo is to be called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) args: Vec<String>,
    env: Vec<(String, String)>,
}

impl Settings {
    /// The settings of the server that would be asked about Rust.
    pub(super) fn of(specs: &[Arc<ServerSpec>]) -> Result<Self, ShadowError> {
        let spec = specs.iter().find(|spec| spec.languages.iter().any(|spoken| spoken.id == "rust"));
        let Some(spec) = spec else { return Self::read(&[]) };
        // What a server is told while it runs overrules what it was told at its start.
        let told: Vec<&Value> =
            [&spec.settings, &spec.initialization_options].into_iter().flatten().collect();
        let mut settings = Self::read(&told)?;
        let own = spec.env.iter().map(|(name, value)| (name.clone(), value.clone()));
        settings.env.splice(0..0, own);
        Ok(settings)
    }

    fn read(told: &[&Value]) -> Result<Self, ShadowError> {
        let get =
            |name: &str| told.iter().find_map(|value| look(value, name)).filter(|value| !value.is_null());
        let switched_off = |setting| Err(ShadowError::SwitchedOff { setting });
        let checks = get("checkOnSave");
        if checks.and_then(|checks| checks.get("enable").or(Some(checks))) == Some(&Value::Bool(false)) {
            return switched_off("`checkOnSave` is false");
        }
        if get("check.overrideCommand").is_some() {
            return switched_off("`check.overrideCommand` names another command");
        }
        let is = |name: &str, wanted| get(name).and_then(Value::as_bool) == Some(wanted);
        let mut args = Vec::new();
        if !is("check.allTargets", false) && !is("cargo.allTargets", false) {
            args.push("--all-targets".to_owned());
        }
        let features = get("check.features").or_else(|| get("cargo.features"));
        if is("cargo.allFeatures", true) || features.and_then(Value::as_str) == Some("all") {
            args.push("--all-features".to_owned());
        } else if let Some(features) = features.and_then(Value::as_array).filter(|all| !all.is_empty()) {
            let names: Vec<&str> = features.iter().filter_map(Value::as_str).collect();
            args.push(format!("--features={}", names.join(",")));
        }
        if is("check.noDefaultFeatures", true) || is("cargo.noDefaultFeatures", true) {
            args.push("--no-default-features".to_owned());
        }
        if let Some(target) = get("cargo.target").and_then(Value::as_str) {
            args.push(format!("--target={target}"));
        }
        let extra = ["cargo.extraEnv", "check.extraEnv"].into_iter().filter_map(get);
        let env = extra.filter_map(Value::as_object).flatten();
        let env = env.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        Ok(Self { args, env: env.collect() })
    }

    /// The environment of the programs, with what the settings add.
    pub(super) fn environment(&self, around: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
        let own = self.env.iter().map(|(name, value)| (name.into(), value.into()));
        around.iter().cloned().chain(own).collect()
    }
}

/// A setting by its name with dots, in each of the ways in which people write it.
fn look<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let nested = |value: &'a Value| name.split('.').try_fold(value, |value, part| value.get(part));
    let inside = value.get("rust-analyzer");
    let whole = value.get(format!("rust-analyzer.{name}"));
    whole.or_else(|| inside.and_then(nested)).or_else(|| nested(value)).or_else(|| value.get(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn args(value: &Value) -> String {
        Settings::read(&[value]).map_or_else(|error| error.to_string(), |settings| settings.args.join(" "))
    }

    #[test]
    fn reads_settings_however_they_are_nested() {
        assert_eq!(args(&json!({})), "--all-targets");
        assert_eq!(args(&json!({"cargo": {"features": ["a", "b"]}})), "--all-targets --features=a,b");
        assert_eq!(
            args(&json!({"rust-analyzer": {"cargo": {"features": "all"}}})),
            "--all-targets --all-features"
        );
        assert_eq!(
            args(&json!({"rust-analyzer.cargo.noDefaultFeatures": true, "check.allTargets": false})),
            "--no-default-features"
        );
        let off = "not checked because the settings of rust-analyzer switch it off: `checkOnSave` is false";
        assert_eq!(args(&json!({"checkOnSave": false})), off);
        assert_eq!(args(&json!({"rust-analyzer": {"checkOnSave": {"enable": false}}})), off);
        assert_eq!(args(&json!({"checkOnSave": true, "check": {"command": "clippy"}})), "--all-targets");
        assert!(args(&json!({"check": {"overrideCommand": ["x"]}})).ends_with("names another command"));
    }
}
