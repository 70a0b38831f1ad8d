//! What the client says about its documents and folders, held against the rules.

use std::fs::OpenOptions;
use std::path::PathBuf;

use serde_json::Value;

use super::diagnostics::flood;
use super::fault::Fault;
use super::frame;
use super::post::Out;
use super::project::Document;
use super::server::Server;
use super::text::apply;
use super::uri::to_path;

/// `TextDocumentSyncKind`.
const FULL: u64 = 1;
const INCREMENTAL: u64 = 2;

impl Server {
    pub(crate) fn document_notification(&mut self, method: &str, params: &Value) {
        let done = match method {
            "textDocument/didOpen" => self.did_open(params),
            "textDocument/didChange" => self.did_change(params),
            "textDocument/didSave" => self.did_save(params),
            "textDocument/didClose" => self.did_close(params),
            "workspace/didChangeWorkspaceFolders" => self.did_change_folders(params),
            _ => Ok(()),
        };
        if let Err(problem) = done {
            self.complain(method, &problem);
        }
    }

    fn did_open(&mut self, params: &Value) -> Result<(), String> {
        if self.dies_on_open() {
            self.die("fatal: cannot read project\n");
            return Ok(());
        }
        let path = path(params)?;
        let item = &params["textDocument"];
        let text = item["text"].as_str().ok_or("a document without a text")?.to_owned();
        let version = item["version"].as_i64().ok_or("a document without a version")?;
        item["languageId"].as_str().ok_or("a document without a language")?;
        let uri = item["uri"].as_str().unwrap_or_default().to_owned();

        let document = Document { uri, version, text };
        self.publisher.publish(&document, self.project.unit);
        if self.script.has(&Fault::NotJson) {
            self.post.put(Out::Raw(frame::bytes(b"{ this is: not JSON ]")));
        }
        if self.script.has(&Fault::DiagnosticsFlood) {
            self.post.put(Out::Raw(flood(&document)));
        }
        match self.project.open.insert(path, document) {
            Some(before) => Err(format!("`{}` is open already", before.uri)),
            None => Ok(()),
        }
    }

    fn did_change(&mut self, params: &Value) -> Result<(), String> {
        let path = path(params)?;
        let kind = self.sync_kind();
        let document = self.project.open.get_mut(&path).ok_or_else(|| not_open(params))?;
        let before = document.clone();
        let version = params["textDocument"]["version"].as_i64().ok_or("a change without a version")?;
        document.version = version;
        let changes = params["contentChanges"].as_array().ok_or("a change without changes")?;
        let mut problems = Vec::new();
        if version <= before.version {
            problems.push(format!("version {version} after version {}", before.version));
        }
        if kind != FULL && kind != INCREMENTAL {
            problems.push("changes were not asked for".to_owned());
        }
        for change in changes {
            if kind == FULL && change.get("range").is_some() {
                problems.push("a part of the text where the whole was asked for".to_owned());
            }
            problems.extend(apply(&mut document.text, change, self.project.unit).err());
        }
        self.publisher.publish(document, self.project.unit);
        if self.script.has(&Fault::StalePush) {
            self.publisher.publish(&before, self.project.unit);
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }

    fn did_save(&mut self, params: &Value) -> Result<(), String> {
        let document = self.project.open.get(&path(params)?).ok_or_else(|| not_open(params))?;
        self.publisher.publish(document, self.project.unit);
        Ok(())
    }

    fn did_close(&mut self, params: &Value) -> Result<(), String> {
        let document = self.project.open.remove(&path(params)?).ok_or_else(|| not_open(params))?;
        self.publisher.clear(&document);
        Ok(())
    }

    fn did_change_folders(&mut self, params: &Value) -> Result<(), String> {
        let removed = folders(&params["event"]["removed"]).ok_or("folders without a list of the removed")?;
        let added = folders(&params["event"]["added"]).ok_or("folders without a list of the added")?;
        self.project.roots.retain(|root| !removed.contains(root));
        self.project.roots.extend(added);
        Ok(())
    }

    fn sync_kind(&self) -> u64 {
        let sync = &self.script.capabilities["textDocumentSync"];
        sync.as_u64().or_else(|| sync["change"].as_u64()).unwrap_or(0)
    }

    fn dies_on_open(&self) -> bool {
        if !self.script.has(&Fault::DieOnce) {
            return self.script.has(&Fault::DieOnOpen);
        }
        let in_root = || self.project.roots.first().map(|root| root.join(".fake-ls-died"));
        let Some(marker) = self.script.marker.clone().or_else(in_root) else {
            return false;
        };
        // The file is made once; who finds it there has died before.
        OpenOptions::new().write(true).create_new(true).open(marker).is_ok()
    }
}

/// The directories of a list of folders.
pub(crate) fn folders(list: &Value) -> Option<Vec<PathBuf>> {
    let uris = list.as_array()?.iter().filter_map(|folder| folder["uri"].as_str());
    Some(uris.map(to_path).collect())
}

fn path(params: &Value) -> Result<PathBuf, String> {
    let uri = params["textDocument"]["uri"].as_str().ok_or("a document without an address")?;
    Ok(to_path(uri))
}

fn not_open(params: &Value) -> String {
    format!("{} is not open", params["textDocument"]["uri"])
}
