//! What is asked, by turns; whether an answer is right; and what a minute's answers were like.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::world::Expected;
use crate::mcp::Answer;
use crate::projects::Replica;
use crate::questions::{self, Given, Question, missing};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    References,
    Diagnostics,
    Hover,
    Definition,
    Symbols,
    SymbolByName,
    Source,
}

pub(super) const ASKED: [Asked; 7] = [
    Asked::References,
    Asked::Diagnostics,
    Asked::Hover,
    Asked::Definition,
    Asked::Symbols,
    Asked::SymbolByName,
    Asked::Source,
];

impl Asked {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SymbolByName => "symbol by name",
            Self::Source => "source",
            asked => asked.question().name(),
        }
    }

    /// What it is for a server; the last two are answered without one.
    fn question(self) -> Question {
        match self {
            Self::References => Question::References,
            Self::Diagnostics => Question::Diagnostics,
            Self::Hover => Question::Hover,
            Self::Definition => Question::Definition,
            Self::Symbols | Self::SymbolByName | Self::Source => Question::Symbols,
        }
    }

    pub(super) fn call(self, replica: &Replica) -> (&'static str, Value) {
        match self {
            Self::SymbolByName => ("find_symbol", json!({ "query": replica.project.name })),
            Self::Source => {
                let at = &replica.declaration;
                ("get_symbol_source", json!({ "file_path": at.file, "line": at.line }))
            }
            asked => questions::call(replica, asked.question()),
        }
    }
}

/// What is wrong with an answer, if the project is as is expected.
pub(super) fn fault(replica: &Replica, asked: Asked, expected: &Expected, answer: &Answer) -> Option<String> {
    let project = replica.project;
    let given = questions::read(replica, asked.question(), answer);
    match (asked, &given) {
        (Asked::Diagnostics, Given::Errors(errors)) => match (*errors, expected.is_broken) {
            (0, true) => Some("no errors in a broken file".into()),
            (1.., false) => Some(format!("{errors} errors in a sound file")),
            _ => None,
        },
        (Asked::References, Given::Places(places)) => {
            let (file, text) = project.newcomer;
            let newcomer = format!("{file}:{}", text.lines().count());
            let is_found = places.contains(&newcomer);
            match missing(project.uses, places) {
                Some(fault) => Some(fault),
                None if expected.has_newcomer && !is_found => {
                    Some("the use in the new file is not found".into())
                }
                None if !expected.has_newcomer && is_found => {
                    Some("a use in a file that is gone is found".into())
                }
                None => None,
            }
        }
        _ => questions::fault(project, asked.question(), &given),
    }
}

/// The answers of one minute.
#[derive(Debug, Default)]
pub(super) struct Tally {
    answers: usize,
    errors: usize,
    /// Those that a server should have given.
    without_server: usize,
    slowest: Option<(Duration, &'static str)>,
    /// What was done meanwhile.
    done: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, asked: Asked, took: Duration, answer: &Answer) {
        let is_for_server = !matches!(asked, Asked::SymbolByName | Asked::Source);
        let is_from_server = answer.remark("engine").is_none_or(|engine| engine == "server");
        self.answers += 1;
        self.errors += usize::from(answer.is_error);
        self.without_server += usize::from(is_for_server && !is_from_server);
        self.slowest = self.slowest.max(Some((took, asked.name())));
    }

    pub(super) fn note(&mut self, what: String) {
        self.done.push(what);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { answers, errors, without_server, .. } = self;
        write!(f, "{answers} answers, {errors} errors, {without_server} without a server")?;
        if let Some((took, name)) = self.slowest {
            write!(f, ", slowest {} ms ({name})", took.as_millis())?;
        }
        if !self.done.is_empty() {
            write!(f, ", {}", self.done.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::PROJECTS;

    #[test]
    fn an_answer_is_held_against_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let replica = PROJECTS[0].copy_to(folder.path()).unwrap();
        let judge = |asked, expected, value: &Value| {
            let answer = Answer { is_error: false, texts: vec![value.to_string()] };
            fault(&replica, asked, &expected, &answer)
        };
        let sound = Expected::default();
        let broken = Expected { is_broken: true, ..sound };
        let clean = json!({ "file:///main.go": [] });
        let found = json!({ "file:///main.go": [{ "severity": 1 }] });
        assert_eq!(judge(Asked::Diagnostics, sound, &clean), None);
        assert_eq!(judge(Asked::Diagnostics, broken, &found), None);
        assert!(judge(Asked::Diagnostics, broken, &clean).is_some());
        assert!(judge(Asked::Diagnostics, sound, &found).is_some());

        let places = |uses: &[&str]| {
            let place = |place: &&str| {
                let (file, line) = place.rsplit_once(':').unwrap();
                json!({ "file": replica.root.join(file), "line": line.parse::<u64>().unwrap() })
            };
            Value::Array(uses.iter().map(place).collect())
        };
        let newer = Expected { has_newcomer: true, ..sound };
        let all = places(replica.project.uses);
        let with_new = places(&[replica.project.uses, &["knots/new.go:5"]].concat());
        assert_eq!(judge(Asked::References, sound, &all), None);
        assert_eq!(judge(Asked::References, newer, &with_new), None);
        assert!(judge(Asked::References, newer, &all).unwrap().contains("not found"));
        assert!(judge(Asked::References, sound, &with_new).unwrap().contains("gone"));
        assert!(judge(Asked::References, sound, &places(&["main.go:17"])).is_some());
    }
}
