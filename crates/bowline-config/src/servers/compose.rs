//! All layers made into servers, in order of preference.

use bowline_lsp::known::KNOWN;
use bowline_lsp::{ServerOptions, ServerSpec, SpokenLanguage};
use bowline_std::text::nearest;

use super::layer::{Layer, Origin, is_known};
use crate::ConfigError;

/// Everything that is said of servers, strongest first.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) words: Vec<Layer>,
    /// Of `--config` or `--merge-config`.
    pub(crate) file: Vec<Layer>,
    pub(crate) user: Vec<Layer>,
    /// Of every root, in their order, without what a project may not say.
    pub(crate) projects: Vec<Layer>,
    pub(crate) known: Known,
}

/// Whether there are others than those that the command line and its file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Used,
    LeftOut,
}

/// A server that somebody named, and where.
type Asked = (Origin, ServerSpec);

/// The servers, and warnings about those that are of little use.
pub(crate) fn compose(sources: &Sources) -> Result<(Vec<ServerSpec>, Vec<String>), ConfigError> {
    let mut asked: Vec<Asked> = Vec::new();
    for layer in &sources.words {
        let file = sources.file.iter().find(|other| other.name == layer.name);
        let under = file.map(|file| file.options.clone()).unwrap_or_default();
        asked.extend(sources.spec(layer, under.over(sources.tables(&layer.name)))?);
    }
    for layer in sources.file.iter().filter(|layer| !names(&sources.words, &layer.name)) {
        asked.extend(sources.spec(layer, sources.tables(&layer.name))?);
    }
    let mut known = Vec::new();
    if sources.known == Known::Used {
        // Who only sets a limit of a known server has not asked for it.
        let asks = |name: &str, options: &ServerOptions| {
            !is_known(name) || !options.command.is_empty() || options.enabled == Some(true)
        };
        for layer in sources.further() {
            let options = sources.tables(&layer.name);
            if asks(&layer.name, &options) {
                asked.extend(sources.spec(layer, options)?);
            }
        }
        for server in KNOWN.iter().filter(|server| !sources.is_named(server.language)) {
            let Some(layer) = sources.further().find(|layer| layer.name == server.language) else {
                known.push(ServerSpec::from_known(server));
                continue;
            };
            let options = sources.tables(server.language);
            if !asks(server.language, &options) {
                let tuned = sources.spec(layer, options)?;
                known.extend(tuned.map(|(_, spec)| ServerSpec { asked_for: false, ..spec }));
            }
        }
    }
    let warnings = warnings(&asked);
    let specs = asked.into_iter().map(|(_, spec)| spec).chain(known).collect();
    Ok((ServerSpec::joined(specs), warnings))
}

impl Sources {
    /// What the tables of this name say together, the user's over those of projects.
    fn tables(&self, name: &str) -> ServerOptions {
        let named = self.user.iter().chain(&self.projects).filter(|layer| layer.name == name);
        named.fold(ServerOptions::default(), |over, layer| over.over(layer.options.clone()))
    }

    /// The strongest table of each name that neither the command line nor its file knows, in the order of the files.
    fn further(&self) -> impl Iterator<Item = &Layer> {
        let tables: Vec<&Layer> = self.user.iter().chain(&self.projects).collect();
        (0..tables.len()).filter_map(move |at| {
            let layer = tables[at];
            let seen = tables[..at].iter().any(|before| before.name == layer.name);
            (!seen && !self.is_named(&layer.name)).then_some(layer)
        })
    }

    fn is_named(&self, name: &str) -> bool {
        names(&self.words, name) || names(&self.file, name)
    }

    /// The server of a layer, laid over what weaker ones say. `None` if it is not wanted, or not to be had.
    fn spec(&self, layer: &Layer, under: ServerOptions) -> Result<Option<Asked>, ConfigError> {
        let mut options = layer.options.clone().over(under);
        if options.enabled == Some(false) {
            return Ok(None);
        }
        let known = is_known(&layer.name) || options.language_id.as_deref().is_some_and(is_known);
        let withheld = |other: &Layer| other.name == layer.name && other.command_withheld;
        if options.command.is_empty() && !is_known(&layer.name) && self.projects.iter().any(withheld) {
            return Ok(None);
        }
        // On the command line nothing can be said about files, so they end like the language is called.
        if !known && options.extensions.is_empty() && matches!(layer.origin, Origin::Argument(_)) {
            options.extensions.push(layer.name.clone());
        }
        let spec = ServerSpec::from_options(&layer.name, options)
            .map_err(|error| layer.origin.error(error.to_string()))?;
        Ok(Some((layer.origin.clone(), spec)))
    }
}

fn names(layers: &[Layer], name: &str) -> bool {
    layers.iter().any(|layer| layer.name == name)
}

/// Mistakes that are none by the letter.
fn warnings(asked: &[Asked]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (at, (origin, spec)) in asked.iter().enumerate() {
        let before = || asked[..at].iter().flat_map(|(_, spec)| &spec.languages);
        if spec.languages.iter().all(|language| is_spoken(language, before)) {
            let name = &spec.name;
            warnings
                .push(format!("{origin}: `{name}` is never asked: servers before it speak all its files"));
        }
        for id in spec.languages.iter().map(|language| language.id.as_str()) {
            let meant = nearest(id, KNOWN.iter().map(|known| known.language));
            // Short names of real languages are near each other.
            let Some(meant) = meant.filter(|_| id.len() > 3 && !is_known(id)) else { continue };
            if matches!(origin, Origin::Argument(_)) {
                warnings.push(format!(
                    "{origin}: `{id}` is not a language that bowline knows, so its files are `*.{id}`; \
                     did you mean `{meant}`?"
                ));
            }
        }
    }
    warnings
}

fn is_spoken<'a, I: Iterator<Item = &'a SpokenLanguage>>(
    language: &SpokenLanguage,
    by: impl Fn() -> I,
) -> bool {
    language.extensions.iter().all(|extension| by().any(|other| other.extensions.contains(extension)))
        && language.names.iter().all(|name| by().any(|other| other.names.contains(name)))
}

#[cfg(test)]
mod tests;
