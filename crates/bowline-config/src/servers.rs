//! Which language servers there are: what the command line, the files and the table of known servers say, laid over
//! each other. Nothing is looked for here; whether a program exists shows when it is first needed.

mod compose;
mod json;
mod layer;
mod table;
mod trust;
mod words;

pub use words::{ServerFlags, names_server};

pub(crate) use compose::{Known, Sources, compose};
pub(crate) use json::read as read_json;
pub(crate) use layer::{Layer, Origin, expanded};
pub(crate) use table::{Entry, MOST_SERVERS, Mistake, check_name, options_of};
pub(crate) use trust::{Trust, TrustedProject};
pub(crate) use words::layers as layers_of_words;
