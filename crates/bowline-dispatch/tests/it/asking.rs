//! Being asked: nobody else waits meanwhile, the clock stands still, and an answer lasts as long as it was given for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bowline_call::{
    Answered, AnyAnswer, Asker, Caller, ConversationId, Lasting, Proposal, Question, RefusalCode, ToolError,
};
use bowline_dispatch::{Memory, Options, Wish};
use bowline_gate::{Asked, Objection, Rule, RuleFailed, Suppose, Verdict};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::{House, Person};

/// Asks about everything that writes in a file of this name, and could be told not to.
struct Curious(&'static str);

impl Rule for Curious {
    fn name(&self) -> &'static str {
        "curious"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let named = asked.facts.paths.iter().any(|path| path.written.ends_with(self.0));
        let granted = asked.ledger.grants().iter().any(|grant| {
            grant.definition.as_deref() == asked.definition && grant.entries == [format!("Write({})", self.0)]
        });
        if !named || granted {
            return Ok(Verdict::allow("curious"));
        }
        Ok(Verdict::Ask(Objection {
            code: RefusalCode::ConfirmationRequired,
            rule: "curious".into(),
            reason: "it is written here".into(),
            recovery: "never".into(),
            skill: None,
        }))
    }

    fn offers(&self, _asked: &Asked<'_>) -> Vec<Vec<String>> {
        vec![vec![format!("Write({})", self.0)]]
    }

    fn check_with(&self, asked: &Asked<'_>, suppose: &Suppose<'_>) -> Result<Verdict, RuleFailed> {
        match suppose.entries == [format!("Write({})", self.0)] {
            true => Ok(Verdict::allow("curious")),
            false => self.check(asked),
        }
    }
}

/// A person who takes their time: the test answers each question.
struct Slow(mpsc::UnboundedSender<(Question, oneshot::Sender<Answered>)>);

impl Asker for Slow {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered> {
        let (answer, answered) = oneshot::channel();
        self.0.send((question, answer)).unwrap();
        Box::pin(async { answered.await.unwrap_or(Answered::CannotAsk) })
    }
}

type Questions = mpsc::UnboundedReceiver<(Question, oneshot::Sender<Answered>)>;

fn slow() -> (Caller, Questions) {
    let (sender, questions) = mpsc::unbounded_channel();
    (Caller { asker: Arc::new(Slow(sender)), ..Caller::default() }, questions)
}

fn saying(answer: Answered) -> (Caller, Arc<Person>) {
    let person = Arc::new(Person(answer, Mutex::default()));
    (Caller { asker: person.clone(), ..Caller::default() }, person)
}

fn house(options: Options) -> Arc<House> {
    Arc::new(House::with_rules(vec![Box::new(Curious("lib.rs"))], options, "audit.jsonl"))
}

fn writing(file: &str) -> Value {
    json!({"act": "write", "files": [file]})
}

fn spawn(
    house: &Arc<House>,
    caller: Caller,
    arguments: Value,
) -> tokio::task::JoinHandle<Result<AnyAnswer, ToolError>> {
    let house = Arc::clone(house);
    tokio::spawn(async move { house.call_as(caller, "script", arguments).await })
}

/// What each record of an ended call says of answers.
async fn answers(house: &House) -> Vec<String> {
    house.audit.flush().await;
    let (text, _) = bowline_std::fs::read_text(&house.fixture.path("audit.jsonl"), 1 << 20).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ended = records.filter(|record| record["event"] == "call");
    ended
        .map(|record| {
            let word = |key: &str| record[key].as_str().unwrap_or("-").to_owned();
            format!("{} by {}: {}", word("verdict"), word("rule"), word("answer"))
        })
        .collect()
}

#[tokio::test]
async fn others_write_while_one_is_asked() {
    // Even where only one may run at a time.
    let house = house(Options { parallel: 1, ..Options::default() });
    let (caller, mut questions) = slow();
    let asked = spawn(&house, caller, writing("src/lib.rs"));
    let (question, answer) = questions.recv().await.unwrap();
    assert_eq!(question.about, [house.fixture.path("src/lib.rs").display().to_string()]);
    let other = house.call(writing("src/other.rs")).await.unwrap();
    assert_eq!(other.payload, json!("written"));
    assert_eq!(house.seen(), ["write"], "the other one alone has run");
    answer.send(Answered::Yes(Lasting::Once)).unwrap();
    assert!(asked.await.unwrap().is_ok());
    assert_eq!(answers(&house).await, ["allow by curious: -", "ask by curious: once"]);
}

#[tokio::test]
async fn others_write_while_one_is_asked_about_what_it_turned_out_to_do() {
    let house = house(Options { parallel: 1, ..Options::default() });
    let (caller, mut questions) = slow();
    let compute = json!({"act": "compute", "files": ["src/lib.rs"]});
    let asked = spawn(&house, caller, compute.clone());
    let (_, answer) = questions.recv().await.unwrap();
    house.call(writing("src/other.rs")).await.unwrap();
    answer.send(Answered::Yes(Lasting::Once)).unwrap();
    assert!(asked.await.unwrap().is_ok());
    assert_eq!(house.seen(), ["compute", "write", "cleared"]);

    // What was asked about is no longer what would be written over.
    let (caller, mut questions) = slow();
    let asked = spawn(&house, caller, compute);
    let (_, answer) = questions.recv().await.unwrap();
    bowline_std::fs::replace_private(&house.fixture.path("src/lib.rs"), b"fn b() {}\n").unwrap();
    answer.send(Answered::Yes(Lasting::Once)).unwrap();
    let error = asked.await.unwrap().unwrap_err();
    assert!(error.to_string().contains("changed by somebody else while a person was asked"), "{error}");
    assert_eq!(house.seen(), ["compute", "write", "cleared", "compute"]);
}

#[tokio::test]
async fn a_rule_that_refuses_meanwhile_refuses() {
    // What the gate says after the answer counts: here the file is outside by then.
    let house = Arc::new(House::with_rules(
        vec![Box::new(Curious("lib.rs")), Box::new(bowline_gate::Roots::default())],
        Options::default(),
        "audit.jsonl",
    ));
    let (caller, mut questions) = slow();
    let asked = spawn(&house, caller, writing("src/lib.rs"));
    let (_, answer) = questions.recv().await.unwrap();
    let file = house.fixture.path("src/lib.rs");
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &file).unwrap();
    answer.send(Answered::Yes(Lasting::Once)).unwrap();
    assert!(matches!(asked.await.unwrap(), Err(ToolError::Refused(refusal)) if refusal.rule == "roots"));
    assert!(house.seen().is_empty());
}

#[tokio::test]
async fn the_clock_of_a_call_stands_still_while_a_person_thinks() {
    let house = house(Options { timeout_ms: 200, ..Options::default() });
    let (caller, mut questions) = slow();
    let asked = spawn(&house, caller, writing("src/lib.rs"));
    let (_, answer) = questions.recv().await.unwrap();
    // Another call's time passes, and this one's does not.
    let hung = house.call(json!({"act": "hang"})).await.unwrap_err();
    assert!(hung.to_string().contains("no answer within 200 ms"), "{hung}");
    assert!(!asked.is_finished());
    answer.send(Answered::Yes(Lasting::Once)).unwrap();
    assert!(asked.await.unwrap().is_ok());
}

#[tokio::test]
async fn silence_is_a_no() {
    let house = house(Options { ask_timeout_ms: 20, ..Options::default() });
    let (caller, _questions) = slow();
    let Err(ToolError::Refused(refusal)) = spawn(&house, caller, writing("src/lib.rs")).await.unwrap() else {
        panic!("not refused")
    };
    assert_eq!(refusal.error, RefusalCode::ConfirmationRequired);
    assert_eq!(refusal.reason, "it is written here; nobody answered within 0.02 s");
    assert_eq!(refusal.recovery, "call again when somebody is there to be asked");
    assert!(house.seen().is_empty());
    assert_eq!(answers(&house).await, ["ask by curious: nobody"]);
}

#[tokio::test]
async fn whoever_leaves_is_not_waited_for() {
    let house = house(Options::default());
    let (caller, mut questions) = slow();
    let cancellation = caller.cancellation.clone();
    let asked = spawn(&house, caller, writing("src/lib.rs"));
    let (_, mut answer) = questions.recv().await.unwrap();
    cancellation.cancel();
    assert_eq!(asked.await.unwrap().unwrap_err(), ToolError::Cancelled);
    answer.closed().await;
    assert!(house.seen().is_empty());
    assert_eq!(answers(&house).await, ["ask by curious: nobody"]);
}

#[tokio::test]
async fn where_no_person_can_be_asked_an_entry_that_was_tried_is_told() {
    let house = house(Options::default());
    let Err(ToolError::Refused(refusal)) = house.call(writing("src/lib.rs")).await else {
        panic!("not refused")
    };
    assert_eq!(
        refusal.recovery,
        "nobody can be asked here; the person you work for can allow it with `allow = [\"Write(lib.rs)\"]` under \
         [rules] in their own bowline.toml"
    );
}

#[tokio::test]
async fn later_ends_the_call_with_the_question() {
    let house = house(Options::default());
    let (caller, _) = saying(Answered::Later);
    let Err(ToolError::Asking(question)) = house.call_as(caller, "script", writing("src/lib.rs")).await
    else {
        panic!("not asked")
    };
    assert_eq!(question.definition.as_deref(), house.corridor.registry().definition("script"));
    assert!(question.definition.is_some_and(|definition| definition.starts_with("blake3:")));
    assert!(house.seen().is_empty());
    assert_eq!(answers(&house).await, ["ask by curious: later"]);
    let trail = house.trail().await;
    assert!(trail[0].contains("not run: a person has to be asked first: it is written here"), "{trail:?}");
}

#[tokio::test]
async fn a_yes_for_the_conversation_is_not_asked_again_in_it() {
    let house = house(Options::default());
    let (caller, person) = saying(Answered::Yes(Lasting::Conversation));
    for _ in 0..2 {
        assert!(house.call_as(caller.clone(), "script", writing("src/lib.rs")).await.is_ok());
    }
    assert_eq!(person.1.lock().unwrap().len(), 1);
    let grants = |name: &str| {
        house
            .ledgers
            .look(&ConversationId::new(name), |ledger| ledger.grants().iter().cloned().collect::<Vec<_>>())
            .unwrap()
    };
    assert_eq!(grants("talk")[0].entries, ["Write(lib.rs)"]);
    assert!(grants("other").is_empty());
    assert_eq!(answers(&house).await, ["ask by curious: conversation", "allow by curious: -"]);
}

/// Keeps, or does not, and counts.
#[derive(Default)]
struct Paper {
    full: bool,
    kept: AtomicUsize,
}

impl Memory for Paper {
    fn propose(&self, wish: &Wish) -> Result<Proposal, String> {
        Ok(Proposal { path: "/paper".into(), text: format!("{} {:?}", wish.tool, wish.entries) })
    }

    fn keep(&self, proposal: &Proposal) -> Result<(), String> {
        assert_eq!(proposal.text, "script [\"Write(lib.rs)\"]");
        self.kept.fetch_add(1, Ordering::Relaxed);
        if self.full { Err("the paper is full".into()) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_yes_for_ever_is_written_down_and_counts_at_once() {
    let house = house(Options::default());
    let paper = Arc::new(Paper::default());
    house.corridor.remember_in(paper.clone());
    let (caller, person) = saying(Answered::Yes(Lasting::Always));
    for _ in 0..2 {
        assert!(house.call_as(caller.clone(), "script", writing("src/lib.rs")).await.is_ok());
    }
    let questions = person.1.lock().unwrap().clone();
    assert_eq!(questions.len(), 1);
    assert_eq!(questions[0].lastings(), [Lasting::Once, Lasting::Conversation, Lasting::Always]);
    assert_eq!(paper.kept.load(Ordering::Relaxed), 1);
    assert_eq!(answers(&house).await, ["ask by curious: always", "allow by curious: -"]);
}

#[tokio::test]
async fn a_yes_that_cannot_be_written_down_counts_once() {
    let house = house(Options::default());
    house.corridor.remember_in(Arc::new(Paper { full: true, ..Paper::default() }));
    let (caller, person) = saying(Answered::Yes(Lasting::Always));
    for _ in 0..2 {
        let answer = house.call_as(caller.clone(), "script", writing("src/lib.rs")).await.unwrap();
        assert_eq!(
            answer.warnings,
            ["Your yes counts for this call alone, and could not be remembered: the paper is full"]
        );
    }
    assert_eq!(person.1.lock().unwrap().len(), 2);
    assert_eq!(answers(&house).await, ["ask by curious: once", "ask by curious: once"]);
}
