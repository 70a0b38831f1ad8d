//! Tags of answers, so that what a caller has already is not sent again.

use bowline_call::{Answer, TokenSavings, ToolError};
use serde::Serialize;

/// An answer, or the news that it is still the same.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Tagged<T> {
    Same { status: &'static str },
    Answer(T),
}

/// Gives an answer its tag. A caller who has it already is told so, in few words. The tag is made of the whole answer and of
/// the text that it is about: any other would have another.
pub(crate) fn tagged<T: Serialize>(
    answer: Answer<T>,
    text: &str,
    if_none_match: Option<&str>,
) -> Result<Answer<Tagged<T>>, ToolError> {
    let bytes =
        serde_json::to_vec(&answer.payload).map_err(|error| ToolError::internal(error.to_string()))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(bytes.len() as u64).to_le_bytes()).update(&bytes).update(text.as_bytes());
    let etag = hasher.finalize().to_hex()[..24].to_owned();
    if if_none_match != Some(etag.as_str()) {
        return Ok(answer.map(Tagged::Answer).etag(etag));
    }
    let savings = answer.savings.map(|savings| TokenSavings {
        tokens_returned: 0,
        tokens_saved: savings.tokens_full_file,
        ..savings
    });
    let mut same = answer.map(|_| Tagged::Same { status: "not_modified" }).etag(etag);
    same.savings = savings;
    same.hint = Some("this answer is still the same, and so is the file".to_owned());
    Ok(same)
}
