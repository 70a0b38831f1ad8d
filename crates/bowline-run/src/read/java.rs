//! Stacks of the Java machine, as Maven, Gradle and their report files print them.

use std::path::PathBuf;

use super::text::{self, Lines};

/// Assertions say enough without their class.
const ASSERTIONS: [&str; 3] =
    ["org.opentest4j.AssertionFailedError", "java.lang.AssertionError", "org.junit.ComparisonFailure"];

/// A failure's text while its lines come in.
#[derive(Default)]
pub(crate) struct Trace {
    message: Lines,
    in_frames: bool,
    of_class: Option<(PathBuf, u32)>,
    of_method: Option<(PathBuf, u32)>,
}

impl Trace {
    pub(crate) fn push(&mut self, line: &str, class: &str, method: &str) {
        if let Some(frame) = Frame::read(line) {
            self.in_frames = true;
            let (of_frame, of_test) = (outer(frame.class), outer(class));
            // Gradle shows classes without their package.
            let is_class = of_frame == of_test || of_frame.rsplit('.').next() == Some(of_test);
            if is_class && self.of_class.is_none() {
                self.of_class = frame.place();
            } else if frame.method == method && self.of_method.is_none() {
                self.of_method = frame.place();
            }
        } else if !self.in_frames {
            self.message.push(without_class(line));
        } else if line.trim_start().starts_with("Caused by: ") {
            self.message.push(line.trim());
        }
    }

    pub(crate) fn message(&self) -> String {
        self.message.text()
    }

    /// In the test's class, or in a method of its name: tests are inherited. The file is the package's folders and
    /// its name, which is all that a frame knows.
    pub(crate) fn place(&self) -> (Option<PathBuf>, Option<u32>) {
        let (file, line) = self.of_class.clone().or_else(|| self.of_method.clone()).unzip();
        (file, line)
    }
}

/// `org.opentest4j.AssertionFailedError: expected…` → `expected…`
pub(crate) fn without_class(line: &str) -> &str {
    let told = line.trim_start();
    let rest = ASSERTIONS.iter().find_map(|class| told.strip_prefix(class)?.strip_prefix(':'));
    rest.map_or(line, str::trim_start)
}

struct Frame<'a> {
    class: &'a str,
    method: &'a str,
    file: &'a str,
    line: u32,
}

impl<'a> Frame<'a> {
    /// `at app//shop.CartTest$OfText.reads(CartTest.java:47)`
    fn read(line: &'a str) -> Option<Self> {
        let frame = line.trim().strip_prefix("at ")?;
        let (method, place) = frame.strip_suffix(')')?.rsplit_once('(')?;
        // The loader and the module stand before the class.
        let method = method.rsplit('/').next().unwrap_or(method);
        let (class, method) = method.rsplit_once('.')?;
        let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
        Some(Self { class, method, file, line: text::leading_number(line)?.0 })
    }

    fn place(&self) -> Option<(PathBuf, u32)> {
        let package = outer(self.class).rsplit_once('.').map_or("", |(package, _)| package);
        (self.line > 0).then(|| (PathBuf::from(package.replace('.', "/")).join(self.file), self.line))
    }
}

/// `shop.CartTest$OfText` → `shop.CartTest`
fn outer(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}
