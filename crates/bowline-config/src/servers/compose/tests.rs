//! Files and command lines in, servers and messages out.

use std::path::Path;

use bowline_lsp::known::KNOWN;
use bowline_lsp::{Reach, ServerSpec};
use insta::assert_snapshot;

use crate::{Environment, Flags, ServerFlags, Settings};

/// Files, and where things are: `config/bowline.toml` is the user's, `project` the root and the current directory.
struct Place(tempfile::TempDir);

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        #![expect(clippy::disallowed_methods, reason = "a fixture")]
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("project")).unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.replace("$DIR", real(dir.path()).to_str().unwrap())).unwrap();
        }
        Self(dir)
    }

    fn load(&self, servers: ServerFlags) -> Result<Settings, String> {
        self.load_roots(&["project"], servers)
    }

    fn load_roots(&self, roots: &[&str], servers: ServerFlags) -> Result<Settings, String> {
        let dir = real(self.0.path());
        let environment = Environment {
            current_dir: dir.join("project"),
            home: Some(dir.join("home")),
            config_dir: Some(dir.join("config")),
            state_dir: Some(dir.join("state")),
            child: vec![("LANG".into(), "C".into())],
            ..Environment::default()
        };
        let roots = roots.iter().map(|root| dir.join(root)).collect();
        Settings::load(&environment, Flags { roots, servers, ..Flags::default() })
            .map_err(|error| self.tidy(&error.to_string()))
    }

    /// Those that were asked for, what else is not as it is known, and how many are left.
    fn servers(&self, flags: ServerFlags) -> String {
        let settings = self.load(flags).unwrap();
        let known: Vec<ServerSpec> = ServerSpec::joined(KNOWN.iter().map(ServerSpec::from_known).collect());
        let (ordinary, special): (Vec<&ServerSpec>, Vec<&ServerSpec>) =
            settings.servers.iter().partition(|spec| known.contains(spec));
        let mut lines: Vec<String> = special.into_iter().map(line).collect();
        lines.push(match known.len() - ordinary.len() {
            0 => "and everything known".into(),
            _ if ordinary.is_empty() => "and nothing else".into(),
            fewer => format!("and everything known but {fewer}"),
        });
        self.tidy(&lines.join("\n"))
    }

    fn warnings(&self, flags: ServerFlags) -> String {
        self.tidy(&self.load(flags).unwrap().warnings.join("\n"))
    }

    fn tidy(&self, text: &str) -> String {
        text.replace(real(self.0.path()).to_str().unwrap(), "")
    }
}

fn real(path: &Path) -> std::path::PathBuf {
    path.canonicalize().unwrap()
}

fn line(spec: &ServerSpec) -> String {
    let Reach::Program { program, args } = &spec.reach else { panic!("{spec:?}") };
    let languages = spec.languages.iter().map(|language| format!("{}{:?}", language.id, language.extensions));
    let mut words = vec![languages.collect::<Vec<_>>().join(" "), "=".into(), program.clone()];
    words.extend(args.clone());
    words.extend((!spec.asked_for).then(|| "(known)".into()));
    words.extend(spec.settings.as_ref().map(|settings| format!("settings={settings}")));
    words.extend(spec.env.iter().map(|(name, value)| format!("{name}={value}")));
    if spec.limits.request.as_millis() != 30_000 {
        words.push(format!("request={:?}", spec.limits.request));
    }
    words.join(" ")
}

fn words(words: &[&str]) -> ServerFlags {
    ServerFlags { words: words.iter().map(ToString::to_string).collect(), ..ServerFlags::default() }
}

fn spec(spec: &str) -> ServerFlags {
    ServerFlags { specs: vec![spec.into()], ..ServerFlags::default() }
}

fn none() -> ServerFlags {
    ServerFlags::default()
}

#[test]
fn without_a_word_all_known_servers_are_there() {
    let place = Place::with(&[]);
    let settings = place.load(none()).unwrap();
    assert_eq!(
        settings.servers,
        ServerSpec::joined(KNOWN.iter().map(ServerSpec::from_known).collect::<Vec<_>>())
    );
    assert!(settings.warnings.is_empty());
    assert_eq!(settings.child_environment, [("LANG".into(), "C".into())]);
}

#[test]
fn servers_on_the_command_line_are_the_only_ones() {
    let place = Place::with(&[]);
    assert_snapshot!(place.servers(words(&["go:gopls", "python:pylsp,-v,--tcp"])), @r#"
    go["go"] = gopls
    python["py", "pyi", "pyw"] = pylsp -v --tcp
    and nothing else
    "#);
    // Everything after the program is the server's.
    assert_snapshot!(place.servers(words(&["go", "gopls", "-remote=auto", "a,b", ""])), @r#"
    go["go"] = gopls -remote=auto a,b 
    and nothing else
    "#);
}

#[test]
fn one_server_may_speak_two_languages() {
    let place = Place::with(&[]);
    assert_snapshot!(place.servers(words(&["c:clangd", "cpp:clangd"])), @r#"
    c["c", "h"] cpp["cpp", "cc", "cxx", "c++", "hpp", "hxx", "hh"] = clangd
    and nothing else
    "#);
}

#[test]
fn auto_puts_the_known_ones_behind() {
    let flags = ServerFlags { auto: true, ..spec("go:mygopls") };
    let place = Place::with(&[]);
    assert!(place.load(flags.clone()).unwrap().servers[0].asked_for);
    assert_snapshot!(place.servers(flags), @r#"
    go["go"] = mygopls
    and everything known but 1
    "#);
}

#[test]
fn languages_without_a_known_server_are_told_by_their_names() {
    let place = Place::with(&[]);
    // And `py` is what others call Python.
    let flags = words(&["cobol:cobol-ls", "py:pylsp", "Go:gopls"]);
    assert_snapshot!(place.servers(flags), @r#"
    cobol["cobol"] = cobol-ls
    python["py", "pyi", "pyw"] = pylsp
    go["go"] = gopls
    and nothing else
    "#);
}

#[test]
fn a_spec_may_be_in_either_form() {
    let place = Place::with(&[]);
    let flags = ServerFlags { specs: vec!["go:gopls,-v".into(), "c clangd --x=1,2".into()], ..none() };
    assert_snapshot!(place.servers(flags), @r#"
    go["go"] = gopls -v
    c["c", "h"] = clangd --x=1,2
    and nothing else
    "#);
}

#[test]
fn a_path_counts_from_where_it_is_written() {
    let place = Place::with(&[
        ("config/bowline.toml", "trusted_projects = [\"$DIR\"]\n[servers.go]\ncommand = [\"bin/gopls\"]\n"),
        ("project/bowline.toml", "[servers.python]\ncommand = [\"./venv/pylsp\"]\n"),
        ("json/servers.json", r#"{"servers": [{"language_id": "rust", "command": ["../ra"]}]}"#),
    ]);
    let flags = ServerFlags { merge_config: Some("../json/servers.json".into()), ..none() };
    assert_snapshot!(place.servers(flags), @r#"
    rust["rs"] = /project/../json/../ra
    go["go"] = /config/bin/gopls
    python["py", "pyi", "pyw"] = /project/venv/pylsp
    and everything known but 3
    "#);
    assert_snapshot!(place.servers(words(&["go:./gopls", "c:~/clangd", "rust:ra"])), @r#"
    go["go"] = /project/gopls
    c["c", "h"] = /home/clangd
    rust["rs"] = ra
    and nothing else
    "#);
}

#[test]
fn tables_still_count_for_servers_of_the_command_line() {
    let place = Place::with(&[(
        "config/bowline.toml",
        "[servers.go]\ncommand = [\"other\"]\nextensions = [\"go\", \"tmpl\"]\nsettings.gofumpt = true\n\
         enabled = false\n[servers.python]\ncommand = [\"pylsp\"]\n",
    )]);
    assert_snapshot!(place.servers(words(&["go:gopls"])), @r#"
    go["go", "tmpl"] = gopls settings={"gofumpt":true}
    and nothing else
    "#);
}

const JSON: &str = r#"{"servers": [
  {"extensions": ["foo"], "command": ["foo-ls"]},
  {"extensions": ["go"], "command": ["mygopls"]}
]}"#;

#[test]
fn config_is_all_and_merge_config_is_laid_over() {
    let place = Place::with(&[
        ("servers.json", JSON),
        ("config/bowline.toml", "[servers.go]\nrequest_timeout_ms = 7\n[servers.zig]\ncommand = [\"z\"]\n"),
    ]);
    let file = Some("../servers.json".into());
    assert_snapshot!(place.servers(ServerFlags { config: file.clone(), ..none() }), @r#"
    foo["foo"] = foo-ls
    go["go"] = mygopls request=7ms
    and nothing else
    "#);
    let merged = ServerFlags { merge_config: file.clone(), ..none() };
    assert_snapshot!(place.servers(merged.clone()), @r#"
    foo["foo"] = foo-ls
    go["go"] = mygopls request=7ms
    zig["zig"] = z
    and everything known but 2
    "#);
    let auto = ServerFlags { config: file, auto: true, ..none() };
    assert_eq!(place.servers(auto), place.servers(merged.clone()));
    // The command line is stronger than its file, and takes from it what it does not say itself.
    let both = ServerFlags { specs: vec!["foo:better".into()], ..merged };
    assert_snapshot!(place.servers(both), @r#"
    foo["foo"] = better
    go["go"] = mygopls request=7ms
    zig["zig"] = z
    and everything known but 2
    "#);
}

#[test]
fn the_users_table_is_over_the_projects_and_both_over_what_is_known() {
    let place = Place::with(&[
        (
            "config/bowline.toml",
            "trusted_projects = [\"$DIR\"]\n[servers.go]\nrequest_timeout_ms = 1\n[servers.rust]\nenabled = false\n",
        ),
        (
            "project/bowline.toml",
            "[servers.go]\nrequest_timeout_ms = 2\nextensions = [\"go\", \"tmpl\"]\n[servers.rust]\nenabled = true\n\
             [servers.zig]\nenabled = false\n[servers.lua]\nenabled = true\n",
        ),
    ]);
    // Whoever sets a limit has not asked for a server; whoever enables it has.
    assert_snapshot!(place.servers(none()), @r#"
    lua["lua"] = lua-language-server
    go["go", "tmpl"] = gopls (known) request=1ms
    and everything known but 4
    "#);
    assert_eq!(place.warnings(none()), "");
}

#[test]
fn servers_of_a_file_are_in_its_order() {
    let text = "[servers.zeta]\ncommand = [\"z\"]\nextensions = [\"z\"]\n[servers.alpha]\ncommand = [\"a\"]\n\
                extensions = [\"a\"]\nlanguage_id = \"alpha1\"\nsettings.since = 2024-05-06\n";
    let place = Place::with(&[("config/bowline.toml", text)]);
    assert_snapshot!(place.servers(none()), @r#"
    zeta["z"] = z
    alpha1["a"] = a settings={"since":"2024-05-06"}
    and everything known
    "#);
}

/// A project that would like to run things.
const GREEDY: &str = "[servers.go]\ncommand = [\"./evil\"]\nenv = { PATH = \"x\" }\nrequest_timeout_ms = 3\n\
    [servers.rust]\ninitialization_options = { a = 1 }\nsettings = { b = 2 }\n\
    [servers.foo]\ncommand = [\"evil\"]\nextensions = [\"foo\"]\n\
    [servers.bar]\ncommand = [\"evil\"]\nlanguage_id = \"go\"\n\
    [servers.lua]\nroot_markers = [\"x\"]\n";

#[test]
fn a_project_that_is_merely_cloned_runs_nothing() {
    let place = Place::with(&[("project/bowline.toml", GREEDY)]);
    assert_snapshot!(place.servers(none()), @r#"
    lua["lua"] = lua-language-server (known)
    and everything known but 1
    "#);
    assert_snapshot!(place.warnings(none()), @r#"
    /project/bowline.toml:1:10: `command`, `limits`, `env` of the server `go` ignored: it could run programs or make files look clean, and the project is not trusted; if you trust it, put the line `trusted_projects = ["/project"]` at the top of `/config/bowline.toml`
    /project/bowline.toml:5:10: `initialization_options`, `settings` of the server `rust` ignored: it could run programs or make files look clean, and the project is not trusted; if you trust it, put the line `trusted_projects = ["/project"]` at the top of `/config/bowline.toml`
    /project/bowline.toml:8:10: `command`, `extensions` of the server `foo` ignored: it could run programs or make files look clean, and the project is not trusted; if you trust it, put the line `trusted_projects = ["/project"]` at the top of `/config/bowline.toml`
    /project/bowline.toml:11:10: `command`, `language_id` of the server `bar` ignored: it could run programs or make files look clean, and the project is not trusted; if you trust it, put the line `trusted_projects = ["/project"]` at the top of `/config/bowline.toml`
    "#);
}

#[test]
fn a_trusted_project_is_followed() {
    for trusted in ["$DIR", "$DIR/project", "/nowhere\", \"$DIR/project/", "/"] {
        let user = format!("trusted_projects = [\"{trusted}\"]\n");
        let place = Place::with(&[("project/bowline.toml", GREEDY), ("config/bowline.toml", &user)]);
        assert_eq!(
            place.warnings(none()),
            "/project/bowline.toml:11:10: `evil` is never asked: servers before it speak all its files"
        );
        insta::allow_duplicates! {
        assert_snapshot!(place.servers(none()), @r#"
        go["go"] = /project/evil PATH=x request=3ms
        foo["foo"] go["go"] = evil
        lua["lua"] = lua-language-server (known)
        rust["rs"] = rust-analyzer (known) settings={"b":2}
        and everything known but 3
        "#);
        }
    }
}

#[test]
fn a_directory_beside_or_below_is_not_the_one_that_is_trusted() {
    for trusted in ["$DIR/pro", "$DIR/project/sub", "$DIR/other", "~/project", "/nowhere"] {
        let user = format!("trusted_projects = [\"{trusted}\"]\n");
        let files = [
            ("project/bowline.toml", GREEDY),
            ("config/bowline.toml", &user),
            ("pro/x", ""),
            ("other/x", ""),
            ("project/sub/x", ""),
            ("home/project/x", ""),
        ];
        assert_eq!(Place::with(&files).warnings(none()).lines().count(), 4, "{trusted}");
    }
}

#[test]
fn each_root_is_trusted_by_itself_and_the_first_knows_best() {
    let table = |n: u8| format!("[servers.go]\ncommand = [\"./{n}\"]\nrequest_timeout_ms = {n}\n");
    let place = Place::with(&[
        ("config/bowline.toml", "trusted_projects = [\"$DIR/other\"]\n"),
        ("project/bowline.toml", &table(1)),
        ("other/bowline.toml", &table(2)),
    ]);
    let settings = place.load_roots(&["project", "other"], none()).unwrap();
    assert_eq!(settings.warnings.len(), 1, "{:?}", settings.warnings);
    assert_eq!(place.tidy(&line(&settings.servers[0])), "go[\"go\"] = /other/2 request=2ms");
}

#[test]
fn a_list_of_trust_is_continued() {
    let user = "trusted_projects = [\"/nowhere\"]\n";
    let project = "[servers.go]\ncommand = [\"x\"]\n";
    let place = Place::with(&[("config/bowline.toml", user), ("project/bowline.toml", project)]);
    assert_snapshot!(place.warnings(none()), @r#"/project/bowline.toml:1:10: `command` of the server `go` ignored: it could run programs or make files look clean, and the project is not trusted; if you trust it, add `"/project"` to `trusted_projects` in `/config/bowline.toml`"#);
}

#[test]
fn a_home_is_written_with_a_tilde() {
    let place = Place::with(&[
        (
            "config/bowline.toml",
            "trusted_projects = [\"~/../project\"]\n[servers.c]\ncommand = [\"~/clangd\"]\n",
        ),
        ("project/bowline.toml", "[servers.go]\ncommand = [\"x\"]\n"),
        ("home/x", ""),
    ]);
    assert_snapshot!(place.servers(none()), @r#"
    c["c", "h"] = /home/clangd
    go["go"] = x
    cpp["cpp", "cc", "cxx", "c++", "hpp", "hxx", "hh"] = clangd --use-dirty-headers --limit-references=0 --rename-file-limit=0 (known)
    and everything known but 2
    "#);
    assert_eq!(place.warnings(none()), "");
}

#[test]
fn probable_mistakes_are_said() {
    let place = Place::with(&[]);
    assert_snapshot!(place.warnings(words(&["pyhton:pylsp", "go:gopls", "go:other"])), @r"
    `pyhton:pylsp`: `pyhton` is not a language that bowline knows, so its files are `*.pyhton`; did you mean `python`?
    `go:other`: `other` is never asked: servers before it speak all its files
    ");
    assert_eq!(place.warnings(words(&["r:r-ls", "c:clangd", "cobol:x"])), "");
}

#[test]
fn mistakes_on_the_command_line_are_named() {
    let place = Place::with(&[("servers.json", JSON)]);
    let wrong = |flags| place.load(flags).unwrap_err();
    let file = || Some("../servers.json".into());
    let cases = [
        (words(&["go:"]), "`go:`: a program must follow the colon, as in `go:gopls`"),
        (words(&["rust:,x"]), "`rust:,x`: a program must follow the colon, as in `rust:rust-analyzer`"),
        (words(&[":gopls"]), "`:gopls`: a language must stand before the colon, as in `go:gopls`"),
        (
            words(&["a/b:c"]),
            "`a/b:c`: `a/b` cannot be a server's name: that is a language, in letters, digits and `-_+#.`",
        ),
        (
            words(&["go:gopls", "python"]),
            "`python`: a server is named by language and program, as in `python:pyright-langserver`",
        ),
        (
            words(&["python:pylsp", "--stdio"]),
            "`--stdio`: not an option of bowline; what a server is given follows its program after commas, as in \
             `python:pyright-langserver,--stdio`",
        ),
        (words(&["zig"]), "`zig`: a program must follow the language, as in `zig zls`"),
        (spec(""), "``: a server is named by language and program, as in `go:gopls`"),
        (spec("gopls"), "`gopls`: a server is named by language and program, as in `go:gopls`"),
        (
            ServerFlags { config: file(), merge_config: file(), ..none() },
            "`--config` and `--merge-config` exclude each other: one uses the servers of its file alone, the other \
             lays its file over the known ones",
        ),
        (
            ServerFlags { config: file(), ..words(&["go:gopls"]) },
            "`go:gopls` cannot be given with `--config`, which uses the servers of its file alone; add it to the \
             file, or use `--merge-config`",
        ),
        (ServerFlags { config: Some("none.json".into()), ..none() }, "no such file: `/project/none.json`"),
        (ServerFlags { config: Some(".".into()), ..none() }, "`/project/.` is a directory, not a file"),
    ];
    for (flags, expected) in cases {
        assert_eq!(wrong(flags), expected);
    }
}

#[test]
fn mistakes_in_tables_are_pointed_at() {
    let cases = [
        (
            "[servers.cobol]\nextensions = [\"cob\"]\n",
            "1:10: the server `cobol` has no command, and `cobol` is not a language that bowline knows a server for",
        ),
        (
            "\n[servers.cobol]\ncommand = [\"c\"]\n",
            "2:10: the server `cobol` has no extensions, and `cobol` is not a language that bowline knows the files of",
        ),
        ("[servers.go]\ncomand = [\"c\"]\n", "2:1: a server has no `comand`; did you mean `command`?"),
        (
            "[servers]\ngo.command = \"gopls\"\n",
            "2:14: `command` is wrong: invalid type: string \"gopls\", expected a sequence",
        ),
        (
            "[servers.go]\nidle_timeout_ms = \"1\"\n",
            "2:19: `idle_timeout_ms` is wrong: invalid type: string \"1\", expected u64",
        ),
        (
            "[servers.\"a\\nb\"]\n",
            "1:10: `a\\nb` cannot be a server's name: that is a language, in letters, digits and `-_+#.`",
        ),
        ("[servers]\ngo = \"gopls\"\n", "2:6: invalid type: string \"gopls\", expected a map"),
        (
            "trusted_projects = [\"/a\", \"b\"]\n",
            "1:20: `b` is not an absolute path, nor does it begin with `~/`",
        ),
    ];
    for (text, expected) in cases {
        let place = Place::with(&[("config/bowline.toml", text)]);
        assert_eq!(place.load(none()).unwrap_err(), format!("/config/bowline.toml:{expected}"), "{text}");
    }
    let place = Place::with(&[("project/bowline.toml", "trusted_projects = [\"/\"]\n")]);
    assert!(
        place
            .load(none())
            .unwrap_err()
            .starts_with("/project/bowline.toml:1:1: unknown field `trusted_projects`")
    );
}

#[test]
fn a_huge_file_is_not_read() {
    let place = Place::with(&[("servers.json", &" ".repeat((1 << 20) + 1))]);
    let flags = ServerFlags { config: Some("../servers.json".into()), ..none() };
    assert_eq!(
        place.load(flags).unwrap_err(),
        "`/project/../servers.json` has 1048577 bytes; files above 1048576 bytes are not read"
    );
}
