//! Variables that a command line hands on to the programs that it runs.

use super::walker::Walker;
use crate::Command;
use crate::programs::environment;

impl Walker {
    /// A variable that is handed on to a program which takes every one of them.
    pub(super) fn taken(&self) -> Option<String> {
        let program = |command: &Command| command.words[0].literal().unwrap_or_default().to_owned();
        let commands = &self.script.commands;
        if !commands.iter().any(|command| environment::takes_all(&program(command))) {
            return None;
        }
        let exports = commands.iter().filter(|command| {
            matches!(
                program(command).as_str(),
                "export" | "declare" | "typeset" | "local" | "readonly" | "set"
            )
        });
        exports.flat_map(|command| &command.words[1..]).find_map(|word| {
            let text = word.literal().unwrap_or_default();
            let (name, value) = text.split_once('=').map_or((text, ""), |(name, value)| (name, value));
            let is_all = matches!(text, "-a" | "allexport") || text.starts_with("-a");
            let is_known = text.starts_with(['-', '+']) || environment::is_plain(name, Some(value));
            (is_all || word.literal().is_none() || !is_known).then(|| text.to_owned())
        })
    }
}
