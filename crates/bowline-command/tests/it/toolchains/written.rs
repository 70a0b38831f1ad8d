//! What programs of a project write when they are told to is what was said of the command, with the installed program as
//! the judge. One that is not installed judges nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bowline_command::{Access, Pin, Surroundings};

/// All in a directory with `tests/test_a.py`, `a.test.js`, `a.json` and a Makefile. What they write lies in `out`.
const COMMANDS: &[&str] = &[
    "python3 -m pytest --junitxml=out/x",
    "python3 -m pytest --junit-x out/x tests",
    "python3 -m pytest --log-file out/x",
    "python3 -m pytest --basetemp=out/x tests/test_a.py",
    "python3 -m pytest --debug out/x",
    "python3 -m pytest -q --debug=out/x",
    "python3 -m json.tool a.json out/x",
    "python3 -m zipfile -c out/x.zip tests",
    "python3 -m tarfile --create out/x.tar tests",
    "python3 -m cProfile -o out/x a.py",
    "node --test --test-reporter=tap --test-reporter-destination=out/x a.test.js",
    "make -C out",
    "make -sC out all",
    "make -n copy",
    "make -j2 quiet",
    "cargo init -q --vcs none out/x",
    "gofmt -w out/a.go",
];

fn ground() -> tempfile::TempDir {
    let ground = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = ground.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("tests/test_a.py", "def test_a(tmp_path): (tmp_path / 'x').write_text('x')\n");
    write("a.py", "print(1)\n");
    write("a.json", "{}\n");
    write("a.test.js", "require('node:test').test('a', () => {})\n");
    write("Makefile", "quiet:\n\t@true\ncopy:\n\tcp a.py out/x\n");
    write("out/Makefile", "all:\n\ttouch x\n");
    write("a.go", "package a\n");
    write("out/a.go", "package   a\n");
    ground
}

/// Every file in `out`, with what is in it.
fn out(ground: &Path) -> BTreeSet<(PathBuf, Vec<u8>)> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![ground.join("out")];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
            } else {
                let content = std::fs::read(&path).unwrap_or_default();
                found.insert((path, content));
            }
        }
    }
    found
}

#[test]
fn what_is_written_was_said() {
    let mut wrote = 0;
    let mut missed = Vec::new();
    for text in COMMANDS {
        let ground = ground();
        let here = ground.path();
        let before = out(here);
        let status = Command::new("bash")
            .args(["-c", text])
            .current_dir(here)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let after = out(here);
        let surroundings = Surroundings { cwd: Some(here.into()), ..Surroundings::default() };
        let script = bowline_command::read(text, &surroundings);
        let is_said = |path: &Path| {
            // A recipe is trusted by its name; whatever else runs is spelt.
            let is_recipe = text.starts_with("make");
            let is_spelt = script.commands.iter().any(|command| command.pin == Some(Pin::Everything));
            let mut writes = script.touches.iter().filter(|touch| touch.access == Access::Write);
            is_recipe
                || is_spelt
                || writes.any(|touch| {
                    let mut at = touch.paths.iter();
                    at.any(|at| if touch.is_deep { path.starts_with(at) } else { path == at })
                })
        };
        for (path, _) in after.difference(&before) {
            wrote += 1;
            if !is_said(path) {
                missed.push(format!(
                    "`{text}` wrote `{}` ({status})",
                    path.strip_prefix(here).unwrap().display()
                ));
            }
        }
    }
    assert_eq!(missed, Vec::<String>::new());
    // make and cargo are always there.
    assert!(wrote > 3, "hardly anything was written: {wrote}");
}
