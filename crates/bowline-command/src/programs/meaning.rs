//! How a meaning is put together.

use super::line::{Line, Use};
use super::{Meaning, Touched};
use crate::{Access, Creates, Doubt, Filter, Pin, Word};

impl Meaning {
    pub(super) fn doubtful(why: impl Into<String>) -> Self {
        let mut meaning = Self::default();
        meaning.unreadable(why);
        meaning
    }

    /// It runs code, or changes files, that the text does not show.
    pub(super) fn code(pin: Pin, why: impl Into<String>) -> Self {
        let mut meaning = Self::default();
        meaning.opaque(pin, why);
        meaning
    }

    pub(super) fn unreadable(&mut self, why: impl Into<String>) {
        self.doubts.push(Doubt::Unreadable(why.into()));
    }

    /// The stricter pin stays.
    pub(super) fn opaque(&mut self, pin: Pin, why: impl Into<String>) {
        self.doubts.push(Doubt::Opaque(why.into()));
        self.pin = Some(match (self.pin, pin) {
            (Some(Pin::Everything), _) | (_, Pin::Everything) => Pin::Everything,
            (Some(Pin::Words(one)), Pin::Words(other)) => Pin::Words(one.max(other)),
            (None, pin) => pin,
        });
    }

    pub(super) fn reads(&mut self, path: &Word) {
        if path.literal().is_none_or(|text| text != "-" && !text.is_empty()) {
            self.touches.push(Touched {
                access: Access::Read,
                path: path.clone(),
                is_deep: false,
                filter: Filter::default(),
            });
        }
    }

    pub(super) fn reads_below(&mut self, path: &Word) {
        let before = self.touches.len();
        self.reads(path);
        self.touches[before..].iter_mut().for_each(|touched| touched.is_deep = true);
    }

    /// Code at this path is run: the directory of a project whose build or tests run, a configuration file that names programs.
    pub(super) fn executes(&mut self, path: &Word) {
        self.touch(Access::Execute, path, false, Filter::default());
    }

    /// What the values of options are used for, by the signs in the list of options.
    pub(super) fn uses(&mut self, line: &Line, program: &str) {
        for given in &line.given {
            match (given.usage, &given.value) {
                (Use::Plain, _) => {}
                (Use::Reads, Some(path)) => self.reads(path),
                (Use::Writes, Some(path)) => self.writes(path, false),
                (Use::Reads | Use::Writes | Use::Lists, None) => {}
                (Use::Lists, Some(path)) => {
                    self.reads(path);
                    self.unreadable(format!("which files `{program}` reads is said by a file"));
                }
                (Use::Obeys, value) => {
                    value.iter().for_each(|path| self.reads(path));
                    self.opaque(Pin::Everything, format!("`{program}` was told to do more than read"));
                }
                (Use::Runs, value) => {
                    self.runs.extend(value.iter().map(|program| vec![program.clone()]));
                    self.opaque(Pin::Everything, format!("`{program}` was told to run something"));
                }
            }
        }
    }

    /// As `reads` and `writes`, but for what the filter leaves out.
    pub(super) fn touch(&mut self, access: Access, path: &Word, is_deep: bool, filter: Filter) {
        self.touches.push(Touched { access, path: path.clone(), is_deep, filter });
    }

    /// Whoever walks the text says what an unknown path means.
    pub(super) fn writes(&mut self, path: &Word, is_deep: bool) {
        match path {
            Word::Literal(text) if text.is_empty() => {}
            _ => {
                self.touches.push(Touched {
                    access: Access::Write,
                    path: path.clone(),
                    is_deep,
                    filter: Filter::default(),
                });
            }
        }
    }

    pub(super) fn writes_at(&mut self, path: impl Into<String>, is_deep: bool) {
        self.writes(&Word::Literal(path.into()), is_deep);
    }

    /// The entry itself goes away, and nothing new comes.
    pub(super) fn removes(&mut self, path: &Word, is_deep: bool) {
        self.changes(path, is_deep, Creates::Nothing);
    }

    /// What is there is changed, and nothing comes but what `creates` says.
    pub(super) fn changes(&mut self, path: &Word, is_deep: bool, creates: Creates) {
        if path.literal() != Some("") {
            self.touch(Access::Write, path, is_deep, Filter { creates, ..Filter::default() });
        }
    }
}

impl Word {
    /// It may become an option, by itself or by one of the words it is split into.
    pub(super) fn may_be_option(&self) -> bool {
        match self {
            Self::Literal(text) => text.starts_with('-') && text != "-",
            Self::Unknown { .. } if self.is_count() => false,
            Self::Unknown { start, splits, .. } => {
                (start.is_empty() && self.bare_pattern().is_none())
                    || start.starts_with('-')
                    || (*splits && !self.is_pattern())
            }
        }
    }

    /// The first part of a pattern of names that begins the word: `*.o`. Whether a name that it stands for is an option, the
    /// disk tells: see `Script::bare`.
    pub(crate) fn bare_pattern(&self) -> Option<&str> {
        let Self::Unknown { start, text, .. } = self else { return None };
        let is_bare = start.is_empty()
            && text.starts_with(['*', '?', '['])
            && self.is_pattern()
            && !text.contains(['{', '\'', '"', '\\']);
        text.split('/').next().filter(|_| is_bare)
    }

    /// It may become several words of which nothing is known.
    pub(super) fn is_loose(&self) -> bool {
        matches!(self, Self::Unknown { splits: true, .. }) && !self.is_pattern()
    }

    /// It is a pattern that the shell makes several words of: `*.rs`.
    pub(super) fn may_be_several(&self) -> bool {
        matches!(self, Self::Unknown { splits: true, .. }) && self.pattern().is_some()
    }

    /// Every word that it becomes begins with its start: names of files, or what stands between braces.
    fn is_pattern(&self) -> bool {
        match self {
            Self::Literal(_) => false,
            Self::Unknown { text, .. } => {
                text.contains(['*', '?', '[', '{']) && !text.contains(['$', '`', '<', '>', '('])
            }
        }
    }

    /// The directory before the first star, and the patterns of the names that follow it: `build` and `*.o` for `build/*.o`.
    pub(super) fn pattern(&self) -> Option<(String, Vec<String>)> {
        let Self::Unknown { start, text, .. } = self else { return None };
        crate::walk::glob(start, text).filter(|(_, parts)| !parts.is_empty())
    }

    /// What is known of it from the beginning.
    pub(super) fn start(&self) -> &str {
        match self {
            Self::Literal(text) => text,
            Self::Unknown { start, .. } => start,
        }
    }

    /// As a person would recognise it.
    pub(super) fn shown(&self) -> &str {
        match self {
            Self::Literal(text) | Self::Unknown { text, .. } => text,
        }
    }

    /// The rest of it, after so many bytes of its start.
    pub(super) fn after(&self, bytes: usize) -> Self {
        match self {
            Self::Literal(text) => Self::Literal(text.get(bytes..).unwrap_or_default().to_owned()),
            Self::Unknown { start, text, splits } => Self::Unknown {
                start: start.get(bytes..).unwrap_or_default().to_owned(),
                text: text.clone(),
                splits: *splits,
            },
        }
    }

    /// What stands there once a program has put something in: nobody knows.
    pub(crate) fn filled(start: &str, text: &str, splits: bool) -> Self {
        Self::Unknown { start: start.to_owned(), text: text.to_owned(), splits }
    }
}

/// The words as one, as a shell joins them for `eval`. Nothing, if one of them is not known.
pub(super) fn joined(words: &[Word]) -> Option<Word> {
    let texts: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
    texts.map(|texts| Word::Literal(texts.join(" ")))
}

/// The last part of a path, without slashes at its end.
pub(super) fn last_part(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// One path below another.
pub(super) fn below(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() {
        return path.to_owned();
    }
    format!("{}/{path}", directory.trim_end_matches('/'))
}
