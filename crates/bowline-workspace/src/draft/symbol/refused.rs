//! Why a symbol is left as it is. Each message says what the caller can do instead.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("its parts cannot be told; edit it by `old_text` or by a range")]
    NotFound,
    #[error(
        "it has no body of its own that can be told from the rest; edit it by `apply_edit`, or by `new_text` in `simulate_edit`"
    )]
    NoBody,
    #[error(
        "`new_body` is a whole declaration; give what is inside of it, or `new_text` for the whole symbol"
    )]
    WholeDeclaration,
    #[error("`new_body` is empty, and a body must hold a statement")]
    EmptyBody,
    #[error("it holds everything below it; edit its line by `old_text` or by a range")]
    RestOfFile,
    #[error("line {line} cuts it apart: {found}; edit it by `old_text` or by a range")]
    Cut { line: u32, found: String },
    #[error("there is no code to insert")]
    EmptyCode,
    #[error("afterwards line {line} cannot be read: {found}")]
    Unreadable { line: u32, found: String },
    #[error("the new text does not stay where it is put: line {line} would belong to something else")]
    Spills { line: u32 },
    #[error("`{other}` (line {line}) would no longer be what it is")]
    Harms { other: String, line: u32 },
    #[error("it shares line {line} with other code; edit that line by `old_text` or by a range")]
    SharesLine { line: u32 },
    #[error("it is declared together with other names on line {line}; edit that declaration as a whole")]
    BoundNames { line: u32 },
    #[error("it is a parameter of what begins on line {line}; change that signature instead")]
    BoundParameter { line: u32 },
    #[error("it is written inside the statement on line {line}; edit that statement as a whole")]
    BoundExpression { line: u32 },
    #[error(
        "the constant on line {line} takes its value from the one before it; give it one of its own first"
    )]
    Repeated { line: u32 },
    #[error("the text takes too long to be read again")]
    Unparsed,
}
