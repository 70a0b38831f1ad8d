//! What was seen of each tool with each server, as `docs/reference/tool-server-table.md` says it. `UPDATE_TABLE=1` writes it
//! anew.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/tool-server-table.md");
pub(crate) const SERVERS: [&str; 5] =
    ["gopls", "pyright", "typescript-language-server", "clangd", "rust-analyzer"];

/// Tools whose answer is no server's, or of which the server is all there is to tell.
pub(crate) const WITHOUT: &[&str] = &[
    "add_workspace_folder",
    "apply_edit",
    "commit_session",
    "create_simulation_session",
    "destroy_session",
    "detect_lsp_servers",
    "did_change_watched_files",
    "discard_session",
    "evaluate_session",
    "export_cache",
    "get_tests_for_file",
    "import_cache",
    "insert_after_symbol",
    "insert_before_symbol",
    "list_workspace_folders",
    "preview_edit",
    "remove_workspace_folder",
    "replace_in_files",
    "replace_symbol_body",
    "restart_lsp_server",
    "run_build",
    "run_tests",
    "safe_apply_edit",
    "safe_delete_symbol",
    "safe_edit",
    "set_log_level",
    "simulate_chain",
    "simulate_edit",
    "start_lsp",
    "undo_write",
];

const HEAD: &str = "\
# What each tool answers with each server

Written by `UPDATE_TABLE=1 cargo test -p bowline-tools --features real-servers --test real_servers`, and checked by every run \
of it: each cell was seen.

`=`: the answer is not empty, and its places, names and texts equal those of a raw query, which another client puts to another \
process of the same server, on the same files, in the same run. Anything else is why the cell is empty, or what the tool does \
instead: `not offered` names the capability that the server does not have, and the tool says so.

";

const TAIL: &str = "
With a raw query there is nothing to compare for tools that ask no server, that are about servers themselves, or that are about
drafts, whose verdicts [are compared with compilers](verdicts.md). Renames, fixes and layouts are also written, and every byte
is compared with what another client makes of the server's edit:
";

/// One run writes or reads it at a time.
static TABLE: Mutex<()> = Mutex::new(());

/// Tool by server.
type Cells = BTreeMap<String, BTreeMap<String, String>>;

/// Compares a column with the file, or writes it there.
pub(crate) fn settle(server: &str, column: &BTreeMap<&'static str, String>) {
    let _one = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    let written = std::fs::read_to_string(FILE).unwrap_or_default();
    let mut cells = read(&written);
    if std::env::var_os("UPDATE_TABLE").is_some() {
        for (tool, cell) in column {
            cells.entry((*tool).to_owned()).or_default().insert(server.to_owned(), cell.clone());
        }
        cells.retain(|tool, _| column.contains_key(tool.as_str()));
        return std::fs::write(FILE, text(&cells)).unwrap();
    }
    for (tool, cell) in column {
        let told = cells.get(*tool).and_then(|row| row.get(server));
        assert_eq!(told, Some(cell), "{tool} with {server}: the table is not what was seen (UPDATE_TABLE=1)");
    }
    assert_eq!(cells.len(), column.len(), "the table has rows for tools that there are not");
    assert_eq!(written, text(&cells), "the words around the table have changed (UPDATE_TABLE=1)");
}

fn read(text: &str) -> Cells {
    let mut cells = Cells::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let mut parts = line.trim_matches('|').split('|').map(str::trim);
        let tool = parts.next().unwrap_or_default().trim_matches('`').to_owned();
        cells.insert(
            tool,
            SERVERS.iter().map(|server| (*server).to_owned()).zip(parts.map(str::to_owned)).collect(),
        );
    }
    cells
}

fn text(cells: &Cells) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(&format!("| tool | {} |\n", SERVERS.join(" | ")));
    text.push_str(&format!("|---|{}\n", "---|".repeat(SERVERS.len())));
    for (tool, row) in cells {
        let of = |server: &&str| row.get(*server).cloned().unwrap_or_default();
        let row: Vec<String> = SERVERS.iter().map(of).collect();
        text.push_str(&format!("| `{tool}` | {} |\n", row.join(" | ")));
    }
    text.push_str(TAIL);
    let names: Vec<String> = WITHOUT.iter().map(|tool| format!("`{tool}`")).collect();
    text.push_str(&format!("{}.\n", names.join(", ")));
    text
}
