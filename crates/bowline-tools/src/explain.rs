//! The one function from what went wrong in the workspace to who can mend it.

use bowline_call::ToolError;
use bowline_std::fs::ReadError;
use bowline_workspace::{DraftError, Fault, ReplaceError, WorkspaceError, WriteError};

pub(crate) fn explain(error: WorkspaceError) -> ToolError {
    let message = error.to_string();
    match error {
        WorkspaceError::OutsideRoots { .. } | WorkspaceError::BadPosition { .. } => {
            ToolError::bad_arguments(message)
        }
        WorkspaceError::NoSymbolAt { .. } => {
            ToolError::bad_arguments(format!("no symbol found at the given position: {message}"))
                .hint("list_symbols shows what the file holds")
        }
        WorkspaceError::NoNameAt { .. } => {
            ToolError::bad_arguments(message).hint("position_pattern finds a place by its text: `fn @@name(`")
        }
        WorkspaceError::UnknownLanguageId { .. } => ToolError::bad_arguments(message),
        WorkspaceError::Read(read) => unreadable(&read, message),
        WorkspaceError::UnknownLanguage { .. } => {
            ToolError::unsupported(message).hint("read the file itself instead")
        }
        WorkspaceError::Parse { .. } => ToolError::failed(message).hint("read the file itself instead"),
        WorkspaceError::ServerLate { .. } => ToolError::NotReady { message, retry_after_ms: 2000 },
        WorkspaceError::Server(error) if matches!(error.fault, Fault::Unsupported { .. }) => {
            ToolError::unsupported(message)
        }
        WorkspaceError::Server(ref error)
            if let Fault::Refused { method, message: said, .. } = &error.fault =>
        {
            match is_about_a_place(method, said) {
                true => ToolError::failed(message)
                    .hint("is the place on a name? position_pattern finds one by its text"),
                false => ToolError::failed(message),
            }
        }
        WorkspaceError::Server(_) => ToolError::failed(message)
            .hint("restart_lsp_server starts it afresh; `bowline doctor` shows what is wrong with it"),
        WorkspaceError::NoServer { .. } => ToolError::unsupported(message)
            .hint("list_symbols, go_to_definition and find_references answer without a server"),
        WorkspaceError::BadScope { .. } => ToolError::bad_arguments(message),
        WorkspaceError::ScopesItself { .. } | WorkspaceError::OwnScope { .. } => {
            ToolError::unsupported(message)
        }
        WorkspaceError::NoServerFor { .. }
        | WorkspaceError::NoSuchCommand { .. }
        | WorkspaceError::NotADirectory { .. } => ToolError::bad_arguments(message),
        WorkspaceError::NoFileOf { .. } => ToolError::unsupported(message),
        WorkspaceError::NotReady { .. } => ToolError::NotReady { message, retry_after_ms: 1000 },
        WorkspaceError::Cancelled => ToolError::Cancelled,
        WorkspaceError::TookTooLong => ToolError::failed(message),
        WorkspaceError::Program(_) => ToolError::failed(message),
        WorkspaceError::Changes(error) if error.is_callers() => ToolError::bad_arguments(message),
        WorkspaceError::Changes(_) => ToolError::failed(message),
        WorkspaceError::BadIgnore { .. } => ToolError::failed(message).hint("mend `ignore` in bowline.toml"),
        WorkspaceError::NoRecollection => ToolError::unsupported(message),
        WorkspaceError::Recollection { .. } => ToolError::failed(message),
        WorkspaceError::Draft(error) => undraftable(&error, message),
        WorkspaceError::Replace(ReplaceError::Changed { .. }) => {
            ToolError::failed(message).hint("look again with dry_run, and choose anew")
        }
        WorkspaceError::Replace(ReplaceError::Partial { .. }) => ToolError::failed(message),
        WorkspaceError::Replace(_) => ToolError::bad_arguments(message),
        WorkspaceError::NoWriter => ToolError::failed(message)
            .hint("ask the person you work for to set XDG_STATE_HOME to a directory that can be written to"),
        WorkspaceError::Write(error) => unwritable(&error, message),
        WorkspaceError::Store(_) | WorkspaceError::Internal(_) => ToolError::internal(message),
    }
}

/// Whether another place could get another answer. A server that speaks of the new name has found the old one.
fn is_about_a_place(method: &str, said: &str) -> bool {
    match method {
        "textDocument/rename" => {
            let said = said.to_lowercase();
            !["new name", "newname", "invalid identifier", "invalid name", "valid identifier", "conflict"]
                .iter()
                .any(|words| said.contains(words))
        }
        "textDocument/definition"
        | "textDocument/declaration"
        | "textDocument/typeDefinition"
        | "textDocument/implementation"
        | "textDocument/references"
        | "textDocument/hover"
        | "textDocument/documentHighlight"
        | "textDocument/prepareRename"
        | "textDocument/prepareCallHierarchy"
        | "textDocument/prepareTypeHierarchy"
        | "textDocument/signatureHelp" => true,
        _ => false,
    }
}

fn undraftable(error: &DraftError, message: String) -> ToolError {
    match error {
        DraftError::Changed { diff, .. } => ToolError::failed(format!("{message}\n{diff}"))
            .hint("destroy_session, look at the file again, and draft anew"),
        DraftError::NoSuchSymbol { .. } | DraftError::SymbolNotUnique { .. } => {
            ToolError::bad_arguments(message).hint("list_symbols shows the symbols of the file")
        }
        DraftError::SeesAPart { .. } | DraftError::OnlyACommand { .. } => ToolError::unsupported(message),
        DraftError::TooMany { .. } => ToolError::failed(message),
        _ => ToolError::bad_arguments(message),
    }
}

fn unwritable(error: &WriteError, message: String) -> ToolError {
    match error {
        WriteError::NoReceipt(_) => {
            ToolError::bad_arguments(message).hint("`bowline undo --list` shows the receipts there are")
        }
        WriteError::NotKept(_) | WriteError::UndoneBefore { .. } | WriteError::NothingToWrite => {
            ToolError::bad_arguments(message)
        }
        WriteError::Changed { .. } => ToolError::failed(message)
            .hint("somebody changed the file since; look at it again before you write over it"),
        WriteError::Busy(_) => ToolError::NotReady { message, retry_after_ms: 1000 },
        _ => ToolError::failed(message),
    }
}

fn unreadable(error: &ReadError, message: String) -> ToolError {
    match error {
        ReadError::NotFound(_) => ToolError::bad_arguments(message)
            .hint("paths are absolute, or relative to the first workspace root"),
        ReadError::NotAFile { .. } => ToolError::bad_arguments(message).hint("name a file"),
        ReadError::TooLarge { .. } | ReadError::Binary(_) | ReadError::NotUtf8 { .. } => {
            ToolError::unsupported(message)
        }
        ReadError::Denied(_) => {
            ToolError::failed(message).hint("ask the person you work for to make it readable")
        }
        ReadError::Io { .. } => ToolError::failed(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_asks_about_a_place_is_told_to_look_for_another() {
        for (method, said, expected) in [
            ("textDocument/hover", "no identifier found", true),
            ("textDocument/rename", "cannot rename this element", true),
            ("textDocument/rename", "invalid identifier to rename: \"1x\"", false),
            ("textDocument/rename", "New name is not a valid identifier", false),
            ("textDocument/formatting", "expected ')', found newline", false),
            ("workspace/executeCommand", "no such command", false),
        ] {
            assert_eq!(is_about_a_place(method, said), expected, "{method} {said}");
        }
    }
}
