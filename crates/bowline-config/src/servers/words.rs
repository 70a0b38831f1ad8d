//! Servers on the command line: `go:gopls python:pyright-langserver,--stdio`, or `go gopls -remote=auto`.

use std::path::PathBuf;

use bowline_lsp::ServerOptions;
use bowline_lsp::known::KNOWN;

use super::json::language_of_extension;
use super::layer::{Layer, Origin, is_known};
use super::table::check_name;
use crate::ConfigError;

/// What the command line says about language servers.
#[derive(Debug, Clone, Default)]
pub struct ServerFlags {
    /// Words that stand where a command could: `go:gopls python:pylsp`, or `go gopls -remote=auto`.
    pub words: Vec<String>,
    /// `--server`, each in one piece.
    pub specs: Vec<String>,
    /// `--auto`: the known servers too, behind those that are named.
    pub auto: bool,
    /// `--config`: the servers of this file alone.
    pub config: Option<PathBuf>,
    /// `--merge-config`: the known servers, with this file laid over them.
    pub merge_config: Option<PathBuf>,
}

/// Whether servers are named by a command line that begins with this word.
pub fn names_server(word: &str) -> bool {
    word.contains(':') || is_known(word)
}

/// The servers that the command line names, in its order.
pub(crate) fn layers(flags: &ServerFlags) -> Result<Vec<Layer>, ConfigError> {
    let mut layers = match flags.words.as_slice() {
        [first, ..] if first.contains(':') => {
            flags.words.iter().map(|word| of_word(word)).collect::<Result<Vec<_>, _>>()?
        }
        [language, command @ ..] if !command.is_empty() => vec![layer(language, command.to_vec(), language)?],
        [language] => {
            let program = example(language).1;
            let message = format!("a program must follow the language, as in `{language} {program}`");
            return Err(wrong(language, message));
        }
        _ => Vec::new(),
    };
    for spec in &flags.specs {
        layers.push(of_spec(spec)?);
    }
    Ok(layers)
}

fn of_word(word: &str) -> Result<Layer, ConfigError> {
    if word.starts_with('-') {
        let message = "not an option of bowline; what a server is given follows its program after commas, as in \
                       `python:pyright-langserver,--stdio`";
        return Err(wrong(word, message.into()));
    }
    of_pair(word)
}

/// One server in one piece, in either form.
fn of_spec(spec: &str) -> Result<Layer, ConfigError> {
    let mut words = spec.split_whitespace().map(str::to_owned);
    match words.next() {
        Some(language) if !language.contains(':') => {
            let command: Vec<String> = words.collect();
            if command.is_empty() { of_pair(spec) } else { layer(&language, command, spec) }
        }
        _ => of_pair(spec),
    }
}

/// `language:program,argument,…`. Whoever needs a comma in an argument has the other form.
fn of_pair(spec: &str) -> Result<Layer, ConfigError> {
    let Some((language, command)) = spec.split_once(':') else {
        let (language, program) = example(spec);
        let message = format!("a server is named by language and program, as in `{language}:{program}`");
        return Err(wrong(spec, message));
    };
    let mut parts = command.split(',').map(str::to_owned);
    let Some(program) = parts.next().filter(|program| !program.is_empty()) else {
        let (language, program) = example(language);
        return Err(wrong(spec, format!("a program must follow the colon, as in `{language}:{program}`")));
    };
    let arguments = parts.filter(|argument| !argument.is_empty());
    layer(language, std::iter::once(program).chain(arguments).collect(), spec)
}

fn layer(language: &str, command: Vec<String>, argument: &str) -> Result<Layer, ConfigError> {
    if language.is_empty() {
        return Err(wrong(argument, "a language must stand before the colon, as in `go:gopls`".into()));
    }
    check_name(language).map_err(|message| wrong(argument, message))?;
    let language = language.to_lowercase();
    // `py` is not what a server calls Python.
    let name = if is_known(&language) { language } else { language_of_extension(&language) };
    // Whoever names a server here wants it, whatever the files say.
    let options = ServerOptions { command, enabled: Some(true), ..ServerOptions::default() };
    Ok(Layer::new(name, options, Origin::Argument(argument.to_owned())))
}

/// A language and a program that could be meant.
fn example(language: &str) -> (&'static str, &'static str) {
    let known = KNOWN.iter().find(|known| known.language == language);
    known.map_or(("go", "gopls"), |known| (known.language, known.binary))
}

fn wrong(argument: &str, message: String) -> ConfigError {
    ConfigError::Argument { argument: argument.to_owned(), message }
}
