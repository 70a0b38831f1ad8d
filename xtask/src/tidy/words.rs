//! Words that must not be committed: unfinished code, paths of one machine, addresses of package registries.

use super::Finding;
use super::tree::{Tree, is_test, without_tests};

/// First folders of paths that exist on the writer's machine only. Tests may use them as examples.
const MACHINE: [&str; 3] = ["work", "root", "tmp"];

/// Parts of the names by which package registries and their mirrors are reached.
const REGISTRIES: [&str; 8] =
    ["registry", "mirror", "pypi", "pythonhosted", "npmjs", "crates.io", "golang", "maven"];

pub(crate) fn check_todo(tree: &Tree) -> Vec<Finding> {
    let unfinished = concat!("todo", "!");
    // In tests it stands in sample code, and clippy sees the real ones.
    let shipped =
        tree.rust().filter(|(path, _)| !is_test(path)).map(|(path, text)| (path, without_tests(text)));
    each_line(shipped, |line| {
        line.contains(unfinished)
            .then(|| format!("`{unfinished}` is not committed: finish it, or return an error that says so"))
    })
}

pub(crate) fn check_places(tree: &Tree) -> Vec<Finding> {
    let shipped =
        tree.all().filter(|(path, _)| !is_test(path)).map(|(path, text)| (path, without_tests(text)));
    let mut findings = each_line(shipped, |line| {
        machine_path(line)
            .map(|path| format!("`{path}` is a path of one machine: say it relative to something"))
    });
    findings.extend(each_line(tree.all(), |line| {
        registry(line)
            .then(|| "names a package registry: name the package, and leave the rest to the client".into())
    }));
    findings
}

fn each_line<'a>(
    files: impl Iterator<Item = (&'a str, &'a str)>,
    judge: impl Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    files
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(at, line)| (path, at, line)))
        .filter_map(|(path, at, line)| Some(Finding::new(path, at + 1, judge(line)?)))
        .collect()
}

fn machine_path(line: &str) -> Option<String> {
    MACHINE.iter().map(|name| format!("/{name}/")).find(|path| {
        line.match_indices(path.as_str()).any(|(at, _)| {
            // In the middle of a longer path it is somebody's own folder.
            let before = line[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || "._-~}*/".contains(c))
        })
    })
}

/// An address counts when it has a scheme, or two dots: one dot is how people name the thing itself.
fn registry(line: &str) -> bool {
    let mut rest = line;
    let mut scheme = false;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !".-".contains(c)).unwrap_or(rest.len());
        let word = rest[..end].trim_matches('.');
        let host =
            scheme || (word.matches('.').count() >= 2 && word.ends_with(|c: char| c.is_ascii_alphabetic()));
        if host && is_registry(word) {
            return true;
        }
        rest = &rest[end..];
        scheme = rest.starts_with("://");
        rest = if scheme {
            &rest[3..]
        } else {
            let mut letters = rest.chars();
            letters.next();
            letters.as_str()
        };
    }
    false
}

fn is_registry(host: &str) -> bool {
    let ending = host.rsplit('.').next().unwrap_or_default();
    matches!(ending, "org" | "io" | "com" | "net" | "dev" | "internal" | "local")
        && REGISTRIES.iter().any(|part| host.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_code_is_found() {
        let text = format!("//! A.\nfn a() {{ {}() }}\n", concat!("todo", "!"));
        let [finding] = &check_todo(&Tree::of(&[("a.rs", &text)]))[..] else { panic!() };
        assert_eq!(finding.line, 2);
    }

    #[test]
    fn paths_of_one_machine_are_found_outside_tests() {
        assert_eq!(machine_path("cd /work/main").as_deref(), Some("/work/"));
        assert_eq!(machine_path("\"/root/.cargo\"").as_deref(), Some("/root/"));
        for fine in ["target/work/x", "/workspace/x", "{dir}/tmp/x", "./tmp/x", "~/work/"] {
            assert_eq!(machine_path(fine), None, "{fine}");
        }
        let tree = Tree::of(&[
            ("a.rs", "//! A.\n#[cfg(test)]\nmod tests { const A: &str = \"/tmp/a\"; }\n"),
            ("crates/a/tests/it/b.rs", "//! B: /tmp/b\n"),
            ("docs/c.md", "cp /tmp/c .\n"),
        ]);
        let [finding] = &check_places(&tree)[..] else { panic!() };
        assert_eq!(finding.path, "docs/c.md");
    }

    #[test]
    fn addresses_of_registries_are_found_and_their_names_are_not() {
        // Put together here, or this file would be found.
        for (host, scheme) in [(["index", "crates.io"], ""), (["files", "pythonhosted.org"], "https://")] {
            assert!(registry(&format!("see {scheme}{}/x", host.join("."))), "{host:?}");
        }
        assert!(registry(&["https:", "", "pypi.org", "simple"].join("/")));
        for fine in [
            "it is on crates.io, and on the npm registry",
            "source = \"registry+https://github.com/rust-lang/crates.io-index\"",
            "registry.register(tool)",
            "self.registry.tools.get(name)",
            "https://docs.rs/registry/1.2.3",
        ] {
            assert!(!registry(fine), "{fine}");
        }
    }
}
