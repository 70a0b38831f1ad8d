//! What the fake sends: messages in a queue of their own, so that it goes on reading whatever the client does, and
//! the questions among them that still wait for an answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A client that has had a question for so long has forgotten it.
const FORGOTTEN: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) enum Out {
    Message(Value),
    /// So many messages, made one by one while they are written.
    Many(usize, fn(usize) -> Value),
    /// Bytes as they are, whatever is done to frames.
    Raw(Vec<u8>),
    /// The end, after all that was sent before it.
    Exit(i32),
}

/// The answer to a request of the client's.
pub(crate) type Answer = Result<Value, Failure>;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl Failure {
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    pub(crate) const NOT_INITIALIZED: i64 = -32002;
    pub(crate) const REQUEST_CANCELLED: i64 = -32800;
    pub(crate) const CONTENT_MODIFIED: i64 = -32801;
    pub(crate) const SERVER_CANCELLED: i64 = -32802;

    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// An answer as it goes over the wire.
pub(crate) fn answer(id: &Value, answer: Answer) -> Value {
    let mut message = message();
    message.insert("id".to_owned(), id.clone());
    match answer {
        Ok(result) => message.insert("result".to_owned(), result),
        Err(Failure { code, message: text, data }) => {
            let mut error = json!({ "code": code, "message": text });
            if let Some(data) = data {
                error["data"] = data;
            }
            message.insert("error".to_owned(), error)
        }
    };
    Value::Object(message)
}

pub(crate) fn notification(method: &str, params: Value) -> Value {
    let mut message = message();
    message.insert("method".to_owned(), json!(method));
    message.insert("params".to_owned(), params);
    Value::Object(message)
}

fn message() -> Map<String, Value> {
    Map::from_iter([("jsonrpc".to_owned(), json!("2.0"))])
}

#[derive(Debug, Clone)]
pub(crate) struct Post {
    out: UnboundedSender<Out>,
    questions: Arc<Mutex<Questions>>,
}

#[derive(Debug, Default)]
struct Questions {
    asked: u64,
    open: BTreeMap<String, Question>,
    /// When nobody could answer any more.
    ended: Option<Instant>,
    said_exit: bool,
}

#[derive(Debug)]
struct Question {
    method: String,
    at: Instant,
    /// The answer to `shutdown` was sent behind it.
    before_shutdown: bool,
    reply: Option<oneshot::Sender<Result<Value, Value>>>,
}

impl Post {
    pub(crate) fn new() -> (Self, UnboundedReceiver<Out>) {
        let (out, outbox) = unbounded_channel();
        (Self { out, questions: Arc::default() }, outbox)
    }

    /// Nobody is left to mind if the other end is gone.
    pub(crate) fn put(&self, out: Out) {
        let _ = self.out.send(out);
    }

    pub(crate) fn send(&self, message: Value) {
        self.put(Out::Message(message));
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(notification(method, params));
    }

    /// Sends a request. Its id is a number and a string in turn, and the numbers are those that clients use too:
    /// whoever mixes up the two directions shall notice.
    pub(crate) fn ask(&self, method: &str, params: Value) -> oneshot::Receiver<Result<Value, Value>> {
        let (reply, answer) = oneshot::channel();
        let mut questions = self.questions();
        if questions.ended.is_some() {
            // Nobody is there to neglect it; without a sender, the receiver knows at once.
            return answer;
        }
        questions.asked += 1;
        let count = questions.asked;
        let id = if count % 2 == 1 { json!(count) } else { json!(format!("fake-{count}")) };
        let question = Question {
            method: method.to_owned(),
            at: Instant::now(),
            before_shutdown: false,
            reply: Some(reply),
        };
        questions.open.insert(id.to_string(), question);
        // Under the lock, so that questions leave in the order of their ids.
        let mut request = notification(method, params);
        request["id"] = id;
        self.send(request);
        answer
    }

    /// Takes the client's answer, and says which method it is for. None if that was not asked.
    pub(crate) fn answered(&self, id: &Value, outcome: Result<Value, Value>) -> Option<String> {
        let question = self.questions().open.remove(&id.to_string())?;
        if let Some(reply) = question.reply {
            // Who asked need not be waiting.
            let _ = reply.send(outcome);
        }
        Some(question.method)
    }

    /// The answer to `shutdown` is sent now: who has read it has read every question before it.
    pub(crate) fn shut_down(&self) {
        for question in self.questions().open.values_mut() {
            question.before_shutdown = true;
        }
    }

    pub(crate) fn said_exit(&self) {
        self.questions().said_exit = true;
    }

    /// No answer will come any more.
    pub(crate) fn ended(&self) {
        let mut questions = self.questions();
        questions.ended.get_or_insert_with(Instant::now);
        for question in questions.open.values_mut() {
            question.reply = None;
        }
    }

    /// The methods of all questions that wait.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        self.questions().open.values().map(|question| question.method.clone()).collect()
    }

    /// Those of them that the client had every chance to answer.
    pub(crate) fn neglected(&self) -> Vec<String> {
        let questions = self.questions();
        let end = questions.ended.unwrap_or_else(Instant::now);
        let forgotten = |question: &&Question| {
            (questions.said_exit && question.before_shutdown)
                || end.saturating_duration_since(question.at) >= FORGOTTEN
        };
        questions.open.values().filter(forgotten).map(|question| question.method.clone()).collect()
    }

    fn questions(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_neglected_after_its_time_and_no_sooner() {
        let (post, _outbox) = Post::new();
        let _first = post.ask("first", Value::Null);
        let _second = post.ask("second", Value::Null);
        assert_eq!(post.answered(&json!("fake-2"), Ok(Value::Null)).as_deref(), Some("second"));
        assert_eq!(post.answered(&json!("fake-2"), Ok(Value::Null)), None);
        assert_eq!((post.unanswered().len(), post.neglected().len()), (1, 0));
        for question in post.questions().open.values_mut() {
            question.at -= FORGOTTEN;
        }
        assert_eq!(post.neglected(), ["first"]);
    }

    #[test]
    fn what_was_asked_shortly_before_the_end_is_forgiven() {
        let (post, _outbox) = Post::new();
        let mut answer = post.ask("first", Value::Null);
        post.ended();
        assert!(answer.try_recv().is_err());
        // Long ago, both of them.
        let mut questions = post.questions();
        questions.ended = questions.ended.map(|at| at - FORGOTTEN * 2);
        for question in questions.open.values_mut() {
            question.at -= FORGOTTEN * 2;
        }
        drop(questions);
        assert_eq!(post.neglected(), [""; 0]);
    }
}
