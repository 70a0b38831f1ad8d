//! Everybody is asked the same, and it is noted how long who took, and how often the answer was wrong.

use std::time::Duration;

use anyhow::Result;

use crate::bench::measure::percentile;
use crate::projects::Replica;
use crate::questions::{Given, Question, fault};

/// An answer, or none in time.
pub(crate) enum Heard {
    Answer { took: Duration, given: Given },
    Nothing,
}

/// Whoever can be asked.
pub(crate) trait Contestant {
    /// About the project as it is. Fails when there is nobody left to ask.
    fn ask(&mut self, question: Question) -> Result<Heard>;

    /// Lets this be the text of the project's `main`, and asks what is wrong with it.
    fn diagnose(&mut self, question: Question, text: &str) -> Result<Heard>;
}

/// How one contestant did with one question.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub(crate) millis: Vec<f64>,
    /// How many of these answers were wrong.
    pub(crate) wrong: usize,
    /// What the first of them said, or why there are no more.
    pub(crate) fault: Option<String>,
    /// What the last answer said.
    pub(crate) given: Option<Given>,
}

impl Cell {
    pub(crate) fn percentile(&self, percent: usize) -> Option<f64> {
        let mut millis = self.millis.clone();
        (!millis.is_empty()).then(|| percentile(&mut millis, percent))
    }

    /// Whether a time of it means anything.
    pub(crate) fn is_right(&self) -> bool {
        !self.millis.is_empty() && self.wrong == 0 && self.fault.is_none()
    }

    fn note(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}

pub(crate) struct Rounds {
    pub(crate) warm_up: usize,
    pub(crate) asked: usize,
    pub(crate) diagnosed: usize,
}

/// Asks one question many times.
pub(crate) fn measure(
    contestant: &mut dyn Contestant,
    copy: &Replica,
    question: Question,
    rounds: &Rounds,
) -> Result<Cell> {
    let mut cell = Cell::default();
    let is_diagnosis = matches!(question, Question::Diagnostics | Question::Checked);
    let times = if is_diagnosis { rounds.diagnosed } else { rounds.asked };
    for round in 0..rounds.warm_up + times {
        let heard = if is_diagnosis {
            let comment = if round % 2 == 0 { copy.project.comment } else { "" };
            contestant.diagnose(question, &format!("{}{comment}", copy.clean))?
        } else {
            contestant.ask(question)?
        };
        let Heard::Answer { took, given } = heard else {
            cell.note("no answer".into());
            return Ok(cell);
        };
        if round < rounds.warm_up {
            continue;
        }
        cell.millis.push(took.as_secs_f64() * 1000.0);
        if let Some(fault) = fault(copy.project, question, &given) {
            cell.wrong += 1;
            cell.note(fault);
        }
        cell.given = Some(given);
    }
    if is_diagnosis {
        prove(contestant, copy, question, &mut cell)?;
    }
    Ok(cell)
}

/// Nothing is easier than to find no errors: they must come with a mistake, and go with it.
fn prove(contestant: &mut dyn Contestant, copy: &Replica, question: Question, cell: &mut Cell) -> Result<()> {
    let mistaken = format!("{}{}", copy.clean, copy.project.mistake);
    for (text, is_right) in [(mistaken.as_str(), false), (copy.clean.as_str(), true)] {
        match contestant.diagnose(question, text)? {
            Heard::Answer { given: Given::Errors(errors), .. } if (errors == 0) == is_right => {}
            Heard::Answer { given: Given::Refused(why), .. } => cell.note(why),
            Heard::Answer { .. } if is_right => cell.note("a mistake that was mended is still found".into()),
            Heard::Answer { .. } => cell.note("a mistake is not found".into()),
            Heard::Nothing => cell.note("no answer".into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::PROJECTS;

    /// Never finds anything.
    struct Blind;

    impl Contestant for Blind {
        fn ask(&mut self, _: Question) -> Result<Heard> {
            Ok(Heard::Nothing)
        }

        fn diagnose(&mut self, _: Question, _: &str) -> Result<Heard> {
            Ok(Heard::Answer { took: Duration::from_millis(1), given: Given::Errors(0) })
        }
    }

    #[test]
    fn who_never_finds_an_error_is_found_out_and_who_is_silent_is_asked_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let copy = PROJECTS[0].copy_to(folder.path()).unwrap();
        let rounds = Rounds { warm_up: 1, asked: 5, diagnosed: 3 };
        let cell = measure(&mut Blind, &copy, Question::Diagnostics, &rounds).unwrap();
        assert_eq!((cell.millis.len(), cell.wrong), (3, 0));
        assert_eq!(cell.fault.as_deref(), Some("a mistake is not found"));
        let cell = measure(&mut Blind, &copy, Question::Hover, &rounds).unwrap();
        assert!(cell.millis.is_empty() && !cell.is_right());
    }
}
