//! What a server has last published about one file.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::Instant;

/// What was last published about a file.
#[derive(Debug, Clone)]
pub(crate) struct Published {
    pub(crate) version: Option<i64>,
    pub(crate) diagnostics: Arc<RawValue>,
    pub(crate) at: Instant,
    /// Later ones are greater.
    pub(crate) arrival: u64,
}

impl Published {
    pub(crate) fn says_nothing(&self) -> bool {
        self.diagnostics.get().bytes().all(|byte| b"[] \t\r\n".contains(&byte))
    }

    /// The errors among its diagnostics, as text: where they are, and what is said. A diagnostic without a severity is an
    /// error.
    pub(super) fn errors(&self) -> BTreeSet<String> {
        #[derive(Deserialize)]
        struct Said<'a> {
            severity: Option<Value>,
            #[serde(borrow)]
            range: &'a RawValue,
            #[serde(borrow)]
            message: &'a RawValue,
        }
        let all = crate::answers::elements(&self.diagnostics).unwrap_or_default();
        let said = all.into_iter().filter_map(|one| serde_json::from_str::<Said<'_>>(one.get()).ok());
        let is_harmless = |said: &Said<'_>| {
            said.severity.as_ref().and_then(Value::as_u64).is_some_and(|severity| (2..=4).contains(&severity))
        };
        said.filter(|said| !is_harmless(said))
            .map(|said| format!("{} {}", said.range, said.message))
            .collect()
    }
}
