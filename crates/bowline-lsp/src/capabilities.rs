//! What we tell a server that we can do, and what it tells us.

use std::path::Path;

use bowline_code::Encoding;
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

/// What a client of ours can do: nothing is claimed that is not done, since servers go by it.
pub(crate) fn of_client() -> Value {
    let kinds: Vec<u8> = (1..=26).collect();
    let links = json!({"dynamicRegistration": true, "linkSupport": true});
    json!({
        "general": {
            // Our own columns are UTF-16, so a server that leaves the choice to us spares everybody a conversion.
            "positionEncodings": ["utf-16", "utf-8", "utf-32"],
            "staleRequestSupport": {"cancel": true, "retryOnContentModified": []},
        },
        "window": {
            "workDoneProgress": true,
            "showMessage": {"messageActionItem": {"additionalPropertiesSupport": false}},
            "showDocument": {"support": false},
        },
        "workspace": {
            // Those that belong to a command that it was told to run. Others are refused.
            "applyEdit": true,
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "failureHandling": "transactional",
                "normalizesLineEndings": true,
            },
            "configuration": true,
            "workspaceFolders": true,
            "didChangeConfiguration": {"dynamicRegistration": true},
            "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
            "symbol": {
                "dynamicRegistration": true,
                "symbolKind": {"valueSet": kinds},
                "tagSupport": {"valueSet": [1]},
            },
            "diagnostics": {"refreshSupport": true},
            "executeCommand": {"dynamicRegistration": true},
        },
        "textDocument": {
            "synchronization": {"dynamicRegistration": true, "didSave": true, "willSave": false, "willSaveWaitUntil": false},
            "publishDiagnostics": {
                "relatedInformation": true,
                "versionSupport": true,
                "tagSupport": {"valueSet": [1, 2]},
                "codeDescriptionSupport": true,
                "dataSupport": true,
            },
            "diagnostic": {"dynamicRegistration": true, "relatedDocumentSupport": false},
            "hover": {"dynamicRegistration": true, "contentFormat": ["markdown", "plaintext"]},
            "definition": links,
            "declaration": links,
            "typeDefinition": links,
            "implementation": links,
            "references": {"dynamicRegistration": true},
            "documentHighlight": {"dynamicRegistration": true},
            "callHierarchy": {"dynamicRegistration": true},
            "typeHierarchy": {"dynamicRegistration": true},
            "completion": {
                "dynamicRegistration": true,
                // Whoever reads them is no editor with places to jump to.
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
                    "parameterInformation": {"labelOffsetSupport": false},
                    "activeParameterSupport": true,
                },
            },
            "codeAction": {
                "dynamicRegistration": true,
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ACTIONS}},
                "isPreferredSupport": true,
                "disabledSupport": true,
                "dataSupport": true,
                // What is not resolved, some servers can only do by a command.
                "resolveSupport": {"properties": ["edit"]},
            },
            "formatting": {"dynamicRegistration": true},
            "rangeFormatting": {"dynamicRegistration": true},
            "rename": {"dynamicRegistration": true, "prepareSupport": true},
            "inlayHint": {"dynamicRegistration": true},
            "semanticTokens": {
                "dynamicRegistration": true,
                "requests": {"range": true, "full": true},
                "tokenTypes": TOKEN_TYPES,
                "tokenModifiers": TOKEN_MODIFIERS,
                "formats": ["relative"],
                "overlappingTokenSupport": false,
                "multilineTokenSupport": false,
            },
            "documentSymbol": {
                "dynamicRegistration": true,
                "hierarchicalDocumentSymbolSupport": true,
                "symbolKind": {"valueSet": kinds},
                "tagSupport": {"valueSet": [1]},
            },
        },
        // rust-analyzer says with it when it has nothing left to do.
        "experimental": {"serverStatusNotification": true},
    })
}

/// What the server said about itself in the handshake, as it said it.
#[derive(Debug, Clone)]
pub struct Capabilities {
    raw: Value,
    name: Option<String>,
    version: Option<String>,
    encoding: Encoding,
}

/// How a server wants to hear of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changes {
    Never,
    Whole,
    Parts,
}

impl Capabilities {
    /// From the result of `initialize`.
    pub(crate) fn new(result: &Value) -> Result<Self, String> {
        let raw = result.get("capabilities").filter(|raw| raw.is_object()).cloned();
        let raw = raw.ok_or("the result of the handshake has no `capabilities`")?;
        let encoding = match raw.get("positionEncoding").and_then(Value::as_str) {
            None | Some("utf-16") => Encoding::Utf16,
            Some("utf-8") => Encoding::Utf8,
            Some("utf-32") => Encoding::Utf32,
            Some(other) => return Err(format!("it counts columns in `{other}`, which was not offered")),
        };
        let info = |key: &str| {
            let text = result.get("serverInfo")?.get(key)?.as_str()?;
            Some(bowline_std::text::cut(&short(text), 100))
        };
        Ok(Self { name: info("name"), version: info("version"), raw, encoding })
    }

    /// As the server sent them.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The name that the server gives itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// What the server counts columns in.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether something is offered from the start.
    pub(crate) fn offers(&self, key: &str) -> bool {
        match self.raw.get(key) {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(_) => true,
        }
    }

    pub(crate) fn changes(&self) -> Changes {
        let sync = self.raw.get("textDocumentSync");
        let kind = sync.and_then(|sync| sync.as_u64().or_else(|| sync.get("change").and_then(Value::as_u64)));
        match kind {
            Some(1) => Changes::Whole,
            Some(2) => Changes::Parts,
            _ => Changes::Never,
        }
    }

    /// Whether it wants to hear that a document was saved; `Some(true)`: with its text.
    pub(crate) fn save(&self) -> Option<bool> {
        match self.raw.get("textDocumentSync")?.get("save")? {
            Value::Bool(wanted) => wanted.then_some(false),
            Value::Object(options) => {
                Some(options.get("includeText").and_then(Value::as_bool).unwrap_or(false))
            }
            _ => None,
        }
    }

    pub(crate) fn folders(&self) -> bool {
        self.raw.pointer("/workspace/workspaceFolders/supported").and_then(Value::as_bool).unwrap_or(false)
    }
}

/// One line. gopls puts a whole build report in JSON into its version.
fn short(text: &str) -> String {
    let report: Option<Value> = text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten();
    let version = report.as_ref().and_then(|report| report.get("Version")?.as_str());
    version.unwrap_or_else(|| text.lines().next().unwrap_or_default()).to_owned()
}

/// The key under which a method is offered from the start.
pub(crate) fn key_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "textDocument/definition" => "definitionProvider",
        "textDocument/declaration" => "declarationProvider",
        "textDocument/typeDefinition" => "typeDefinitionProvider",
        "textDocument/implementation" => "implementationProvider",
        "textDocument/references" => "referencesProvider",
        "textDocument/hover" => "hoverProvider",
        "textDocument/documentSymbol" => "documentSymbolProvider",
        "workspace/symbol" => "workspaceSymbolProvider",
        "workspace/executeCommand" => "executeCommandProvider",
        "textDocument/documentHighlight" => "documentHighlightProvider",
        "textDocument/prepareCallHierarchy" => "callHierarchyProvider",
        "textDocument/prepareTypeHierarchy" => "typeHierarchyProvider",
        "textDocument/completion" => "completionProvider",
        "textDocument/signatureHelp" => "signatureHelpProvider",
        "textDocument/codeAction" => "codeActionProvider",
        "textDocument/formatting" => "documentFormattingProvider",
        "textDocument/rangeFormatting" => "documentRangeFormattingProvider",
        "textDocument/rename" => "renameProvider",
        "textDocument/inlayHint" => "inlayHintProvider",
        "textDocument/semanticTokens" => "semanticTokensProvider",
        "textDocument/diagnostic" => "diagnosticProvider",
        _ => return None,
    })
}

/// Whether a document selector means this document. No selector means every document.
pub(crate) fn selects(selector: Option<&Value>, path: &Path, language: &str) -> bool {
    let Some(Value::Array(filters)) = selector else {
        return true;
    };
    filters.iter().any(|filter| {
        let is = |key: &str, wanted: &str| {
            filter.get(key).and_then(Value::as_str).is_none_or(|given| given == wanted)
        };
        let pattern = filter.get("pattern").and_then(Value::as_str);
        let fits = pattern.is_none_or(|pattern| crate::globs::matches(pattern, None, path));
        filter.as_str().is_some_and(|id| id == language)
            || (filter.is_object() && is("language", language) && is("scheme", "file") && fits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers depend on what a client says of itself. The one that the tests with real servers take for a witness must
    /// say the same.
    #[test]
    fn the_witness_says_the_same() {
        let witness = include_str!("../../bowline-tools/tests/real_servers/capabilities.json");
        assert_eq!(of_client(), serde_json::from_str::<Value>(witness).unwrap());
    }
}
