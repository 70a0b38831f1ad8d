//! Where a text defines names: every `def`, `fn` or `func` before a name, nested by indentation.

use std::ops::Range;

use super::text::{Lines, words};

const KEYWORDS: [&str; 3] = ["def", "fn", "func"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: Range<usize>,
    /// From the first letter of its line to the last of its block.
    pub(crate) block: Range<usize>,
    /// The definition around it, by its index.
    pub(crate) parent: Option<usize>,
}

/// At most one definition per line, in order.
pub(crate) fn definitions(lines: &Lines<'_>) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for (index, line) in lines.ranges.iter().enumerate() {
        let Some(name) = defined_name(&lines.text[line.clone()]) else {
            continue;
        };
        let name = line.start + name.start..line.start + name.end;
        let start = line.start + indent(&lines.text[line.clone()]);
        let block = start..end_of_block(lines, index);
        let parent = found.iter().rposition(|outer| outer.block.end > block.start);
        found.push(Definition { name, block, parent });
    }
    found
}

fn defined_name(line: &str) -> Option<Range<usize>> {
    let mut before: Option<(Range<usize>, &str)> = None;
    for (range, word) in words(line) {
        if let Some((keyword, text)) = before
            && KEYWORDS.contains(&text)
            && line[keyword.end..range.start].trim().is_empty()
        {
            return Some(range);
        }
        before = Some((range, word));
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines that stand deeper belong to the block, and so do braces that stand as deep as its first line.
fn end_of_block(lines: &Lines<'_>, first: usize) -> usize {
    let own = indent(&lines.text[lines.ranges[first].clone()]);
    let mut end = lines.ranges[first].end;
    for range in &lines.ranges[first + 1..] {
        let line = &lines.text[range.clone()];
        if line.trim().is_empty() {
            continue;
        }
        let depth = indent(line);
        let closes = depth == own && line[depth..].starts_with('}');
        let opens = depth == own && line[depth..].starts_with('{');
        if depth <= own && !closes && !opens {
            break;
        }
        end = range.end;
        if closes {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::script::PositionEncoding;
    use super::*;

    #[test]
    fn nests_by_indentation_and_closes_braces() {
        let text =
            "pub fn a() {\n    fn b() {}\n\n    x\n}\nasync def c():\n    pass\n\nfunc  d()\n{\n}\nundef e\n";
        let lines = Lines::new(text, PositionEncoding::Utf8);
        let found: Vec<(&str, usize, Option<usize>)> = definitions(&lines)
            .into_iter()
            .map(|one| (&text[one.name], text[one.block].lines().count(), one.parent))
            .collect();
        assert_eq!(found, [("a", 5, None), ("b", 1, Some(0)), ("c", 2, None), ("d", 3, None)]);
    }
}
