//! How languages name their tests, and where they put them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Languages that name their tests alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Convention {
    Go,
    Python,
    Script,
    Rust,
    /// Java, Kotlin, Scala, C#, Swift: one class a file, the test named after it.
    Class,
    Ruby,
    Php,
    C,
}

impl Convention {
    pub(super) fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "go" => Self::Go,
            "py" | "pyi" => Self::Python,
            "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" => Self::Script,
            "rs" => Self::Rust,
            "java" | "kt" | "kts" | "scala" | "cs" | "swift" | "groovy" => Self::Class,
            "rb" => Self::Ruby,
            "php" => Self::Php,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" => Self::C,
            _ => return None,
        })
    }

    /// What a test's name has before and after the name of what it tests.
    fn affixes(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Go => &[("", "_test")],
            Self::Python => &[("test_", ""), ("", "_test")],
            Self::Script => &[("", ".test"), ("", ".spec"), ("", "-test"), ("", "_test")],
            Self::Rust => &[("", "_test"), ("", "_tests"), ("test_", "")],
            Self::Class => &[("", "Test"), ("", "Tests"), ("Test", ""), ("", "Spec"), ("", "IT")],
            Self::Ruby => &[("", "_spec"), ("", "_test"), ("test_", "")],
            Self::Php => &[("", "Test")],
            Self::C => &[("", "_test"), ("", "_tests"), ("", "_unittest"), ("test_", ""), ("", "Test")],
        }
    }

    /// The name of what a test of this name tests.
    fn tested(self, stem: &str) -> impl Iterator<Item = &str> {
        self.affixes().iter().filter_map(move |(before, after)| {
            stem.strip_prefix(before)?.strip_suffix(after).filter(|tested| !tested.is_empty())
        })
    }
}

/// Whether a file is a test by its name or place: what only tests use. Given by its path in the project: what the project
/// itself lies in says nothing.
pub fn is_test_file(path: &Path) -> bool {
    let (Some(convention), Some(stem)) =
        (Convention::of(path), path.file_stem().and_then(|stem| stem.to_str()))
    else {
        return false;
    };
    let inside = |names: &[&str]| {
        path.parent()
            .into_iter()
            .flat_map(Path::components)
            .any(|part| names.iter().any(|name| part.as_os_str() == *name))
    };
    let named = convention.tested(stem).next().is_some();
    named
        || match convention {
            // What is no test there by its name is not compiled with the tests either.
            Convention::Go => false,
            Convention::Rust => stem == "tests" || inside(&["tests"]),
            Convention::Script => inside(&["__tests__", "test", "tests", "e2e"]),
            Convention::Python => stem == "conftest" || inside(&["test", "tests"]),
            Convention::Ruby => inside(&["spec", "test"]),
            // `src/test/java`, and what others put beside.
            Convention::Class | Convention::Php | Convention::C => inside(&["test", "tests", "Tests"]),
        }
}

/// Those of the files that test the source.
pub(super) fn belongs(convention: Convention, source: &Path, files: &[PathBuf]) -> BTreeSet<PathBuf> {
    let stem = |path: &Path| path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let (name, directory) = (stem(source), source.parent());
    let by_name: BTreeSet<&PathBuf> = files
        .iter()
        .filter(|file| {
            let test = stem(file);
            let in_tests_folder =
                file.parent().and_then(Path::file_name).is_some_and(|name| name == "__tests__");
            convention.tested(&test).any(|tested| tested == name)
                || (convention == Convention::Script && in_tests_folder && test == name)
        })
        .collect();
    match convention {
        // A package's tests may use all of it.
        Convention::Go => {
            let beside = |file: &&PathBuf| file.parent() == directory;
            let own: BTreeSet<PathBuf> = by_name.into_iter().filter(beside).cloned().collect();
            if !own.is_empty() {
                return own;
            }
            files.iter().filter(|file| beside(file) && is_test_file(file)).cloned().collect()
        }
        Convention::Rust => {
            let module = match name.as_str() {
                "mod" | "lib" | "main" => directory.map(Path::to_owned),
                _ => Some(source.with_extension("")),
            };
            let own = module.map(|module| module.join("tests.rs"));
            let own = own.into_iter().filter(|own| files.contains(own));
            own.chain(near(source, by_name)).collect()
        }
        _ => near(source, by_name).into_iter().collect(),
    }
}

/// Those beside the source, in a directory above it, or in a directory of tests that branches off on the way. Where
/// some of the latter mirror the source's own directory, the others test its namesakes.
fn near(source: &Path, tests: BTreeSet<&PathBuf>) -> Vec<PathBuf> {
    let own = directories(source);
    let branches_to_tests = |test: &&PathBuf| {
        let theirs = directories(test);
        let shared = own.iter().zip(&theirs).take_while(|(left, right)| left == right).count();
        let branch = theirs.get(shared).map(|name| name.to_lowercase());
        branch.is_none_or(|name| name.contains("test") || name.contains("spec"))
    };
    let beside = |test: &PathBuf| test.parent() == source.parent();
    let mirrors = |test: &PathBuf| !beside(test) && directories(test).last() == own.last();
    let mut near: Vec<PathBuf> = tests.into_iter().filter(branches_to_tests).cloned().collect();
    if near.iter().any(mirrors) {
        near.retain(|test| beside(test) || mirrors(test));
    }
    near
}

fn directories(path: &Path) -> Vec<String> {
    let parts = path.parent().into_iter().flat_map(Path::components);
    parts
        .filter(|part| matches!(part, Component::Normal(_)))
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests of a source among files that are written with spaces between.
    fn of(source: &str, files: &str) -> String {
        let files: Vec<PathBuf> = files.split(' ').map(PathBuf::from).collect();
        let source = Path::new(source);
        let found = belongs(Convention::of(source).unwrap(), source, &files);
        found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn go_tests_are_in_the_package() {
        assert_eq!(of("/a/x.go", "/a/x_test.go /a/y_test.go /b/x_test.go"), "/a/x_test.go");
        assert_eq!(of("/a/z.go", "/a/x_test.go /a/y_test.go /b/x_test.go"), "/a/x_test.go /a/y_test.go");
    }

    #[test]
    fn tests_are_beside_or_in_a_directory_of_tests() {
        assert_eq!(
            of("/src/foo.ts", "/src/foo.test.ts /test/foo.spec.ts /other/foo.test.ts"),
            "/src/foo.test.ts /test/foo.spec.ts"
        );
        assert_eq!(
            of("/src/foo.ts", "/src/__tests__/foo.tsx /src/__tests__/bar.ts"),
            "/src/__tests__/foo.tsx"
        );
        assert_eq!(
            of("/p/a/src/util.py", "/p/a/tests/test_util.py /p/b/tests/test_util.py"),
            "/p/a/tests/test_util.py"
        );
        assert_eq!(
            of("/lib/shop/cart.rb", "/spec/shop/cart_spec.rb /test/test_cart.rb"),
            "/spec/shop/cart_spec.rb"
        );
    }

    #[test]
    fn a_mirrored_directory_wins() {
        assert_eq!(
            of("/src/shop/util.py", "/tests/shop/test_util.py /tests/bank/test_util.py"),
            "/tests/shop/test_util.py"
        );
        assert_eq!(
            of("/src/main/java/x/Foo.java", "/src/test/java/x/FooTest.java /src/test/java/y/FooTest.java"),
            "/src/test/java/x/FooTest.java"
        );
        assert_eq!(of("/App/Foo.cs", "/App.Tests/FooTests.cs"), "/App.Tests/FooTests.cs");
    }

    #[test]
    fn rust_modules_have_a_file_of_tests() {
        assert_eq!(of("/src/gate.rs", "/src/gate/tests.rs /src/tests.rs"), "/src/gate/tests.rs");
        assert_eq!(of("/src/lib.rs", "/src/gate/tests.rs /src/tests.rs"), "/src/tests.rs");
    }

    #[test]
    fn knows_a_test_by_its_name_and_place() {
        for path in
            ["/a_test.go", "/test_a.py", "/a.spec.tsx", "/tests/it/a.rs", "/src/a/tests.rs", "/ATest.php"]
        {
            assert!(is_test_file(Path::new(path)), "{path}");
        }
        for path in ["/a.go", "/latest.py", "/contest.ts", "/testing.rs", "/tests/data.txt"] {
            assert!(!is_test_file(Path::new(path)), "{path}");
        }
    }
}
