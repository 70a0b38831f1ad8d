//! The beginning of a life: streams, handshake, and what is told before the first question.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use bowline_code::uri;
use bowline_std::process::{Process, Running};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::end::why;
use super::{Life, bounds, ready, uses};
use crate::board::{Board, folder_on_the_wire};
use crate::connection::{Connection, Unanswered};
use crate::documents::Documents;
use crate::error::Before;
use crate::quirks::Quirks;
use crate::words::{LastWords, Listening};
use crate::{Capabilities, Fault, LspError, ServerSpec, capabilities};

/// How a server is spoken to: any two streams of bytes, and the process behind them if it is ours.
pub(crate) struct Streams {
    pub(crate) read: Box<dyn AsyncRead + Send + Unpin>,
    pub(crate) write: Box<dyn AsyncWrite + Send + Unpin>,
    pub(crate) process: Option<Process>,
    pub(crate) words: LastWords,
    pub(crate) listening: Option<Listening>,
}

impl Streams {
    pub(crate) fn of_process(running: Running) -> Self {
        let words = LastWords::default();
        Self {
            listening: Some(words.listen(running.stderr)),
            read: Box::new(running.stdout),
            write: Box::new(running.stdin),
            process: Some(running.process),
            words,
        }
    }

    pub(crate) fn of_socket(socket: TcpStream) -> Self {
        // A question and its answer are small, and wait for each other.
        let _ = socket.set_nodelay(true);
        Self::of_stream(socket)
    }

    pub(crate) fn of_stream(stream: impl AsyncRead + AsyncWrite + Send + 'static) -> Self {
        let (read, write) = tokio::io::split(stream);
        Self {
            read: Box::new(read),
            write: Box::new(write),
            process: None,
            words: LastWords::unheard(),
            listening: None,
        }
    }
}

/// What a life begins with.
pub(crate) struct Birth {
    pub(crate) spec: Arc<ServerSpec>,
    pub(crate) root: PathBuf,
    pub(crate) folders: Vec<PathBuf>,
    /// What was open in the life before.
    pub(crate) documents: Documents,
    pub(crate) scope: Option<crate::Scope>,
}

impl Life {
    pub(crate) async fn begin(birth: Birth, streams: Streams) -> Result<Arc<Self>, LspError> {
        let Birth { spec, root, folders, documents, scope } = birth;
        let began = Instant::now();
        let Streams { read, write, process, words, listening } = streams;
        let bounds = bounds::Bounds::new(&spec, scope);
        let settings = bounds.settings(&spec);
        let board = Arc::new(Board::new(folders.clone(), settings.clone()));
        let connection = Connection::open(read, write, board.clone());
        let params = params(bounds.options(&spec), &root, &folders);
        let answer = connection.request("initialize", &params, spec.limits.initialize).await;
        let fault = match answer {
            Ok(result) => match Capabilities::new(&super::value(&result)) {
                Ok(capabilities) => {
                    connection.notify("initialized", &json!({}));
                    bounds.begin(&connection, &root).await;
                    // What only limits it is asked for, and told when it changes.
                    let told = settings.filter(|_| spec.settings.is_some());
                    greet(&connection, told, &documents);
                    return Ok(Arc::new(Self {
                        ready: ready::Watch::default(),
                        bounds,
                        root,
                        quirks: Quirks::of(capabilities.name(), &spec.name),
                        spec,
                        connection,
                        process,
                        words,
                        _listening: listening,
                        board,
                        capabilities,
                        documents: Mutex::new(documents),
                        world: 0.into(),
                        told: 0.into(),
                        proofs: Mutex::default(),
                        has_lost_packages: Default::default(),
                        checking: tokio::sync::Mutex::default(),
                        commanding: tokio::sync::Mutex::default(),
                        reopening: tokio::sync::RwLock::default(),
                        floor: Arc::default(),
                        waiting: std::sync::atomic::AtomicUsize::default(),
                        returning: std::sync::atomic::AtomicUsize::default(),
                        flights: crate::flight::Flights::default(),
                        began,
                        uses: uses::Uses::new(),
                        suspected: false.into(),
                    }));
                }
                Err(reason) => Fault::Strange { method: "initialize", reason },
            },
            Err(Unanswered::Refused(refusal)) => Fault::Refused {
                method: "initialize",
                code: refusal.code,
                message: bowline_std::text::cut(&refusal.message, 500),
            },
            Err(Unanswered::Late { .. }) => {
                Fault::NoAnswer { method: "initialize", after: spec.limits.initialize }
            }
            Err(Unanswered::Closed(closed)) => {
                why(&closed, process.as_ref(), &words, Before::Handshake).await
            }
        };
        Err(fault.of(&spec.name))
    }
}

/// What a server is told before its first question: how it is set, and what was open in the life before.
fn greet(connection: &Connection, settings: Option<Value>, documents: &Documents) {
    if let Some(settings) = settings {
        connection.notify("workspace/didChangeConfiguration", &json!({"settings": settings}));
    }
    for (method, params) in &documents.openings() {
        connection.notify(method, params);
    }
}

fn params(options: Option<Value>, root: &std::path::Path, folders: &[PathBuf]) -> Value {
    let mut params = json!({
        // Servers watch this process, and end when it does.
        "processId": std::process::id(),
        "clientInfo": {"name": "bowline", "version": env!("CARGO_PKG_VERSION")},
        "rootUri": uri::of(root),
        "rootPath": root,
        "workspaceFolders": folders.iter().map(|folder| folder_on_the_wire(folder)).collect::<Vec<_>>(),
        "capabilities": capabilities::of_client(),
        "trace": "off",
    });
    if let Some(options) = options {
        params["initializationOptions"] = options;
    }
    params
}
