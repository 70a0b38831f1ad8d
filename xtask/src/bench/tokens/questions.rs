//! The questions, what must be in an answer, and what is searched and opened for it without a language server.

use std::path::Path;

use anyhow::{Context, Result};

use super::reading::{Open, has_word};

pub(super) struct Question {
    /// By its name without the scope of npm.
    pub(super) repository: &'static str,
    pub(super) kind: Kind,
    /// The file that it is about, or that has the symbol.
    pub(super) file: &'static str,
    /// `Type.method`, or a name; empty if it is about a file.
    pub(super) symbol: &'static str,
    /// Where the symbol is written in the file: `@@` stands before its name.
    pub(super) at: &'static str,
    /// Whole words that must be in an answer; `|` stands between words of which one is enough.
    pub(super) expected: &'static [&'static str],
    /// Words that are searched for. For a whole file: the names that others use.
    pub(super) greps: &'static [&'static str],
    /// Files that are opened after the search.
    pub(super) opens: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Outline,
    /// The file is not known.
    Definition,
    Signature,
    Source,
    References,
    Callers,
    Explore,
    Impact,
    /// What one wants to know before an edit.
    Context,
}

impl Question {
    pub(super) fn title(&self) -> String {
        let (file, symbol) = (self.file.rsplit('/').next().unwrap_or(self.file), self.symbol);
        let asked = match self.kind {
            Kind::Outline => format!("what is in {file}"),
            Kind::Definition => format!("where is {symbol} defined"),
            Kind::Signature => format!("what is the signature of {symbol}"),
            Kind::Source => format!("what is the source of {symbol}"),
            Kind::References => format!("where is {symbol} used"),
            Kind::Callers => format!("who calls {symbol}, and where"),
            Kind::Explore => format!("all about {symbol}"),
            Kind::Impact => format!("what would a change to {file} reach"),
            Kind::Context => format!("what to know before editing {file}"),
        };
        format!("{}: {asked}", self.repository)
    }

    /// Which expected words are not in a text.
    pub(super) fn missing(&self, text: &str) -> Option<String> {
        let is_there = |words: &&&str| words.split('|').any(|word| has_word(text, word));
        let absent: Vec<&str> = self.expected.iter().filter(|words| !is_there(words)).copied().collect();
        (!absent.is_empty()).then(|| format!("not in the answer: {}", absent.join(", ")))
    }

    /// Line and column of the symbol, from one.
    pub(super) fn position(&self, root: &Path) -> Result<(usize, usize)> {
        let file = root.join(self.file);
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
        let (before, after) = self.at.split_once("@@").context("`@@` marks the place")?;
        let found = text.find(&format!("{before}{after}"));
        let found = found.with_context(|| format!("`{}` is not in `{}`", self.at, self.file))?;
        let until = &text[..found + before.len()];
        let line = until.rsplit('\n').next().unwrap_or_default();
        Ok((until.matches('\n').count() + 1, line.encode_utf16().count() + 1))
    }
}

pub(super) const QUESTIONS: [Question; 20] = [
    Question {
        repository: "flask",
        kind: Kind::Outline,
        file: "src/flask/app.py",
        symbol: "",
        at: "",
        expected: &["Flask", "open_resource", "url_for", "make_response", "wsgi_app"],
        greps: &[],
        opens: Open::These(&["src/flask/app.py"]),
    },
    Question {
        repository: "flask",
        kind: Kind::Callers,
        file: "src/flask/cli.py",
        symbol: "find_best_app",
        at: "def @@find_best_app(",
        expected: &["cli.py", "locate_app", "test_cli.py", "test_find_best_app"],
        greps: &["find_best_app"],
        opens: Open::Hits,
    },
    Question {
        repository: "flask",
        kind: Kind::Definition,
        file: "src/flask/debughelpers.py",
        symbol: "explain_template_loading_attempts",
        at: "",
        expected: &["debughelpers.py"],
        greps: &["explain_template_loading_attempts"],
        // The line that says it is among those that are found.
        opens: Open::Nothing,
    },
    Question {
        repository: "flask",
        kind: Kind::Impact,
        file: "src/flask/debughelpers.py",
        symbol: "",
        at: "",
        expected: &[
            "templating.py|_get_source_explained",
            "wrappers.py|_load_form_data",
            "app.py|raise_routing_exception",
            "test_basic.py|test_enctype_debug_helper",
        ],
        greps: &[
            "explain_template_loading_attempts",
            "attach_enctype_error_multidict",
            "FormDataRoutingRedirect",
            "DebugFilesKeyError",
            "UnexpectedUnicodeError",
        ],
        opens: Open::TheseAndHits(&["src/flask/debughelpers.py"]),
    },
    Question {
        repository: "fastapi",
        kind: Kind::Signature,
        file: "fastapi/routing.py",
        symbol: "APIRouter.add_api_route",
        at: "def @@add_api_route(",
        expected: &["response_model_exclude_defaults", "generate_unique_id_function"],
        greps: &["add_api_route"],
        opens: Open::These(&["fastapi/routing.py"]),
    },
    Question {
        repository: "fastapi",
        kind: Kind::Source,
        file: "fastapi/dependencies/utils.py",
        symbol: "solve_dependencies",
        at: "async def @@solve_dependencies(",
        expected: &["dependency_overrides_provider", "request_params_to_args", "SolvedDependency"],
        greps: &["solve_dependencies"],
        opens: Open::These(&["fastapi/dependencies/utils.py"]),
    },
    Question {
        repository: "fastapi",
        kind: Kind::Explore,
        file: "fastapi/dependencies/utils.py",
        symbol: "get_flat_dependant",
        at: "def @@get_flat_dependant(",
        expected: &["skip_repeats", "routing.py|APIRoute", "get_openapi_path"],
        greps: &["get_flat_dependant"],
        opens: Open::Hits,
    },
    Question {
        repository: "fastapi",
        kind: Kind::Context,
        file: "fastapi/encoders.py",
        symbol: "",
        at: "",
        expected: &[
            "jsonable_encoder",
            "decimal_encoder",
            "generate_encoders_by_class_tuples",
            "routing.py|serialize_response",
            "exception_handlers.py|request_validation_exception_handler",
        ],
        greps: &["jsonable_encoder", "decimal_encoder", "isoformat", "generate_encoders_by_class_tuples"],
        opens: Open::TheseAndHits(&["fastapi/encoders.py"]),
    },
    Question {
        repository: "zod",
        kind: Kind::Outline,
        file: "src/v4/core/api.ts",
        symbol: "",
        at: "",
        expected: &["_string", "_discriminatedUnion", "_stringFormat"],
        greps: &[],
        opens: Open::These(&["src/v4/core/api.ts"]),
    },
    Question {
        repository: "zod",
        kind: Kind::References,
        file: "src/v4/core/util.ts",
        symbol: "finalizeIssue",
        at: "function @@finalizeIssue(",
        expected: &["parse.ts", "schemas.ts"],
        greps: &["finalizeIssue"],
        opens: Open::Nothing,
    },
    Question {
        repository: "zod",
        kind: Kind::Definition,
        file: "src/v4/core/errors.ts",
        symbol: "treeifyError",
        at: "",
        expected: &["core/errors.ts"],
        greps: &["treeifyError"],
        opens: Open::Nothing,
    },
    Question {
        repository: "cobra",
        kind: Kind::Callers,
        file: "command.go",
        symbol: "Command.ParseFlags",
        at: ") @@ParseFlags(",
        expected: &["command.go", "Traverse", "execute", "completions.go", "getCompletions"],
        greps: &["ParseFlags"],
        opens: Open::Hits,
    },
    Question {
        repository: "cobra",
        kind: Kind::Impact,
        file: "flag_groups.go",
        symbol: "",
        at: "",
        expected: &["command.go|execute", "flag_groups_test.go|TestValidateFlagGroups"],
        greps: &[
            "MarkFlagsRequiredTogether",
            "MarkFlagsOneRequired",
            "MarkFlagsMutuallyExclusive",
            "ValidateFlagGroups",
        ],
        opens: Open::TheseAndHits(&["flag_groups.go"]),
    },
    Question {
        repository: "cobra",
        kind: Kind::Signature,
        file: "completions.go",
        symbol: "Command.RegisterFlagCompletionFunc",
        at: ") @@RegisterFlagCompletionFunc(",
        expected: &["flagName string", "CompletionFunc", "error"],
        greps: &["RegisterFlagCompletionFunc"],
        // It is on one line.
        opens: Open::Nothing,
    },
    Question {
        repository: "ripgrep",
        kind: Kind::Outline,
        file: "crates/core/flags/hiargs.rs",
        symbol: "",
        at: "",
        expected: &["HiArgs", "walk_builder", "BinaryDetection", "suggest_multiline"],
        greps: &[],
        opens: Open::These(&["crates/core/flags/hiargs.rs"]),
    },
    Question {
        repository: "ripgrep",
        kind: Kind::Source,
        file: "crates/core/flags/hiargs.rs",
        symbol: "HiArgs.walk_builder",
        at: "fn @@walk_builder(",
        expected: &["WalkBuilder::new", "max_filesize", "sort_by_file_name"],
        greps: &["walk_builder"],
        opens: Open::These(&["crates/core/flags/hiargs.rs"]),
    },
    Question {
        repository: "ripgrep",
        kind: Kind::Callers,
        file: "crates/core/flags/hiargs.rs",
        symbol: "HiArgs.walk_builder",
        at: "fn @@walk_builder(",
        expected: &["main.rs", "search", "search_parallel", "files", "files_parallel"],
        greps: &["walk_builder"],
        opens: Open::Hits,
    },
    Question {
        repository: "lua",
        kind: Kind::Outline,
        file: "src/lapi.c",
        symbol: "",
        at: "",
        expected: &["lua_checkstack", "lua_pushcclosure", "lua_setmetatable", "lua_upvaluejoin"],
        greps: &[],
        opens: Open::These(&["src/lapi.c"]),
    },
    Question {
        repository: "lua",
        kind: Kind::References,
        file: "src/ldo.c",
        symbol: "luaD_growstack",
        at: "int @@luaD_growstack ",
        expected: &["ldo.c", "lapi.c"],
        greps: &["luaD_growstack"],
        opens: Open::Nothing,
    },
    Question {
        repository: "lua",
        kind: Kind::Explore,
        file: "src/lgc.c",
        symbol: "luaC_newobj",
        at: "*@@luaC_newobj ",
        expected: &["luaM_newobject", "luaS_newudata|lstring.c", "luaF_newproto|lfunc.c"],
        greps: &["luaC_newobj"],
        opens: Open::Hits,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::repositories::Repository;

    #[test]
    fn every_question_is_about_a_known_repository_and_can_be_wrong() {
        for question in &QUESTIONS {
            Repository::chosen(&[question.repository]).unwrap();
            assert!(!question.expected.is_empty(), "{}", question.title());
        }
    }

    #[test]
    fn one_of_several_words_is_enough() {
        let question = Question { expected: &["a.py|first", "second"], ..QUESTIONS[0] };
        assert_eq!(question.missing("first, second"), None);
        assert_eq!(question.missing("a.py").as_deref(), Some("not in the answer: second"));
    }

    #[test]
    fn a_position_is_that_of_the_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.py"), "x = 1\n  def é(): pass\n").unwrap();
        let question = Question { file: "a.py", at: "def @@é(", ..QUESTIONS[0] };
        assert_eq!(question.position(folder.path()).unwrap(), (2, 7));
    }
}
