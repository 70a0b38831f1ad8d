//! `bowline servers`: the language servers that run now, of every bowline of this user.

use std::time::{SystemTime, UNIX_EPOCH};

use bowline_std::process::group_memory;
use bowline_workspace::Was;
use clap::Args;
use serde_json::json;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{BAD, BOLD, DIM, GOOD, NAME, line, note, styled};
use crate::roster::{self, Entry, Listed};
use crate::wiring::settings;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// As JSON, one line for each server.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> anyhow::Result<Ending> {
    let (environment, _) = settings(shared)?;
    let entries = environment.state_dir.as_deref().map(roster::read).unwrap_or_default();
    let listed: Vec<(&Entry, &Listed)> =
        entries.iter().flat_map(|entry| entry.servers.iter().map(move |server| (entry, server))).collect();
    if listed.is_empty() {
        note(
            "no language server is running; they start when an agent first asks about a file of their language",
        );
    }
    for (entry, server) in listed {
        if arguments.json {
            line(as_json(entry, server));
        } else {
            show(entry, server);
        }
    }
    Ok(Ending::Well)
}

fn show(entry: &Entry, server: &Listed) {
    let status = &server.status;
    let style = match status.state {
        Was::Ready => GOOD,
        Was::Failed => BAD,
        _ => DIM,
    };
    let pid = status.pid.map_or_else(|| "-".to_owned(), |pid| pid.to_string());
    line(format_args!(
        "{}  {}  pid {pid}  memory {}  up {}  restarts {}",
        styled(BOLD, format_args!("{:<28}", status.name)),
        styled(style, format_args!("{:<10}", status.state.as_str())),
        memory(server).map_or_else(|| "-".to_owned(), |bytes| format!("{} MiB", bytes >> 20)),
        uptime(server).map_or_else(|| "-".to_owned(), spoken),
        status.restarts,
    ));
    line(format_args!(
        "    {}  {}",
        styled(NAME, status.root.display()),
        styled(DIM, format_args!("{}; of bowline {}", status.languages.join(", "), entry.pid))
    ));
}

fn as_json(entry: &Entry, server: &Listed) -> serde_json::Value {
    let status = &server.status;
    json!({
        "name": status.name,
        "languages": status.languages,
        "root": status.root,
        "state": status.state,
        "pid": status.pid,
        "memory_bytes": memory(server),
        "uptime_seconds": uptime(server),
        "restarts": status.restarts,
        "open_documents": status.open_documents,
        "bowline_pid": entry.pid,
    })
}

fn memory(server: &Listed) -> Option<u64> {
    group_memory(server.status.pid?)
}

fn uptime(server: &Listed) -> Option<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    server.began.map(|began| now.saturating_sub(began))
}

fn spoken(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}
