//! `[skills]` of both files: mistakes at their lines, the strictest of what is said, and which roots are left.

use std::os::unix::fs::symlink;

use bowline_gate::Mode;

use super::*;
use crate::file::{ConfigFile, ProjectFile, UserFile};

/// A user's home and a project, in a directory that goes away again.
struct House {
    _keep: tempfile::TempDir,
    home: PathBuf,
    project: PathBuf,
}

impl House {
    fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let real = keep.path().canonicalize().unwrap();
        let house = Self { _keep: keep, home: real.join("home"), project: real.join("project") };
        for dir in [&house.home, &house.project] {
            std::fs::create_dir(dir).unwrap();
        }
        house
    }

    fn directories(&self, names: &[&str]) {
        for name in names {
            std::fs::create_dir_all(self.home.parent().unwrap().join(name)).unwrap();
        }
    }

    fn compose(&self, user: &str, project: &str) -> Result<(SkillSettings, Vec<String>), String> {
        let user = UserFile::parse(Path::new("/user.toml"), user).map_err(|error| error.to_string())?;
        let file = self.project.join("bowline.toml");
        let project = ProjectFile::parse(&file, project)
            .map_err(|error| error.to_string().replace(file.to_str().unwrap(), "project.toml"))?;
        let environment = Environment {
            home: Some(self.home.clone()),
            config_dir: Some(self.home.join(".config/bowline")),
            ..Environment::default()
        };
        let mut warnings = Vec::new();
        let projects = [(self.project.as_path(), &project.skills)];
        let settings = compose(&environment, &user.skills, &projects, &mut warnings);
        Ok((settings, warnings.iter().map(|warning| self.short(warning)).collect()))
    }

    fn guidance(&self, user: &str, project: &str) -> Guidance {
        let lines = |text: &str| format!("[skills]\n{}", text.replace("; ", "\n"));
        self.compose(&lines(user), &lines(project)).unwrap().0.guidance
    }

    fn roots(&self, user: &str, project: &str) -> (Vec<String>, Vec<String>) {
        let (settings, warnings) = self.compose(user, project).unwrap();
        let shown = |(root, scope): &(PathBuf, Scope)| {
            format!("{scope:?} {}", self.short(&root.display().to_string()))
        };
        (settings.roots.iter().map(shown).collect(), warnings)
    }

    /// Without the directory that differs from run to run.
    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.home.parent().unwrap().display()), "")
    }
}

#[test]
fn without_a_word_nothing_is_enforced_and_reading_is_lenient() {
    let house = House::new();
    let (settings, warnings) = house.compose("", "").unwrap();
    assert_eq!(
        settings,
        SkillSettings {
            guidance: Guidance::default(),
            roots: Vec::new(),
            projects: vec![house.project.clone()],
            strict: false,
            max_bytes: 60_000,
            include_location: false,
        }
    );
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn the_user_says_how_skills_are_read() {
    let text = "[skills]\nstrict = true\nmax_bytes = 200000\ninclude_location = true\n";
    let (settings, _) = House::new().compose(text, "").unwrap();
    assert!(settings.strict && settings.include_location);
    assert_eq!(settings.max_bytes, 200_000);
}

#[test]
fn the_strictest_wins() {
    let house = House::new();
    let guidance = |user, project| house.guidance(user, project);
    assert_eq!(guidance("mode = 'block'", "mode = 'warn'").mode, Mode::Block);
    assert_eq!(guidance("mode = 'warn'", "mode = 'block'").mode, Mode::Block);
    assert_eq!(guidance("", "deactivate = 'ask'").deactivate, Decision::Ask);
    assert_eq!(guidance("deactivate = 'deny'", "deactivate = 'allow'").deactivate, Decision::Deny);
    // A fence is stricter than nothing, and nothing is stricter than a grant.
    let allowed = |user, project| house.guidance(user, project).allowed_tools;
    assert_eq!(allowed("allowed_tools = 'grant'", ""), AllowedToolsMode::Grant);
    assert_eq!(allowed("allowed_tools = 'grant'", "allowed_tools = 'ignore'"), AllowedToolsMode::Ignore);
    assert_eq!(allowed("allowed_tools = 'grant'", "allowed_tools = 'fence'"), AllowedToolsMode::Fence);
    assert_eq!(allowed("allowed_tools = 'fence'", "allowed_tools = 'ignore'"), AllowedToolsMode::Fence);
    let invalid = |user, project| house.guidance(user, project).invalid_allowlist;
    assert_eq!(invalid("invalid_allowlist = 'ignore'", ""), InvalidAllowlist::Ignore);
    assert_eq!(
        invalid("invalid_allowlist = 'ignore'", "invalid_allowlist = 'enforce'"),
        InvalidAllowlist::Enforce
    );
    assert_eq!(
        invalid("invalid_allowlist = 'error'", "invalid_allowlist = 'enforce'"),
        InvalidAllowlist::Error
    );
}

#[test]
fn a_project_cannot_loosen() {
    let house = House::new();
    let wrong = |text: &str| house.compose("", text).unwrap_err();
    assert_eq!(
        wrong("[skills]\nmode = 'warn'\nallowed_tools = 'grant'\n"),
        "project.toml:3:17: a project cannot grant anything: `allowed_tools` is `ignore` or `fence` here"
    );
    assert_eq!(
        wrong("[skills]\ninvalid_allowlist = 'ignore'\n"),
        "project.toml:2:21: a project cannot take a fence away: `invalid_allowlist` is `enforce` or `error` here"
    );
    for line in ["strict = true", "max_bytes = 5", "include_location = true"] {
        let said = wrong(&format!("[skills]\n{line}\n"));
        assert!(said.starts_with("project.toml:2:1: unknown field "), "{said}");
    }
}

#[test]
fn mistakes_are_pointed_at() {
    let house = House::new();
    let wrong = |text: &str| house.compose(text, "").unwrap_err();
    assert_eq!(
        wrong("[skills]\nmax_bytes = 0\n"),
        "/user.toml:2:13: `max_bytes` is 0; it can be from 1 to 200000"
    );
    assert!(wrong("[skills]\nmax_bytes = 200001\n").contains("`max_bytes` is 200001"));
    assert!(wrong("[skills]\nmax_bytes = -1\n").contains("`max_bytes` is -1"));
    assert!(wrong("[skills]\nmode = 'Warn'\n").starts_with("/user.toml:2:8: unknown variant `Warn`"));
    assert_eq!(
        wrong("[skills]\nroots = ['~/a', 'b']\n"),
        "/user.toml:2:17: `b` is not an absolute path, nor does it begin with `~/`"
    );
    let many = format!("[skills]\nroots = [{}]\n", "'~/a', ".repeat(65));
    assert!(wrong(&many).contains("there are 65 roots of skills; at most 64 are read"));
}

#[test]
fn a_projects_roots_are_in_the_project() {
    let house = House::new();
    house.directories(&["project/tools", "home/skills"]);
    symlink(house.home.join("skills"), house.project.join("tools/out")).unwrap();
    symlink("nowhere", house.project.join("tools/gone")).unwrap();
    let wrong = |root: &str| house.compose("", &format!("[skills]\nroots = ['{root}']\n")).unwrap_err();
    for root in ["/etc", "~/skills", "../home/skills", "tools/../../home", ""] {
        let said = wrong(root);
        assert!(said.starts_with("project.toml:2:10: ") && said.contains("must be relative"), "{said}");
    }
    assert!(wrong("tools/out").contains("`tools/out` leads out of the project, to "));
    assert!(wrong("tools/gone").contains("`tools/gone` cannot be followed: "));
    // What does not exist yet may lie behind a link, too.
    assert!(wrong("tools/out/new").contains("leads out of the project"));
}

#[test]
fn roots_that_exist_in_their_order() {
    let house = House::new();
    house.directories(&[
        "project/.bowline/skills",
        "project/.agents/skills",
        "project/tools/skills",
        "home/.config/bowline/skills",
        "home/.agents/skills",
        "home/mine",
    ]);
    let user = "[skills]\nroots = ['~/mine', '~/missing', '~/.agents/skills/']\n";
    let project = "[skills]\nroots = ['tools/skills', 'absent']\n";
    let (roots, warnings) = house.roots(user, project);
    assert_eq!(
        roots,
        [
            "Project project/.bowline/skills",
            "Project project/.agents/skills",
            "Project project/tools/skills",
            "User home/.config/bowline/skills",
            "User home/.agents/skills",
            "User home/mine",
        ]
    );
    assert_eq!(
        warnings,
        [
            "project/bowline.toml:2:26: there is no directory `absent` to read skills from",
            "/user.toml:2:20: there is no directory `~/missing` to read skills from",
        ]
    );
}

#[test]
fn a_project_has_no_skills_elsewhere() {
    let house = House::new();
    house.directories(&["project/.agents", "home/.agents/skills"]);
    symlink(house.home.join(".agents/skills"), house.project.join(".agents/skills")).unwrap();
    let (roots, warnings) = house.roots("", "");
    assert_eq!(roots, ["User home/.agents/skills"]);
    assert_eq!(
        warnings,
        [
            "no skills are read from `project/.agents/skills`: it leads out of the project, to `home/.agents/skills`"
        ]
    );
}
