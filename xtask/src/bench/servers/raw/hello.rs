//! What a server is told in the handshake: the same that bowline tells it, or the two would not be asking the same
//! server. Kept by hand as `crates/bowline-lsp/src/capabilities.rs` and `known/table.rs` have it; a test compares them.

use std::path::Path;

use serde_json::{Value, json};

/// Kinds of code actions, as the protocol names them.
const ACTIONS: [&str; 9] = [
    "",
    "quickfix",
    "refactor",
    "refactor.extract",
    "refactor.inline",
    "refactor.rewrite",
    "source",
    "source.organizeImports",
    "source.fixAll",
];

const TOKEN_TYPES: [&str; 23] = [
    "namespace",
    "type",
    "class",
    "enum",
    "interface",
    "struct",
    "typeParameter",
    "parameter",
    "variable",
    "property",
    "enumMember",
    "event",
    "function",
    "method",
    "macro",
    "keyword",
    "modifier",
    "comment",
    "string",
    "number",
    "regexp",
    "operator",
    "decorator",
];

const TOKEN_MODIFIERS: [&str; 10] = [
    "declaration",
    "definition",
    "readonly",
    "static",
    "deprecated",
    "abstract",
    "async",
    "modification",
    "documentation",
    "defaultLibrary",
];

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
    if let Some(options) = options(language) {
        params["initializationOptions"] = options;
    }
    params
}

fn options(language: &str) -> Option<Value> {
    match language {
        "go" => Some(json!({
            "pullDiagnostics": true,
            "semanticTokens": true,
            "hints": {
                "assignVariableTypes": true,
                "compositeLiteralFields": true,
                "compositeLiteralTypes": true,
                "constantValues": true,
                "functionTypeParameters": true,
                "parameterNames": true,
                "rangeVariableTypes": true,
            },
        })),
        "typescript" => Some(json!({
            "tsserver": { "useSyntaxServer": "never" },
            "disableAutomaticTypingAcquisition": true,
            "preferences": {
                "includeInlayParameterNameHints": "all",
                "includeInlayFunctionParameterTypeHints": true,
                "includeInlayVariableTypeHints": true,
                "includeInlayPropertyDeclarationTypeHints": true,
                "includeInlayFunctionLikeReturnTypeHints": true,
                "includeInlayEnumMemberValueHints": true,
            },
        })),
        _ => None,
    }
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
            "applyEdit": true,
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "failureHandling": "transactional",
                "normalizesLineEndings": true,
            },
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
            "executeCommand": { "dynamicRegistration": true },
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
            "documentHighlight": { "dynamicRegistration": true },
            "callHierarchy": { "dynamicRegistration": true },
            "typeHierarchy": { "dynamicRegistration": true },
            "completion": {
                "dynamicRegistration": true,
                "completionItem": {
                    "snippetSupport": false,
                    "documentationFormat": ["markdown", "plaintext"],
                    "deprecatedSupport": true,
                    "labelDetailsSupport": true,
                },
                "contextSupport": true,
            },
            "signatureHelp": {
                "dynamicRegistration": true,
                "signatureInformation": {
                    "documentationFormat": ["markdown", "plaintext"],
                    "parameterInformation": { "labelOffsetSupport": false },
                    "activeParameterSupport": true,
                },
            },
            "codeAction": {
                "dynamicRegistration": true,
                "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ACTIONS } },
                "isPreferredSupport": true,
                "disabledSupport": true,
                "dataSupport": true,
                "resolveSupport": { "properties": ["edit"] },
            },
            "formatting": { "dynamicRegistration": true },
            "rangeFormatting": { "dynamicRegistration": true },
            "rename": { "dynamicRegistration": true, "prepareSupport": true },
            "inlayHint": { "dynamicRegistration": true },
            "semanticTokens": {
                "dynamicRegistration": true,
                "requests": { "range": true, "full": true },
                "tokenTypes": TOKEN_TYPES,
                "tokenModifiers": TOKEN_MODIFIERS,
                "formats": ["relative"],
                "overlappingTokenSupport": false,
                "multilineTokenSupport": false,
            },
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::paths;
    use crate::projects::PROJECTS;

    /// Every key and text in a value.
    fn words(value: &Value) -> BTreeSet<String> {
        match value {
            Value::String(text) => BTreeSet::from([text.clone()]),
            Value::Array(items) => items.iter().flat_map(words).collect(),
            Value::Object(fields) => {
                fields.iter().flat_map(|(key, value)| words(value).into_iter().chain([key.clone()])).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Every text in quotes in one function of a file of bowline's.
    fn quoted(file: &str, function: &str) -> BTreeSet<String> {
        let text = std::fs::read_to_string(paths::root().join("crates/bowline-lsp/src").join(file)).unwrap();
        let (_, body) = text.split_once(function).unwrap();
        let (body, _) = body.split_once("\n    }\n").unwrap_or((body, ""));
        let (body, _) = body.split_once("\n}\n").unwrap_or((body, ""));
        let code = body.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
    }

    #[test]
    fn says_what_bowline_says() {
        assert_eq!(words(&capabilities()), quoted("capabilities.rs", "const ACTIONS:"));
        let options: BTreeSet<String> = PROJECTS
            .iter()
            .filter_map(|project| options(project.language))
            .flat_map(|all| words(&all))
            .collect();
        let mut theirs = quoted("known/table.rs", "fn initialization_options(");
        theirs.retain(|word| !["gopls", "typescript-language-server"].contains(&word.as_str()));
        assert_eq!(options, theirs);
    }
}
