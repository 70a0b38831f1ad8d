//! Lists that may be long are cut here, and say how much is missing.

use bowline_call::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;

/// No list is longer, whatever is asked for.
const MOST: usize = 1000;

/// Which part of a long list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Page {
    #[serde(default)]
    pub limit: Option<i64>,
    #[serde(default)]
    pub offset: Option<i64>,
}

impl Page {
    /// How many are wanted and where they begin.
    pub(crate) fn bounds(&self, usual: usize) -> Result<(usize, usize), ToolError> {
        let limit = match self.limit {
            None => usual,
            Some(limit) => usize::try_from(limit)
                .ok()
                .filter(|limit| *limit > 0)
                .ok_or_else(|| ToolError::bad_arguments(format!("limit must be >= 1, got {limit}")))?,
        };
        let offset = self.offset.unwrap_or(0);
        let offset = usize::try_from(offset)
            .map_err(|_| ToolError::bad_arguments(format!("offset must be >= 0, got {offset}")))?;
        Ok((limit.min(MOST), offset))
    }
}

/// What to tell about the part that is not shown.
pub(crate) fn more(shown: usize, offset: usize, total: usize) -> Option<String> {
    let next = offset + shown;
    (next < total && shown > 0).then(|| format!("and {} more; offset={next} shows the next", total - next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_much_is_missing() {
        assert_eq!(more(3, 0, 10).unwrap(), "and 7 more; offset=3 shows the next");
        assert_eq!(more(3, 7, 10), None);
        assert_eq!(more(0, 20, 10), None);
    }

    #[test]
    fn bounds_are_checked() {
        let page = |limit, offset| Page { limit, offset }.bounds(20);
        assert_eq!(page(None, None).unwrap(), (20, 0));
        assert_eq!(page(Some(5000), Some(3)).unwrap(), (1000, 3));
        assert_eq!(page(Some(0), None).unwrap_err().to_string(), "bad arguments: limit must be >= 1, got 0");
        assert_eq!(
            page(None, Some(-1)).unwrap_err().to_string(),
            "bad arguments: offset must be >= 0, got -1"
        );
    }
}
