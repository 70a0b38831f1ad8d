//! Which runner is meant, and what of the project.

use super::*;

struct House {
    keep: tempfile::TempDir,
}

impl House {
    fn new(files: &[(&str, &str)]) -> Self {
        let keep = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = keep.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            bowline_std::fs::replace_private(&path, text.as_bytes()).unwrap();
        }
        Self { keep }
    }

    fn root(&self) -> PathBuf {
        self.keep.path().canonicalize().unwrap()
    }

    fn plan(
        &self,
        task: Task,
        dir: &str,
        path: Option<&str>,
        language: Option<&str>,
    ) -> Result<Plan, PlanError> {
        let root = self.root();
        let dir = root.join(dir).canonicalize().unwrap();
        let environment = [(OsString::from("PATH"), OsString::from("/bin"))];
        plan(&Request { task, dir: &dir, root: &root, path, language, environment: &environment })
    }

    /// The folder, from the root on, and the command; or what is wrong.
    fn said(&self, task: Task, dir: &str, path: Option<&str>, language: Option<&str>) -> String {
        let root = self.root();
        match self.plan(task, dir, path, language) {
            Ok(plan) => {
                format!("{}: {}", plan.dir().strip_prefix(&root).unwrap().display(), plan.command())
            }
            Err(error) => error.to_string().replace(root.to_str().unwrap(), ""),
        }
    }
}

#[test]
fn a_directory_a_file_or_a_test_of_a_go_module() {
    let house = House::new(&[("go.mod", "module m\n"), ("sub/a_test.go", "package sub\n"), ("-x/a.go", "")]);
    let test = |path| house.said(Task::Test, ".", path, None);
    assert_eq!(test(None), ": go test -json ./...");
    assert_eq!(test(Some("./...")), ": go test -json ./...");
    assert_eq!(test(Some("sub")), ": go test -json ./sub/...");
    assert_eq!(test(Some("sub/a_test.go")), ": go test -json ./sub");
    assert_eq!(test(Some("sub/a_test.go::TestA/b c")), ": go test -json '-run=^TestA$/^b_c$' ./sub");
    assert_eq!(test(Some("-x")), ": go test -json ./-x/...", "no option");
    assert_eq!(
        test(Some("--exec=x")),
        "no such file or directory: `/--exec=x`; a single test is written `file::test`"
    );
    assert_eq!(test(Some("../..")).split('`').nth(2), Some(" is outside "));
    assert_eq!(
        house.said(Task::Build, ".", Some("sub/a_test.go::TestA"), None),
        "a build does not know the test `TestA`; name a file or directory"
    );
    assert_eq!(house.said(Task::Build, "sub", None, None), ": go build -o /dev/null ./sub/...");
}

#[test]
fn a_workspace_of_go_modules() {
    let house = House::new(&[
        ("go.work", "go 1.22\n\nuse (\n\t./a // first\n\t\"./b\"\n)\nuse ./c\n"),
        ("a/go.mod", "module a\n"),
        ("b/go.mod", "module b\n"),
    ]);
    assert_eq!(house.said(Task::Build, ".", None, None), ": go build -o /dev/null ./a/... ./b/... ./c/...");
    assert_eq!(house.said(Task::Build, ".", Some("a"), None), "a: go build -o /dev/null ./...");
}

#[test]
fn languages_are_known_by_name_and_nothing_is_guessed() {
    let house = House::new(&[("docs/a.md", "")]);
    let said = house.said(Task::Build, ".", None, Some("cobol"));
    assert!(said.starts_with("unsupported language: `cobol`; there are go, "), "{said}");
    let said = house.said(Task::Test, "docs", None, Some("go"));
    assert_eq!(said, "nothing to test was found in `/docs` for go; looked for `go.mod`, `go.work`");
}
