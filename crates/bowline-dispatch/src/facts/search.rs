//! Which files a search by a tool of a host looks into, by its arguments.

use bowline_call::ToolCall;
use bowline_gate::Filter;

/// Tools whose `glob` or `include` says which names are searched, and nothing else is.
const WITH_GLOB: &[&str] = &["Grep", "grep", "grep_search", "search_file_content"];
const GLOBS: &[&str] = &["glob", "include"];

/// What the arguments leave out. Those that skip hidden or ignored files differ, so none are left out for that.
pub(super) fn filter(call: &ToolCall) -> Filter {
    let mut only = Vec::new();
    if WITH_GLOB.contains(&call.tool.as_str()) {
        let given: Vec<_> = GLOBS.iter().filter_map(|name| call.arguments.get(name)).collect();
        if let [glob] = given.as_slice() {
            only.extend(glob.as_str().and_then(name_pattern));
        }
    }
    Filter { only, ..Filter::default() }
}

/// `*.rs`, `**/*.{ts,tsx}`: a pattern that every reader of globs takes for the names of files at any depth.
fn name_pattern(glob: &str) -> Option<String> {
    let name = glob.strip_prefix("**/").unwrap_or(glob);
    let (plain, choice) = name.split_once('{').map_or((name, None), |(plain, rest)| (plain, Some(rest)));
    let is_plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let end = plain.strip_prefix("*.")?;
    let is_known = match choice {
        None => !end.is_empty() && is_plain(end),
        Some(rest) => {
            is_plain(end) && rest.strip_suffix('}').is_some_and(|rest| rest.split(',').all(is_plain))
        }
    };
    is_known.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_ends_of_names_are_believed() {
        for glob in ["*.rs", "**/*.rs", "*.{ts,tsx}", "**/*.d.{ts,mts}"] {
            let name = glob.trim_start_matches("**/").to_owned();
            assert_eq!(name_pattern(glob), Some(name), "{glob}");
        }
        for glob in [
            "",
            "*",
            "**",
            "!*.rs",
            "*.rs *.env",
            "*.rs,.env",
            "src/*.rs",
            ".env",
            "*.*",
            "*.{rs",
            "*.[re]*",
            "*.{rs,*}",
            "*.",
        ] {
            assert_eq!(name_pattern(glob), None, "{glob}");
        }
    }
}
