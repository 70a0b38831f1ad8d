//! Every mistake is found when the file is read, and says where it stands.

use std::path::Path;

use bowline_gate::KnownTools;

use crate::file::{ConfigFile, ProjectFile, UserFile};
use crate::{Environment, Flags, Settings};

const WHOLE: &str = r#"
use_profile = "careful"
[profile.careful]
policies = [
  { sequential_dependency = { run_tests = ["run_build"], Bash = ["mcp__ci__deploy", "x.y"] } },
  "read_before_write",
]
deadline_seconds = 1800
budget = { calls = 200, seconds = 3600, tokens = 500_000 }
completion = { all = ["plan", { any = [{ files_exist = ["CHANGELOG.md"] }, { command = "true", timeout_seconds = 5 }] }] }
[[profile.careful.feedback]]
static = "AGENTS.md is there: follow it."
on_file_created = "AGENTS.md"
[[profile.careful.feedback]]
deadline = { warning_threshold_seconds = 60 }
every_n_seconds = 0.5
every_n_calls = 3
[profile.late]
deadline = 2026-12-01T12:00:00+01:00
"#;

fn wrong(text: &str) -> String {
    UserFile::parse(Path::new("bowline.toml"), text).unwrap_err().to_string()
}

fn write(path: &Path, text: &str) {
    #![expect(clippy::disallowed_methods, reason = "a fixture")]
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn load(dir: &Path, profile: Option<&str>) -> Result<Settings, String> {
    let environment = Environment {
        current_dir: dir.join("project"),
        config_dir: Some(dir.join("config")),
        state_dir: Some(dir.join("state")),
        ..Environment::default()
    };
    let flags = Flags { profile: profile.map(str::to_owned), ..Flags::default() };
    Settings::load(&environment, flags).map_err(|error| error.to_string())
}

#[test]
fn everything_that_can_be_said_is_understood() {
    let mut file = UserFile::parse(Path::new("bowline.toml"), WHOLE).unwrap();
    let declared = file.take_profiles();
    assert_eq!(declared.choice.as_deref(), Some("careful"));
    assert_eq!(declared.names().collect::<Vec<_>>(), ["careful", "late"]);
    ProjectFile::parse(Path::new("bowline.toml"), WHOLE).unwrap();
}

#[test]
fn mistakes_point_at_their_place() {
    let in_profile = |line: &str| wrong(&format!("[profile.p]\n{line}\n"));
    let table = [
        ("policies = [\"read_before\"]", "2:13: `read_before` is not a policy"),
        ("policies = [{ sequential = {} }]", "2:15: `sequential` is not known here"),
        (
            "policies = [{ sequential_dependency = { deploy = [\"deploy\"] } }]",
            "2:41: `deploy` needs itself, and could never be called",
        ),
        (
            "policies = [{ sequential_dependency = { a = [\"b\"], b = [\"mcp__bowline__c\"], c = [\"a\"] } }]",
            "2:41: `a` could never be called: a needs b needs c needs a",
        ),
        ("completion = { all = [] }", "2:22: there is nothing to check: name at least one"),
        ("completion = \"done\"", "2:14: `done` is not a check"),
        ("completion = { files_exist = [\"../x\"] }", "2:31: `../x` must be relative to a root"),
        ("completion = { plan = 1 }", "2:16: `plan` is not known here"),
        ("completion = { command = \"x\", files_exist = [\"a\"] }", "2:14: expected one check"),
        ("completion = { files_exist = [\"a\"], timeout_seconds = 3 }", "2:55: `timeout_seconds` belongs to"),
        ("deadline = 2026-12-01T12:00:00", "2:12: a deadline needs date, time and offset"),
        ("deadline = \"tomorrow\"", "2:12: expected a moment such as"),
        ("deadline_seconds = 0", "2:20: expected a whole number from 1 on"),
        ("deadline_seconds = -1.5", "2:20: expected seconds: more than 0"),
        ("deadline_seconds = nan", "2:20: expected seconds: more than 0"),
        ("budget = {}", "2:10: this budget limits nothing"),
        ("budget = { calls = 0 }", "2:20: expected a whole number from 1 on"),
        ("feedback = [{ static = \"x\" }]", "2:13: feedback without a trigger would never be given"),
        ("feedback = [{ static = \"x\", every_n_calls = 0 }]", "2:45: expected a whole number from 1 on"),
        ("feedback = [{ static = \"x\", deadline = {}, every_n_calls = 1 }]", "2:13: feedback is either"),
        ("feedback = [{ static = \"x\", on_file_created = \"/etc/x\" }]", "2:47: `/etc/x` must be relative"),
        ("polices = []", "2:1: `polices` is not known here"),
    ];
    for (line, message) in table {
        let said = in_profile(line);
        assert!(said.starts_with(&format!("bowline.toml:{message}")), "{line}: {said}");
    }
    assert!(wrong("profile = \"p\"\n").starts_with("bowline.toml:1:11: `use_profile = \"p\"` chooses"));
    assert_eq!(
        wrong("use_profile = \"carefull\"\n[profile.careful]\n"),
        "bowline.toml:1:15: this file has no profile `carefull`; did you mean `careful`?"
    );
    assert!(wrong("[profile.\"a b\"]\n").starts_with("bowline.toml:1:10: `a b` is no name for a profile"));
    let deep = format!("[profile.p]\ncompletion = {}\"plan\"{}\n", "{ all = [".repeat(12), "] }".repeat(12));
    assert!(wrong(&deep).contains("nested at most 8 deep"), "{}", wrong(&deep));
}

#[test]
fn one_of_each_file_holds() {
    let dir = tempfile::tempdir().unwrap();
    write(
        &dir.path().join("config/bowline.toml"),
        "[profile.default]\ndeadline_seconds = 5\n[profile.quick]\n[profile.own]\n",
    );
    write(
        &dir.path().join("project/bowline.toml"),
        "use_profile = \"team\"\n[profile.team]\n[profile.quick]\n",
    );
    let names = |profile| load(dir.path(), profile).map(|settings| settings.profiles.names);
    assert_eq!(names(None).unwrap(), ["default", "team"]);
    assert_eq!(names(Some("quick")).unwrap(), ["quick", "quick"]);
    assert_eq!(names(Some("own")).unwrap(), ["own", "team"], "what a project wants holds all the same");
    assert_eq!(
        names(Some("quik")).unwrap_err(),
        "`--profile`: there is no profile `quik`; did you mean `quick`?"
    );
}

#[test]
fn a_project_runs_commands_only_where_the_user_trusts_it() {
    let dir = tempfile::tempdir().unwrap();
    write(
        &dir.path().join("project/bowline.toml"),
        "[profile.default]\ncompletion = { command = \"make evil\" }\n",
    );
    let settings = load(dir.path(), None).unwrap();
    let [warning] = settings.warnings.as_slice() else { panic!("one warning: {:?}", settings.warnings) };
    assert!(warning.contains("the commands of the profile `default` are not run"), "{warning}");
    assert_eq!(settings.profiles.profiles.time_of_commands(), std::time::Duration::ZERO);

    let real = dir.path().canonicalize().unwrap();
    let trusting = format!("trusted_projects = [\"{}\"]\n", real.display());
    write(&dir.path().join("config/bowline.toml"), &trusting);
    let settings = load(dir.path(), None).unwrap();
    assert_eq!(settings.warnings, [""; 0]);
    assert_eq!(settings.profiles.profiles.time_of_commands(), std::time::Duration::from_secs(300));
}

#[test]
fn a_tool_that_there_is_not_is_found_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("project/bowline.toml");
    let order = |tool: &str| {
        write(
            &file,
            &format!(
                "[profile.default]\npolicies = [{{ sequential_dependency = {{ Bash = [\"{tool}\"] }} }}]\n"
            ),
        );
        load(dir.path(), None)
            .unwrap()
            .profiles
            .check_tools(&KnownTools::new([]))
            .map_err(|error| error.to_string())
    };
    for good in ["Edit", "mcp__ci__deploy", "ci.deploy"] {
        assert_eq!(order(good), Ok(()), "{good}");
    }
    let said = order("apply_pach").unwrap_err();
    assert!(
        said.ends_with("bowline.toml:2:49: there is no tool `apply_pach`; did you mean `apply_patch`?"),
        "{said}"
    );
    assert!(order("mcp__bowline__nothing").is_err());
}
