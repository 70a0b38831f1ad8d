//! Where log lines go: to stderr until a client of the older era is there to read them, then to the client.
//!
//! stdout is never touched. A client that reads too slowly misses lines and is told how many.

use std::io::Write;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::{Peer, RoleServer};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tracing::field::{Field, Visit};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Level {
    /// By the names that `LOG_LEVEL` and the protocol use.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "error" | "critical" | "alert" | "emergency" => Some(Self::Error),
            "warn" | "warning" => Some(Self::Warn),
            "info" | "notice" => Some(Self::Info),
            "debug" => Some(Self::Debug),
            "trace" => Some(Self::Trace),
            _ => None,
        }
    }

    #[expect(deprecated, reason = "clients of the older era still set it")]
    pub(crate) fn from_protocol(level: rmcp::model::LoggingLevel) -> Self {
        use rmcp::model::LoggingLevel as Theirs;
        match level {
            Theirs::Debug => Self::Debug,
            Theirs::Info | Theirs::Notice => Self::Info,
            Theirs::Warning => Self::Warn,
            Theirs::Error | Theirs::Critical | Theirs::Alert | Theirs::Emergency => Self::Error,
        }
    }

    fn of(level: tracing::Level) -> Self {
        match level {
            tracing::Level::ERROR => Self::Error,
            tracing::Level::WARN => Self::Warn,
            tracing::Level::INFO => Self::Info,
            tracing::Level::DEBUG => Self::Debug,
            tracing::Level::TRACE => Self::Trace,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warning",
            Self::Info => "info",
            Self::Debug | Self::Trace => "debug",
        }
    }
}

/// How many lines may wait for a listener.
const QUEUE: usize = 256;

/// One line.
#[derive(Debug)]
struct Said {
    level: Level,
    target: String,
    fields: Map<String, Value>,
}

impl Said {
    fn text(&self) -> String {
        let mut text = format!("bowline: {}: ", self.level.word());
        if let Some(Value::String(message)) = self.fields.get("message") {
            // It may hold words of the client's; a line stays a line.
            for character in message.chars() {
                match character {
                    c if c.is_control() => text.extend(c.escape_default()),
                    c => text.push(c),
                }
            }
        }
        for (name, value) in self.fields.iter().filter(|(name, _)| *name != "message") {
            text.push_str(&format!(" {name}={value}"));
        }
        text
    }
}

#[derive(Debug)]
struct Shared {
    level: AtomicU8,
    listener: Mutex<Listener>,
    missed: AtomicU64,
}

/// Where lines go.
#[derive(Debug, Default)]
enum Listener {
    /// To stderr, on the spot.
    #[default]
    Stderr,
    /// To stderr, by a thread that the first line starts.
    StderrThread,
    /// To a thread, or to the client.
    Queue(mpsc::Sender<Said>),
}

/// A handle to the one place where log lines go. It is also the subscriber's layer.
#[derive(Debug, Clone)]
pub struct Logs(Arc<Shared>);

impl Logs {
    pub fn to_stderr(level: Level) -> Self {
        let shared = Shared {
            level: AtomicU8::new(level as u8),
            listener: Mutex::default(),
            missed: AtomicU64::new(0),
        };
        Self(Arc::new(shared))
    }

    /// Says more or less from now on, by the names that [`Level::parse`] knows.
    pub fn set(&self, level: &str) {
        if let Some(level) = Level::parse(level) {
            self.set_level(level);
        }
    }

    pub(crate) fn set_level(&self, level: Level) {
        self.0.level.store(level as u8, Ordering::Relaxed);
    }

    /// As it was before anybody listened.
    pub(crate) fn send_to_stderr(&self) {
        *self.listener() = Listener::Stderr;
    }

    /// To stderr by a thread of its own: a host that does not read it must not hold up the conversation.
    pub(crate) fn send_to_stderr_in_passing(&self) {
        *self.listener() = Listener::StderrThread;
    }

    fn start_thread(&self) -> Listener {
        let (sender, mut lines) = mpsc::channel::<Said>(QUEUE);
        let shared = Arc::clone(&self.0);
        let writing = std::thread::Builder::new().name("bowline-log".into()).spawn(move || {
            while let Some(said) = lines.blocking_recv() {
                write(&shared.count_missed(said));
            }
        });
        if writing.is_ok() { Listener::Queue(sender) } else { Listener::Stderr }
    }

    pub(crate) fn send_to(&self, peer: Peer<RoleServer>) {
        let (sender, lines) = mpsc::channel(QUEUE);
        *self.listener() = Listener::Queue(sender);
        tokio::spawn(forward(lines, peer, Arc::clone(&self.0)));
    }

    fn listener(&self) -> std::sync::MutexGuard<'_, Listener> {
        self.0.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, said: Said) {
        let mut listener = self.listener();
        if let Listener::StderrThread = &*listener {
            *listener = self.start_thread();
        }
        let said = match &*listener {
            Listener::Stderr | Listener::StderrThread => said,
            Listener::Queue(queue) => match queue.try_send(said) {
                Ok(()) => return,
                Err(mpsc::error::TrySendError::Full(_)) => {
                    self.0.missed.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                Err(mpsc::error::TrySendError::Closed(said)) => said,
            },
        };
        drop(listener);
        write(&said);
    }
}

impl Shared {
    /// A line that comes after others were missed says so.
    fn count_missed(&self, mut said: Said) -> Said {
        let missed = self.missed.swap(0, Ordering::Relaxed);
        if missed > 0 {
            said.fields.insert("missed_lines".into(), json!(missed));
        }
        said
    }
}

fn write(said: &Said) {
    // If even stderr is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{}", said.text());
}

#[expect(deprecated, reason = "clients of the older era still read it")]
async fn forward(mut lines: mpsc::Receiver<Said>, peer: Peer<RoleServer>, shared: Arc<Shared>) {
    use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
    while let Some(said) = lines.recv().await {
        let level = match said.level {
            Level::Error => LoggingLevel::Error,
            Level::Warn => LoggingLevel::Warning,
            Level::Info => LoggingLevel::Info,
            Level::Debug | Level::Trace => LoggingLevel::Debug,
        };
        let said = shared.count_missed(said);
        let param =
            LoggingMessageNotificationParam::new(level, Value::Object(said.fields)).with_logger(said.target);
        if peer.notify_logging_message(param).await.is_err() {
            return;
        }
    }
}

impl<S: Subscriber> Layer<S> for Logs {
    /// The level may change at any time, so no answer of `enabled` may be remembered.
    fn register_callsite(&self, _metadata: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>, _context: Context<'_, S>) -> bool {
        // Other people's crates log whole messages, arguments and all, at the lower levels.
        let ours = metadata.target().starts_with("bowline");
        let level = Level::of(*metadata.level());
        level as u8 <= self.0.level.load(Ordering::Relaxed) && (ours || level == Level::Error)
    }

    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.say(Said {
            level: Level::of(*event.metadata().level()),
            target: event.metadata().target().to_owned(),
            fields: fields.0,
        });
    }
}

#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().into(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().into(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().into(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().into(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().into(), format!("{value:?}").into());
    }
}
