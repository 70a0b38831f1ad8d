//! A repository below a root, which anyone may have put there: does it name programs that git would run?

use std::path::Path;

use bowline_std::fs::absolute;

use super::{real, shown, text};

/// Settings that name no program, by section and key. `*` is every key of a section.
const PLAIN: &[(&str, &str)] = &[
    (
        "core",
        "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol \
         safecrlf quotepath abbrev sharedrepository",
    ),
    ("remote", "url pushurl fetch push tagopt prune"),
    ("branch", "remote merge rebase pushremote description"),
    ("user", "name email"),
    ("submodule", "url active branch"),
    ("init", "defaultbranch"),
    ("pull", "rebase ff"),
    ("push", "default autosetupremote"),
    ("fetch", "prune"),
    ("extensions", "objectformat"),
    ("advice", "*"),
    ("color", "*"),
];

/// Why git runs programs in the repository whose files are in `top`.
pub(super) fn programs(top: &Path, root: &Path) -> Result<Option<String>, String> {
    let dot_git = top.join(".git");
    let directory = if dot_git.is_dir() {
        real(&dot_git)?
    } else {
        let place = text(&dot_git)?;
        let place =
            place.as_deref().and_then(|text| text.trim_end_matches(['\n', '\r']).strip_prefix("gitdir: "));
        let Some(place) = place else { return Ok(None) };
        real(&absolute(top, Path::new(place)))?
    };
    // Nothing but git writes there.
    if directory.starts_with(real(&root.join(".git"))?) {
        return Ok(None);
    }
    let name = shown(root, top);
    if directory.join("commondir").symlink_metadata().is_ok() {
        return Ok(Some(format!("the repository in `{name}` is a worktree of another one")));
    }
    if directory.join("config.worktree").symlink_metadata().is_ok() {
        return Ok(Some(format!("the repository in `{name}` has settings for this worktree")));
    }
    if let Some(setting) = text(&directory.join("config"))?.as_deref().and_then(loud) {
        return Ok(Some(format!("the repository in `{name}` is set up with `{setting}`")));
    }
    let hooks = match std::fs::read_dir(directory.join("hooks")) {
        Ok(hooks) => hooks,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    for hook in hooks {
        let hook = hook.map_err(|error| error.to_string())?.file_name();
        if !hook.as_encoded_bytes().ends_with(b".sample") {
            return Ok(Some(format!("the repository in `{name}` has the hook `{}`", hook.display())));
        }
    }
    Ok(None)
}

/// The first line that may name a program, or that cannot be understood.
fn loud(text: &str) -> Option<String> {
    let mut keys = "";
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if let Some(section) = line.strip_prefix('[') {
            let name =
                section.split([' ', '\t', '"', ']', '.']).next().unwrap_or_default().to_ascii_lowercase();
            let known = PLAIN.iter().find(|(section, _)| *section == name);
            let Some((_, known)) = known.filter(|_| section.ends_with(']') && !section.contains('\\')) else {
                return Some(line.to_owned());
            };
            keys = known;
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim().to_ascii_lowercase();
        let is_plain = keys == "*" || keys.split_ascii_whitespace().any(|plain| plain == key);
        // An address with `::` names a helper, and a backslash at the end carries the value on.
        if !is_plain || value.contains("::") || value.ends_with('\\') {
            return Some(line.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    fn of(fixture: &str) -> Result<Option<String>, String> {
        let fixture = Fixture::new(&format!("//- /.git/config\n[core]\n\tfsmonitor = ours\n{fixture}"));
        super::super::Look::new(&[fixture.path("")]).programs(&fixture.path("lib/src"))
    }

    #[test]
    fn a_clone_names_no_programs() {
        let plain = "//- /lib/.git/config\n[core]\n\tbare = false\n\tfilemode = true\n[remote \"origin\"]\n\turl = https://x/y.git\n\
                     \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\
                     //- /lib/.git/hooks/pre-commit.sample\n#!/bin/sh\n//- /lib/src/a\nx\n";
        assert_eq!(of(plain), Ok(None));
        assert_eq!(of("//- /lib/src/a\nx\n"), Ok(None), "the repository of the root is the user's own");
        let submodule = "//- /lib/.git\ngitdir: ../.git/modules/lib\n//- /.git/modules/lib/config\n[core]\n\tpager = x\n//- /lib/src/a\nx\n";
        assert_eq!(of(submodule), Ok(None), "only git writes below the root's own");
    }

    #[test]
    fn what_names_programs_is_told() {
        for (config, why) in [
            ("[core]\n\tfsmonitor = evil", "fsmonitor = evil"),
            ("[Core]\nfsMonitor = evil", "fsMonitor = evil"),
            ("[core] fsmonitor = evil", "[core] fsmonitor = evil"),
            ("[alias]\nx = !evil", "[alias]"),
            ("[include]\npath = x", "[include]"),
            ("[remote \"o\"]\nurl = ext::evil", "url = ext::evil"),
            ("[remote \"o\"]\nurl = a\\\nfsmonitor = evil", "url = a\\"),
            ("[core]\nfsmonitor", "fsmonitor"),
        ] {
            let fixture = format!("//- /lib/.git/config\n{config}\n//- /lib/src/a\nx\n");
            let expected = format!("the repository in `lib` is set up with `{why}`");
            assert_eq!(of(&fixture), Ok(Some(expected)), "{config}");
        }
        assert_eq!(
            of("//- /lib/.git/hooks/post-checkout\nx\n//- /lib/src/a\nx\n"),
            Ok(Some("the repository in `lib` has the hook `post-checkout`".to_owned()))
        );
        assert!(
            of("//- /lib/.git\ngitdir: ../meta\n//- /meta/hooks/x\nx\n//- /lib/src/a\nx\n")
                .unwrap()
                .is_some()
        );
    }
}
