//! `[[remembered]]`: what a person allowed for ever when they were asked. It stands in the user's own file, and is only
//! ever added to it at its end.

use std::path::{Path, PathBuf};

use bowline_dispatch::{Memory, Proposal, Wish};
use bowline_gate::{Decision, Grant, HostRules, RuleEntry};
use bowline_std::clock::rfc3339;
use bowline_std::fs::{append, read_text};
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use crate::file::{ConfigError, ConfigFile, MAX_BYTES, UserFile};
use crate::servers::Mistake;

/// One answer, as it stands there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RememberedEntry {
    allow: Vec<Spanned<String>>,
    /// What was asked about. For whoever reads the file.
    #[serde(rename = "tool")]
    _tool: Option<String>,
    /// The tool as it was defined then.
    definition: Option<String>,
    /// When. For whoever reads the file.
    #[serde(rename = "at")]
    _at: Option<Datetime>,
}

impl RememberedEntry {
    /// Says what is wrong with it, and where.
    pub(crate) fn check(entry: &Spanned<Self>) -> Result<(), Mistake> {
        if entry.get_ref().allow.is_empty() {
            let message = "`allow` is empty: nothing is remembered here".to_owned();
            return Err(Mistake { at: entry.span().start, message });
        }
        for allowed in &entry.get_ref().allow {
            HostRules::check(Decision::Allow, &RuleEntry::Pattern(allowed.get_ref().clone()))
                .map_err(|error| Mistake { at: allowed.span().start, message: error.to_string() })?;
        }
        Ok(())
    }

    pub(crate) fn grant(&self) -> Grant {
        Grant {
            entries: self.allow.iter().map(|allowed| allowed.get_ref().clone()).collect(),
            definition: self.definition.clone(),
            rule: None,
        }
    }
}

/// The user's own file, as the place where answers are remembered.
#[derive(Debug, Clone)]
pub struct UserMemory {
    path: PathBuf,
}

impl UserMemory {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }
}

impl Memory for UserMemory {
    fn propose(&self, wish: &Wish) -> Result<Proposal, String> {
        let text = block(wish);
        let present = match read_text(&self.path, MAX_BYTES) {
            Ok((present, _)) => present,
            Err(bowline_std::fs::ReadError::NotFound(_)) => String::new(),
            Err(error) => return Err(error.to_string()),
        };
        joined(&self.path, &present, &text)?;
        Ok(Proposal { path: self.path.clone(), text })
    }

    fn keep(&self, proposal: &Proposal) -> Result<(), String> {
        append(&self.path, MAX_BYTES, |present| joined(&self.path, present, &proposal.text))
            .map_err(|error| error.to_string())
    }
}

/// What is to be added to this text so that it says the block and nothing else new.
fn joined(path: &Path, present: &str, block: &str) -> Result<String, String> {
    // A last line without an end would swallow the first of ours.
    let end = if present.is_empty() || present.ends_with('\n') { "" } else { "\n" };
    let added = format!("{end}{block}");
    let understood = |text: &str| UserFile::parse(path, text).map_err(|error: ConfigError| error.to_string());
    let before = understood(present)?.remembered.len();
    let after = understood(&format!("{present}{added}"))?.remembered.len();
    if after == before + 1 { Ok(added) } else { Err("it would not be read as an answer".to_owned()) }
}

fn block(wish: &Wish) -> String {
    let entries: Vec<_> = wish.entries.iter().map(|entry| quoted(entry)).collect();
    let mut text =
        format!("\n[[remembered]]\nallow = [{}]\ntool = {}\n", entries.join(", "), quoted(&wish.tool));
    if let Some(definition) = &wish.definition {
        text.push_str(&format!("definition = {}\n", quoted(definition)));
    }
    let at = rfc3339(wish.at);
    let seconds = at.split_once('.').map_or(at.as_str(), |(seconds, _)| seconds).trim_end_matches('Z');
    text.push_str(&format!("at = {seconds}Z\n"));
    text
}

/// A text as TOML writes it on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // What cannot be seen in an editor is spelt out too.
            c if c.is_control() || (!c.is_ascii() && !c.is_alphanumeric()) => {
                quoted.push_str(&format!("\\U{:08X}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn wish(entries: &[&str]) -> Wish {
        Wish {
            tool: "safe_apply_edit".into(),
            entries: entries.iter().map(ToString::to_string).collect(),
            definition: Some("blake3:00".into()),
            at: SystemTime::UNIX_EPOCH + Duration::from_secs(1_794_855_600),
        }
    }

    fn memory(text: &str) -> (tempfile::TempDir, UserMemory) {
        let dir = tempfile::tempdir().unwrap();
        let memory = UserMemory::at(dir.path().join("bowline/bowline.toml"));
        if !text.is_empty() {
            std::fs::create_dir(dir.path().join("bowline")).unwrap();
            std::fs::write(&memory.path, text).unwrap();
        }
        (dir, memory)
    }

    fn kept(memory: &UserMemory, entries: &[&str]) -> Result<String, String> {
        memory.keep(&memory.propose(&wish(entries))?)?;
        Ok(std::fs::read_to_string(&memory.path).unwrap())
    }

    fn grants(text: &str) -> Vec<Grant> {
        let file = UserFile::parse(Path::new("bowline.toml"), text).unwrap();
        file.remembered.iter().map(|entry| entry.get_ref().grant()).collect()
    }

    #[test]
    fn an_answer_is_added_and_nothing_is_written_anew() {
        let (_dir, memory) = memory("# mine\n[rules]\nallow  = [ 'find_*' ]   # as I like it");
        let text = kept(&memory, &["safe_apply_edit", "find_*"]).unwrap();
        insta::assert_snapshot!(text, @r#"
        # mine
        [rules]
        allow  = [ 'find_*' ]   # as I like it

        [[remembered]]
        allow = ["safe_apply_edit", "find_*"]
        tool = "safe_apply_edit"
        definition = "blake3:00"
        at = 2026-11-16T19:00:00Z
        "#);
        let twice = kept(&memory, &["rename_symbol"]).unwrap();
        assert!(twice.starts_with(&text));
        let entries: Vec<_> = grants(&twice).into_iter().map(|grant| grant.entries.join(" ")).collect();
        assert_eq!(entries, ["safe_apply_edit find_*", "rename_symbol"]);
        assert_eq!(grants(&twice)[0].definition.as_deref(), Some("blake3:00"));
    }

    #[test]
    fn a_file_that_is_not_there_is_made() {
        let (_dir, memory) = memory("");
        assert_eq!(grants(&kept(&memory, &["safe_apply_edit"]).unwrap()).len(), 1);
    }

    #[test]
    fn what_would_not_be_understood_is_not_written() {
        for text in ["remembered = []\n", "[rules\n", "[rules]\ndeny = [\"@nothing\"]\n"] {
            let (_dir, memory) = memory(text);
            assert!(memory.propose(&wish(&["safe_apply_edit"])).is_err(), "{text}");
            let proposal = Proposal { path: memory.path.clone(), text: block(&wish(&["safe_apply_edit"])) };
            assert!(memory.keep(&proposal).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&memory.path).unwrap(), text);
        }
        let (_dir, memory) = memory("");
        assert!(memory.propose(&wish(&["@nothing"])).is_err());
        assert!(memory.propose(&wish(&[])).is_err());
        assert!(!memory.path.exists());
    }

    #[test]
    fn no_text_gets_out_of_its_quotes() {
        let nasty = "a\"]\n[rules]\nallow = [\"*\"]\u{202e}\u{7f}\\";
        let nasty = Wish { tool: nasty.into(), definition: Some(nasty.into()), ..wish(&["safe_apply_edit"]) };
        let text = joined(Path::new("x"), "", &block(&nasty)).unwrap();
        let file = UserFile::parse(Path::new("x"), &text).unwrap();
        assert!(file.rules().allow.is_empty());
        assert_eq!(grants(&text)[0].definition, nasty.definition);
    }

    #[test]
    fn two_at_once_are_both_there() {
        let (_dir, memory) = memory("[rules]\n");
        std::thread::scope(|scope| {
            for number in 0..6 {
                let memory = &memory;
                scope.spawn(move || kept(memory, &[&format!("tool_{number}")]).unwrap());
            }
        });
        assert_eq!(grants(&std::fs::read_to_string(&memory.path).unwrap()).len(), 6);
    }
}
