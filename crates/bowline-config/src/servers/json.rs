//! `--config` and `--merge-config`: servers in JSON, in the form that other programs write and read.

use std::fmt;
use std::path::Path;

use bowline_lsp::known::language_of;
use bowline_std::fs::read_text;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::layer::{Layer, Origin};
use super::table::{Entry, MOST_SERVERS, Mistake, check_name, options_of};
use crate::file::{ConfigError, MAX_BYTES, place};

const EXAMPLE: &str = r#"`{"servers": [{"extensions": ["go"], "command": ["gopls"]}]}`"#;

/// The servers of a file, in its order. Unlike `bowline.toml`, it was asked for and must exist.
pub(crate) fn read(path: &Path) -> Result<Vec<Layer>, ConfigError> {
    let (text, _) = read_text(path, MAX_BYTES)?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<Vec<Layer>, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrong = |Mistake { at, message }| {
        let (line, column) = place(text, at);
        ConfigError::InFile { path: path.to_owned(), line, column, message }
    };
    let whole: Pairs<'_> = serde_json::from_str(text).map_err(|error| {
        let message = if error.is_data() {
            format!("this must be an object: {EXAMPLE}")
        } else {
            format!("this is not JSON: {}", reason(&error))
        };
        let (line, column) = (error.line().max(1), error.column().max(1));
        ConfigError::InFile { path: path.to_owned(), line, column, message }
    })?;
    let source = Source { path, text };
    source.servers(&whole).map_err(wrong)
}

/// A text of which every part still knows where it is.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl<'a> Source<'a> {
    fn servers(&self, whole: &Pairs<'a>) -> Result<Vec<Layer>, Mistake> {
        let mut servers: Option<&RawValue> = None;
        for (key, value) in &whole.0 {
            let wrong = |message| Err(Mistake { at: self.at(key), message });
            match self.read::<String>(key, "a name")?.as_str() {
                "servers" if servers.is_some() => return wrong("`servers` is given twice".into()),
                "servers" => servers = Some(value),
                // For editors.
                "$schema" => {}
                key => {
                    let key = key.escape_debug();
                    return wrong(format!("`{key}` means nothing here; there is `servers` alone"));
                }
            }
        }
        let Some(servers) = servers else {
            let message = format!("there is no `servers` in it; it looks like {EXAMPLE}");
            return Err(Mistake { at: 0, message });
        };
        let list: Vec<&RawValue> = self.read(servers, "a list of servers")?;
        if list.len() > MOST_SERVERS {
            let message = format!("there are {} servers; at most {MOST_SERVERS} are read", list.len());
            return Err(Mistake { at: self.at(servers), message });
        }
        list.into_iter().map(|server| self.server(server)).collect()
    }

    fn server(&self, raw: &'a RawValue) -> Result<Layer, Mistake> {
        let pairs: Pairs<'_> =
            self.read(raw, "a server, as in `{\"extensions\": [\"go\"], \"command\": [\"gopls\"]}`")?;
        let entries = pairs.0.into_iter().map(|(key, value)| {
            Ok(Entry {
                key: self.read(key, "a name")?,
                key_at: self.at(key),
                value: self.read::<Value>(value, "a value")?,
                value_at: self.at(value),
            })
        });
        let mut options = options_of(entries.collect::<Result<_, _>>()?)?;
        options.language_id = options.language_id.filter(|id| !id.is_empty());
        // Whoever lists a server wants it, whatever weaker files say.
        options.enabled = options.enabled.or(Some(true));
        let extension = options.extensions.first().map(|first| language_of_extension(first));
        let Some(name) = options.language_id.clone().or(extension) else {
            let message = "this server has neither `extensions` nor a `language_id`".into();
            return Err(Mistake { at: self.at(raw), message });
        };
        check_name(&name).map_err(|message| Mistake { at: self.at(raw), message })?;
        let (line, column) = place(self.text, self.at(raw));
        Ok(Layer::new(name, options, Origin::File { path: self.path.to_owned(), line, column }))
    }

    fn read<T: Deserialize<'a>>(&self, raw: &'a RawValue, expected: &str) -> Result<T, Mistake> {
        serde_json::from_str(raw.get()).map_err(|error| {
            let what = if error.is_data() { String::new() } else { format!(": {}", reason(&error)) };
            Mistake { at: self.at(raw), message: format!("this must be {expected}{what}") }
        })
    }

    fn at(&self, raw: &RawValue) -> usize {
        raw.get().as_ptr().addr() - self.text.as_ptr().addr()
    }
}

/// The language of files that end so: a known one, else one that is called like them.
pub(super) fn language_of_extension(extension: &str) -> String {
    let extension = extension.trim_start_matches('.').to_lowercase();
    match language_of(Path::new(&format!("file.{extension}"))) {
        Some(known) => known.language.to_owned(),
        None => extension,
    }
}

/// The words of serde, without its place: ours counts from the beginning of the file.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// An object as it is written: every key and value in its place, and twice if it is there twice.
struct Pairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests;
