//! What a server is told in the handshake: the same that bowline tells it, or the two would not be asking the same
//! server. Kept by hand as `crates/bowline-lsp/src/capabilities.rs` and `known/table.rs` have it.

use std::path::Path;

use serde_json::{Value, json};

pub(super) fn params(language: &str, root: &Path, folder: &Value) -> Value {
    let mut params = json!({
        "processId": std::process::id(),
        "clientInfo": { "name": "bench", "version": "0" },
        "rootUri": folder["uri"],
        "rootPath": root,
        "workspaceFolders": [folder],
        "capabilities": capabilities(),
        "trace": "off",
    });
    let options = match language {
        "go" => json!({ "pullDiagnostics": true, "semanticTokens": true }),
        "typescript" => json!({
            "tsserver": { "useSyntaxServer": "never" },
            "disableAutomaticTypingAcquisition": true,
        }),
        _ => return params,
    };
    params["initializationOptions"] = options;
    params
}

fn capabilities() -> Value {
    let kinds: Vec<u8> = (1..=26).collect();
    let links = json!({ "dynamicRegistration": true, "linkSupport": true });
    json!({
        "general": {
            "positionEncodings": ["utf-16", "utf-8", "utf-32"],
            "staleRequestSupport": { "cancel": true, "retryOnContentModified": [] },
        },
        "window": {
            "workDoneProgress": true,
            "showMessage": { "messageActionItem": { "additionalPropertiesSupport": false } },
            "showDocument": { "support": false },
        },
        "workspace": {
            "applyEdit": false,
            "configuration": true,
            "workspaceFolders": true,
            "didChangeConfiguration": { "dynamicRegistration": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true, "relativePatternSupport": true },
            "symbol": {
                "dynamicRegistration": true,
                "symbolKind": { "valueSet": kinds },
                "tagSupport": { "valueSet": [1] },
            },
            "diagnostics": { "refreshSupport": true },
        },
        "textDocument": {
            "synchronization": {
                "dynamicRegistration": true, "didSave": true, "willSave": false, "willSaveWaitUntil": false,
            },
            "publishDiagnostics": {
                "relatedInformation": true,
                "versionSupport": true,
                "tagSupport": { "valueSet": [1, 2] },
                "codeDescriptionSupport": true,
                "dataSupport": true,
            },
            "diagnostic": { "dynamicRegistration": true, "relatedDocumentSupport": false },
            "hover": { "dynamicRegistration": true, "contentFormat": ["markdown", "plaintext"] },
            "definition": links,
            "declaration": links,
            "typeDefinition": links,
            "implementation": links,
            "references": { "dynamicRegistration": true },
            "documentSymbol": {
                "dynamicRegistration": true,
                "hierarchicalDocumentSymbolSupport": true,
                "symbolKind": { "valueSet": kinds },
                "tagSupport": { "valueSet": [1] },
            },
        },
        "experimental": { "serverStatusNotification": true },
    })
}
