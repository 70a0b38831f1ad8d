//! Asking the person at the terminal. Where there is none, nobody is asked, and that is a no.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

use bowline_call::{Answered, Asker, Lasting, NobodyToAsk, Proposal, Question};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::paint::{BOLD, clear_status, styled, tame};

/// The person at the terminal, if there is one at both ends.
pub(crate) fn person() -> Arc<dyn Asker> {
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        Arc::new(Person)
    } else {
        Arc::new(NobodyToAsk)
    }
}

struct Person;

impl Asker for Person {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered> {
        let asking = tokio::task::spawn_blocking(move || {
            clear_status();
            put(&question, &mut std::io::stdin().lock(), &mut anstream::stderr())
        });
        asking.map(|answered| answered.unwrap_or(Answered::CannotAsk)).boxed()
    }
}

/// Puts the question, and reads what is said to it. Only a clear yes is one.
fn put(question: &Question, person: &mut impl BufRead, screen: &mut impl Write) -> Answered {
    let asked = try_put(question, person, screen);
    asked.unwrap_or(Answered::CannotAsk)
}

fn try_put(
    question: &Question,
    person: &mut impl BufRead,
    screen: &mut impl Write,
) -> std::io::Result<Answered> {
    let mut told = question.told().into_iter();
    if let Some(first) = told.next() {
        writeln!(screen, "{}", styled(BOLD, first))?;
    }
    for line in told.chain(question.remembering()) {
        writeln!(screen, "{line}")?;
    }
    let lastings = question.lastings();
    write!(screen, "{}, anything else = no: ", choices(&lastings).join(", "))?;
    screen.flush()?;
    let said = next_line(person)?;
    let chosen = lastings.into_iter().find(|lasting| letters(*lasting).contains(&said.as_str()));
    Ok(match (chosen, &question.always) {
        (Some(Lasting::Always), Some(proposal)) => confirm(proposal, person, screen)?,
        (Some(lasting), _) => Answered::Yes(lasting),
        (None, _) => Answered::No,
    })
}

/// Shows what would be written, and where, before it is.
fn confirm(
    proposal: &Proposal,
    person: &mut impl BufRead,
    screen: &mut impl Write,
) -> std::io::Result<Answered> {
    writeln!(
        screen,
        "{}",
        styled(BOLD, format_args!("these lines are added to {}:", tame(&proposal.path.to_string_lossy())))
    )?;
    for line in proposal.text.trim().lines() {
        writeln!(screen, "  {}", tame(line))?;
    }
    write!(screen, "y = add them and run it, anything else = no: ")?;
    screen.flush()?;
    let said = next_line(person)?;
    let is_yes = letters(Lasting::Once).contains(&said.as_str());
    Ok(if is_yes { Answered::Yes(Lasting::Always) } else { Answered::No })
}

/// What is said for each.
fn letters(lasting: Lasting) -> [&'static str; 2] {
    match lasting {
        Lasting::Once => ["y", "yes"],
        Lasting::Conversation => ["c", "conversation"],
        Lasting::Always => ["a", "always"],
    }
}

fn choices(lastings: &[Lasting]) -> Vec<&'static str> {
    let choice = |lasting: &Lasting| match lasting {
        Lasting::Once => "y = once",
        Lasting::Conversation => "c = for this conversation",
        Lasting::Always => "a = always",
    };
    lastings.iter().map(choice).collect()
}

/// The end of the input says nothing.
fn next_line(person: &mut impl BufRead) -> std::io::Result<String> {
    let mut line = String::new();
    person.read_line(&mut line)?;
    Ok(line.trim().to_lowercase())
}

#[cfg(test)]
mod tests {
    use bowline_call::Effect;
    use serde_json::json;

    use super::*;

    fn question(can: Option<Lasting>) -> Question {
        let entry = || vec!["Bash(git status)".to_owned()];
        Question {
            tool: "Bash".into(),
            effect: Effect::Run,
            arguments: json!({"command": format!("git status{}; evil", "\t".repeat(500))}),
            rule: "user default".into(),
            reason: "`Bash` would run a program".into(),
            recovery: String::new(),
            about: vec!["git status".into()],
            offer: can.map(|_| entry()),
            definition: None,
            always: can.filter(|can| *can == Lasting::Always).map(|_| Proposal {
                path: "/home/me/bowline.toml".into(),
                text: "\n[[remembered]]\nallow = [\"Bash(git status)\"]\n".into(),
            }),
        }
    }

    fn say(can: Option<Lasting>, words: &str) -> (Answered, String) {
        let mut screen = Vec::new();
        let answered = put(&question(can), &mut words.as_bytes(), &mut screen);
        (answered, anstream::adapter::strip_str(&String::from_utf8(screen).unwrap()).to_string())
    }

    #[test]
    fn a_person_sees_all_and_what_would_be_written_before_it_is() {
        let (answered, screen) = say(Some(Lasting::Always), "a\ny\n");
        assert_eq!(answered, Answered::Yes(Lasting::Always));
        insta::assert_snapshot!(screen, @r#"
        `Bash` would run a program
        with:
          command: "git status⟨500 blanks⟩; evil"
        touching:
          git status
        asked by user default: `Bash` would run a program
        a yes that is remembered allows `Bash(git status)`
        y = once, c = for this conversation, a = always, anything else = no: these lines are added to /home/me/bowline.toml:
          [[remembered]]
          allow = ["Bash(git status)"]
        y = add them and run it, anything else = no:
        "#);
    }

    #[test]
    fn only_what_is_offered_can_be_said() {
        let yes = Answered::Yes;
        let cases: [(Option<Lasting>, &str, Answered); 13] = [
            (None, "y\n", yes(Lasting::Once)),
            (None, " YES \n", yes(Lasting::Once)),
            (None, "y", yes(Lasting::Once)),
            (None, "c\n", Answered::No),
            (None, "a\ny\n", Answered::No),
            (None, "", Answered::No),
            (None, "n\ny\n", Answered::No),
            (None, "yy\n", Answered::No),
            (Some(Lasting::Conversation), "c\n", yes(Lasting::Conversation)),
            (Some(Lasting::Conversation), "a\ny\n", Answered::No),
            (Some(Lasting::Always), "a\nn\n", Answered::No),
            (Some(Lasting::Always), "a\n", Answered::No),
            (Some(Lasting::Always), "always\nyes\n", yes(Lasting::Always)),
        ];
        for (can, words, expected) in cases {
            assert_eq!(say(can, words).0, expected, "{can:?} {words:?}");
        }
    }
}
