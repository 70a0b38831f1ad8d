//! What a rule names: a tool, a glob over tool names, or a class of effects.

mod stars;

use std::fmt;

use bowline_call::{Effect, Spelling, ToolIdentity, spellings};
use globset::Glob;
use serde::{Deserialize, Serialize};

pub(crate) use stars::{Shape, stars};

/// A pattern that cannot be understood. It stops the start: a rule that nobody can read protects nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("an empty pattern names no tool")]
    Empty,
    #[error("`{0}` is not a class: `@read`, `@draft`, `@write` and `@run` are")]
    UnknownClass(String),
    #[error("`{pattern}` has an argument pattern; only tool names, globs and classes are understood here")]
    Arguments { pattern: String },
    #[error("`{pattern}` cannot be understood: {reason}")]
    Call { pattern: String, reason: String },
    #[error("`{pattern}` has a character that nobody sees: U+{code:04X}")]
    Unseen { pattern: String, code: u32 },
    #[error("`{pattern}` is not a glob: {reason}")]
    Glob { pattern: String, reason: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolPattern {
    /// `@write`: every call with this effect.
    Class(Effect),
    /// `find_*`, `mcp__memory__*`, or a plain name.
    Name(NamePattern),
}

impl ToolPattern {
    pub fn parse(text: &str) -> Result<Self, BadPattern> {
        if text.trim().is_empty() {
            return Err(BadPattern::Empty);
        }
        if let Some(class) = text.strip_prefix('@') {
            return match class {
                "read" => Ok(Self::Class(Effect::Read)),
                "draft" => Ok(Self::Class(Effect::Draft)),
                "write" => Ok(Self::Class(Effect::Write)),
                "run" => Ok(Self::Class(Effect::Run)),
                _ => Err(BadPattern::UnknownClass(text.to_owned())),
            };
        }
        if text.contains(['(', ')']) {
            return Err(BadPattern::Arguments { pattern: text.to_owned() });
        }
        NamePattern::parse(text).map(Self::Name)
    }

    pub fn matches(&self, tool: &ToolIdentity, effect: Effect) -> bool {
        match self {
            Self::Class(class) => *class == effect,
            Self::Name(name) => name.matches(tool),
        }
    }
}

/// A name or a glob, in every spelling that hosts have for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NamePattern {
    text: String,
    spelt: Vec<(Spelling, Shape)>,
}

impl NamePattern {
    pub fn parse(text: &str) -> Result<Self, BadPattern> {
        if text.trim().is_empty() {
            return Err(BadPattern::Empty);
        }
        if let Some(unseen) = text.chars().find(|c| is_unseen(*c)) {
            return Err(BadPattern::Unseen { pattern: text.to_owned(), code: unseen.into() });
        }
        let compiled = |spelling: Spelling| {
            let shape = Shape::of(&spelling.text)?;
            Ok((spelling, shape))
        };
        let spelt = spellings(text).into_iter().map(compiled).collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), spelt })
    }

    pub fn matches(&self, tool: &ToolIdentity) -> bool {
        self.spelt.iter().any(|(spelling, shape)| {
            let mut names = tool.names().iter().filter(|name| spelling.reaches(name));
            names.any(|name| shape.is(&spelling.text, &name.text))
        })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it means one tool.
    pub fn is_exact(&self) -> bool {
        self.spelt.iter().all(|(_, shape)| matches!(shape, Shape::Exact))
    }

    pub(crate) fn spellings(&self) -> impl Iterator<Item = &Spelling> {
        self.spelt.iter().map(|(spelling, _)| spelling)
    }
}

/// Two patterns are the same if they are written alike.
impl PartialEq for NamePattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for NamePattern {}

impl TryFrom<String> for NamePattern {
    type Error = BadPattern;

    fn try_from(text: String) -> Result<Self, BadPattern> {
        Self::parse(&text)
    }
}

impl From<NamePattern> for String {
    fn from(pattern: NamePattern) -> Self {
        pattern.text
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A name with such a character is not the name that it looks like.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// A glob over names. Names have no parts, so a star means anything.
pub(crate) fn glob(text: &str) -> Result<Glob, BadPattern> {
    Glob::new(text)
        .map_err(|error| BadPattern::Glob { pattern: text.to_owned(), reason: error.kind().to_string() })
}
