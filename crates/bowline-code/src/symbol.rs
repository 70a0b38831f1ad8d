//! A named piece of code and what it contains.

use serde::{Deserialize, Serialize};

use crate::Span;

/// The kinds of the language server protocol, whose numbers travel on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
pub enum SymbolKind {
    File = 1,
    Module,
    Namespace,
    Package,
    Class,
    Method,
    Property,
    Field,
    Constructor,
    Enum,
    Interface,
    Function,
    Variable,
    Constant,
    String,
    Number,
    Boolean,
    Array,
    Object,
    Key,
    Null,
    EnumMember,
    Struct,
    Event,
    Operator,
    TypeParameter,
}

impl SymbolKind {
    pub const ALL: [Self; 26] = [
        Self::File,
        Self::Module,
        Self::Namespace,
        Self::Package,
        Self::Class,
        Self::Method,
        Self::Property,
        Self::Field,
        Self::Constructor,
        Self::Enum,
        Self::Interface,
        Self::Function,
        Self::Variable,
        Self::Constant,
        Self::String,
        Self::Number,
        Self::Boolean,
        Self::Array,
        Self::Object,
        Self::Key,
        Self::Null,
        Self::EnumMember,
        Self::Struct,
        Self::Event,
        Self::Operator,
        Self::TypeParameter,
    ];

    /// The kind's English name, as outlines print it.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Module => "Module",
            Self::Namespace => "Namespace",
            Self::Package => "Package",
            Self::Class => "Class",
            Self::Method => "Method",
            Self::Property => "Property",
            Self::Field => "Field",
            Self::Constructor => "Constructor",
            Self::Enum => "Enum",
            Self::Interface => "Interface",
            Self::Function => "Function",
            Self::Variable => "Variable",
            Self::Constant => "Constant",
            Self::String => "String",
            Self::Number => "Number",
            Self::Boolean => "Boolean",
            Self::Array => "Array",
            Self::Object => "Object",
            Self::Key => "Key",
            Self::Null => "Null",
            Self::EnumMember => "EnumMember",
            Self::Struct => "Struct",
            Self::Event => "Event",
            Self::Operator => "Operator",
            Self::TypeParameter => "TypeParameter",
        }
    }

    /// Something that can be called.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor)
    }
}

impl From<SymbolKind> for u8 {
    fn from(kind: SymbolKind) -> Self {
        kind as u8
    }
}

impl TryFrom<u8> for SymbolKind {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        usize::from(number)
            .checked_sub(1)
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or_else(|| format!("`{number}` is not a symbol kind"))
    }
}

/// One symbol of a file, with those inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// What a reader wants to see beside the name: a signature or a type.
    pub detail: Option<String>,
    pub kind: SymbolKind,
    /// The whole of it: doc comment and attributes excluded, body included.
    pub range: Span,
    /// Its name.
    pub selection: Span,
    pub children: Vec<Symbol>,
}

impl Symbol {
    /// The smallest symbol around a position, with the names on the way to it.
    pub fn innermost(symbols: &[Symbol], at: crate::Position) -> Option<(&Symbol, Vec<&str>)> {
        let mut path = Vec::new();
        let mut found: Option<&Symbol> = None;
        let mut level = symbols;
        // Of two neighbours on one line the later one begins where the earlier ends.
        while let Some(next) = level.iter().rev().find(|symbol| symbol.range.touches(at)) {
            path.push(next.name.as_str());
            found = Some(next);
            level = &next.children;
        }
        found.map(|symbol| (symbol, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_protocol() {
        for (index, kind) in SymbolKind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(u8::from(kind)), index + 1);
            assert_eq!(SymbolKind::try_from(u8::from(kind)), Ok(kind));
        }
        assert!(SymbolKind::try_from(0).is_err() && SymbolKind::try_from(27).is_err());
    }
}
