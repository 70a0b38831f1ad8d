//! The keys of one server, from whichever kind of file, with every mistake at its place.

use std::sync::LazyLock;

use bowline_lsp::ServerOptions;
use bowline_std::text::nearest;
use serde_json::{Map, Value};

/// More than there are languages, and few enough to be compared with each other at each start.
pub(crate) const MOST_SERVERS: usize = 256;

/// What may be said of a server. The options themselves know.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(|| match serde_json::to_value(ServerOptions::default()) {
    Ok(Value::Object(options)) => options.into_iter().map(|(key, _)| key).collect(),
    _ => Vec::new(),
});

/// One key and its value, and at which bytes of the text they begin.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_at: usize,
    pub(crate) value: Value,
    pub(crate) value_at: usize,
}

/// Something wrong, and at which byte of the text.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Each key is understood by itself, so that a mistake can be pointed at.
pub(crate) fn options_of(entries: Vec<Entry>) -> Result<ServerOptions, Mistake> {
    let mut options = ServerOptions::default();
    let mut seen: Vec<String> = Vec::new();
    for Entry { key, key_at, value, value_at } in entries {
        if !KEYS.contains(&key) {
            return Err(Mistake { at: key_at, message: unknown(&key) });
        }
        if seen.contains(&key) {
            return Err(Mistake { at: key_at, message: format!("`{key}` is given twice") });
        }
        // In JSON, nothing can be written down.
        if !value.is_null() {
            let wrong =
                |message: String| Mistake { at: value_at, message: format!("`{key}` is wrong: {message}") };
            let alone = Value::Object(Map::from_iter([(key.clone(), value)]));
            let said: ServerOptions =
                serde_json::from_value(alone).map_err(|error| wrong(error.to_string()))?;
            check(&said).map_err(wrong)?;
            options = said.over(options);
        }
        seen.push(key);
    }
    Ok(options)
}

/// A name is repeated in messages, and must not be able to look like something else there.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_+#.".contains(c)) {
        return Ok(());
    }
    let name = name.escape_debug();
    Err(format!("`{name}` cannot be a server's name: that is a language, in letters, digits and `-_+#.`"))
}

/// What no type can say.
fn check(said: &ServerOptions) -> Result<(), String> {
    if said.command.first().is_some_and(String::is_empty) {
        return Err("its first word must be a program".into());
    }
    if let Some(id) = &said.language_id {
        // Nothing at all is how some programs write that there is none.
        if !id.is_empty() {
            check_name(id)?;
        }
    }
    for extension in &said.extensions {
        let bare = extension.trim_start_matches('.');
        if bare.is_empty() || bare.contains(['*', '/', '\\']) {
            return Err(format!("`{}` is not an extension; one looks like `go`", extension.escape_debug()));
        }
    }
    for (name, value) in &said.env {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(format!("`{}` cannot be a variable", name.escape_debug()));
        }
    }
    Ok(())
}

fn unknown(key: &str) -> String {
    let keys = || KEYS.iter().map(String::as_str);
    let advice = match nearest(key, keys()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are `{}`", keys().collect::<Vec<_>>().join("`, `")),
    };
    format!("a server has no `{}`; {advice}", key.escape_debug())
}
