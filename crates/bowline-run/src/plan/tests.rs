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

#[test]
fn several_languages_are_told_apart_by_path_or_language() {
    let house = House::new(&[
        ("go.mod", "module m\n"),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("Makefile", "test:\n\techo\n"),
        ("src/lib.rs", ""),
        ("a_test.go", "package m\n"),
    ]);
    assert_eq!(
        house.said(Task::Test, ".", None, None),
        "several projects could be meant: `.` (go: go.mod), `.` (rust: Cargo.toml); say which by `path` or `language`"
    );
    assert_eq!(house.said(Task::Test, ".", None, Some("go")), ": go test -json ./...");
    assert_eq!(
        house.said(Task::Test, ".", Some("src/lib.rs"), None),
        ": cargo test --message-format=json --no-fail-fast --lib"
    );
    assert_eq!(house.said(Task::Test, ".", None, Some("c")), ": make test", "asked for, a weak mark counts");
}

#[test]
fn projects_inside_are_found_where_there_is_none_around() {
    let one = House::new(&[("backend/go.mod", "module m\n"), ("node_modules/x/go.mod", "module x\n")]);
    assert_eq!(one.said(Task::Build, ".", None, None), "backend: go build -o /dev/null ./...");
    let two = House::new(&[("backend/go.mod", "module m\n"), ("web/tsconfig.json", "{}")]);
    assert_eq!(
        two.said(Task::Build, ".", None, None),
        "several projects could be meant: `backend` (go: go.mod), `web` (typescript: tsconfig.json); say which by `path` or \
         `language`"
    );
    assert_eq!(two.said(Task::Build, ".", Some("backend"), None), "backend: go build -o /dev/null ./...");
}

#[test]
fn members_of_a_cargo_workspace() {
    let house = House::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ("a/src/deep/mod.rs", ""),
        ("a/src/wide.rs", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n"),
        ("a/tests/it/main.rs", ""),
    ]);
    let test = |path| house.said(Task::Test, ".", path, None);
    assert_eq!(test(None), ": cargo test --message-format=json --workspace --no-fail-fast");
    assert_eq!(test(Some("a")), "a: cargo test --message-format=json --no-fail-fast");
    assert_eq!(
        test(Some("a/src/deep/mod.rs")),
        "a: cargo test --message-format=json --no-fail-fast -- deep::"
    );
    assert_eq!(
        test(Some("a/src/wide.rs::t")),
        "a: cargo test --message-format=json --no-fail-fast -- --exact wide::t wide::tests::t"
    );
    assert_eq!(
        test(Some("a/tests/it/main.rs::adds")),
        "a: cargo test --message-format=json --no-fail-fast --test=it -- adds"
    );
    assert_eq!(
        test(Some("a/src/deep/mod.rs::--nocapture")),
        "`a/src/deep/mod.rs::--nocapture` names no test after `::`"
    );
}

#[test]
fn python_by_its_own_environment_and_configuration() {
    let house = House::new(&[
        ("pyproject.toml", "[tool.pytest.ini_options]\n[tool.mypy]\nfiles = [\"src\"]\n"),
        (".venv/pyvenv.cfg", ""),
        (".venv/bin/python", ""),
        ("tests/test_a.py", "def test_a(): pass\n"),
    ]);
    let python = house.root().join(".venv/bin/python");
    let test = house.said(Task::Test, ".", Some("tests/test_a.py::test_a"), None);
    assert_eq!(
        test,
        format!(": {} -m pytest --tb=short -rfE --color=no ./tests/test_a.py::test_a", python.display())
    );
    let build = house.said(Task::Build, ".", None, None);
    assert!(
        build.ends_with("-m mypy --show-column-numbers --show-error-codes --no-pretty --no-color-output"),
        "{build}"
    );
    let plain = House::new(&[("requirements.txt", "requests\n"), ("tests/test_a.py", "import unittest\n")]);
    assert_eq!(
        plain.said(Task::Test, ".", None, None),
        ": python3 -m unittest discover -v -s ./tests",
        "its folder of tests is no package"
    );
    let tests = plain.said(Task::Test, "tests", None, None);
    assert_eq!(tests, ": python3 -m unittest discover -v -s ./tests", "and no project of its own");
}

#[test]
fn wrappers_count_only_inside_the_workspace() {
    let house = House::new(&[
        ("pom.xml", "<modules><module>core</module></modules>"),
        ("core/pom.xml", "<project/>"),
        ("core/src/test/java/a/BTest.java", ""),
        ("mvnw", ""),
    ]);
    let root = house.root();
    let said = house.said(Task::Test, ".", Some("core/src/test/java/a/BTest.java::adds"), None);
    assert_eq!(
        said,
        format!(
            "core: {}/mvnw -B -ntp -fae -Dstyle.color=never test -am -pl ./core '-Dtest=BTest#adds' \
             -Dsurefire.failIfNoSpecifiedTests=false",
            root.display()
        )
    );
    std::fs::remove_file(root.join("mvnw")).unwrap();
    std::os::unix::fs::symlink("/bin/sh", root.join("mvnw")).unwrap();
    assert!(house.said(Task::Build, ".", None, None).starts_with(": mvn -B "));
}

#[test]
fn the_recorded_ones() {
    let house = House::new(&[
        ("cs/a.sln", ""),
        ("cs/b.csproj", ""),
        ("swift/Package.swift", ""),
        ("zig/build.zig", ""),
        ("zig/src/a.zig", ""),
        ("ruby/Gemfile", ""),
        ("ruby/spec/a_spec.rb", ""),
        ("php/composer.json", "{}"),
        ("php/phpunit.xml", ""),
        ("php/vendor/bin/phpunit", ""),
        ("kotlin/build.gradle.kts", ""),
        ("kotlin/gradlew", ""),
    ]);
    let test = |dir| house.said(Task::Test, dir, None, None);
    assert_eq!(test("cs"), "cs: dotnet test ./a.sln --nologo");
    assert_eq!(test("swift"), "swift: swift test");
    assert_eq!(test("zig"), "zig: zig build test");
    assert_eq!(
        house.said(Task::Test, "zig", Some("src/a.zig::adds"), None),
        "zig: zig test ./src/a.zig --test-filter adds"
    );
    assert!(
        test("ruby").starts_with("ruby: bundle exec rspec --no-color --format progress --format json --out ")
    );
    assert!(test("php").ends_with("/php/vendor/bin/phpunit --colors=never"));
    assert!(test("kotlin").ends_with("/kotlin/gradlew --console=plain --continue test"));
    let php = house.said(Task::Build, "php", None, None);
    assert_eq!(php, "PHP has no build; name a file by `path` and its syntax is checked, or set up PHPStan");
}
