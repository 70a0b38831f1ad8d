//! Whose work a file is: what its head says, what the directories around it say, what the project says of it.
//!
//! Everything is read below a root and within bounds. What cannot be read leaves the answer open, and the gate refuses.

use std::io;
use std::path::{Path, PathBuf};

use bowline_gate::{Maker, generated_mark};
use bowline_std::fs::{ReadError, read_head, read_text};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// So much of a file is its head.
pub(super) const HEAD_BYTES: usize = 2048;
/// Longer lists of patterns are not read.
const LIST_BYTES: u64 = 1 << 20;
/// How a cache directory says what it is.
const CACHE_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
/// Names of directories that builds write to in one project and people in another: `.gitignore` tells.
const OUTPUTS: [&str; 7] = ["dist", "build", "out", "target", "_build", "coverage", "obj"];

/// `head` is the beginning of what stands at `real`, empty if nothing does.
pub(super) fn of(roots: &[PathBuf], real: &Path, head: Result<&[u8], &str>) -> Maker {
    let head = match head {
        Ok(head) => head,
        Err(why) => return Maker::Unknown(why.to_owned()),
    };
    if let Some(mark) = generated_mark(head) {
        return Maker::Program { how: format!("its head says `{mark}`") };
    }
    let innermost =
        roots.iter().filter(|root| real.starts_with(root)).max_by_key(|root| root.as_os_str().len());
    let Some(root) = innermost else {
        return Maker::Unknown("it lies outside the roots".into());
    };
    match said_around(root, real) {
        Ok(Some(how)) => Maker::Program { how },
        Ok(None) => Maker::Person,
        Err(why) => Maker::Unknown(why),
    }
}

fn said_around(root: &Path, real: &Path) -> Result<Option<String>, String> {
    let parents = || real.ancestors().skip(1).take_while(|dir| dir.starts_with(root));
    for dir in parents().filter(|dir| *dir != root) {
        if let Some(how) = said_by(root, dir)? {
            return Ok(Some(how));
        }
    }
    for dir in parents() {
        if let Some(generated) = attribute(dir, real)? {
            let how = format!("`{}` calls it linguist-generated", shown(root, &dir.join(".gitattributes")));
            return Ok(generated.then_some(how));
        }
    }
    Ok(None)
}

/// What a directory says of everything in it.
fn said_by(root: &Path, dir: &Path) -> Result<Option<String>, String> {
    let has = |name: &str| dir.join(name).symlink_metadata().is_ok();
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let tag = dir.join("CACHEDIR.TAG");
    let is_cache = match read_head(&tag, CACHE_SIGNATURE.len() as u64) {
        Ok(head) => head == CACHE_SIGNATURE,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(format!("cannot read `{}`: {error}", shown(root, &tag))),
    };
    let place = shown(root, dir);
    let how = if is_cache {
        format!("`{place}/CACHEDIR.TAG` calls it a cache")
    } else if has("pyvenv.cfg") {
        format!("`{place}` is a virtual environment of Python")
    } else if has(".cargo-checksum.json") {
        format!("`{place}` is a vendored crate, whose checksum cargo knows")
    } else if name == "vendor" && has("modules.txt") {
        format!("`go mod vendor` fills `{place}`")
    } else if name == "vendor" && has("autoload.php") {
        format!("Composer fills `{place}`")
    } else if OUTPUTS.contains(&&*name) && is_ignored(root, dir)? {
        format!("`{place}` is what a build leaves behind, and git ignores it")
    } else {
        return Ok(None);
    };
    Ok(Some(how))
}

/// Whether `.gitignore` files of the project name a directory: the nearest that speaks of it decides.
fn is_ignored(root: &Path, dir: &Path) -> Result<bool, String> {
    for above in dir.ancestors().skip(1).take_while(|above| above.starts_with(root)) {
        let Some(text) = list(&above.join(".gitignore"))? else { continue };
        match patterns(above, text.lines()).matched(dir, true) {
            Match::Ignore(_) => return Ok(true),
            Match::Whitelist(_) => return Ok(false),
            Match::None => {}
        }
    }
    Ok(false)
}

/// What `.gitattributes` in this directory says of the file, if it says anything: the last line that fits.
fn attribute(dir: &Path, file: &Path) -> Result<Option<bool>, String> {
    let Some(text) = list(&dir.join(".gitattributes"))? else { return Ok(None) };
    let mut said = text.lines().filter(|line| line.contains("linguist-generated")).filter_map(|line| {
        let mut words = line.split_whitespace();
        let pattern = words.next().filter(|word| !word.starts_with(['#', '!', '[']))?;
        let value = words.rev().find_map(|word| match word {
            "linguist-generated" | "linguist-generated=true" => Some(true),
            "-linguist-generated" | "linguist-generated=false" => Some(false),
            _ => None,
        })?;
        patterns(dir, [pattern.trim_matches('"')]).matched(file, false).is_ignore().then_some(value)
    });
    Ok(said.next_back())
}

fn patterns<'a>(dir: &Path, lines: impl IntoIterator<Item = &'a str>) -> Gitignore {
    let mut builder = GitignoreBuilder::new(dir);
    for line in lines {
        // A line that git does not understand says nothing to git either.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

fn list(path: &Path) -> Result<Option<String>, String> {
    match read_text(path, LIST_BYTES) {
        Ok((text, _)) => Ok(Some(text)),
        Err(ReadError::NotFound(_) | ReadError::NotAFile { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    use bowline_testkit::Fixture;

    fn maker(fixture: &Fixture, file: &str) -> String {
        let path = fixture.path(file);
        let head = read_head(&path, HEAD_BYTES as u64).unwrap_or_default();
        match of(&[fixture.path("")], &path, Ok(&head)) {
            Maker::Program { how } => how,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_stands_around_a_file_tells_who_makes_it() {
        let fixture = Fixture::new(
            "//- /.gitignore\n/dist\nbuild/\n//- /.gitattributes\n*.pb.go linguist-generated=true\nkept.pb.go -linguist-generated\n\
             src/snapshots/** linguist-generated\n//- /src/gen.go\n// Code generated by stringer. DO NOT EDIT.\npackage a\n\
             //- /src/a.go\npackage a\n//- /src/a.pb.go\npackage a\n//- /src/kept.pb.go\npackage a\n\
             //- /src/snapshots/b/c.txt\nx\n//- /dist/a.js\nx\n//- /web/.gitignore\n!build/\n//- /web/build/a.js\nx\n//- /lib/build/a.js\nx\n\
             //- /docs/dist/a.md\nx\n//- /target/CACHEDIR.TAG\nSignature: 8a477f597d28d172789f06886806bc55\n//- /target/a.rs\nx\n\
             //- /env/pyvenv.cfg\nhome = /usr\n//- /env/lib/a.py\nx\n//- /vendor/modules.txt\n#\n//- /vendor/x/a.go\npackage x\n\
             //- /php/vendor/autoload.php\n<?php\n//- /php/vendor/x.php\n<?php\n//- /own/vendor/x.go\npackage x\n\
             //- /crates/x/.cargo-checksum.json\n{}\n//- /crates/x/src/lib.rs\nx\n",
        );
        let told = |file| maker(&fixture, file);
        assert_eq!(told("src/gen.go"), "its head says `Code generated by stringer. DO NOT EDIT.`");
        assert_eq!(told("src/a.pb.go"), "`.gitattributes` calls it linguist-generated");
        assert_eq!(told("src/snapshots/b/c.txt"), "`.gitattributes` calls it linguist-generated");
        assert_eq!(told("dist/a.js"), "`dist` is what a build leaves behind, and git ignores it");
        assert_eq!(told("lib/build/new.js"), "`lib/build` is what a build leaves behind, and git ignores it");
        assert_eq!(told("target/a.rs"), "`target/CACHEDIR.TAG` calls it a cache");
        assert_eq!(told("env/lib/a.py"), "`env` is a virtual environment of Python");
        assert_eq!(told("vendor/x/a.go"), "`go mod vendor` fills `vendor`");
        assert_eq!(told("php/vendor/x.php"), "Composer fills `php/vendor`");
        assert_eq!(told("crates/x/src/lib.rs"), "`crates/x` is a vendored crate, whose checksum cargo knows");
        for by_hand in
            ["src/a.go", "src/kept.pb.go", "web/build/a.js", "docs/dist/a.md", "own/vendor/x.go", "new"]
        {
            assert_eq!(told(by_hand), "Person", "{by_hand}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_not_known() {
        let fixture = Fixture::new("//- /a.go\npackage a\n");
        let root = [fixture.path("")];
        let unknown = Maker::Unknown("no leave".into());
        assert_eq!(of(&root, &fixture.path("a.go"), Err("no leave")), unknown);
        assert!(matches!(of(&root, Path::new("/elsewhere"), Ok(b"")), Maker::Unknown(_)));
    }
}
