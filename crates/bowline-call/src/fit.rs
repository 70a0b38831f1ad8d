//! Answers that a model can bear: what is too long is cut, and what was cut is said. In one place, for all tools.

use serde_json::Value;

/// A reader who does not ask for more is not given more: ten thousand tokens of four bytes.
pub const MAX_ANSWER_BYTES: usize = 40_000;

/// A list that was cut.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) said: String,
    /// How many of its first entries are left, where it is what the answer lists.
    pub(crate) kept: Option<usize>,
}

/// An object with more members is a list under another name.
const MAX_MEMBERS: usize = 50;
/// So many lists are cut; what is still too long then is left.
const MAX_CUTS: usize = 20;

/// Cuts the longest lists of a payload until it fits, and says what is missing: `items: 20 of 300 are shown`.
pub(crate) fn fit(payload: &mut Value, most: usize) -> Vec<Cut> {
    let mut said = Vec::new();
    for _ in 0..MAX_CUTS {
        let size = size(payload);
        if size <= most {
            break;
        }
        said.push(cut(payload, size - most, ""));
    }
    said
}

/// Whether a caller has asked for a long answer: for more entries than there usually are, or for the full form. A smaller
/// number asks for less, and a page may still be too long.
pub(crate) fn is_asked_for(arguments: &Value, usual: usize) -> bool {
    let usual = u64::try_from(usual).unwrap_or(u64::MAX);
    arguments.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit > usual)
        || arguments.get("detail").is_some_and(|detail| detail == "full")
        || arguments.get("format").is_some_and(|format| format == "tree")
}

fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Value::Object(members) => {
            members.iter().map(|(name, value)| name.len() + 4 + size(value)).sum::<usize>() + 2
        }
        Value::Null | Value::Bool(_) => 5,
        Value::Number(number) => number.to_string().len(),
    }
}

/// Makes the longest list in a value shorter by about this much.
fn cut(value: &mut Value, excess: usize, path: &str) -> Cut {
    let nothing = || Cut { said: String::new(), kept: None };
    let is_listed = !path.contains(['.', '[']);
    let name = if path.is_empty() { "the answer".to_owned() } else { format!("`{path}`") };
    match value {
        Value::String(text) => {
            let all = text.len();
            let kept = all.saturating_sub(excess + 100);
            *text = bowline_std::text::cut(text, kept);
            Cut { said: format!("{name}: {kept} of {all} bytes are shown"), kept: None }
        }
        Value::Array(items) => {
            let all = size_of(items.iter());
            if let Some((index, item)) = items.iter_mut().enumerate().max_by_key(|(_, item)| size(item))
                && size(item) * 2 > all
            {
                return cut(item, excess, &format!("{path}[{index}]"));
            }
            let (total, kept) = (items.len(), kept(items.iter(), all.saturating_sub(excess)));
            items.truncate(kept);
            Cut { said: format!("{name}: {kept} of {total} are shown"), kept: is_listed.then_some(kept) }
        }
        Value::Object(members) => {
            let all = size_of(members.values());
            let total = members.len();
            let Some((key, longest)) = members.iter_mut().max_by_key(|(_, value)| size(value)) else {
                return nothing();
            };
            if total <= MAX_MEMBERS || size(longest) * 2 > all {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{key}");
                return cut(longest, excess, &path);
            }
            let kept = kept(members.values(), all.saturating_sub(excess));
            let cut: Vec<String> = members.keys().skip(kept).cloned().collect();
            members.retain(|key, _| !cut.contains(key));
            Cut { said: format!("{name}: {kept} of {total} are shown"), kept: None }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => nothing(),
    }
}

fn size_of<'a>(values: impl Iterator<Item = &'a Value>) -> usize {
    values.map(size).sum()
}

/// How many of the first values take no more than this.
fn kept<'a>(values: impl Iterator<Item = &'a Value>, room: usize) -> usize {
    let mut taken = 0;
    values
        .take_while(|value| {
            taken += size(value) + 1;
            taken <= room
        })
        .count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_left_as_it_is() {
        let mut payload = json!({"items": [1, 2, 3], "summary": "three"});
        let before = payload.clone();
        assert!(fit(&mut payload, 100).is_empty());
        assert_eq!(payload, before);
    }

    #[test]
    fn the_longest_list_is_cut_and_said() {
        let many: Vec<Value> = (0..1000).map(|number| json!({"name": format!("caller_{number}")})).collect();
        let mut payload = json!({"items": [{"name": "f"}], "incoming": many, "summary": "many"});
        let said = fit(&mut payload, 4000);
        assert!(payload.to_string().len() <= 4000);
        let kept = payload["incoming"].as_array().unwrap().len();
        assert!(kept > 100, "{kept}");
        assert_eq!(said, [Cut { said: format!("`incoming`: {kept} of 1000 are shown"), kept: Some(kept) }]);
        assert_eq!(payload["summary"], "many");
    }

    #[test]
    fn text_and_lists_under_other_names_are_cut_too() {
        let mut text = json!("x".repeat(9000));
        assert_eq!(fit(&mut text, 1000).len(), 1);
        assert!(text.as_str().unwrap().len() < 1000);
        let map: serde_json::Map<String, Value> = (0..200)
            .map(|number| (format!("file:///{number}"), json!([{"message": "m".repeat(50)}])))
            .collect();
        let mut map = Value::Object(map);
        let said = fit(&mut map, 5000);
        assert!(map.to_string().len() <= 5000 && said[0].said.ends_with("of 200 are shown"), "{said:?}");
        let mut one = json!([[1], {"deep": vec!["a long text"; 500]}]);
        let said = fit(&mut one, 1000);
        assert_eq!((said[0].said.split(':').next(), said[0].kept), (Some("`[1].deep`"), None));
    }

    #[test]
    fn who_asks_for_more_gets_more() {
        let is_asked_for = |arguments| is_asked_for(&arguments, 100);
        assert!(is_asked_for(json!({"limit": 500})) && is_asked_for(json!({"detail": "full"})));
        assert!(
            is_asked_for(json!({"format": "tree"})) && is_asked_for(json!({"limit": 5, "detail": "full"}))
        );
        assert!(!is_asked_for(json!({"limit": null, "detail": "compact", "format": "outline"})));
        for fewer in [json!(5), json!(100), json!(-1), json!("500")] {
            assert!(!is_asked_for(json!({"limit": fewer})));
        }
    }
}
