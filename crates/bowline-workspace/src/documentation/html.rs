//! HTML as rustdoc writes it, made text. Documentation may hold any HTML of its author's, so nothing is relied on to
//! be closed or nested well.

/// A piece of HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Text(&'a str),
    /// Its name, and what else is in the tag.
    Open(&'a str, &'a str),
    Close(&'a str),
}

/// The pieces, each with where it ends.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { html, at: 0 }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Token<'a>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.html.get(self.at..).filter(|rest| !rest.is_empty())?;
            if rest.starts_with("<!") {
                let end = if rest.starts_with("<!--") { "-->" } else { ">" };
                self.at += rest.find(end).map_or(rest.len(), |at| at + end.len());
                continue;
            }
            let (token, length) = tag(rest).unwrap_or_else(|| {
                // The first letter may be a `<` that begins no tag.
                let first = rest.chars().next().map_or(1, char::len_utf8);
                let end = rest[first..].find('<').map_or(rest.len(), |at| at + first);
                (Token::Text(&rest[..end]), end)
            });
            self.at += length;
            return Some((token, self.at));
        }
    }
}

/// The tag at the beginning, and its length.
fn tag(html: &str) -> Option<(Token<'_>, usize)> {
    let inner = html.strip_prefix('<')?;
    let (inner, closes) = inner.strip_prefix('/').map_or((inner, false), |inner| (inner, true));
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let mut quote = None;
    let end = inner.bytes().position(|byte| match (quote, byte) {
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (Some(open), _) if open == byte => {
            quote = None;
            false
        }
        (None, b'>') => true,
        _ => false,
    })?;
    let body = &inner[..end];
    let name_end = body.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(body.len());
    let (name, attributes) = body.split_at(name_end);
    let length = html.len() - inner.len() + end + 1;
    Some((if closes { Token::Close(name) } else { Token::Open(name, attributes) }, length))
}

/// The value of an attribute.
pub(super) fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    loop {
        let at = from + attributes[from..].find(name)?;
        from = at + name.len();
        let begins = attributes[..at].ends_with(char::is_whitespace);
        if begins && let Some(value) = attributes[from..].strip_prefix("=\"") {
            return value.split('"').next();
        }
    }
}

pub(super) fn has_class(attributes: &str, class: &str) -> bool {
    attribute(attributes, "class").is_some_and(|classes| classes.split(' ').any(|word| word == class))
}

/// What is inside the element that opens at the beginning, and what follows it.
pub(super) fn element(html: &str) -> Option<(&str, &str)> {
    let mut tokens = Tokens::new(html);
    let (Token::Open(name, _), start) = tokens.next()? else {
        return None;
    };
    let (mut depth, mut before) = (1, start);
    for (token, end) in tokens {
        match token {
            Token::Open(inner, _) if inner == name => depth += 1,
            Token::Close(inner) if inner == name => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&html[start..before], &html[end..]));
        }
        before = end;
    }
    // It is never closed.
    Some((&html[start..], ""))
}

/// The HTML from the first opening tag on that has what is wanted.
pub(super) fn find(html: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<&str> {
    let mut before = 0;
    for (token, end) in Tokens::new(html) {
        if let Token::Open(name, attributes) = token
            && wanted(name, attributes)
        {
            // Comments lie between tokens.
            let at = html[before..end].rfind(&format!("<{name}")).map_or(before, |at| before + at);
            return Some(&html[at..]);
        }
        before = end;
    }
    None
}

/// Code, with its line ends. A block in it stands on lines of its own, as where-clauses do.
pub(super) fn code(html: &str) -> String {
    let mut text = String::new();
    let mut hidden = Hidden::default();
    for (token, _) in Tokens::new(html) {
        if hidden.hides(token) {
            continue;
        }
        match token {
            Token::Text(piece) => decode(piece, &mut text),
            Token::Open("div" | "br", _) | Token::Close("div")
                if !text.is_empty() && !text.ends_with('\n') =>
            {
                text.push('\n');
            }
            Token::Open(..) | Token::Close(_) => {}
        }
    }
    text.trim_end().to_owned()
}

/// Prose: paragraphs, lists, tables; code in backticks and fences.
pub(super) fn prose(html: &str) -> String {
    let mut writer = Writer::default();
    let mut hidden = Hidden::default();
    let mut tokens = Tokens::new(html);
    while let Some((token, end)) = tokens.next() {
        if hidden.hides(token) {
            continue;
        }
        let Token::Open("pre", attributes) = token else {
            writer.take(token);
            continue;
        };
        // There is none within another, so the first end is its own.
        let inner = &html[end..];
        let length = inner.find("</pre").unwrap_or(inner.len());
        writer.fence(&code(&inner[..length]), attributes);
        tokens.at = end + length;
    }
    writer.text.trim().to_owned()
}

/// What nobody reads: anchors, buttons, headings of what can be unfolded.
#[derive(Default)]
struct Hidden {
    inside: Option<(String, usize)>,
}

impl Hidden {
    fn hides(&mut self, token: Token<'_>) -> bool {
        if let Some((name, depth)) = &mut self.inside {
            match token {
                Token::Open(inner, _) if inner == name => *depth += 1,
                Token::Close(inner) if inner == name => *depth -= 1,
                _ => {}
            }
            if *depth == 0 {
                self.inside = None;
            }
            return true;
        }
        let hides = match token {
            Token::Open("script" | "style" | "button" | "summary" | "nav", _) => true,
            Token::Open("a", attributes) => ["anchor", "doc-anchor", "src", "test-arrow", "tooltip"]
                .iter()
                .any(|class| has_class(attributes, class)),
            _ => false,
        };
        if hides && let Token::Open(name, _) = token {
            self.inside = Some((name.to_owned(), 1));
        }
        hides
    }
}

/// Elements that stand in a line and change nothing about its words, and some of tables and lists.
const INLINE: [&str; 30] = [
    "a", "abbr", "b", "body", "caption", "cite", "del", "details", "dt", "em", "figure", "html", "i", "img",
    "ins", "kbd", "main", "mark", "q", "s", "small", "span", "strong", "sub", "sup", "tbody", "thead", "u",
    "var", "wbr",
];

#[derive(Default)]
struct Writer {
    text: String,
    /// For each list that is open, the number of its last item where it has numbers.
    lists: Vec<Option<usize>>,
    /// White space was seen and not written yet.
    space: bool,
}

impl Writer {
    fn take(&mut self, token: Token<'_>) {
        match token {
            Token::Text(piece) => self.words(piece),
            Token::Open("ul", _) => self.open_list(None),
            Token::Open("ol", _) => self.open_list(Some(0)),
            Token::Close("ul" | "ol") => {
                self.lists.pop();
                self.lines(if self.lists.is_empty() { 2 } else { 1 });
            }
            Token::Open("li", _) => self.item(),
            Token::Open("tr", _) | Token::Open("br", _) | Token::Open("dd", _) => self.lines(1),
            Token::Open("td" | "th", _) => {
                if !self.text.ends_with('\n') && !self.text.is_empty() {
                    self.text.push_str(" | ");
                }
                self.space = false;
            }
            Token::Open("code", _) | Token::Close("code") => self.mark("`", matches!(token, Token::Open(..))),
            Token::Open(name, _) | Token::Close(name) if is_heading(name) => {
                self.lines(2);
                if let (Token::Open(..), Some(level)) = (token, name[1..].parse::<usize>().ok()) {
                    self.text.push_str(&"#".repeat(level));
                    self.space = true;
                }
            }
            // A paragraph in an item goes on in its line.
            Token::Open("p" | "div", _) if self.text.ends_with("- ") || self.text.ends_with(". ") => {}
            Token::Open("p" | "div" | "table" | "blockquote" | "dl" | "hr" | "section", _)
            | Token::Close("p" | "div" | "table" | "blockquote" | "dl" | "section") => {
                self.lines(if self.lists.is_empty() { 2 } else { 1 });
            }
            // `Vec<Item>` that somebody forgot to write as code.
            Token::Open(name, "") if !INLINE.contains(&name) => self.words(&format!("&lt;{name}&gt;")),
            Token::Open(..) | Token::Close(_) => {}
        }
    }

    fn words(&mut self, piece: &str) {
        let mut decoded = String::new();
        decode(piece, &mut decoded);
        for letter in decoded.chars() {
            if letter.is_whitespace() {
                self.space = true;
            } else {
                self.flush_space();
                self.text.push(letter);
            }
        }
    }

    fn flush_space(&mut self) {
        if self.space && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        self.space = false;
    }

    fn mark(&mut self, mark: &str, opens: bool) {
        if opens {
            self.flush_space();
        }
        self.text.push_str(mark);
    }

    /// Ends the line, and leaves one empty if two are asked for.
    fn lines(&mut self, wanted: usize) {
        self.space = false;
        self.text.truncate(self.text.trim_end_matches(' ').len());
        let there = self.text.len() - self.text.trim_end_matches('\n').len();
        if !self.text.is_empty() && there < wanted {
            self.text.push_str(&"\n".repeat(wanted - there));
        }
    }

    fn open_list(&mut self, number: Option<usize>) {
        self.lines(if self.lists.is_empty() { 2 } else { 1 });
        self.lists.push(number);
    }

    fn item(&mut self) {
        self.lines(1);
        let depth = self.lists.len().saturating_sub(1).min(20);
        self.text.push_str(&"  ".repeat(depth));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                self.text.push_str(&format!("{number}. "));
            }
            _ => self.text.push_str("- "),
        }
    }

    fn fence(&mut self, code: &str, attributes: &str) {
        self.lines(2);
        let language = if has_class(attributes, "rust") { "rust" } else { "" };
        self.text.push_str(&format!("```{language}\n{code}\n```"));
        self.lines(2);
    }
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Adds text whose entities are made letters again.
fn decode(text: &str, into: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        into.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity =
            rest.find(';').filter(|end| *end <= 12).and_then(|end| Some((letter(&rest[1..end])?, end)));
        if let Some((letter, end)) = entity {
            into.push(letter);
            rest = &rest[end + 1..];
        } else {
            into.push('&');
            rest = &rest[1..];
        }
    }
    into.push_str(rest);
}

fn letter(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']);
        let code = hex.map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
        return char::from_u32(code?);
    }
    let named = [
        ("lt", '<'),
        ("gt", '>'),
        ("amp", '&'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("mdash", '—'),
        ("ndash", '–'),
        ("hellip", '…'),
        ("rarr", '→'),
        ("larr", '←'),
        ("copy", '©'),
        ("times", '×'),
    ];
    named.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter)
}
