//! From what the workspace found to an answer: who found it, how sure it is, and what the reader should know.

use bowline_call::Answer;
use bowline_workspace::Found;

/// An answer with this payload, known as well as what was found. What the workspace has to note comes before the
/// tool's own hint.
pub(crate) fn answered<T, U>(found: &Found<T>, payload: U, hint: Option<String>) -> Answer<U> {
    let answer = Answer::new(payload).engine(found.engine).indexed(found.indexed);
    let said: Vec<String> = found.note.iter().cloned().chain(hint).collect();
    if said.is_empty() { answer } else { answer.hint(said.join("\n")) }
}
