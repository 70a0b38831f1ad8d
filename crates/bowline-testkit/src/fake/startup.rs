//! The handshake, and what the fake does of its own accord once it is over.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::documents::folders;
use super::fault::Fault;
use super::post::{Out, Post, notification};
use super::script::{PositionEncoding, Progress, Script};
use super::server::Server;
use super::uri::{file_uri, to_path};

const STDERR_FLOOD: usize = 50 << 20;
const LOG_FLOOD: usize = 200_000;

/// Takes what the client says of itself, and returns the answer to `initialize`.
pub(crate) fn initialize(server: &mut Server, params: &Value) -> Value {
    if server.script.has(&Fault::StderrFlood) {
        let line = format!("{}\n", "x".repeat(1023));
        let block = line.repeat(64);
        for _ in 0..STDERR_FLOOD / block.len() {
            server.host.stderr(block.as_bytes());
        }
    }
    let roots = folders(&params["workspaceFolders"]).filter(|roots| !roots.is_empty());
    server.project.roots = roots.unwrap_or_else(|| {
        let root = params["rootUri"].as_str().map(to_path);
        root.or_else(|| params["rootPath"].as_str().map(Into::into)).into_iter().collect()
    });
    let script = &server.script;
    let mut capabilities = script.capabilities.clone();
    if let Some(unit) = chosen_unit(script, params) {
        server.project.unit = unit;
        capabilities["positionEncoding"] = json!(unit);
    }
    if script.pull {
        capabilities["diagnosticProvider"] = pull_options();
    }
    json!({ "capabilities": capabilities, "serverInfo": { "name": script.name, "version": script.version } })
}

fn chosen_unit(script: &Script, params: &Value) -> Option<PositionEncoding> {
    let wanted = script.position_encoding?;
    let offered = params["capabilities"]["general"]["positionEncodings"].as_array()?;
    offered.contains(&json!(wanted)).then_some(wanted)
}

fn pull_options() -> Value {
    json!({ "interFileDependencies": true, "workspaceDiagnostics": true })
}

/// A server uses what the client says it has, and nothing else: what the script wants beyond that is a complaint.
pub(crate) fn initialized(server: &Server, client: &Value) {
    let (script, post) = (&server.script, &server.post);
    let may = |capability: &str, what: &str| {
        let may = client.pointer(capability) == Some(&Value::Bool(true));
        if !may {
            server.complain(
                "initialized",
                &format!("{what} is in the script, but the client lacks {capability}"),
            );
        }
        may
    };
    if script.register_pull && may("/textDocument/diagnostic/dynamicRegistration", "register_pull") {
        let mut options = pull_options();
        options["documentSelector"] = Value::Null;
        register(post, "fake-pull", "textDocument/diagnostic", &options);
    }
    if !script.register_watchers.is_empty()
        && may("/workspace/didChangeWatchedFiles/dynamicRegistration", "register_watchers")
    {
        let globs = script.register_watchers.iter().map(|glob| json!({ "globPattern": glob }));
        let options = json!({ "watchers": globs.collect::<Vec<_>>() });
        register(post, "fake-watch", "workspace/didChangeWatchedFiles", &options);
    }
    if !script.progress.is_empty() && may("/window/workDoneProgress", "progress") {
        for progress in script.progress.clone() {
            tokio::spawn(report(progress, post.clone()));
        }
    }
    if script.has(&Fault::Asks) {
        ask_everything(post, server.project.roots.first().map_or(Path::new("/"), |root| root));
    }
    if script.has(&Fault::LogFlood) {
        let log = |index| {
            notification("window/logMessage", json!({ "type": 3, "message": format!("line {index}") }))
        };
        post.put(Out::Many(LOG_FLOOD, log));
    }
}

fn register(post: &Post, id: &str, method: &str, options: &Value) {
    let registration = json!({ "id": id, "method": method, "registerOptions": options });
    post.ask("client/registerCapability", json!({ "registrations": [registration] }));
}

async fn report(progress: Progress, post: Post) {
    let Progress { token, title, steps, step_ms } = progress;
    let created = post.ask("window/workDoneProgress/create", json!({ "token": token })).await;
    if !matches!(created, Ok(Ok(_))) {
        // Whoever was refused, or not heard, may not use the token.
        return;
    }
    let say = |value: Value| post.notify("$/progress", json!({ "token": token, "value": value }));
    say(json!({ "kind": "begin", "title": title, "percentage": 0 }));
    for step in 1..=steps {
        sleep(Duration::from_millis(step_ms)).await;
        let message = format!("{step}/{steps}");
        say(
            json!({ "kind": "report", "message": message, "percentage": u64::from(step) * 100 / u64::from(steps) }),
        );
    }
    say(json!({ "kind": "end", "message": "done" }));
}

/// The edit is for a file beside the root, whose path begins with the root's letters.
fn ask_everything(post: &Post, root: &Path) {
    let mut outside = root.as_os_str().to_owned();
    outside.push("-outside.txt");
    let origin = json!({ "line": 0, "character": 0 });
    let edit = json!({ "range": { "start": origin, "end": origin }, "newText": "written by fake-ls\n" });
    let changes = json!({ file_uri(Path::new(&outside)): [edit] });
    let watch = json!({ "watchers": [{ "globPattern": "**/*.asked" }] });

    post.ask(
        "workspace/configuration",
        json!({ "items": [{ "section": "fake" }, { "section": "fake.deep" }] }),
    );
    post.ask("workspace/workspaceFolders", Value::Null);
    register(post, "fake-asked", "workspace/didChangeWatchedFiles", &watch);
    let gone = json!([{ "id": "fake-asked", "method": "workspace/didChangeWatchedFiles" }]);
    // The misspelling is the protocol's own.
    post.ask("client/unregisterCapability", json!({ "unregisterations": gone }));
    post.ask("window/workDoneProgress/create", json!({ "token": "fake-asked" }));
    let actions = json!([{ "title": "Yes" }, { "title": "No" }]);
    post.ask("window/showMessageRequest", json!({ "type": 3, "message": "Really?", "actions": actions }));
    post.ask("workspace/applyEdit", json!({ "label": "outside", "edit": { "changes": changes } }));
    post.ask("fake/unknown", json!({ "any": "thing" }));
}
