//! What single servers do differently, by the name they give themselves or that of their program. Each entry says what
//! was seen.

use std::time::Duration;

use crate::scope::Limiting;

/// How to treat a server.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Quirks {
    /// It says itself when it has nothing left to do, and is not ready before.
    pub(crate) says_quiescent: bool,
    /// It reports no progress while it looks for files, and answers from those that are open until it logs this.
    pub(crate) ready_when_it_logs: Option<&'static str>,
    /// After a file came or went it answers from a project that is only half put together, for about so long, and
    /// nothing says when it is done.
    pub(crate) rearranges_for: Duration,
    /// It loads the project under one progress token: when that ends, nothing follows.
    pub(crate) loads_in_one_task: bool,
    /// What it says, in the title of a task or at the end of one, when it cannot load the project. It then answers from
    /// what it has, without an error.
    pub(crate) cannot_load: Option<&'static str>,
    /// Until it says so, a second later, it only publishes these words about one of these files of the root.
    pub(crate) load_errors: Option<(&'static [&'static str], &'static str)>,
    /// The compiler runs when a file is saved, under a progress token that begins so; its findings are pushed, while
    /// those of the server itself are pulled.
    pub(crate) checks_on_save: Option<&'static str>,
    /// What it publishes about a document that was changed may still be what it made of the headers before, under the
    /// new version; what it makes of them now comes later, under the same. Opened anew, it is seen in the world as it is.
    pub(crate) needs_reopening: bool,
    /// Having said this about a draft, it has lost packages for good, also when the draft is gone: they come back when
    /// it is given its folders anew.
    pub(crate) loses_packages: &'static [&'static str],
    /// A document that was opened or changed counts for questions across files only once its diagnostics are published.
    pub(crate) settles_by_publishing: bool,
    /// Without one of these files it knows no file but those that were opened.
    pub(crate) index_needs: &'static [&'static str],
    /// A root whose own name begins with a dot or an underscore, or that lies in a `vendor` directory, is passed over like
    /// such directories below it: it knows the files that were opened and what they import.
    pub(crate) passes_over_roots: bool,
    /// Before it has read all files, the definition of something is where it is declared.
    pub(crate) leads_by_index: bool,
    /// It does not listen to what it is told of files that are not open.
    pub(crate) ignores_files: bool,
    /// It passes on requests to tsserver, which is the only way to be sure of its diagnostics: what it publishes
    /// carries no version, and comes in parts.
    pub(crate) asks_tsserver: bool,
    /// It looks for what a file imports on disk only: a file that is merely open is not there for others.
    pub(crate) reads_imports_from_disk: bool,
    /// What it infers for a hover it still believes when the text is put back that it infers it from, unless it was asked for
    /// the diagnostics of the document in between.
    pub(crate) believes_hovers: bool,
    /// It can be asked for the diagnostics of files that are not open, and opening one costs it more than the answer.
    pub(crate) diagnoses_closed_files: bool,
    /// Only if it is started with this flag do other files see a document that is open and not saved.
    pub(crate) shares_open_files_with: Option<&'static str>,
    /// It can be limited to a part of a project. Most scope themselves, or have no way to be told.
    pub(crate) limiting: Option<Limiting>,
}

impl Quirks {
    pub(crate) fn of(name: Option<&str>, program: &str) -> Self {
        match name.unwrap_or(program) {
            "rust-analyzer" => Self {
                says_quiescent: true,
                rearranges_for: Duration::from_secs(2),
                checks_on_save: Some("rust-analyzer/flycheck"),
                ..Self::default()
            },
            "gopls" => Self {
                loads_in_one_task: true,
                cannot_load: Some("Error loading"),
                load_errors: Some((&["go.mod", "go.work"], "packages.Load error")),
                // Packages that imported each other stay so (golang/go#46667).
                loses_packages: &["import cycle not allowed", "no package metadata"],
                diagnoses_closed_files: true,
                passes_over_roots: true,
                ..Self::default()
            },
            "clangd" => Self {
                loads_in_one_task: true,
                // A change is first compiled with what is left of the headers of before. `forceRebuild` is no way out:
                // what an earlier change still has compiled is published under the version of the later one.
                needs_reopening: true,
                settles_by_publishing: true,
                index_needs: &["compile_commands.json", "build/compile_commands.json"],
                leads_by_index: true,
                ignores_files: true,
                shares_open_files_with: Some("--use-dirty-headers"),
                ..Self::default()
            },
            "pyright-langserver" | "pyright" => Self {
                ready_when_it_logs: Some("source file"),
                believes_hovers: true,
                reads_imports_from_disk: true,
                limiting: Some(Limiting::Settings),
                ..Self::default()
            },
            "basedpyright-langserver" | "basedpyright" => Self {
                ready_when_it_logs: Some("source file"),
                believes_hovers: true,
                reads_imports_from_disk: true,
                ..Self::default()
            },
            "typescript-language-server" => Self {
                asks_tsserver: true,
                diagnoses_closed_files: true,
                reads_imports_from_disk: true,
                loads_in_one_task: true,
                limiting: Some(Limiting::Plugin),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}
