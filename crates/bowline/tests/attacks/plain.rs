//! Cases that are one call: commands, paths, names.

use serde_json::{Value, json};

use crate::house::{House, link};
use crate::{Case, Outcome};

const SHELL: &str = r#"[rules]
allow = ["Bash(git:*)", "Bash(echo:*)", "Bash(ls:*)", "Bash(cat:*)", "Bash(diff:*)", "Bash(head:*)", "Bash(grep:*)",
  "Bash(find:*)", "Bash(printf:*)", "Bash(sort:*)", "Bash(tar:*)", "Bash(sed:*)", "Bash(awk:*)", "Bash(env:*)",
  "Bash(xargs:*)", "Bash(true)", "Bash(make:*)"]
deny = ["Bash(evil:*)", "Edit(prot/**)"]
default = "ask"
"#;

pub(crate) fn shell(cases: &[Case]) -> Vec<(String, Outcome)> {
    let files = "//- /project/prot/settings.json\norig a\n//- /project/src.txt\nx\n//- /project/payload.sh\nevil\n//- /project/mk\nall:\n\tevil\n";
    let house = House::new(files, SHELL);
    let mut gate = house.gate();
    let with_cwd = |case: &Case| {
        let mut line = case.input.clone();
        line["cwd"] = json!(house.root());
        line
    };
    cases.iter().map(|case| (case.id.clone(), gate.ask(&with_cwd(case)).0)).collect()
}

/// What is not in `src` is denied here, so that a path is never merely asked about.
const PATHS: &str = r#"[rules]
allow = ["Edit(/src/**)"]
deny = ["Edit(//**/.git/**)", "Edit(//**/.claude/**)", "Edit(~/.ssh/**)", "Edit(//etc/**)"]
default = "deny"
"#;

pub(crate) fn paths(cases: &[Case]) -> Vec<(String, Outcome)> {
    let house = House::new(
        "//- /project/src/a.txt\nx\n//- /project/.git/HEAD\nref: refs/heads/main\n//- /home/x\n\n",
        PATHS,
    );
    let root = house.root();
    link("../.claude/settings.json", &root.join("src/link"));
    link("/etc", &root.join("src/d"));
    link("loop", &root.join("src/loop"));
    link("/etc/cron.d/x", &root.join("src/dangling"));
    let here = |value: &Value| -> Value {
        let text = value.to_string().replace("\"/proj", &format!("\"{}", root.display()));
        serde_json::from_str(&text).unwrap()
    };
    // A neighbour whose name begins alike is no part of it.
    let control = house.verdict(&json!({"tool": "Write", "args": {"file_path": root.join("src/new.txt")}}));
    assert_eq!(control.verdict, "allow", "what is meant to be written can be written: {control:?}");
    cases.iter().map(|case| (case.id.clone(), house.verdict(&here(&case.input)))).collect()
}

/// Everything is allowed, so that nothing but the gate's care for itself stands in the way.
const TRUSTING: &str = "[rules]\nallow = [\"Bash\", \"@write\", \"Edit(**)\"]\ndefault = \"allow\"\n";

pub(crate) fn self_protection(cases: &[Case]) -> Vec<(String, Outcome)> {
    let house = House::new(
        "//- /project/src/a.txt\nx\n//- /project/x\ny\n//- /project/.git/HEAD\nref: refs/heads/main\n",
        TRUSTING,
    );
    let root = house.root();
    let judged = |case: &Case| {
        let text = case.input.to_string().replace("\"/proj", &format!("\"{}", root.display()));
        let verdict = house.verdict(&serde_json::from_str(&text).unwrap());
        assert!(verdict.verdict != "refuse" || verdict.by == "protected", "{}: {verdict:?}", case.id);
        (case.id.clone(), verdict)
    };
    cases.iter().map(judged).collect()
}

pub(crate) fn identity(cases: &[Case]) -> Vec<(String, Outcome)> {
    let judged = |case: &Case| -> Outcome {
        let rules = |allow: &str, deny: &str| format!("[rules]\nallow = [{allow}]\ndeny = [{deny}]\n");
        let config = match case.id.as_str() {
            "t-case" | "t-monitor" | "t-nested-json" | "t-subagent" | "t-zwsp" | "t-homoglyph" | "t-powershell" => {
                rules("\"Bash\"", "\"Bash(evil:*)\"")
            }
            "t-mcp-split" => rules("\"mcp__lsp__*\", \"apply_edit\", \"mcp__evil__*\"", ""),
            "t-mcp-trailing" => rules("\"mcp__acme__*\"", ""),
            "t-mcp-name-vs-source" => rules("\"mcp__github__*\"", ""),
            "t-gemini-ambig" => rules("\"mcp__a__*\", \"a.*\"", ""),
            "t-opencode-ambig" => rules("\"git.*\", \"mcp__git__*\"", ""),
            "t-sanitise" => rules("\"mcp__test__demo_read\"", ""),
            "t-dotted" => rules("\"fs.read\"", "\"fs_write\""),
            "t-alias-dot" => rules("\"a.*\"", ""),
            "t-rugpull" => {
                "[[remembered]]\nallow = [\"mcp__x__add\"]\ntool = \"mcp__x__add\"\ndefinition = \"a1\"\nat = 2026-01-01T00:00:00Z\n".into()
            }
            "t-shadow" => rules("\"mcp__mail__send\"", ""),
            _ => rules("", ""),
        };
        let house = House::new("//- /project/a\nx\n", &config);
        match case.id.as_str() {
            "t-rugpull" => house.verdict(&json!({"tool": "mcp__x__add", "args": {}})),
            "t-shadow" => {
                let mail = house.verdict(&json!({"tool": "mcp__mail__send", "args": {}}));
                assert_eq!(mail.verdict, "allow");
                house.verdict(&json!({"tool": "mcp__evil__send", "args": {}}))
            }
            _ => house.verdict(&case.input),
        }
    };
    cases.iter().map(|case| (case.id.clone(), judged(case))).collect()
}
