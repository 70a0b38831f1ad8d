//! A span in a file, flat, as tools answer it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Position, Span};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    pub file: PathBuf,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Location {
    pub fn new(file: impl Into<PathBuf>, span: Span) -> Self {
        Self {
            file: file.into(),
            line: span.start.line,
            column: span.start.column,
            end_line: span.end.line,
            end_column: span.end.column,
        }
    }

    pub fn span(&self) -> Span {
        Span::new(Position::new(self.line, self.column), Position::new(self.end_line, self.end_column))
    }
}
