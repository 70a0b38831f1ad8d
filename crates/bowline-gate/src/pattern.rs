//! What a rule names: a tool, a glob over tool names, or a class of effects.

use bowline_call::Effect;

/// A pattern that cannot be understood. It stops the start: a rule that nobody can read protects nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("an empty pattern names no tool")]
    Empty,
    #[error("`{0}` is not a class: `@read`, `@draft`, `@write` and `@run` are")]
    UnknownClass(String),
    #[error("`{pattern}` has an argument pattern; only tool names, globs and classes are understood here")]
    Arguments { pattern: String },
    #[error("`{pattern}` is not a glob: {reason}")]
    Glob { pattern: String, reason: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolPattern {
    /// `@write`: every call with this effect.
    Class(Effect),
    /// `find_*`, `mcp__memory__*`, or a plain name.
    Name(String),
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
        globset::Glob::new(text).map_err(|error| BadPattern::Glob {
            pattern: text.to_owned(),
            reason: error.kind().to_string(),
        })?;
        Ok(Self::Name(text.to_owned()))
    }
}
