//! Who answered. A caller may trust a language server's answer further than one made from syntax alone.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// A language server, which knows types.
    Server,
    /// The embedded parser: names and scopes, no types.
    Syntax,
    /// An earlier answer, proved to be still true.
    Cache,
}

impl Engine {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Syntax => "syntax",
            Self::Cache => "cache",
        }
    }
}
