//! What the corridor holds: the trail, and one open record per call that is on its way.

mod skills;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bowline_call::{CallId, ConversationId, Effect, Origin, Receipt};
use bowline_std::clock::{Clock, rfc3339};
use tokio::sync::oneshot;

use crate::AuditError;
use crate::health::{Health, News, Pulse};
use crate::keep::Keeper;
use crate::options::Options;
use crate::queue::{Durability, Job, Queue, Slot, Work};
use crate::record::{Bounds, Event, Record};
use crate::redact::redact;
use crate::skills::AllowedToolsPolicy;

/// How long the last handle waits for the writer to finish. A disk that takes longer keeps its records, but nobody
/// waits for them.
const PATIENCE: Duration = Duration::from_secs(5);

/// The trail, for those who add to it. Cheap to clone; the last clone to go waits for the writer to finish.
#[derive(Clone)]
pub struct Audit {
    writer: Arc<Writer>,
}

/// What is known when a call comes in.
#[derive(Debug, Clone)]
pub struct Opening {
    pub call_id: CallId,
    pub conversation: ConversationId,
    pub origin: Origin,
    pub tool: String,
    /// The most that the call may do.
    pub effect: Effect,
    /// The files that its arguments name, where they do.
    pub files: Vec<PathBuf>,
}

/// What is known when a call has ended, however it did.
#[derive(Debug, Clone)]
pub struct Closing {
    pub success: bool,
    pub error_message: Option<String>,
    /// The gate's verdict, in its own words.
    pub verdict: Option<String>,
    pub rule: Option<String>,
    /// What came of asking a person, where one was to be asked: a word for each question.
    pub answer: Option<String>,
    /// What it did, or would have done.
    pub effect: Effect,
    /// The files it was about. Those of the receipt, where it has any, are preferred, and those of the opening are
    /// kept where this is empty.
    pub files: Vec<PathBuf>,
    pub receipt: Option<Receipt>,
    /// The skill that it read, or the file of one.
    pub skill: Option<String>,
    pub duration: Duration,
    /// What `allowed-tools` of a skill let through while it ran.
    pub policy: Option<AllowedToolsPolicy>,
}

/// Something that arrived and never became a call.
#[derive(Debug, Clone)]
pub struct Malformed {
    pub origin: Origin,
    pub conversation: Option<ConversationId>,
    /// The method or tool that it named, as far as that could be read.
    pub what: Option<String>,
    /// Why it is not a call.
    pub why: String,
}

impl Audit {
    /// Touches no file and starts no thread: both wait for the first record.
    pub fn open(options: Options, clock: Arc<dyn Clock>) -> Self {
        let queue = Arc::new(Queue::new(options.queue));
        let pulse = Arc::new(Pulse::new());
        let keeper = Keeper::new(options, Arc::clone(&clock), Arc::clone(&pulse));
        let keeper = Mutex::new(Some(keeper));
        Self { writer: Arc::new(Writer { queue, pulse, clock, keeper, thread: OnceLock::new() }) }
    }

    /// A call comes in. Nothing is written yet, and a trail that cannot be written is no reason to fail.
    pub fn open_call(&self, opening: &Opening) -> OpenRecord {
        let mut record = Record::new(Event::Call, self.writer.clock.now());
        record.tool = Some(redact(&opening.tool));
        record.call_id = Some(opening.call_id);
        record.conversation = Some(opening.conversation.as_str().to_owned());
        record.set_origin(&opening.origin);
        record.effect = Some(opening.effect);
        record.set_files(&opening.files);
        record.cut(Bounds::FULL);
        OpenRecord {
            audit: self.clone(),
            record,
            opened: Instant::now(),
            durability: Durability::Written,
            ending: Ending::Abandoned,
            slot: None,
            reply: None,
        }
    }

    /// Something arrived that never became a call.
    pub async fn malformed(&self, malformed: Malformed) {
        let mut record = Record::new(Event::Malformed, self.writer.clock.now());
        record.tool = malformed.what.as_deref().map(redact);
        record.conversation = malformed.conversation.map(|conversation| conversation.as_str().to_owned());
        record.set_origin(&malformed.origin);
        record.success = Some(false);
        record.error_message = Some(redact(&malformed.why));
        record.cut(Bounds::FULL);
        let slot = self.writer.queue.slot().await;
        self.writer.push(Work { record, durability: Durability::Written, reply: None, slot });
    }

    /// What became of a write that was cut off before this process began: which one, its files, and how it ended.
    pub fn recovered(&self, tool: &str, files: &[PathBuf], success: bool, how: &str) {
        for chunk in chunks(files) {
            let mut record = Record::new(Event::Recovered, self.writer.clock.now());
            record.tool = Some(redact(tool));
            record.effect = Some(Effect::Write);
            record.set_part_of_files(chunk, files.len());
            record.success = Some(success);
            record.error_message = Some(redact(how));
            record.cut(Bounds::FULL);
            self.writer.push(Work { record, durability: Durability::Synced, reply: None, slot: None });
        }
    }

    /// Everything that was handed over before has been written, or was lost.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.writer.thread.get().is_some() && self.writer.queue.push(Job::Flush(done)) {
            let _ = flushed.await;
        }
    }

    /// Writes what is waiting, and the chain's end. What comes later is lost, and counted as such.
    pub fn close(&self) {
        self.writer.end();
    }

    pub fn health(&self) -> Health {
        self.writer.pulse.get()
    }
}

/// The record of a call that is on its way. Dropped without [`OpenRecord::close`], it still says so in the trail.
#[must_use = "a call that is dropped is recorded as abandoned"]
pub struct OpenRecord {
    audit: Audit,
    record: Record,
    opened: Instant,
    durability: Durability,
    ending: Ending,
    slot: Option<Slot>,
    reply: Option<oneshot::Sender<Result<(), AuditError>>>,
}

enum Ending {
    Abandoned,
    Closed,
}

impl OpenRecord {
    /// The draft that the call works on.
    pub fn session(&mut self, id: impl Into<String>) {
        self.record.session_id = Some(id.into());
    }

    /// What the gate has said so far.
    pub fn judged(&mut self, verdict: impl Into<String>, rule: impl Into<String>) {
        self.record.verdict = Some(verdict.into());
        self.record.rule = Some(rule.into());
    }

    /// To be called before anything is written or run, and again where more files turn out to be touched; without
    /// any, those of the opening stand. When this returns, the intent is on disk; when it fails, the call must not go on.
    pub async fn commit_intent(&mut self, effect: Effect, files: &[PathBuf]) -> Result<(), AuditError> {
        // Whatever happens from here on, the end of this call is worth waiting for.
        self.durability = Durability::Synced;
        self.record.effect = Some(effect);
        if !files.is_empty() {
            self.record.set_files(files);
        }
        // Every file is named, over as many records as that takes.
        let chunks = chunks(files);
        let last = chunks.len() - 1;
        for (number, chunk) in chunks.into_iter().enumerate() {
            let mut record = self.record.clone();
            record.event = Event::Intent;
            record.timestamp = rfc3339(self.audit.writer.clock.now());
            if !chunk.is_empty() {
                record.set_part_of_files(chunk, files.len());
            }
            record.cut(Bounds::FULL);
            let slot = self.audit.writer.queue.slot().await;
            if number < last {
                self.audit.writer.push(Work { record, durability: Durability::Written, reply: None, slot });
                continue;
            }
            // The last one on disk, all are.
            let (reply, written) = oneshot::channel();
            self.audit.writer.push(Work { record, durability: Durability::Synced, reply: Some(reply), slot });
            return written.await.unwrap_or(Err(AuditError::WriterGone));
        }
        Ok(())
    }

    /// The call has ended. Returns when the record is on its way to the disk; for a call that wrote or ran something,
    /// when it is there. What cannot be written is counted, see [`Audit::health`].
    pub async fn close(mut self, closing: Closing) {
        self.fill(closing);
        // From here on dropping us writes the record as it is: also when nobody waits for this future any more.
        self.ending = Ending::Closed;
        self.slot = self.audit.writer.queue.slot().await;
        if self.durability == Durability::Synced {
            let (reply, written) = oneshot::channel();
            self.reply = Some(reply);
            drop(self);
            let _ = written.await;
        }
    }

    fn fill(&mut self, closing: Closing) {
        let record = &mut self.record;
        record.timestamp = rfc3339(self.audit.writer.clock.now());
        record.success = Some(closing.success);
        record.error_message = closing.error_message.as_deref().map(redact);
        record.verdict = closing.verdict;
        record.rule = closing.rule;
        record.answer = closing.answer;
        record.effect = Some(closing.effect);
        record.duration_ms = Some(milliseconds(closing.duration));
        record.skill = closing.skill.as_deref().map(redact);
        record.skills_allowed_tools = closing.policy.map(AllowedToolsPolicy::redacted);
        let touched = closing.receipt.as_ref().map(|receipt| receipt.files.as_slice()).unwrap_or_default();
        if let Some(files) = [touched, &closing.files].into_iter().find(|files| !files.is_empty()) {
            record.set_files(files);
        }
        if let Some(receipt) = closing.receipt {
            record.set_receipt(receipt);
        }
    }

    fn give_up(&mut self) {
        let why = if thread::panicking() { "it panicked" } else { "it was dropped before its end" };
        self.record.timestamp = rfc3339(self.audit.writer.clock.now());
        self.record.success = Some(false);
        self.record.error_message = Some(format!("abandoned: {why}"));
        self.record.duration_ms = Some(milliseconds(self.opened.elapsed()));
    }
}

impl Drop for OpenRecord {
    fn drop(&mut self) {
        if matches!(self.ending, Ending::Abandoned) {
            self.give_up();
        }
        self.record.cut(Bounds::FULL);
        self.audit.writer.push(Work {
            record: self.record.clone(),
            durability: self.durability,
            reply: self.reply.take(),
            slot: self.slot.take(),
        });
    }
}

/// What all handles share. Dropped with the last of them.
struct Writer {
    queue: Arc<Queue>,
    pulse: Arc<Pulse>,
    clock: Arc<dyn Clock>,
    /// What the thread will own, until it is started.
    keeper: Mutex<Option<Keeper>>,
    /// Started by the first record; `None` if it could not be, or if the end came before.
    thread: OnceLock<Option<JoinHandle<()>>>,
}

impl Writer {
    fn start(&self) -> Option<JoinHandle<()>> {
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let queue = Arc::clone(&self.queue);
        let spawned =
            thread::Builder::new().name("bowline-audit".to_owned()).spawn(move || keeper.run(&queue));
        spawned
            .inspect_err(|error| {
                tracing::warn!("the audit trail has no writer: {error}");
                let why = format!("the writer cannot be started: {error}");
                self.pulse.fail(self.clock.now(), why, 0);
                self.queue.leave();
            })
            .ok()
    }

    /// Writes what is waiting. Says whether the thread has ended.
    fn end(&self) -> bool {
        self.thread.get_or_init(|| {
            // There was nothing to write.
            self.queue.leave();
            None
        });
        self.queue.end();
        self.queue.wait_until_gone(PATIENCE)
    }

    fn push(&self, work: Work) {
        self.thread.get_or_init(|| self.start());
        if !self.queue.push(Job::Write(Box::new(work))) {
            let why = AuditError::WriterGone;
            if self.pulse.fail(self.clock.now(), why.to_string(), 1) == News::New {
                tracing::warn!(
                    "{why}: calls are no longer recorded, and those that change something are refused"
                );
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Once it has said that it is done, joining takes no time. It says so even on the way out of a panic.
        if self.end()
            && let Some(Some(thread)) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Files by as many as fit into one record; at least one, which may be empty.
fn chunks(files: &[PathBuf]) -> Vec<&[PathBuf]> {
    let mut chunks = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    for (index, file) in files.iter().enumerate() {
        let size = file.as_os_str().len();
        if index > from && bytes + size > Bounds::FULL.files {
            chunks.push(&files[from..index]);
            (from, bytes) = (index, 0);
        }
        bytes += size;
    }
    chunks.push(&files[from..]);
    chunks
}
