//! What git says has changed, in repositories of every odd kind, and what a hostile one cannot make it do.

mod hostile;
mod since;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use bowline_workspace::{
    ChangeSet, ChangeStatus, Changes, LineRange, Options, ServerOptions, Since, Workspace, WorkspaceError,
};

use super::patient;

const EIGHT: &str = "1\n2\n3\n4\n5\n6\n7\n8\n";

struct Repository {
    keep: tempfile::TempDir,
    root: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Repository {
    fn new() -> Self {
        let repository = Self::without_git();
        repository.git(&["init", "-q", "-b", "main", "."]);
        repository
    }

    fn without_git() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let home = keep.path().canonicalize().unwrap();
        let root = home.join("repo");
        std::fs::create_dir(&root).unwrap();
        let environment = [
            ("PATH", std::env::var_os("PATH").unwrap()),
            ("HOME", home.into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ];
        let environment = environment.map(|(name, value)| (name.into(), value)).into();
        Self { keep, root, environment }
    }

    fn git(&self, arguments: &[&str]) {
        self.git_in(&self.root, arguments);
    }

    fn git_in(&self, dir: &Path, arguments: &[&str]) {
        let said = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e@x", "-c", "protocol.file.allow=always"])
            .args(arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(dir)
            .output()
            .unwrap();
        let code = said.status.code();
        // A merge that conflicts is what a test wants.
        assert!(code == Some(0) || arguments.contains(&"merge"), "{arguments:?}: {said:?}");
    }

    fn write(&self, name: impl AsRef<OsStr>, text: &str) {
        let path = self.root.join(Path::new(name.as_ref()));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "message"]);
    }

    async fn ask(&self, root: &str, what: ChangeSet) -> Result<Changes, WorkspaceError> {
        self.ask_at(&self.root.join(root), what).await
    }

    /// A workspace of this very directory.
    async fn ask_at(&self, root: &Path, what: ChangeSet) -> Result<Changes, WorkspaceError> {
        let servers = ServerOptions { specs: vec![], environment: self.environment.clone() };
        let workspace = Workspace::new(Options::default(), vec![root.to_owned()], None).unwrap();
        workspace.with_servers(servers).changed_files(root, what, &patient()).await
    }

    async fn seen(&self, what: ChangeSet) -> String {
        self.seen_in("", what).await
    }

    async fn seen_in(&self, root: &str, what: ChangeSet) -> String {
        match self.ask(root, what).await {
            Ok(changes) => self.shown(&changes),
            Err(error) => self.relative(&error.to_string()),
        }
    }

    async fn committed(&self, range: &str) -> String {
        self.seen(ChangeSet::Committed { range: Some(range.into()) }).await
    }

    fn relative(&self, text: &str) -> String {
        text.replace(&self.root.display().to_string(), "")
    }

    fn shown(&self, changes: &Changes) -> String {
        let show = |path: &Path| {
            path.strip_prefix(&self.root).unwrap().as_os_str().as_bytes().escape_ascii().to_string()
        };
        let mut lines: Vec<String> = Vec::new();
        for change in &changes.changes {
            let status = match &change.status {
                ChangeStatus::Added => "A".to_owned(),
                ChangeStatus::Modified => "M".to_owned(),
                ChangeStatus::Deleted => "D".to_owned(),
                ChangeStatus::Untracked => "?".to_owned(),
                ChangeStatus::Renamed { from } => format!("R {} ->", show(from)),
            };
            let ranges = change.lines.iter().map(|range| match *range {
                LineRange::WHOLE => " all".to_owned(),
                LineRange { first, last } => format!(" {first}-{last}"),
            });
            let since = match change.since {
                Since::Known => "",
                Since::Lost => " (lost)",
                Since::Gone => " (gone)",
            };
            lines.push(format!("{status} {}{}{since}", show(&change.path), ranges.collect::<String>()));
        }
        assert_eq!(changes.total, changes.changes.len());
        assert!(!changes.whole);
        if (changes.outside, changes.submodules) != (0, 0) {
            lines.push(format!("outside {} submodules {}", changes.outside, changes.submodules));
        }
        lines.join("\n")
    }
}

fn last_commit() -> ChangeSet {
    ChangeSet::Committed { range: None }
}

#[tokio::test]
async fn the_working_tree_against_what_is_staged() {
    let repository = Repository::new();
    for name in ["changed", "gone", "same", "staged", "shorter"] {
        repository.write(name, EIGHT);
    }
    repository.write(".gitignore", "ignored\n");
    repository.commit();
    repository.write("staged", "now\n");
    repository.git(&["add", "staged"]);
    repository.write("changed", "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n");
    repository.write("shorter", "1\n2\n3\n6\n7\n");
    repository.write("new", "x\n");
    repository.write("ignored", "x\n");
    repository.write("intended", "x\n");
    repository.git(&["add", "-N", "intended"]);
    std::fs::remove_file(repository.root.join("gone")).unwrap();
    assert_eq!(
        repository.seen(ChangeSet::Unstaged).await,
        "M changed 2-2 9-10\nD gone\nA intended all\n? new all\nM shorter 4-3 6-5"
    );
    assert_eq!(repository.seen(ChangeSet::Staged).await, "M staged 1-1");
}

#[tokio::test]
async fn names_are_taken_byte_for_byte() {
    let repository = Repository::new();
    let names: [&[u8]; 8] = [
        b"a b",
        b"\"quoted\"",
        b"new\nline",
        b"caf\xe9",
        "größe".as_bytes(),
        b"-dash",
        b":(glob)*",
        b"x\x01\x07\t\r\x7f\\",
    ];
    for name in names {
        repository.write(OsStr::from_bytes(name), EIGHT);
    }
    let untracked = repository.ask("", ChangeSet::Unstaged).await.unwrap();
    assert_eq!(untracked.total, names.len());
    repository.commit();
    for name in names {
        repository.write(OsStr::from_bytes(name), "1\n2\n3\nX\n5\n6\n7\n8\n");
    }
    let expected = "M \\\"quoted\\\" 4-4\nM -dash 4-4\nM :(glob)* 4-4\nM a b 4-4\nM caf\\xe9 4-4\n\
                    M gr\\xc3\\xb6\\xc3\\x9fe 4-4\nM new\\nline 4-4\nM x\\x01\\x07\\t\\r\\x7f\\\\ 4-4";
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, expected);
    repository.commit();
    assert_eq!(repository.seen(last_commit()).await, expected);
}

#[tokio::test]
async fn what_is_staged_also_before_the_first_commit() {
    let repository = Repository::new();
    assert_eq!(repository.seen(ChangeSet::Staged).await, "");
    repository.write("a", EIGHT);
    repository.write("b", EIGHT);
    repository.git(&["add", "a"]);
    assert_eq!(repository.seen(ChangeSet::Staged).await, "A a all");
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "? b all");
    assert_eq!(
        repository.seen(last_commit()).await,
        "the repository of `` has no commit yet; ask for what is staged"
    );
    assert_eq!(repository.committed("HEAD").await, "there is no commit `HEAD` in this repository");
    repository.commit();
    repository.git(&["mv", "a", "moved"]);
    repository.write("moved", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    repository.git(&["add", "-A"]);
    // Both are copies of one text, so it is the one that went which was renamed.
    assert_eq!(repository.seen(ChangeSet::Staged).await, "R a -> moved 9-9");
    repository.git(&["rm", "-q", "--cached", "b"]);
    assert_eq!(repository.seen(ChangeSet::Staged).await, "D b\nR a -> moved 9-9");
}

#[tokio::test]
async fn commits_and_ranges() {
    for format in ["sha1", "sha256"] {
        let repository = Repository::without_git();
        repository.git(&["init", "-q", "-b", "main", "--object-format", format, "."]);
        repository.write("a", EIGHT);
        repository.commit();
        assert_eq!(repository.seen(last_commit()).await, "A a all", "{format}: against nothing");
        repository.write("a", "0\n1\n2\n3\n4\n5\n6\n7\n8\n");
        repository.commit();
        assert_eq!(repository.seen(last_commit()).await, "M a 1-1");
    }
    let repository = Repository::new();
    for number in 1..=3 {
        repository.write(format!("f{number}"), EIGHT);
        repository.commit();
    }
    repository.git(&["branch", "side", "HEAD~1"]);
    repository.git(&["checkout", "-q", "side"]);
    repository.write("side", EIGHT);
    repository.commit();
    repository.git(&["tag", "-a", "-m", "x", "v1.0", "main"]);
    assert_eq!(repository.committed("main~2..main").await, "A f2 all\nA f3 (gone)", "not on this branch");
    assert_eq!(repository.committed("main~2").await, "A f2 all\nA side all");
    assert_eq!(repository.committed("main...side").await, "A side all");
    // The two are alike, so git sees one that moved.
    assert_eq!(repository.committed("v1.0..side").await, "R f3 -> side");
    for unknown in ["none..HEAD", "HEAD..none", "HEAD:f1", "HEAD^{tree}", "@{u}", "v9", "..", "--all", "a b"]
    {
        let said = repository.committed(unknown).await;
        assert!(said.contains("no commit `") || said.contains("no range of commits"), "{unknown}: {said}");
    }
    repository.git(&["checkout", "-q", "--orphan", "other"]);
    repository.commit();
    assert_eq!(repository.committed("main...other").await, "`main` and `other` have no commit in common");
}

#[tokio::test]
async fn a_shallow_clone_does_not_pass_for_a_first_commit() {
    let repository = Repository::new();
    for number in 1..=2 {
        repository.write(format!("f{number}"), EIGHT);
        repository.commit();
    }
    let clone = repository.keep.path().canonicalize().unwrap().join("clone");
    let from = format!("file://{}", repository.root.display());
    repository.git(&["clone", "-q", "--depth", "1", &from, clone.to_str().unwrap()]);
    let said = repository.ask_at(&clone, last_commit()).await.unwrap_err().to_string();
    assert!(said.starts_with("the clone is shallow"), "{said}");
}

#[tokio::test]
async fn only_what_is_under_the_root_is_listed() {
    let repository = Repository::new();
    for (name, text) in [
        ("in/a", "a\nb\nc\nd\n"),
        ("in/leaves", EIGHT),
        ("out/b", "e\nf\ng\nh\n"),
        ("out/comes", "i\nj\nk\n"),
    ] {
        repository.write(name, text);
    }
    repository.commit();
    repository.write("in/a", "a\nb\nc\nD\n");
    repository.write("out/b", "E\nf\ng\nh\n");
    repository.write("out/untracked", "x\n");
    repository.write("in/untracked", "x\n");
    assert_eq!(
        repository.seen_in("in", ChangeSet::Unstaged).await,
        "M in/a 4-4\n? in/untracked all\noutside 1 submodules 0"
    );
    repository.git(&["mv", "in/leaves", "out/left"]);
    repository.git(&["mv", "out/comes", "in/came"]);
    assert_eq!(repository.seen_in("in", ChangeSet::Staged).await, "R out/comes -> in/came\nD in/leaves");
    assert_eq!(repository.seen(ChangeSet::Staged).await, "R out/comes -> in/came\nR in/leaves -> out/left");
}

#[tokio::test]
async fn repositories_in_repositories_are_counted_and_not_entered() {
    let repository = Repository::new();
    let library = Repository::new();
    library.write("lib", EIGHT);
    library.commit();
    repository.write("a", EIGHT);
    repository.git(&["submodule", "add", "-q", library.root.to_str().unwrap(), "sub"]);
    assert_eq!(repository.seen(ChangeSet::Staged).await, "A .gitmodules all\noutside 0 submodules 1");
    repository.commit();
    repository.write("sub/lib", "dirty\n");
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "", "what is inside is the submodule's own");
    repository.git_in(&repository.root.join("sub"), &["commit", "-qam", "x"]);
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "outside 0 submodules 1");
    // Looking for changes inside would be another git, which knows nothing of what is switched off here.
    let (sub, marker) = (repository.root.join("sub"), repository.root.join(".git/ran"));
    repository.git_in(&sub, &["config", "core.fsmonitor", &format!("touch {};false", marker.display())]);
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "outside 0 submodules 1");
    assert!(!marker.exists());
    repository.git_in(&sub, &["config", "--unset", "core.fsmonitor"]);
    // Its own root is a repository as any other.
    let inside = repository.ask("sub", last_commit()).await.unwrap();
    assert_eq!(inside.changes[0].path, repository.root.join("sub/lib"));

    let nested = repository.root.join("nested");
    std::fs::create_dir(&nested).unwrap();
    repository.git_in(&nested, &["init", "-q"]);
    std::fs::write(nested.join("x"), "x\n").unwrap();
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "outside 0 submodules 2");

    let second = repository.keep.path().canonicalize().unwrap().join("second");
    repository.git(&["worktree", "add", "-q", second.to_str().unwrap(), "HEAD"]);
    std::fs::write(second.join("a"), "1\n").unwrap();
    let changes = repository.ask_at(&second, ChangeSet::Unstaged).await.unwrap();
    assert_eq!((changes.total, &changes.changes[0].path), (1, &second.join("a")));
}

#[tokio::test]
async fn conflicts_kinds_modes_and_binary_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let repository = Repository::new();
    for name in ["conflict", "kind", "mode", "both"] {
        repository.write(name, EIGHT);
    }
    repository.write("binary", "\0one");
    repository.write("hidden", EIGHT);
    repository.write(".gitattributes", "hidden -diff\n");
    repository.commit();
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.write("conflict", "theirs\n2\n3\n4\n5\n6\n7\n8\n");
    repository.git(&["rm", "-q", "both"]);
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    repository.write("conflict", "ours\n2\n3\n4\n5\n6\n7\n8\n");
    repository.write("both", "1\n2\n");
    repository.commit();
    repository.git(&["merge", "-q", "side"]);
    repository.write("binary", "\0two");
    repository.write("hidden", "x\n");
    std::fs::set_permissions(repository.root.join("mode"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_file(repository.root.join("kind")).unwrap();
    symlink("mode", repository.root.join("kind")).unwrap();
    assert_eq!(
        repository.seen(ChangeSet::Unstaged).await,
        "M binary all\nM both all\nM conflict 1-1 3-5\nM hidden all\nM kind 1-1\nM mode"
    );
}

#[tokio::test]
async fn what_is_too_long_is_told_without_its_lines() {
    let repository = Repository::new();
    repository.write("small", EIGHT);
    repository.write("large", "x\n");
    repository.commit();
    repository.write("small", "1\n");
    repository.write("large", &format!("{}\n", "x".repeat(1 << 20)).repeat(66));
    let changes = repository.ask("", ChangeSet::Unstaged).await.unwrap();
    assert!(changes.whole);
    let names: Vec<_> = changes.changes.iter().map(|change| change.path.file_name().unwrap()).collect();
    assert_eq!(names, ["large", "small"]);
    assert!(changes.changes.iter().all(|change| change.lines == [LineRange::WHOLE]));
}

#[tokio::test]
async fn a_look_does_not_write_the_index() {
    let repository = Repository::new();
    repository.write("a", EIGHT);
    repository.commit();
    // The same text at another time: git would note it in its index.
    let file = std::fs::File::options().write(true).open(repository.root.join("a")).unwrap();
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(100)).unwrap();
    let index = repository.root.join(".git/index");
    let before = (std::fs::read(&index).unwrap(), index.metadata().unwrap().modified().unwrap());
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "");
    let after = (std::fs::read(&index).unwrap(), index.metadata().unwrap().modified().unwrap());
    assert_eq!(before, after);
    assert!(!repository.root.join(".git/index.lock").exists());
}

#[tokio::test]
async fn says_why_it_cannot_tell() {
    let mut repository = Repository::without_git();
    assert_eq!(repository.seen(ChangeSet::Unstaged).await, "`` is in no git repository");
    repository.git(&["init", "-q", "."]);

    let outside = Workspace::new(Options::default(), vec![repository.root.clone()], None).unwrap();
    let said = outside.changed_files(Path::new("/etc"), ChangeSet::Staged, &patient()).await.unwrap_err();
    assert!(matches!(said, WorkspaceError::OutsideRoots { .. }));

    repository.environment.push(("GIT_TEST_ASSUME_DIFFERENT_OWNER".into(), "1".into()));
    let said = repository.seen(ChangeSet::Unstaged).await;
    assert!(said.starts_with("git does not trust this repository: fatal: detected dubious"), "{said}");
    assert!(said.contains("safe.directory"), "{said}");
    repository.environment.pop();

    repository.environment[0].1 = "/nonexistent".into();
    assert_eq!(
        repository.seen(ChangeSet::Unstaged).await,
        "no program `git` was found; install it or correct its path"
    );
}
