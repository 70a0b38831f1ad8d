//! The command line, taken apart by hand: a few commands do not pay for a parser's build time.

use std::collections::VecDeque;

use anyhow::{Result, bail};

pub(crate) struct Arguments(VecDeque<String>);

impl Arguments {
    pub(crate) fn new(words: impl IntoIterator<Item = String>) -> Self {
        Self(words.into_iter().collect())
    }

    /// The next word that is no option.
    pub(crate) fn word(&mut self) -> Option<String> {
        self.0.pop_front_if(|word| !word.starts_with("--"))
    }

    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|word| word != name);
        self.0.len() < before
    }

    /// `--name value` or `--name=value`.
    pub(crate) fn option(&mut self, name: &str) -> Result<Option<String>> {
        let joined = format!("{name}=");
        let Some(at) = self.0.iter().position(|word| word == name || word.starts_with(&joined)) else {
            return Ok(None);
        };
        let word = self.0.remove(at).unwrap_or_default();
        match word.strip_prefix(&joined) {
            Some(value) => Ok(Some(value.to_owned())),
            None => match self.0.remove(at) {
                Some(value) => Ok(Some(value)),
                None => bail!("`{name}` needs a value"),
            },
        }
    }

    /// Nothing may be left over: a misspelt option must not be taken for a passed check.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0.front() {
            None => Ok(()),
            Some(word) => bail!("`{word}` is not understood\n\n{}", crate::USAGE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_flags_options_and_words_and_refuses_the_rest() {
        let line = "start --quick --json out.json --only=fmt,deny gate --what";
        let mut arguments = Arguments::new(line.split(' ').map(str::to_owned));
        assert!(arguments.flag("--quick"));
        assert_eq!(arguments.option("--json").unwrap().as_deref(), Some("out.json"));
        assert_eq!(arguments.option("--only").unwrap().as_deref(), Some("fmt,deny"));
        assert_eq!(arguments.word().as_deref(), Some("start"));
        assert_eq!(arguments.word().as_deref(), Some("gate"));
        assert_eq!(arguments.word(), None);
        assert!(arguments.finish().unwrap_err().to_string().starts_with("`--what`"));
    }

    #[test]
    fn an_option_without_its_value_is_refused() {
        let mut arguments = Arguments::new(["--json".to_owned()]);
        assert_eq!(arguments.option("--json").unwrap_err().to_string(), "`--json` needs a value");
    }
}
