//! The questions, what we are asked for each, and what must be read without us.

use super::reading::Open;

pub(super) struct Asked {
    /// By its name.
    pub(super) repository: &'static str,
    pub(super) question: &'static str,
    /// Tools with their arguments; `{root}` is where the repository is.
    pub(super) calls: &'static [(&'static str, &'static str)],
    /// What must be in the answer to the last call.
    pub(super) expected: &'static [&'static str],
    /// Words that are searched for.
    pub(super) greps: &'static [&'static str],
    /// Files that are opened.
    pub(super) opens: Open,
    /// A folder that is listed.
    pub(super) lists: Option<&'static str>,
}

pub(super) const ASKED: [Asked; 10] = [
    Asked {
        repository: "bowline",
        question: "what is in query/impact.rs",
        calls: &[(
            "list_symbols",
            r#"{"file_path": "{root}/crates/bowline-workspace/src/query/impact.rs", "format": "outline"}"#,
        )],
        expected: &["impact", "symbols_of", "MOST_SYMBOLS"],
        greps: &[],
        opens: Open::These(&["crates/bowline-workspace/src/query/impact.rs"]),
        lists: None,
    },
    Asked {
        repository: "bowline",
        question: "who calls read_bounded",
        calls: &[
            ("go_to_symbol", r#"{"symbol_path": "read_bounded"}"#),
            (
                "callers",
                r#"{"file_path": "{root}/crates/bowline-std/src/fs.rs", "symbol_path": "read_bounded"}"#,
            ),
        ],
        expected: &["reference_store.rs", "facts.rs", "table.rs", "world.rs"],
        greps: &["read_bounded"],
        opens: Open::Hits,
        lists: None,
    },
    Asked {
        repository: "bowline",
        question: "what would a change to bowline-std's clock.rs reach",
        calls: &[("blast_radius", r#"{"changed_files": ["{root}/crates/bowline-std/src/clock.rs"]}"#)],
        expected: &["index.rs", "workspace.rs", "refresh.rs", "keep.rs", "audit.rs", "facts.rs"],
        greps: &["Clock", "SystemClock", "HeldClock", "rfc3339"],
        opens: Open::TheseAndHits(&["crates/bowline-std/src/clock.rs"]),
        lists: None,
    },
    Asked {
        repository: "gopls",
        question: "where is NarrowestPackageForFile defined",
        calls: &[("go_to_symbol", r#"{"symbol_path": "NarrowestPackageForFile"}"#)],
        expected: &["internal/golang/snapshot.go"],
        greps: &["NarrowestPackageForFile"],
        // The line that says it is among those that are found.
        opens: Open::Nothing,
        lists: None,
    },
    Asked {
        repository: "gopls",
        question: "who calls RemoveIntermediateTestVariants",
        calls: &[
            ("go_to_symbol", r#"{"symbol_path": "RemoveIntermediateTestVariants"}"#),
            (
                "callers",
                r#"{"file_path": "{root}/internal/cache/metadata/metadata.go", "symbol_path": "RemoveIntermediateTestVariants"}"#,
            ),
        ],
        expected: &["MetadataForFile", "implementationsMsets", "findLinkname", "collectSymbols"],
        greps: &["RemoveIntermediateTestVariants"],
        opens: Open::Hits,
        lists: None,
    },
    Asked {
        repository: "gopls",
        question: "which tests belong to safetoken.go",
        calls: &[("get_tests_for_file", r#"{"file_path": "{root}/internal/util/safetoken/safetoken.go"}"#)],
        expected: &["safetoken_test.go"],
        greps: &[],
        opens: Open::Nothing,
        lists: Some("internal/util/safetoken"),
    },
    Asked {
        repository: "mcp",
        question: "what is the signature of create_mcp_http_client",
        calls: &[
            ("go_to_symbol", r#"{"symbol_path": "create_mcp_http_client"}"#),
            (
                "inspect_symbol",
                r#"{"file_path": "{root}/mcp/shared/_httpx_utils.py", "symbol_path": "create_mcp_http_client"}"#,
            ),
        ],
        expected: &["create_mcp_http_client", "headers", "timeout", "auth"],
        greps: &["create_mcp_http_client"],
        opens: Open::These(&["mcp/shared/_httpx_utils.py"]),
        lists: None,
    },
    Asked {
        repository: "mcp",
        question: "all about check_resource_allowed",
        calls: &[
            ("go_to_symbol", r#"{"symbol_path": "check_resource_allowed"}"#),
            (
                "explore_symbol",
                r#"{"file_path": "{root}/mcp/shared/auth_utils.py", "symbol_path": "check_resource_allowed"}"#,
            ),
        ],
        expected: &["configured_resource", "oauth2.py"],
        greps: &["check_resource_allowed"],
        opens: Open::Hits,
        lists: None,
    },
    Asked {
        repository: "mcp",
        question: "what would a change to auth_utils.py reach",
        calls: &[("blast_radius", r#"{"changed_files": ["{root}/mcp/shared/auth_utils.py"]}"#)],
        expected: &[
            "resource_url_from_server_url",
            "calculate_token_expiry",
            "oauth2.py",
            "identity_assertion.py",
        ],
        greps: &["resource_url_from_server_url", "check_resource_allowed", "calculate_token_expiry"],
        opens: Open::TheseAndHits(&["mcp/shared/auth_utils.py"]),
        lists: None,
    },
    Asked {
        repository: "typescript",
        question: "what are the signatures of createProgram",
        calls: &[(
            "inspect_symbol",
            r#"{"file_path": "{root}/lib/typescript.d.ts", "position_pattern": "function @@createProgram(createProgramOptions"}"#,
        )],
        expected: &["createProgram", "CreateProgramOptions"],
        greps: &["createProgram"],
        // Each is on one line.
        opens: Open::Nothing,
        lists: None,
    },
];
