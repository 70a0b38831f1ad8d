//! What somebody wants a server to be limited to, and what it is limited to, in words.

use std::path::PathBuf;

/// What a server is limited to, for whoever asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scoped {
    pub server: String,
    /// The project whose part it is.
    pub root: PathBuf,
    /// Directories, and single files, relative to the root.
    pub places: Vec<String>,
    /// Somebody said so, and it does not follow the files that are worked on.
    pub by_hand: bool,
}

impl Scoped {
    /// `limited to `a`, `b` and 3 more`
    pub fn describe(&self) -> String {
        describe(&self.places)
    }
}

pub(super) fn describe(places: &[String]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = places.iter().take(NAMED).map(|place| format!("`{place}`")).collect();
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("limited to {}{more}", named.join(", "))
}

/// What somebody wants a server to be limited to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScopeWish {
    /// These directories.
    Places(Vec<String>),
    /// Nothing: the whole project, however large.
    Lift,
    /// What bowline thinks right.
    Auto,
}

impl ScopeWish {
    /// One directory, several with commas between, or a JSON array of them. Nothing lifts the scope.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let listed = text.starts_with('[').then(|| serde_json::from_str::<Vec<String>>(text).ok()).flatten();
        match listed {
            Some(places) => Self::of(&places),
            None => Self::of(&text.split(',').collect::<Vec<_>>()),
        }
    }

    /// These directories, or one of the words that stand for something else.
    fn of(places: &[impl AsRef<str>]) -> Self {
        let places = places.iter().map(|place| place.as_ref().trim().to_owned());
        let places: Vec<String> = places.filter(|place| !place.is_empty()).collect();
        match places.as_slice() {
            [] => Self::Lift,
            [only] if only == "auto" => Self::Auto,
            _ => Self::Places(places),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_written_in_three_ways() {
        let places =
            |names: &[&str]| ScopeWish::Places(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(ScopeWish::parse("pkg/a"), places(&["pkg/a"]));
        assert_eq!(ScopeWish::parse(" a, b ,"), places(&["a", "b"]));
        assert_eq!(ScopeWish::parse(r#"["a", "b,c"]"#), places(&["a", "b,c"]));
        assert_eq!(ScopeWish::parse("[x]"), places(&["[x]"]), "a directory may be called so");
        assert_eq!((ScopeWish::parse(""), ScopeWish::parse("[]")), (ScopeWish::Lift, ScopeWish::Lift));
        assert_eq!(ScopeWish::parse("auto"), ScopeWish::Auto);
    }
}
