//! The JSON form, and its mistakes.

use super::*;

fn layers(text: &str) -> Vec<Layer> {
    parse(Path::new("servers.json"), text).unwrap()
}

fn wrong(text: &str) -> String {
    parse(Path::new("servers.json"), text).unwrap_err().to_string()
}

#[test]
fn reads_the_form_that_others_write() {
    let text = r#"{"servers": [
        {"extensions": ["go"], "command": ["gopls", "-remote=auto"], "language_id": "go"},
        {"extensions": [".PY", "pyi"], "command": ["pylsp"], "language_id": null},
        {"extensions": ["cob"], "command": ["cobol-ls"], "language_id": ""}
    ]}"#;
    let layers = layers(text);
    let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
    assert_eq!(names, ["go", "python", "cob"]);
    assert_eq!(layers[0].options.command, ["gopls", "-remote=auto"]);
    assert_eq!(layers[1].options.extensions, [".PY", "pyi"]);
    assert_eq!(layers[2].origin.to_string(), "servers.json:4:9");
}

#[test]
fn takes_everything_that_can_be_set() {
    let text = r#"{"$schema": "x", "servers": [{"language_id": "go", "initialization_options": {"a": 1},
        "settings": {"b": [2]}, "env": {"C": "3"}, "root_markers": ["go.work"], "request_timeout_ms": 4,
        "memory_limit_mb": 5, "enabled": false}]}"#;
    let options = &layers(text)[0].options;
    assert_eq!(options.initialization_options, Some(serde_json::json!({"a": 1})));
    assert_eq!(options.settings, Some(serde_json::json!({"b": [2]})));
    assert_eq!(options.env["C"], "3");
    assert_eq!(options.root_markers, ["go.work"]);
    assert_eq!((options.limits.request_timeout_ms, options.limits.memory_limit_mb), (Some(4), Some(5)));
    assert_eq!(options.enabled, Some(false));
}

#[test]
fn every_mistake_is_pointed_at() {
    let cases = [
        ("", "1:1: this is not JSON: EOF while parsing a value"),
        ("{\"servers\": [}", "1:14: this is not JSON: expected value"),
        ("{\n  nonsense\n}", "2:3: this is not JSON: key must be a string"),
        (
            "[]",
            "1:1: this must be an object: `{\"servers\": [{\"extensions\": [\"go\"], \"command\": [\"gopls\"]}]}`",
        ),
        (
            "{}",
            "1:1: there is no `servers` in it; it looks like `{\"servers\": [{\"extensions\": [\"go\"], \"command\": [\"gopls\"]}]}`",
        ),
        ("{\"servers\": 3}", "1:13: this must be a list of servers"),
        ("{\"servers\": [],\n \"server\": []}", "2:2: `server` means nothing here; there is `servers` alone"),
        ("{\"servers\": [], \"servers\": []}", "1:17: `servers` is given twice"),
        (
            "{\"servers\": [\n  \"go:gopls\"\n]}",
            "2:3: this must be a server, as in `{\"extensions\": [\"go\"], \"command\": [\"gopls\"]}`",
        ),
        (
            "{\"servers\": [{\n  \"extension\": [\"go\"]}]}",
            "2:3: a server has no `extension`; did you mean `extensions`?",
        ),
        (
            "{\"servers\": [{\n  \"command\": \"gopls\"}]}",
            "2:14: `command` is wrong: invalid type: string \"gopls\", expected a sequence",
        ),
        (
            "{\"servers\": [{\"command\": [\"\"]}]}",
            "1:26: `command` is wrong: its first word must be a program",
        ),
        (
            "{\"servers\": [{\"extensions\": [\"*.go\"]}]}",
            "1:29: `extensions` is wrong: `*.go` is not an extension; one looks like `go`",
        ),
        ("{\"servers\": [{\"env\": {\"A=B\": \"\"}}]}", "1:22: `env` is wrong: `A=B` cannot be a variable"),
        (
            "{\"servers\": [{\"language_id\": \"a b\"}]}",
            "1:30: `language_id` is wrong: `a b` cannot be a server's name: that is a language, in letters, digits and `-_+#.`",
        ),
        (
            "{\"servers\": [{\"request_timeout_ms\": -1}]}",
            "1:37: `request_timeout_ms` is wrong: invalid value: integer `-1`, expected u64",
        ),
        ("{\"servers\": [{\"command\": [\"a\"], \"command\": [\"b\"]}]}", "1:33: `command` is given twice"),
        (
            "{\"servers\": [{\"command\": [\"gopls\"]}]}",
            "1:14: this server has neither `extensions` nor a `language_id`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(wrong(text), format!("servers.json:{expected}"), "{text}");
    }
}

#[test]
fn what_is_unlike_every_key_is_answered_with_all_of_them() {
    assert_eq!(
        wrong("{\"servers\": [{\"x\": 1}]}"),
        "servers.json:1:15: a server has no `x`; there are `command`, `extensions`, `language_id`, \
         `initialization_options`, `settings`, `env`, `root_markers`, `enabled`, `initialize_timeout_ms`, \
         `request_timeout_ms`, `references_timeout_ms`, `idle_timeout_ms`, `memory_limit_mb`"
    );
}

#[test]
fn too_many_servers_are_refused() {
    let text = format!("{{\"servers\": [{}]}}", vec!["{}"; MOST_SERVERS + 1].join(","));
    assert_eq!(wrong(&text), "servers.json:1:13: there are 257 servers; at most 256 are read");
}

#[test]
fn a_byte_order_mark_moves_nothing() {
    assert_eq!(wrong("\u{feff}{\"servers\": 3}"), wrong("{\"servers\": 3}"));
}
