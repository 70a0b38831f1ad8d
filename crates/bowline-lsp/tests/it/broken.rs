//! Servers whose messages are broken: what can be understood is, and otherwise the fault is named, soon.

use std::time::Duration;

use bowline_testkit::{Fault, Script};

use super::program::Fake;
use super::{hover, timed};

const WORKS: &str = "`greet` defined at a.fk:1";

/// What comes of one question to a server with this fault, and of the next one.
async fn two_answers(fault: Fault) -> [String; 2] {
    let fake = Fake::new(&Script::faulty(fault));
    let answer = async || {
        let answering = async {
            match fake.server.life().await {
                Ok(life) => {
                    let shown = super::show(&life, &fake.fixture, "a.fk");
                    hover(&life, &shown, 5).await
                }
                Err(error) => error.to_string(),
            }
        };
        let (answer, time) = timed(answering).await;
        assert!(time < Duration::from_millis(2900), "{answer} after {time:?}");
        answer
    };
    let answers = [answer().await, answer().await];
    assert_eq!(fake.complaints(), [""; 0]);
    answers
}

#[tokio::test]
async fn lengths_that_are_wrong_are_named() {
    for answer in two_answers(Fault::WrongLength).await {
        assert!(
            answer.starts_with("`fake` broke the protocol: it sent `}}Content-Length: ")
                && answer.ends_with("` where the header of a message should be"),
            "{answer}"
        );
    }
    for answer in two_answers(Fault::HugeLength).await {
        assert_eq!(
            answer,
            "`fake` broke the protocol: it announced a message of 99999999999 bytes; at most 67108864 are read"
        );
    }
}

#[tokio::test]
async fn a_message_without_header_is_named() {
    for answer in two_answers(Fault::NoHeader).await {
        assert!(
            answer
                .starts_with("`fake` broke the protocol: it sent `{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":")
                && answer.ends_with(" where the header of a message should be"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn half_a_message_is_named_when_the_rest_does_not_come() {
    let fake = Fake::with(&Script::faulty(Fault::HalfFrame), |spec| {
        spec.limits = super::program::quick();
        spec.limits.request = Duration::from_secs(600);
    });
    let (life, shown) = fake.life().await;
    let (answer, time) = timed(hover(&life, &shown, 5)).await;
    assert_eq!(answer, "`fake` broke the protocol: it stopped in the middle of a message");
    assert!(time < Duration::from_millis(2900), "{time:?}");
}

#[tokio::test]
async fn what_does_not_belong_there_is_skipped() {
    assert_eq!(two_answers(Fault::RubbishFirst).await, [WORKS, WORKS]);
    let fake = Fake::new(&Script::faulty(Fault::NotJson));
    let (life, shown) = fake.life().await;
    assert_eq!(hover(&life, &shown, 5).await, WORKS);
    assert_eq!(life.nonsense(), 1);
}

#[tokio::test]
async fn an_answer_to_nobodys_question_answers_nobody() {
    let late = "`fake` gave no answer to `textDocument/hover` in 0.3 s";
    assert_eq!(two_answers(Fault::WrongIds).await, [late, late]);
}

#[tokio::test]
async fn who_answers_twice_is_heard_once() {
    let fake = Fake::new(&Script::faulty(Fault::DoubleAnswers));
    let (life, shown) = fake.life().await;
    // Each answer is about its own question.
    for _ in 0..3 {
        assert_eq!(hover(&life, &shown, 5).await, WORKS);
        assert_eq!(hover(&life, &shown, 11).await, "nothing");
        let at = bowline_code::Position::new(1, 15);
        let found = super::ask(async |asker| life.references(&shown, at, true, asker).await).await.unwrap();
        assert_eq!(found.len(), 2);
    }
}
