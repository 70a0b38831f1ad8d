//! The reader of the case files.
//!
//! `file: name` says which file the cases below are about. A case is `## title`, `verb symbol`, and fenced blocks `before`
//! (left out: as in the case above), `text`, and `after` or `refused`. A block whose fence says `cut` has no line end at its
//! end; `←` at the beginning of a text is a byte order mark.

const FILES: [&str; 12] = [
    include_str!("bash.md"),
    include_str!("c.md"),
    include_str!("cpp.md"),
    include_str!("csharp.md"),
    include_str!("go.md"),
    include_str!("java.md"),
    include_str!("javascript.md"),
    include_str!("php.md"),
    include_str!("python.md"),
    include_str!("ruby.md"),
    include_str!("rust.md"),
    include_str!("typescript.md"),
];

pub(super) struct Case {
    pub(super) file: String,
    pub(super) title: String,
    pub(super) does: Does,
    pub(super) symbol: String,
    pub(super) before: String,
    pub(super) text: String,
    pub(super) expected: Expected,
}

pub(super) enum Expected {
    After(String),
    Refused(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Whole,
    Body,
    Before,
    After,
    Delete,
}

impl Does {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "replace",
            Self::Body => "body",
            Self::Before => "before",
            Self::After => "after",
            Self::Delete => "delete",
        }
    }

    fn read(word: &str) -> Self {
        let all = [Self::Whole, Self::Body, Self::Before, Self::After, Self::Delete];
        all.into_iter().find(|does| does.as_str() == word).unwrap_or_else(|| panic!("no verb `{word}`"))
    }
}

pub(super) fn all() -> Vec<Case> {
    FILES.iter().flat_map(|text| read(text)).collect()
}

fn read(text: &str) -> Vec<Case> {
    let mut found: Vec<Case> = Vec::new();
    let mut file = String::new();
    for section in text.split("\n## ") {
        let (title, rest) = section.split_once('\n').unwrap();
        let mut blocks = Blocks::default();
        let mut act = None;
        let mut lines = rest.lines();
        let mut next_file = None;
        while let Some(line) = lines.next() {
            if let Some(name) = line.strip_prefix("file: ") {
                next_file = Some(name.to_owned());
            } else if let Some(label) = line.strip_prefix("```") {
                let content: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                blocks.add(label, &content);
            } else if !line.is_empty() {
                act = Some(line.split_once(' ').unwrap());
            }
        }
        if let Some((verb, symbol)) = act {
            let before = blocks.before.or_else(|| found.last().map(|case| case.before.clone())).unwrap();
            found.push(Case {
                file: file.clone(),
                title: title.to_owned(),
                does: Does::read(verb),
                symbol: symbol.to_owned(),
                before,
                text: blocks.text.unwrap_or_default(),
                expected: blocks.expected.unwrap_or_else(|| panic!("{title}: no outcome")),
            });
        }
        file = next_file.unwrap_or(file);
    }
    found
}

#[derive(Default)]
struct Blocks {
    before: Option<String>,
    text: Option<String>,
    expected: Option<Expected>,
}

impl Blocks {
    fn add(&mut self, label: &str, lines: &[&str]) {
        let joined = lines.join("\n");
        let (label, joined) = match label.strip_suffix(" cut") {
            Some(label) => (label, joined),
            None => (label, format!("{joined}\n")),
        };
        let text = match joined.strip_prefix('←') {
            Some(rest) => format!("\u{feff}{rest}"),
            None => joined,
        };
        match label {
            "before" => self.before = Some(text),
            "text" => self.text = Some(text),
            "after" => self.expected = Some(Expected::After(text)),
            "refused" => self.expected = Some(Expected::Refused(text.trim_end().replace('\n', " "))),
            other => panic!("no block `{other}`"),
        }
    }
}
