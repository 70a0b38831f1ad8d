//! One call in the log.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bowline_call::{CallId, Effect};
use serde::{Deserialize, Serialize};

/// One call that came to an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    pub call: CallId,
    pub tool: Arc<str>,
    pub effect: Effect,
    /// Real paths.
    #[serde(with = "paths")]
    pub files: Arc<[PathBuf]>,
    pub at: SystemTime,
    pub success: bool,
}

/// Paths as they are written down. A name on disk need not be text, and must not keep a call from being remembered.
mod paths {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::PathBuf;
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize)]
    #[serde(untagged)]
    enum Written<'a> {
        Text(&'a str),
        Bytes(&'a [u8]),
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(paths: &Arc<[PathBuf]>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| match path.to_str() {
            Some(text) => Written::Text(text),
            None => Written::Bytes(path.as_os_str().as_bytes()),
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<[PathBuf]>, D::Error> {
        let read = Vec::<Read>::deserialize(deserializer)?;
        Ok(read
            .into_iter()
            .map(|path| match path {
                Read::Text(text) => PathBuf::from(text),
                Read::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes)),
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn a_name_that_is_no_text_is_remembered_as_it_is() {
        let odd = PathBuf::from(std::ffi::OsString::from_vec(b"/project/\xff.rs".to_vec()));
        let entry = LedgerEntry {
            call: CallId::fresh(),
            tool: "list_symbols".into(),
            effect: Effect::Read,
            files: vec![PathBuf::from("/project/ä.rs"), odd].into(),
            at: SystemTime::UNIX_EPOCH,
            success: true,
        };
        let text = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<LedgerEntry>(&text).unwrap(), entry);
    }
}
