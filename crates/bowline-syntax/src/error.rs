//! Why a text could not be read at all. Text that the grammar cannot make sense of is no error:
//! it is read as far as it goes.

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SyntaxError {
    #[error("parsing was cancelled")]
    Cancelled,
    #[error("the text has {bytes} bytes; at most {most} are parsed")]
    TooLarge { bytes: usize, most: usize },
    /// Text that no sensible program holds can make the grammar try very many readings.
    #[error("the {language} grammar found no reading of the text within its budget")]
    TooHard { language: &'static str },
    #[error("the {language} grammar cannot be used: {reason}")]
    Grammar { language: &'static str, reason: String },
}
