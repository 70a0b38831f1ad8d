//! Another body for a symbol.
//!
//! What a caller writes is read in this order, and the first reading that fits is taken:
//! text that begins and ends with the body's own delimiters is the body; other text is what is between them; text that
//! ends with the closing delimiter (or `end`) and does not begin with the opening one is what is between them and that
//! delimiter. An expression is replaced by an expression, or by a block where the language allows one.

use std::ops::Range;

use bowline_syntax::{Body, Language, Style};

use super::code::Code;
use super::lines::{indent_at, is_first_on_line, leading_space, unit};
use super::{Refused, Splices, Target, lines};

pub(super) fn candidates(target: &Target<'_>, new_body: &str) -> Result<Vec<Splices>, Refused> {
    let body = target.parts.body.as_ref().ok_or(Refused::NoBody)?;
    let new_body = new_body.replace("\r\n", "\n");
    if is_whole_declaration(target, body, &new_body) {
        return Err(Refused::WholeDeclaration);
    }
    let new = Fitting::new(target, body, &new_body);
    let candidates = match &body.style {
        Style::Delimited => new.delimited(),
        Style::Indented { .. } if new_body.trim().is_empty() => return Err(Refused::EmptyBody),
        Style::Indented { on_head_line } => new.indented(*on_head_line),
        Style::Keyword => new.keyword(),
        Style::Expression { .. } if new_body.trim().is_empty() => return Err(Refused::EmptyBody),
        Style::Expression { block } => new.expression(block.as_ref()),
    };
    Ok(candidates.into_iter().map(|splice| vec![splice]).collect())
}

struct Fitting<'a> {
    target: &'a Target<'a>,
    body: &'a Body,
    new: &'a str,
    /// Of the line that the declaration begins on.
    base: String,
    /// Of the lines of the body.
    inside: String,
    /// Of the line that ends the body.
    close: String,
    unit: String,
    /// The body goes over several lines.
    is_tall: bool,
}

type Splice = (Range<usize>, String);

impl<'a> Fitting<'a> {
    fn new(target: &'a Target<'a>, body: &'a Body, new: &'a str) -> Self {
        let text = target.text();
        let inner = text.get(body.inner.clone()).unwrap_or_default();
        let base = indent_at(text, target.parts.item.start).to_owned();
        let unit = unit(target.parsed);
        let is_tall = inner.contains('\n') || matches!(body.style, Style::Indented { on_head_line: false });
        let deeper = format!("{base}{unit}");
        let starts_lower = matches!(body.style, Style::Indented { .. });
        let old = inner.lines().skip(usize::from(!starts_lower)).find(|line| !line.trim().is_empty());
        let old = old.map(leading_space).filter(|space| is_tall && space.len() > base.len());
        let inside = old.map_or(deeper, str::to_owned);
        let end = body.inner.end;
        let close = if is_tall && is_first_on_line(text, end) { indent_at(text, end) } else { &base };
        Self { target, body, new, close: close.to_owned(), base, inside, unit, is_tall }
    }

    fn code(&self, text: &str) -> Code {
        Code::new(self.target, text, self.body.inner.start)
    }

    fn delimited(&self) -> Vec<Splice> {
        let (open, close) = self.delimiters();
        let mut found = Vec::new();
        let trimmed = self.new.trim();
        if trimmed.starts_with(open) && trimmed.ends_with(close) && trimmed.len() >= 2 {
            found.push((self.body.outer.clone(), self.whole(trimmed)));
        }
        let mut contents = vec![self.new];
        contents.extend(self.new.trim_end().strip_suffix(close));
        for content in contents {
            let content = self.code(content);
            let between = self.between(&content, open, close);
            found.extend(between.into_iter().map(|text| (self.body.outer.clone(), text)));
        }
        found
    }

    fn delimiters(&self) -> (char, char) {
        let outer = self.target.text().get(self.body.outer.clone()).unwrap_or_default();
        (outer.chars().next().unwrap_or('{'), outer.chars().last().unwrap_or('}'))
    }

    /// A body with its delimiters, with the indentation of the one that was there.
    fn whole(&self, trimmed: &str) -> String {
        if self
            .target
            .text()
            .get(self.body.outer.clone())
            .is_some_and(|old| old.replace("\r\n", "\n") == trimmed)
        {
            return trimmed.to_owned();
        }
        self.code(trimmed).fit_last(&self.close, &self.unit)
    }

    /// Delimiters around some content: on one line, if the body was on one, and below each other.
    fn between(&self, content: &Code, open: char, close: char) -> Vec<String> {
        if content.is_empty() {
            let gap = if self.is_tall { format!("\n{}", self.close) } else { String::new() };
            return vec![format!("{open}{gap}{close}")];
        }
        let mut found = Vec::new();
        if !self.is_tall && content.is_one_line() {
            let inner = self.target.text().get(self.body.inner.clone()).unwrap_or_default();
            let pad = if inner.is_empty() || inner.starts_with(' ') { " " } else { "" };
            found.push(format!("{open}{pad}{}{pad}{close}", content.trimmed()));
        }
        let fitted = content.fit(&self.inside, &self.unit);
        found.push(format!("{open}\n{fitted}\n{}{close}", self.close));
        found
    }

    fn indented(&self, on_head_line: bool) -> Vec<Splice> {
        let content = self.code(self.new);
        let fitted = content.fit(&self.inside, &self.unit);
        if !on_head_line {
            return vec![(self.body.outer.clone(), fitted)];
        }
        let mut found = Vec::new();
        if content.is_one_line() {
            found.push((self.body.outer.clone(), content.trimmed()));
        }
        let head = self.target.text().get(..self.body.outer.start).unwrap_or_default().trim_end();
        found.push((head.len()..self.body.outer.end, format!("\n{fitted}")));
        found
    }

    fn keyword(&self) -> Vec<Splice> {
        let new = self.new.trim_start_matches([' ', '\t']);
        let new = new.strip_prefix(';').unwrap_or(self.new);
        let mut contents = vec![new];
        let without_end = new.trim_end().strip_suffix("end");
        contents.extend(without_end.filter(|rest| rest.is_empty() || rest.ends_with([' ', '\n', '\t', ';'])));
        let mut found = Vec::new();
        for content in contents {
            let content = self.code(content);
            if !self.is_tall && content.is_one_line() {
                found.push(format!("; {}; ", content.trimmed().trim_end_matches([';', ' '])));
            }
            found.push(match content.is_empty() {
                true if self.is_tall => format!("\n{}", self.close),
                true => "; ".to_owned(),
                false => format!("\n{}\n{}", content.fit(&self.inside, &self.unit), self.close),
            });
        }
        found.into_iter().map(|text| (self.body.outer.clone(), text)).collect()
    }

    fn expression(&self, block: Option<&Range<usize>>) -> Vec<Splice> {
        let trimmed = self.new.trim();
        let mut found = Vec::new();
        let is_braced = trimmed.starts_with('{') && trimmed.ends_with('}');
        if is_braced && self.is_object(trimmed) {
            return vec![(self.body.outer.clone(), self.code(&format!("({trimmed})")).trimmed())];
        }
        let is_block = is_braced;
        if is_block && let Some(block) = block {
            found.push((block.clone(), self.code(trimmed).fit_last(&self.base, &self.unit)));
        }
        let value = ["=>", "->", "="].iter().find_map(|arrow| trimmed.strip_prefix(arrow));
        let value = value.filter(|value| value.starts_with(char::is_whitespace)).unwrap_or(trimmed);
        let value = value.trim().trim_end_matches(';').trim_end();
        found.push((self.body.outer.clone(), self.code(value).trimmed()));
        if let Some(block) = block.filter(|_| !is_block && self.gives_back(trimmed)) {
            let content = self.code(self.new);
            let fitted = content.fit(&self.inside, &self.unit);
            found.push((block.clone(), format!("{{\n{fitted}\n{}}}", self.base)));
        }
        found
    }

    fn is_javascript(&self) -> bool {
        let language = self.target.parsed.language();
        matches!(language, Language::TypeScript | Language::Tsx | Language::JavaScript)
    }

    /// Braces that are a value: as a block, `{ a: 1 }` is a label, and gives back nothing.
    fn is_object(&self, braced: &str) -> bool {
        let is_empty = braced.trim_matches(['{', '}']).trim().is_empty();
        self.is_javascript()
            && !is_empty
            && (self.target.parse)(&format!("({braced});")).is_ok_and(|parsed| !parsed.has_error())
    }

    /// Statements in the place of a value give one back, or say that there is none. Elsewhere a compiler asks for it.
    fn gives_back(&self, statements: &str) -> bool {
        let mut words = statements.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.'));
        !self.is_javascript() || words.any(|word| matches!(word, "return" | "throw"))
    }
}

/// Whether the text begins with the head of the declaration, or declares the same name by itself.
fn is_whole_declaration(target: &Target<'_>, body: &Body, new_body: &str) -> bool {
    let start = lines::bytes_of(target.parsed, target.named.range).start;
    let head = target.text().get(start..body.outer.start).unwrap_or_default();
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = plain(head);
    if !head.is_empty() && plain(new_body).starts_with(&head) {
        return true;
    }
    let Ok(alone) = (target.parse)(new_body.trim()) else { return false };
    let own = target.named.name.rsplit('.').next().unwrap_or_default();
    let first = alone.flat_symbols().into_iter().next();
    first.is_some_and(|first| {
        let at = lines::bytes_of(&alone, first.range);
        let is_all = at.start == 0 && at.end == new_body.trim().len();
        is_all && first.name == own && target.named.kind == first.kind
    })
}
