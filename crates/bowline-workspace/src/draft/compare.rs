//! What an edit does to the problems of one file: those that are new, and those that are gone. A problem that merely
//! moved with its line is neither.

use bowline_code::{Diagnostic, Severity};

use super::lines::{Fate, Moved};

/// The problems that came and went.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) introduced: Vec<Diagnostic>,
    pub(super) resolved: Vec<Diagnostic>,
}

/// Compares the problems of a file before and after. `texts` are its texts, where they differ.
pub(super) fn compare(
    texts: Option<(&str, &str)>,
    before: &[Diagnostic],
    after: &[Diagnostic],
) -> Difference {
    let moved = texts.map(|(before, after)| Moved::between(before, after));
    let fate = |line: u32, of: Side| match (&moved, of) {
        (None, _) => Fate::Kept(line),
        (Some(moved), Side::Before) => moved.before(line),
        (Some(moved), Side::After) => moved.after(line),
    };
    let mut before: Vec<&Diagnostic> = before.iter().filter(|found| counts(found)).collect();
    let mut after: Vec<&Diagnostic> = after.iter().filter(|found| counts(found)).collect();

    // The same words at the same place; then on the same line; then within the same change.
    let at_once = |old: &Diagnostic, new: &Diagnostic| {
        fate(old.span.start.line, Side::Before) == Fate::Kept(new.span.start.line)
    };
    pair(&mut before, &mut after, |old, new| {
        at_once(old, new) && old.span.start.column == new.span.start.column
    });
    pair(&mut before, &mut after, at_once);
    pair(&mut before, &mut after, |old, new| {
        let old = fate(old.span.start.line, Side::Before);
        matches!(old, Fate::Changed(_)) && old == fate(new.span.start.line, Side::After)
    });
    Difference {
        introduced: after.into_iter().cloned().collect(),
        resolved: before.into_iter().cloned().collect(),
    }
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// Errors and warnings; the rest is advice.
fn counts(found: &Diagnostic) -> bool {
    matches!(found.severity, Severity::Error | Severity::Warning)
}

/// Takes away those that are the same problem, by their words and by where they are.
fn pair(
    before: &mut Vec<&Diagnostic>,
    after: &mut Vec<&Diagnostic>,
    same_place: impl Fn(&Diagnostic, &Diagnostic) -> bool,
) {
    before.retain(|old| {
        let again = after.iter().position(|new| same_words(old, new) && same_place(old, new));
        match again {
            Some(index) => {
                after.remove(index);
                false
            }
            None => true,
        }
    });
}

fn same_words(old: &Diagnostic, new: &Diagnostic) -> bool {
    old.severity == new.severity
        && old.code == new.code
        && old.source == new.source
        && (old.message == new.message || without_places(&old.message) == without_places(&new.message))
}

/// A message without the lines and columns that it names, which move as lines do.
fn without_places(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut before = ' ';
    for c in message.chars() {
        let of_a_place = c.is_ascii_digit() && (before == ':' || before == '#');
        if of_a_place && before == ':' {
            out.push('#');
        }
        if !of_a_place {
            out.push(c);
        }
        before = if of_a_place { '#' } else { c };
    }
    out
}

#[cfg(test)]
mod tests {
    use bowline_code::{Position, Span};

    use super::*;

    fn error(line: u32, column: u32, message: &str) -> Diagnostic {
        let at = Position::new(line, column);
        Diagnostic {
            span: Span::new(at, at),
            severity: Severity::Error,
            code: None,
            source: None,
            message: message.to_owned(),
            related: Vec::new(),
        }
    }

    fn words(found: &[Diagnostic]) -> Vec<String> {
        found.iter().map(|found| format!("{}: {}", found.span.start.line, found.message)).collect()
    }

    #[track_caller]
    fn check(
        (old, before): (&str, &[Diagnostic]),
        (new, after): (&str, &[Diagnostic]),
        introduced: &[&str],
        resolved: &[&str],
    ) {
        let difference = compare(Some((old, new)), before, after);
        assert_eq!(words(&difference.introduced), introduced);
        assert_eq!(words(&difference.resolved), resolved);
    }

    #[test]
    fn a_problem_that_moved_with_its_line_is_the_same() {
        let (old, new) = ("a\nbad\n", "new\nnew\na\nbad\n");
        check((old, &[error(2, 1, "no")]), (new, &[error(4, 1, "no")]), &[], &[]);
    }

    #[test]
    fn the_same_words_elsewhere_are_another_problem() {
        let (old, new) = ("x\nb\nc\ny\n", "X\nb\nc\nY\n");
        check((old, &[error(1, 1, "no")]), (new, &[error(4, 1, "no")]), &["4: no"], &["1: no"]);
    }

    #[test]
    fn a_problem_within_a_changed_line_is_the_same_if_its_words_are() {
        check(
            ("let x = f(1)\n", &[error(1, 9, "no f")]),
            ("let  x = f(1)\n", &[error(1, 10, "no f")]),
            &[],
            &[],
        );
        let other = [error(1, 9, "no g")];
        check(("f()\n", &[error(1, 1, "no f")]), ("g()\n", &other), &["1: no g"], &["1: no f"]);
    }

    #[test]
    fn two_alike_where_there_was_one_are_one_more() {
        let after = [error(1, 1, "no"), error(1, 5, "no")];
        check(("a a\n", &[error(1, 1, "no")]), ("a a\n", &after), &["1: no"], &[]);
    }

    #[test]
    fn places_in_messages_move_too() {
        let before = [error(1, 1, "f redeclared\n\ta.go:12:6: other declaration")];
        let after = [error(1, 1, "f redeclared\n\ta.go:7:6: other declaration")];
        assert_eq!(compare(None, &before, &after), Difference::default());
        let other = [error(1, 1, "f redeclared\n\tb.go:7:6: other declaration")];
        assert_eq!(compare(None, &before, &other).introduced.len(), 1);
    }

    #[test]
    fn numbers_that_are_no_places_make_another_problem() {
        let (before, after) = ([error(1, 1, "expected 2 arguments")], [error(1, 1, "expected 3 arguments")]);
        let difference = compare(None, &before, &after);
        assert_eq!((difference.introduced.len(), difference.resolved.len()), (1, 1));
    }

    #[test]
    fn warnings_are_not_errors_and_advice_does_not_count() {
        let warning = Diagnostic { severity: Severity::Warning, ..error(1, 1, "no") };
        let hint = Diagnostic { severity: Severity::Hint, ..error(1, 1, "no") };
        assert_eq!(compare(None, &[error(1, 1, "no")], &[warning]).introduced.len(), 1);
        assert_eq!(compare(None, &[], &[hint]), Difference::default());
    }
}
