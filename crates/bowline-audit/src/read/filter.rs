//! Which records somebody wants to see.

use std::time::SystemTime;

use bowline_call::Effect;
use bowline_std::clock::rfc3339;

use crate::record::{Event, Record};

/// Which records pass: those that meet everything that is asked.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A tool's name, in which `*` stands for any characters and `?` for one.
    pub tool: Option<String>,
    pub conversation: Option<String>,
    /// Not before this moment.
    pub since: Option<SystemTime>,
    /// Before this moment.
    pub until: Option<SystemTime>,
    /// Only what did not succeed.
    pub failed: bool,
    pub effect: Option<Effect>,
    pub verdict: Option<String>,
    pub event: Option<Event>,
    /// A skill's name, with the same wildcards.
    pub skill: Option<String>,
    /// At most this many records.
    pub limit: Option<usize>,
}

impl Filter {
    /// Whether the record is wanted, the limit apart.
    pub fn passes(&self, record: &Record) -> bool {
        let is = |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
        let fits = |pattern: &Option<String>, name: Option<&String>| {
            pattern.as_ref().is_none_or(|pattern| name.is_some_and(|name| matches(pattern, name)))
        };
        fits(&self.tool, record.tool.as_ref())
            && fits(&self.skill, record.skill_name())
            && is(&self.conversation, &record.conversation)
            // Written in one form only, moments are in order as texts, too.
            && self.since.is_none_or(|since| record.timestamp >= rfc3339(since))
            && self.until.is_none_or(|until| record.timestamp < rfc3339(until))
            && (!self.failed || record.success == Some(false))
            && self.effect.is_none_or(|effect| record.effect == Some(effect))
            && is(&self.verdict, &record.verdict)
            && self.event.is_none_or(|event| record.event == event)
    }
}

/// Greedy with one way back, to the last `*`: never worse than the product of the lengths.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut read) = (0, 0);
    let mut star = None;
    while read < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == name[read] => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((at_star, swallowed)) = star else {
                    return false;
                };
                star = Some((at_star, swallowed + 1));
                (at, read) = (at_star + 1, swallowed + 1);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_with_wildcards() {
        for (pattern, name) in
            [("find_*", "find_references"), ("*", ""), ("a?c", "abc"), ("*_*s", "list_symbols"), ("é*", "éa")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("find_*", "refind_x"), ("", "a"), ("a?c", "ac"), ("*_*s", "list_symbol"), ("a", "A")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
