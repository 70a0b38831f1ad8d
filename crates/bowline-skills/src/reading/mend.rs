//! What lenient reading does to YAML that nobody could read.

use crate::lines;

/// Puts the values of lines such as `description: Use when: asked` in quotes. The lines that were changed, from 1.
///
/// Only lines at the margin are looked at: an indented one may be a part of a text.
pub(super) fn quote_colons(yaml: &str) -> Option<(String, Vec<usize>)> {
    let mut out = String::with_capacity(yaml.len() + 16);
    let mut changed = Vec::new();
    for (at, line) in lines::each(yaml).enumerate() {
        let content = line.trim_end_matches(['\n', '\r']);
        match quoted(content) {
            Some(quoted) => {
                out.push_str(&quoted);
                out.push_str(&line[content.len()..]);
                changed.push(at + 1);
            }
            None => out.push_str(line),
        }
    }
    (!changed.is_empty()).then_some((out, changed))
}

fn quoted(line: &str) -> Option<String> {
    let (key, value) = line.split_once(": ")?;
    let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let value = value.trim_ascii();
    let plain = value.starts_with(|c: char| c.is_alphanumeric() || c == '(' || c == '<');
    let colon = value.contains(": ") || value.ends_with(':');
    (is_key && plain && colon)
        .then(|| format!("{key}: \"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_values_at_the_margin_are_quoted() {
        let (yaml, lines) = quote_colons("name: x\ndescription: Use when: \"asked\"\r\nb: c:\n").unwrap();
        assert_eq!(yaml, "name: x\ndescription: \"Use when: \\\"asked\\\"\"\r\nb: \"c:\"\n");
        assert_eq!(lines, [2, 3]);
        let (yaml, lines) = quote_colons("name: x\rdescription: Use when: asked\r").unwrap();
        assert_eq!((yaml.as_str(), lines), ("name: x\rdescription: \"Use when: asked\"\r", vec![2]));
        for left in
            ["a: b\n", "  a: b: c\n", "a: 'b: c\n", "a: [b: c\n", "a: |\n  b: c: d\n", "a b: c: d\n", ""]
        {
            assert_eq!(quote_colons(left), None, "{left}");
        }
    }
}
