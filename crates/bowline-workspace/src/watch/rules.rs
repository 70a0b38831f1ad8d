//! What is watched: exactly what the index would read. Its walk asks for whole trees, events ask for single paths.
//!
//! The rules are those at the time they were loaded. Ignore files above the roots and `.git/info/exclude` count, but
//! are not watched: a change there is seen when the tree is next looked through.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::IncrementalIgnore;
use ignore::overrides::Override;

use crate::walk::{Sight, overrides, seen};
use crate::{Options, WorkspaceError};

/// The files that hold rules.
const RULE_FILES: [&str; 3] = [".gitignore", ".ignore", ".bowlineignore"];

/// The rules remember every directory they were asked about. After so many that are gone, they forget them all.
const MOST_GONE: usize = 1000;

/// What a path is, or was: some rules are about directories only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    File,
    Directory,
}

pub(super) struct Rules {
    sight: Sight,
    roots: Vec<Root>,
    /// Directories that hold rules of their own.
    ruled: BTreeSet<PathBuf>,
    gone: usize,
}

struct Root {
    path: PathBuf,
    left_out: Override,
    matcher: Option<IncrementalIgnore>,
}

impl Rules {
    pub(super) fn new(roots: &[PathBuf], options: &Options, sight: Sight) -> Result<Self, WorkspaceError> {
        let root = |path: &PathBuf| {
            let left_out = overrides(path, &options.ignore, sight)?;
            Ok(Root { path: path.clone(), matcher: matcher(path, &left_out, sight), left_out })
        };
        let roots = roots.iter().map(root).collect::<Result<_, WorkspaceError>>()?;
        Ok(Self { sight, roots, ruled: BTreeSet::new(), gone: 0 })
    }

    /// Forgets everything.
    pub(super) fn restart(&mut self) {
        self.ruled.clear();
        self.reload();
    }

    /// Has the rules read again, as they are needed.
    pub(super) fn reload(&mut self) {
        self.gone = 0;
        for root in &mut self.roots {
            root.matcher = matcher(&root.path, &root.left_out, self.sight);
        }
    }

    /// Whether a path is left out. Everything outside the roots is.
    pub(super) fn ignores(&mut self, path: &Path, node: Node) -> bool {
        let holding = self.roots.iter_mut().filter(|root| path.starts_with(&root.path));
        let Some(root) = holding.max_by_key(|root| root.path.as_os_str().len()) else { return true };
        let Ok(relative) = path.strip_prefix(&root.path) else { return true };
        // No ignore file can make us want this one.
        if relative.components().any(|part| part.as_os_str() == ".git") {
            return true;
        }
        root.matcher
            .as_mut()
            .is_some_and(|matcher| matcher.matched(relative, node == Node::Directory).is_ignore())
    }

    /// A directory was found to hold rules.
    pub(super) fn found_in(&mut self, directory: &Path) {
        self.ruled.insert(directory.to_owned());
    }

    /// A directory is gone with `count` directories in all, and their rules with them.
    pub(super) fn forget(&mut self, directory: &Path, count: usize) {
        let before = self.ruled.len();
        self.ruled.retain(|ruled| !ruled.starts_with(directory));
        self.gone += count;
        if self.ruled.len() < before || self.gone > MOST_GONE {
            self.reload();
        }
    }
}

/// Whether files of this name hold rules.
pub(crate) fn are_rules(name: &OsStr) -> bool {
    RULE_FILES.iter().any(|file| name == *file)
}

fn matcher(root: &Path, left_out: &Override, sight: Sight) -> Option<IncrementalIgnore> {
    seen(root, sight).overrides(left_out.clone()).build_matchers().pop()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use bowline_testkit::Fixture;
    use ignore::WalkState;

    use super::*;
    use crate::roots::Roots;
    use crate::walk::Walker;

    const TREE: &str = "//- /.gitignore\ntarget/\n*.log\n!keep.log\n/src/generated\n\
        //- /.ignore\n*.tmp\n//- /.bowlineignore\nvendor\n//- /sub/.gitignore\n!*.log\n!.env\nsecret.rs\n\
        //- /a.rs\n//- /a.log\n//- /keep.log\n//- /b.tmp\n//- /target/x.rs\n//- /vendor/y.rs\n//- /.hidden/z.rs\n\
        //- /.git/config\n//- /src/generated/g.rs\n//- /src/lib.rs\n//- /sub/secret.rs\n//- /sub/c.log\n//- /sub/.env\n\
        //- /sub/deep/secret.rs\n//- /sub/deep/d.rs\n//- /docs/big.svg\n//- /docs/text.md\n//- /sub/target/t.rs\n\
        //- /src/target\n";

    fn every_file(directory: &Path, into: &mut Vec<PathBuf>) {
        for entry in directory.read_dir().unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                every_file(&entry.path(), into);
            } else {
                into.push(entry.path());
            }
        }
    }

    #[test]
    fn are_those_of_the_index() {
        let fixture = Fixture::new(TREE);
        let roots = vec![fixture.root().to_owned(), fixture.path("docs")];
        let options = Options { ignore: vec!["*.svg".to_owned()], ..Options::default() };

        let walked = Mutex::new(BTreeSet::new());
        Walker::new(&Roots::new(roots.clone()), &options, Sight::Index).unwrap().run(&|entry| {
            walked.lock().unwrap().insert(entry.path().to_owned());
            WalkState::Continue
        });

        let mut all = Vec::new();
        every_file(fixture.root(), &mut all);
        let mut rules = Rules::new(&roots, &options, Sight::Index).unwrap();
        let wanted: BTreeSet<_> = all.into_iter().filter(|path| !rules.ignores(path, Node::File)).collect();
        assert!(wanted.len() > 5);
        assert_eq!(wanted, walked.into_inner().unwrap());
    }

    #[test]
    fn nothing_brings_git_back_and_nothing_outside_counts() {
        let fixture = Fixture::new("//- /.gitignore\n!.git\n!.git/**\n//- /.git/config\n");
        let mut rules = Rules::new(&[fixture.root().to_owned()], &Options::default(), Sight::Index).unwrap();
        assert!(rules.ignores(&fixture.path(".git"), Node::Directory));
        assert!(rules.ignores(&fixture.path("sub/.git/config"), Node::File));
        assert!(rules.ignores(Path::new("/elsewhere.rs"), Node::File));
        assert!(!rules.ignores(fixture.root(), Node::Directory));
    }

    #[test]
    fn rules_of_a_directory_go_with_it() {
        let fixture = Fixture::new("//- /sub/.gitignore\n*.rs\n");
        let (sub, file) = (fixture.path("sub"), fixture.path("sub/a.rs"));
        let mut rules = Rules::new(&[fixture.root().to_owned()], &Options::default(), Sight::Index).unwrap();
        rules.found_in(&sub);
        assert!(rules.ignores(&file, Node::File));
        std::fs::remove_dir_all(&sub).unwrap();
        rules.forget(&sub, 1);
        assert!(!rules.ignores(&file, Node::File));
    }

    #[test]
    fn a_bad_glob_is_refused_as_by_the_index() {
        let options = Options { ignore: vec!["a{".to_owned()], ..Options::default() };
        let Err(error) = Rules::new(&["/".into()], &options, Sight::Index) else { panic!() };
        assert!(error.to_string().starts_with("cannot leave out `a{`"), "{error}");
    }
}
