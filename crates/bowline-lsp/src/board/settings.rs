//! What a server is answered when it asks for its configuration.

use serde_json::Value;

/// The answer to `workspace/configuration`: one value for each item, `null` where nothing is set.
pub(super) fn answer(settings: Option<&Value>, params: &Value) -> Value {
    let items = params.get("items").and_then(Value::as_array);
    let answers = items.into_iter().flatten().map(|item| {
        let section = item.get("section").and_then(Value::as_str).filter(|section| !section.is_empty());
        let found = match section {
            Some(section) => settings.and_then(|settings| find(settings, section)),
            None => settings,
        };
        found.cloned().unwrap_or(Value::Null)
    });
    Value::Array(answers.collect())
}

/// The settings of a section such as `python.analysis`, written as nested tables or with dots.
fn find<'a>(settings: &'a Value, section: &str) -> Option<&'a Value> {
    if let Some(found) = settings.get(section) {
        return Some(found);
    }
    let dots = section.match_indices('.');
    dots.map(|(at, _)| section.split_at(at)).find_map(|(head, tail)| find(settings.get(head)?, &tail[1..]))
}
