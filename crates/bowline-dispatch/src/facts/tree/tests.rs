//! Which names of a tree are found for a touch of a directory.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use bowline_gate::{
    Access, Bases, Creates, Filter, Gate, HostRules, Layer, Maker, PathFact, PathKind, RuleEntry,
    RulesOptions, Script, Source, Surroundings, Touch, TreeNames,
};
use bowline_std::fs::{absolute, real_path};

use super::Tree;

struct Project {
    directory: tempfile::TempDir,
    gate: Gate,
}

impl Project {
    /// A project with these files, under rules that deny these entries.
    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    fn new(files: &[&str], deny: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for file in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = if file.ends_with(".gitignore") { ".env\n" } else { "text\n" };
            std::fs::write(path, text).unwrap();
        }
        let bases = Bases { roots: vec![root.clone()], sources: vec![root], home: None };
        let deny = deny.iter().map(|entry| RuleEntry::Pattern((*entry).to_owned())).collect();
        let options = RulesOptions { deny, ..RulesOptions::default() };
        let rules = HostRules::new(Layer::User, &options, &bases).unwrap();
        Self { directory, gate: Gate::new(vec![Box::new(rules)]) }
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn fact(&self, path: &str) -> PathFact {
        let absolute = absolute(&self.root(), Path::new(path));
        let kind = match absolute.metadata() {
            Ok(metadata) if metadata.is_dir() => PathKind::Directory,
            Ok(_) => PathKind::File,
            Err(_) => PathKind::Missing,
        };
        PathFact {
            written: path.into(),
            real: real_path(&absolute).map_err(|error| error.to_string()),
            absolute,
            kind,
            hash: None,
            maker: Maker::NotAsked,
            door: Ok(None),
            links: TreeNames::NONE,
            below: TreeNames::Unknown,
        }
    }

    fn found(&self, access: Access, path: &str, filter: Filter, max_entries: usize) -> TreeNames {
        let touch = Touch { access, paths: vec![path.into()], is_deep: true, filter };
        let roots = [self.root()];
        let mut tree = Tree::bounded(&self.gate, &roots, max_entries);
        self.short(tree.below(&touch, &self.fact(path), &Script::default()))
    }

    /// What every deep touch of this kind in a command line finds.
    fn of_command(&self, access: Access, text: &str) -> TreeNames {
        let surroundings = Surroundings { cwd: Some(self.root()), ..Surroundings::default() };
        let script = bowline_gate::read_command(text, &surroundings);
        let roots = [self.root()];
        let mut tree = Tree::new(&self.gate, &roots);
        let mut names = Vec::new();
        for touch in script.touches.iter().filter(|touch| touch.access == access && touch.is_deep) {
            for path in &touch.paths {
                match tree.below(touch, &self.fact(path.to_str().unwrap()), &script) {
                    TreeNames::Known(found) => names.extend(found),
                    TreeNames::Unknown => return TreeNames::Unknown,
                }
            }
        }
        self.short(TreeNames::Known(names))
    }

    fn short(&self, names: TreeNames) -> TreeNames {
        let root = self.root();
        match names {
            TreeNames::Known(names) => TreeNames::Known(
                names.into_iter().map(|name| name.strip_prefix(&root).unwrap_or(&name).to_owned()).collect(),
            ),
            TreeNames::Unknown => TreeNames::Unknown,
        }
    }
}

fn known(names: &[&str]) -> TreeNames {
    TreeNames::Known(names.iter().map(PathBuf::from).collect())
}

const ENOUGH: usize = 1_000;

#[test]
fn a_search_means_the_files_that_are_there() {
    let project = Project::new(&["src/a.rs", "deploy/.env", "deploy/x"], &["Read(.env)"]);
    let read = |path, filter| project.found(Access::Read, path, filter, ENOUGH);
    assert_eq!(read("src", Filter::default()), known(&[]));
    assert_eq!(read(".", Filter::default()), known(&["deploy/.env"]));
    assert_eq!(read(".", Filter { skips_hidden: true, ..Filter::default() }), known(&[]));
    assert_eq!(read(".", Filter { only: vec!["*.rs".into()], ..Filter::default() }), known(&[]));
    assert_eq!(read(".", Filter { only: vec![".e*".into()], ..Filter::default() }), known(&["deploy/.env"]));
    let except_files = |name: &str| Filter { except: vec![name.into()], ..Filter::default() };
    assert_eq!(read(".", except_files(".env")), known(&[]));
    assert_eq!(read(".", except_files("deploy")), known(&["deploy/.env"]));
    let except_below = |name: &str| Filter { except_directories: vec![name.into()], ..Filter::default() };
    assert_eq!(read(".", except_below("deploy")), known(&[]));
    assert_eq!(read(".", except_below(".env")), known(&["deploy/.env"]));
}

#[test]
fn patterns_on_the_way_are_followed_name_by_name() {
    let project = Project::new(&["a/k.pem", "b/k.pem", "b/c/k.pem", ".h/k.pem"], &["Read(*.pem)"]);
    let read = |parts: &[&str], is_shallow| {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        project.found(Access::Read, ".", Filter { parts, is_shallow, ..Filter::default() }, ENOUGH)
    };
    assert_eq!(read(&["*", "*.pem"], true), known(&["a/k.pem", "b/k.pem"]));
    assert_eq!(read(&["b"], false), known(&["b/c/k.pem", "b/k.pem"]));
    assert_eq!(read(&["[!a]", "*"], true), known(&["b/k.pem"]));
    assert_eq!(read(&[".h", "*"], true), known(&[".h/k.pem"]));
    // What a class of characters means is the shell's business.
    assert_eq!(read(&["[[:alpha:]]", "*"], true), TreeNames::Unknown);
}

#[test]
fn what_git_ignores_is_left_out_in_a_repository() {
    let project = Project::new(&[".gitignore", ".env", "sub/.env", "a"], &["Read(.env)"]);
    let filter = || Filter { skips_ignored: true, ..Filter::default() };
    assert_eq!(project.found(Access::Read, ".", filter(), ENOUGH), known(&[".env", "sub/.env"]));
    std::fs::create_dir(project.root().join(".git")).unwrap();
    assert_eq!(project.found(Access::Read, ".", filter(), ENOUGH), known(&[]));
    assert_eq!(project.found(Access::Read, ".", Filter::default(), ENOUGH), known(&[".env", "sub/.env"]));
}

#[test]
fn a_tree_past_the_bound_is_unknown() {
    let files: Vec<String> = (0..50).map(|number| format!("src/{number}")).collect();
    let project = Project::new(&files.iter().map(String::as_str).collect::<Vec<_>>(), &["Read(.env)"]);
    assert_eq!(project.found(Access::Read, "src", Filter::default(), 49), TreeNames::Unknown);
    assert_eq!(project.found(Access::Read, "src", Filter::default(), 50), known(&[]));
}

#[test]
fn directories_that_no_rule_concerns_are_not_read() {
    let files: Vec<String> = (0..50).map(|number| format!("src/{number}")).collect();
    let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
    files.push("secrets/key");
    let project = Project::new(&files, &["Edit(/secrets/**)"]);
    assert_eq!(project.found(Access::Write, "src", Filter::default(), 0), known(&[]));
    let whole = Filter { creates: Creates::Nothing, ..Filter::default() };
    assert_eq!(project.found(Access::Write, ".", whole, 10), known(&["secrets", "secrets/key"]));
}

#[test]
fn a_write_that_may_create_anything_is_unknown() {
    let project = Project::new(&["src/a"], &["Edit(secrets/**)"]);
    assert_eq!(project.found(Access::Write, "src", Filter::default(), ENOUGH), TreeNames::Unknown);
    let removal = || Filter { creates: Creates::Nothing, ..Filter::default() };
    assert_eq!(project.found(Access::Write, "src", removal(), ENOUGH), known(&[]));
    assert_eq!(project.found(Access::Write, "src/a", Filter::default(), ENOUGH), known(&[]));
}

#[test]
fn a_copy_creates_the_names_of_its_source() {
    let project = Project::new(&["a/x", "a/secrets/key", "b/y"], &["Edit(secrets/**)"]);
    let copy = |source: &str| {
        let sources = vec![Source { path: project.root().join(source), ..Source::default() }];
        let filter = Filter { creates: Creates::NamesBelow(sources), ..Filter::default() };
        project.found(Access::Write, "new", filter, ENOUGH)
    };
    assert_eq!(copy("b"), known(&[]));
    assert_eq!(copy("a"), known(&["new/secrets/key"]));
    assert_eq!(copy("missing"), known(&[]));
}

#[test]
fn links_are_followed_where_the_program_follows_them() {
    let project = Project::new(&["real/.env", "src/a"], &["Read(.env)"]);
    symlink("../real", project.root().join("src/link")).unwrap();
    symlink("..", project.root().join("src/round")).unwrap();
    assert_eq!(project.found(Access::Read, "src", Filter::default(), ENOUGH), known(&[]));
    let following = Filter { follows_links: true, ..Filter::default() };
    let TreeNames::Known(names) = project.found(Access::Read, "src", following, ENOUGH) else {
        panic!("the tree is small")
    };
    assert!(names.iter().any(|name| name.ends_with(".env")), "{names:?}");
}

#[test]
fn other_names_of_a_file_are_found() {
    let project = Project::new(&["secrets/key", "src/a", "src/b"], &["Read(secrets/**)"]);
    let root = project.root();
    std::fs::hard_link(root.join("secrets/key"), root.join("src/innocent")).unwrap();
    std::fs::hard_link(root.join("src/a"), root.join("src/a2")).unwrap();
    let roots = [root];
    let mut tree = Tree::new(&project.gate, &roots);
    let mut links = |path: &str| project.short(tree.links(Access::Read, &project.fact(path)));
    assert_eq!(links("src/innocent"), known(&["secrets/key"]));
    assert_eq!(links("src/a"), known(&[]));
    assert_eq!(links("src/b"), known(&[]));
    assert_eq!(links("missing"), known(&[]));
    // They are found where all of a directory is meant, and by patterns.
    assert_eq!(project.found(Access::Read, "src", Filter::default(), ENOUGH), known(&["secrets/key"]));
    for text in ["cat src/*", "cat src/in*", "grep -rn x src", "cp -r src out", "tar cf out.tar src"] {
        assert_eq!(project.of_command(Access::Read, text), known(&["secrets/key"]), "{text}");
    }
    assert_eq!(project.of_command(Access::Read, "cat src/a*"), known(&[]));
}

#[test]
fn only_what_git_tracks_is_meant_where_a_command_says_so() {
    let project = Project::new(&[".env", "src/a"], &["Read(.env)"]);
    let tracked = || Filter { tracked_only: true, ..Filter::default() };
    // Outside a repository nothing is tracked.
    assert_eq!(project.found(Access::Read, ".", tracked(), ENOUGH), known(&[]));
    std::fs::create_dir(project.root().join(".git")).unwrap();
    assert_eq!(project.found(Access::Read, ".", tracked(), ENOUGH), known(&[]));
    let index = project.root().join(".git/index");
    bowline_std::fs::replace_private(&index, b"no index").unwrap();
    assert_eq!(project.found(Access::Read, ".", tracked(), ENOUGH), TreeNames::Unknown);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
fn what_a_search_reads_is_looked_up() {
    let files = ["src/a.rs", "src/b.py", ".env", "sub/.env", "secrets/key", "secrets/a.json", ".gitignore"];
    let project = Project::new(&files, &["Read(.env)", "Read(secrets/**)"]);
    std::fs::create_dir(project.root().join(".git")).unwrap();
    let all = known(&[".env", "secrets/a.json", "secrets/key", "sub/.env"]);
    let secrets = known(&["secrets/a.json", "secrets/key"]);
    let env = known(&[".env", "sub/.env"]);
    for (command, expected) in [
        ("rg -n x src", known(&[])),
        ("rg x", secrets.clone()),
        ("rg x secrets", secrets.clone()),
        ("rg --hidden x", secrets.clone()),
        ("rg --hidden --no-ignore x", all.clone()),
        ("rg -uu x", all.clone()),
        ("rg -u x", secrets.clone()),
        ("rg -g '*.rs' x", known(&[])),
        ("rg -g '.env' x", env.clone()),
        ("rg -g '!secrets' x", known(&[])),
        ("rg -trust x", known(&[])),
        ("rg -tjson x", secrets.clone()),
        ("rg --files", known(&[])),
        ("cat src/a.rs | rg x", known(&[])),
        ("cat src/a.rs | xargs -I@ rg -uu x", all.clone()),
        ("echo '!.env' > .ignore; rg x", all.clone()),
        ("grep -rn x --include=*.rs .", known(&[])),
        ("grep -rn x src", known(&[])),
        ("grep -rn x", all.clone()),
        ("grep -rn x .", all.clone()),
        ("grep -r --exclude-dir=secrets x .", env.clone()),
        ("grep -r --exclude-dir=secrets --exclude=.env x .", known(&[])),
        ("grep -r --exclude=secrets x .", all.clone()),
        ("grep -r --exclude=zzz --include='*.rs' x .", all.clone()),
        ("find . -name '*.rs' -exec grep x {} +", known(&[])),
        ("find . -name '*.json' -exec cat {} +", known(&["secrets/a.json"])),
        ("find . -name .env -exec cat {} \\;", env.clone()),
        ("find src -type f -exec grep -l x {} +", known(&[])),
        ("find . -type f \\( -name '*.rs' -o -name '*.py' \\) -exec wc -l {} +", known(&[])),
        ("find . -name '*.rs' -o -name .env -exec cat {} +", all.clone()),
        ("find . -name '*.rs'", known(&[])),
        ("find secrets -execdir cat key \\;", TreeNames::Unknown),
        ("wc -l src/*.rs", known(&[])),
        ("head secrets/*.json", known(&["secrets/a.json"])),
        ("diff -r src sub", known(&["sub/.env"])),
    ] {
        assert_eq!(project.of_command(Access::Read, command), expected, "{command}");
    }
    for (command, expected) in [
        ("find . -name '*.json' -delete", known(&["secrets/a.json"])),
        ("find src -name '*.rs' -delete", known(&[])),
        ("find src -name '*.rs' -exec rm {} +", known(&[])),
        ("find src -type f -name '*.rs' -exec sed -i s/a/b/ {} +", known(&[])),
        ("find . -delete -name x", all),
    ] {
        let project = Project::new(&files, &["Edit(.env)", "Edit(secrets/**)"]);
        assert_eq!(project.of_command(Access::Write, command), expected, "{command}");
    }
    // What an ignore file brings back is searched, though it is hidden.
    std::fs::write(project.root().join(".ignore"), "!.env\n").unwrap();
    assert_eq!(
        project.of_command(Access::Read, "rg x"),
        known(&[".env", "secrets/a.json", "secrets/key", "sub/.env"])
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the real git makes the index, in a directory of its own")]
fn commands_of_git_mean_what_it_tracks() {
    let project =
        Project::new(&[".env", "secrets/key", "src/a.rs", "src/b.rs"], &["Read(.env)", "Edit(/secrets/**)"]);
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        let command = command.args(arguments).current_dir(project.root()).env("HOME", project.root());
        assert!(command.env("GIT_CONFIG_NOSYSTEM", "1").status().unwrap().success());
    };
    let check = |rows: &[(Access, &str, &[&str])]| {
        for (access, command, names) in rows {
            assert_eq!(project.of_command(*access, command), known(names), "{command}");
        }
    };
    git(&["init", "--quiet"]);
    git(&["add", "src"]);
    check(&[
        (Access::Read, "git diff", &[]),
        (Access::Read, "git grep x", &[]),
        (Access::Read, "git grep --no-index x", &[".env"]),
        (Access::Read, "git add src", &[]),
        (Access::Read, "git add -A", &[".env"]),
        (Access::Read, "git -C src add -A", &[".env"]),
        (Access::Read, "git -C src add :/", &[".env"]),
        (Access::Read, "git -C src add .", &[]),
        (Access::Read, "git add ':(icase).ENV'", &[".env"]),
        (Access::Write, "git switch main", &[]),
        (Access::Write, "git restore .", &[]),
    ]);
    git(&["add", "--force", ".env", "secrets"]);
    std::fs::remove_dir_all(project.root().join("secrets")).unwrap();
    check(&[
        (Access::Read, "git diff", &[".env"]),
        (Access::Read, "git -C src diff", &[".env"]),
        (Access::Read, "git -C src diff -- .", &[]),
        (Access::Read, "git diff --stat", &[]),
        (Access::Read, "git diff -- src", &[]),
        (Access::Read, "git log -p", &[".env"]),
        (Access::Read, "git log --oneline", &[]),
        (Access::Read, "git show HEAD:src/a.rs", &[]),
        (Access::Write, "git switch main", &["secrets/key"]),
        (Access::Write, "git -C src stash", &["secrets/key"]),
        (Access::Write, "git restore .", &["secrets/key"]),
        (Access::Write, "git restore secrets", &["secrets/key"]),
        (Access::Write, "git restore src", &[]),
        (Access::Write, "git checkout -b x", &[]),
        (Access::Write, "git commit -m x", &[]),
    ]);
}
