//! Repositories whose configuration names programs: none of them is run.

use std::process::Command;

use bowline_workspace::ChangeSet;

use super::{EIGHT, Repository, last_commit};

#[tokio::test]
async fn a_hostile_repository_runs_nothing() {
    let repository = Repository::new();
    let marker = repository.root.join("ran");
    let script = repository.root.join("evil.sh");
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat \"$@\" 2>/dev/null\n", marker.display());
    repository.write("evil.sh", &text);
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for name in ["filtered", "processed", "driven", "texted", "odd", "plain", "included"] {
        repository.write(name, EIGHT);
    }
    repository.commit();
    let evil = script.to_str().unwrap();
    repository.write(
        ".gitattributes",
        "filtered filter=f\nprocessed filter=p\ndriven diff=d\ntexted diff=t\nodd filter=a.b\nincluded filter=inc\n",
    );
    let included = repository.root.join(".git/more");
    std::fs::write(&included, format!("[filter \"inc\"]\n\tclean = {evil}\n\trequired = true\n")).unwrap();
    let hooks = repository.root.join(".git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    std::fs::copy(&script, hooks.join("post-index-change")).unwrap();
    for (key, value) in [
        ("core.fsmonitor", evil),
        ("core.pager", evil),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("core.sshCommand", evil),
        ("core.untrackedCache", "true"),
        ("diff.external", evil),
        ("diff.d.command", evil),
        ("diff.t.textconv", evil),
        ("diff.submodule", "diff"),
        ("diff.noprefix", "true"),
        ("diff.relative", "true"),
        ("diff.orderFile", "/dev/zero-no-such"),
        ("color.diff", "always"),
        ("filter.f.clean", evil),
        ("filter.f.smudge", evil),
        ("filter.f.required", "true"),
        ("filter.p.process", evil),
        ("filter.p.required", "true"),
        ("filter.a.b.clean", evil),
        ("include.path", included.to_str().unwrap()),
        ("pager.diff", evil),
        ("alias.diff", &format!("!{evil}")),
        ("alias.ls-files", &format!("!{evil}")),
    ] {
        repository.git(&["config", key, value]);
    }
    for name in ["filtered", "processed", "driven", "texted", "odd", "plain", "included"] {
        repository.write(name, "1\n2\n3\n4\n5\n6\n7\nlast\n");
    }
    let expected = "? .gitattributes all\nM driven 8-8\nM filtered 8-8\nM included 8-8\nM odd 8-8\nM plain 8-8\n\
                    M processed 8-8\nM texted 8-8";
    // Git itself runs some of it, so the trap is one.
    let _ = std::fs::remove_file(&marker);
    repository.git(&["diff", "-O/dev/null", "--no-ext-diff", "--", "filtered"]);
    assert!(marker.exists(), "the trap does not work");
    std::fs::remove_file(&marker).unwrap();

    assert_eq!(repository.seen(ChangeSet::Unstaged).await, expected);
    assert_eq!(repository.seen(ChangeSet::Staged).await, "");
    assert_eq!(repository.seen(last_commit()).await.lines().count(), 8);
    assert!(!marker.exists(), "{}", std::fs::read_to_string(&marker).unwrap());

    let config = repository.root.join(".git/config");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\n[filter \"x=y\"]\n\tclean = {evil}\n")).unwrap();
    assert_eq!(
        repository.seen(ChangeSet::Unstaged).await,
        "the repository's configuration has filters that cannot be switched off: x=y"
    );
    assert!(!marker.exists());
}

/// What a partial clone lacks is fetched on the way, by whatever program the remote names.
#[tokio::test]
async fn a_partial_clone_fetches_nothing() {
    let repository = Repository::new();
    repository.write("a", EIGHT);
    repository.commit();
    repository.write("a", "1\n");
    repository.commit();
    let marker = repository.root.join("ran");
    let evil = format!("touch {};false", marker.display());
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", "/nowhere"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", &evil),
        ("protocol.file.allow", "always"),
        ("protocol.allow", "always"),
    ] {
        repository.git(&["config", key, value]);
    }
    let hash =
        Command::new("git").args(["rev-parse", "HEAD~1:a"]).current_dir(&repository.root).output().unwrap();
    let hash = String::from_utf8(hash.stdout).unwrap();
    std::fs::remove_file(repository.root.join(".git/objects").join(&hash[..2]).join(hash[2..].trim()))
        .unwrap();
    let said = repository.seen(last_commit()).await;
    assert!(said.starts_with("`git` exited with code 128"), "{said}");
    assert!(!marker.exists());
}
