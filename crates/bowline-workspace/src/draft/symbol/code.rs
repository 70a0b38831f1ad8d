//! Text as a caller wrote it, fitted to the indentation of the place that it is put in.

use bowline_syntax::{Language, Parsed};

use super::Target;
use super::lines::leading_space;

/// Some lines of code. Lines end with `\n`; there is no empty line at the beginning or the end.
pub(super) struct Code {
    lines: Vec<Line>,
    /// Directives stand at the beginning of their line, whatever is around them.
    has_directives: bool,
}

struct Line {
    text: String,
    /// It begins inside a text literal: not a byte of it is indentation.
    is_verbatim: bool,
}

impl Code {
    /// `at` is a byte where the code can stand as it is, so that its text literals can be told.
    pub(super) fn new(target: &Target<'_>, code: &str, at: usize) -> Self {
        let code = code.replace("\r\n", "\n");
        let first = code.lines().take_while(|line| line.trim().is_empty()).map(|line| line.len() + 1).sum();
        let code = code.get(first..).unwrap_or_default().trim_end();
        let verbatim = verbatim_lines(target, code, at);
        let lines = code
            .split('\n')
            .enumerate()
            .filter(|_| !code.is_empty())
            .map(|(index, line)| Line { text: line.to_owned(), is_verbatim: verbatim.contains(&index) })
            .collect();
        let has_directives =
            matches!(target.parsed.language(), Language::C | Language::Cpp | Language::CSharp);
        Self { lines, has_directives }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn is_one_line(&self) -> bool {
        self.lines.len() == 1
    }

    /// All of it, without the white space in front.
    pub(super) fn trimmed(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// Every line is one of these.
    pub(super) fn all_begin_with(&self, marks: &[&str]) -> bool {
        let lines = self.lines.iter().map(|line| line.text.trim()).filter(|line| !line.is_empty());
        lines.into_iter().all(|line| marks.iter().any(|mark| line.starts_with(mark)))
    }

    /// The same with another last line.
    pub(super) fn ending(mut self, change: impl FnOnce(&str) -> String) -> Self {
        if let Some(last) = self.lines.last_mut() {
            last.text = change(&last.text);
        }
        self
    }

    /// With its indentation replaced by this one. What is indented relative to the rest stays so, in steps of `unit`.
    pub(super) fn fit(&self, indent: &str, unit: &str) -> String {
        let moves = |line: &&Line| self.moves(line);
        let Some(first) = self.lines.iter().find(moves) else { return self.trimmed() };
        // It stands where it shall already, or it was taken from there.
        if leading_space(&first.text) == indent {
            return self.trimmed_lines(|line| line.text.clone());
        }
        let is_cut = self.first_is_cut();
        let rest = self.lines.iter().filter(moves).skip(usize::from(is_cut));
        let common = rest.map(|line| leading_space(&line.text)).reduce(common_prefix).unwrap_or_default();
        let step = self.step();
        let mut is_first = true;
        self.trimmed_lines(|line| {
            if !self.moves(line) {
                return line.text.clone();
            }
            let cut = std::mem::take(&mut is_first) && is_cut;
            let rest = if cut { &line.text } else { line.text.strip_prefix(common).unwrap_or(&line.text) };
            let space = leading_space(rest);
            let code = rest.get(space.len()..).unwrap_or_default();
            format!("{indent}{}{code}", converted(space, step, unit))
        })
    }

    /// As `fit`, for text whose first line is behind other text and whose last line has this indentation.
    pub(super) fn fit_last(&self, indent: &str, unit: &str) -> String {
        let Some(last) = self.lines.last().filter(|last| self.moves(last)) else { return self.trimmed() };
        let was = leading_space(&last.text).to_owned();
        let step = self.step();
        let mut is_first = true;
        self.trimmed_lines(|line| {
            if std::mem::take(&mut is_first) {
                return line.text.trim_start().to_owned();
            }
            if !self.moves(line) {
                return line.text.clone();
            }
            let rest = line.text.strip_prefix(was.as_str()).unwrap_or(line.text.trim_start());
            let space = leading_space(rest);
            let code = rest.get(space.len()..).unwrap_or_default();
            format!("{indent}{}{code}", converted(space, step, unit))
        })
    }

    fn trimmed_lines(&self, mut write: impl FnMut(&Line) -> String) -> String {
        let write = |line: &Line| {
            let is_blank = line.text.trim().is_empty() && !line.is_verbatim;
            if is_blank { String::new() } else { write(line) }
        };
        self.lines.iter().map(write).collect::<Vec<_>>().join("\n")
    }

    /// Its white space is indentation.
    fn moves(&self, line: &Line) -> bool {
        let is_directive = self.has_directives && line.text.starts_with('#');
        !line.is_verbatim && !is_directive && !line.text.trim().is_empty()
    }

    /// The first line has lost its indentation, as text does that is selected from its first word on.
    fn first_is_cut(&self) -> bool {
        let mut lines = self.lines.iter().filter(|line| self.moves(line)).map(|line| line.text.as_str());
        let Some(first) = lines.next().filter(|first| leading_space(first).is_empty()) else { return false };
        let rest: Vec<usize> = lines.map(|line| leading_space(line).len()).collect();
        let (Some(second), Some(least)) = (rest.first(), rest.iter().min()) else { return false };
        let opens = first.trim_end().ends_with(['{', '(', '[', ':', ',', '=', '\\', '|', '&', '+', '>']);
        *least > 0 && (!opens || second > least)
    }

    /// How wide one step of its own indentation is, in spaces.
    fn step(&self) -> usize {
        let mut last = 0;
        let mut least = None;
        for line in self.lines.iter().filter(|line| self.moves(line)) {
            let space = leading_space(&line.text);
            if space.contains('\t') {
                continue;
            }
            if space.len() > last + 1 {
                least = Some(least.map_or(space.len() - last, |least: usize| least.min(space.len() - last)));
            }
            last = space.len();
        }
        least.unwrap_or(4)
    }
}

/// Indentation in the steps of the file: tabs for spaces, or spaces for tabs.
fn converted(space: &str, step: usize, unit: &str) -> String {
    let has_tabs = space.contains('\t');
    if unit == "\t" && !has_tabs {
        return format!("{}{}", "\t".repeat(space.len() / step), " ".repeat(space.len() % step));
    }
    if unit != "\t" && has_tabs {
        return space.replace('\t', unit);
    }
    space.to_owned()
}

fn common_prefix<'a>(one: &'a str, other: &'a str) -> &'a str {
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    one.get(..same).unwrap_or_default()
}

/// The numbers of those lines that begin inside a text literal.
fn verbatim_lines(target: &Target<'_>, code: &str, at: usize) -> Vec<usize> {
    if !code.contains('\n') {
        return Vec::new();
    }
    let text = target.text();
    let (before, behind) = match target.parsed.language() {
        // Indentation is syntax: the code is read by itself.
        Language::Python if code.starts_with([' ', '\t']) => ("if 1:\n".to_owned(), String::new()),
        Language::Python => (String::new(), String::new()),
        _ => {
            let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
            (format!("{before}\n"), format!("\n{behind}"))
        }
    };
    let Ok(parsed) = (target.parse)(&format!("{before}{code}{behind}")) else { return Vec::new() };
    line_numbers(&parsed, before.len(), code)
}

fn line_numbers(parsed: &Parsed, start: usize, code: &str) -> Vec<usize> {
    let inside = parsed.verbatim_lines().into_iter().filter_map(|at| at.checked_sub(start));
    let inside = inside.filter(|at| *at < code.len());
    inside.map(|at| code.get(..at).unwrap_or_default().matches('\n').count()).collect()
}
