//! Changes on disk are told once, in time, and none is missed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bowline_testkit::Fixture;
use bowline_workspace::Options;
use bowline_workspace::watch::{
    Change, ChangeKind, Changes, Coverage, Flushed, Gap, Unproved, Watch, WatchOptions,
};
use insta::assert_snapshot;

/// Long enough for the slowest machine; nothing waits for it in vain.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(fixture: &Fixture, options: WatchOptions) -> Watch {
    Watch::start(&[fixture.root().to_owned()], &Options::default(), options).unwrap()
}

/// A watch that has gone through the tree, and whose first news has been taken.
async fn watching(fixture: &Fixture) -> Watch {
    let watch = start(fixture, WatchOptions::default());
    watch.looked_through().await;
    assert_eq!(watch.flush(PATIENCE).await, Flushed::Proved);
    assert_eq!(watch.take_changes(), Changes::Lost);
    watch
}

/// What changed before the call.
async fn told(fixture: &Fixture, watch: &Watch) -> String {
    assert_eq!(watch.flush(PATIENCE).await, Flushed::Proved);
    written(fixture, &watch.take_changes())
}

fn written(fixture: &Fixture, changes: &Changes) -> String {
    let Changes::Known(changes) = changes else { return "lost".to_owned() };
    let write = |change: &Change| {
        let kind = format!("{:?}", change.kind).to_lowercase();
        format!("{kind} {}", change.path.display())
    };
    let lines: Vec<_> = changes.iter().map(write).collect();
    if lines.is_empty() { "nothing".to_owned() } else { fixture.relative(&lines.join("\n")) }
}

#[tokio::test]
async fn tells_of_files_that_were_created_changed_removed_and_renamed() {
    let fixture = Fixture::new("//- /a.rs\none\n//- /b.rs\none\n//- /sub/c.rs\none\n");
    let watch = watching(&fixture).await;
    assert_eq!(watch.coverage(), Coverage::Complete { watched: 2 });
    assert_snapshot!(told(&fixture, &watch).await, @"nothing");

    fixture.write_bytes("new.rs", b"new");
    fixture.write_bytes("a.rs", b"two");
    fs::remove_file(fixture.path("b.rs")).unwrap();
    fs::rename(fixture.path("sub/c.rs"), fixture.path("d.rs")).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @r"
    changed /a.rs
    deleted /b.rs
    created /d.rs
    created /new.rs
    deleted /sub/c.rs
    ");
    assert_snapshot!(told(&fixture, &watch).await, @"nothing");
}

#[tokio::test]
async fn tells_by_itself_once_all_is_quiet() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = Arc::new(watching(&fixture).await);
    let waiting = tokio::spawn({
        let watch = Arc::clone(&watch);
        async move {
            watch.changed().await;
            watch.take_changes()
        }
    });
    let began = Instant::now();
    fixture.write_bytes("a.rs", b"two");
    let changes = tokio::time::timeout(PATIENCE, waiting).await.unwrap().unwrap();
    assert!(began.elapsed() >= Duration::from_millis(140));
    assert_snapshot!(written(&fixture, &changes), @"changed /a.rs");
}

#[tokio::test]
async fn tells_in_the_midst_of_changes_that_do_not_end() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let options = WatchOptions { debounce_ms: 3_600_000, max_delay_ms: 50, ..WatchOptions::default() };
    let watch = start(&fixture, options);
    watch.looked_through().await;
    watch.take_changes();
    fixture.write_bytes("a.rs", b"two");
    tokio::time::timeout(PATIENCE, watch.changed()).await.unwrap();
    assert_snapshot!(written(&fixture, &watch.take_changes()), @"changed /a.rs");
}

#[tokio::test]
async fn a_new_directory_is_watched_and_what_was_put_there_at_once_is_told() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = watching(&fixture).await;
    fixture.write_bytes("new/deep/er/b.rs", b"b");
    fixture.write_bytes("new/c.rs", b"c");
    assert_snapshot!(told(&fixture, &watch).await, @r"
    created /new/c.rs
    created /new/deep/er/b.rs
    ");
    assert_eq!(watch.watched(), 4);
    fixture.write_bytes("new/deep/er/b.rs", b"two");
    fixture.write_bytes("new/deep/d.rs", b"d");
    assert_snapshot!(told(&fixture, &watch).await, @r"
    created /new/deep/d.rs
    changed /new/deep/er/b.rs
    ");
}

#[tokio::test]
async fn a_moved_directory_is_gone_here_and_new_there() {
    let fixture = Fixture::new("//- /old/a.rs\none\n//- /old/sub/b.rs\none\n//- /c.rs\none\n");
    let watch = watching(&fixture).await;
    fs::rename(fixture.path("old"), fixture.path("new")).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @r"
    created /new/a.rs
    created /new/sub/b.rs
    deleted /old
    ");
    assert_eq!(watch.watched(), 3);
    fixture.write_bytes("new/sub/b.rs", b"two");
    assert_snapshot!(told(&fixture, &watch).await, @"changed /new/sub/b.rs");
    fs::rename(fixture.path("new"), fixture.path("newer")).unwrap();
    fs::rename(fixture.path("newer"), fixture.path("old")).unwrap();
    fixture.write_bytes("old/sub/b.rs", b"three");
    let last = told(&fixture, &watch).await;
    assert!(last.contains("deleted /new\n") && last.contains("created /old/sub/b.rs"), "{last}");
    fixture.write_bytes("old/sub/b.rs", b"four");
    assert_snapshot!(told(&fixture, &watch).await, @"changed /old/sub/b.rs");
}

#[tokio::test]
async fn a_removed_directory_is_one_change_and_can_come_back() {
    let fixture = Fixture::new("//- /old/a.rs\none\n//- /old/sub/b.rs\none\n//- /c.rs\none\n");
    let watch = watching(&fixture).await;
    fs::remove_dir_all(fixture.path("old")).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @"deleted /old");
    assert_eq!(watch.watched(), 1);
    for _ in 0..50 {
        fixture.write_bytes("old/sub/b.rs", b"again");
        fs::remove_dir_all(fixture.path("old")).unwrap();
    }
    fixture.write_bytes("old/sub/b.rs", b"again");
    let back = told(&fixture, &watch).await;
    assert!(back.ends_with("created /old/sub/b.rs"), "{back}");
    fixture.write_bytes("old/sub/b.rs", b"once more");
    assert_snapshot!(told(&fixture, &watch).await, @"changed /old/sub/b.rs");
    assert_eq!(watch.watched(), 3);
}

#[tokio::test]
async fn ignored_directories_are_neither_watched_nor_told_of() {
    let fixture = Fixture::new(
        "//- /.gitignore\nnode_modules/\n*.log\n//- /.git/HEAD\nref\n//- /node_modules/left/pad.js\nx\n\
         //- /src/a.js\na\n",
    );
    let watch = watching(&fixture).await;
    assert_eq!(watch.watched(), 2);
    fixture.write_bytes(".git/HEAD", b"other");
    fixture.write_bytes(".git/new/x", b"other");
    fixture.write_bytes("node_modules/right/pad.js", b"y");
    fixture.write_bytes("src/node_modules/x.js", b"y");
    fixture.write_bytes("src/a.log", b"y");
    fixture.write_bytes("src/.a.js.swp", b"y");
    fs::remove_dir_all(fixture.path("node_modules")).unwrap();
    fs::set_permissions(fixture.path("src/node_modules"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @"nothing");
    assert_eq!(watch.watched(), 2);
}

#[tokio::test]
async fn other_rules_make_everything_new() {
    let fixture = Fixture::new("//- /.gitignore\nout/\n//- /out/a.rs\na\n//- /b.rs\nb\n");
    let watch = watching(&fixture).await;
    assert_eq!(watch.watched(), 1);
    fixture.write_bytes(".gitignore", b"b.rs\n");
    // The watcher may be at it still, or about to look once more since the file was written in two steps.
    while watch.flush(PATIENCE).await != Flushed::Proved || watch.watched() != 2 {
        watch.looked_through().await;
        tokio::task::yield_now().await;
    }
    assert_eq!(watch.take_changes(), Changes::Lost);
    fixture.write_bytes("out/a.rs", b"two");
    fixture.write_bytes("b.rs", b"two");
    assert_snapshot!(told(&fixture, &watch).await, @"changed /out/a.rs");
}

#[tokio::test]
async fn a_directory_brings_its_own_rules() {
    let fixture = Fixture::new("//- /a.rs\na\n");
    let watch = watching(&fixture).await;
    let outside = Fixture::new("//- /sub/.gitignore\n*.txt\n//- /sub/b.txt\nb\n//- /sub/b.rs\nb\n");
    let moved = || fs::rename(outside.path("sub"), fixture.path("sub")).unwrap();
    moved();
    assert_snapshot!(told(&fixture, &watch).await, @"created /sub/b.rs");
    fs::rename(fixture.path("sub"), outside.path("sub")).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @"deleted /sub");
    fs::remove_file(outside.path("sub/.gitignore")).unwrap();
    moved();
    assert_snapshot!(told(&fixture, &watch).await, @r"
    created /sub/b.rs
    created /sub/b.txt
    ");
}

#[tokio::test]
async fn a_flush_proves_every_time() {
    let fixture = Fixture::new("//- /a.rs\none\n//- /sub/b.rs\none\n");
    let watch = watching(&fixture).await;
    for number in 0..500 {
        let name = format!("{}file_{number}.rs", if number % 2 == 0 { "sub/" } else { "" });
        fixture.write_bytes(&name, b"x");
        let told = told(&fixture, &watch).await;
        // The end of an earlier write may be told late, on a busy machine; nothing may be missing.
        assert!(told.lines().any(|line| line == format!("created /{name}")), "{number}: {told}");
    }
    for number in 0..100 {
        fixture.write_bytes(&format!("dir_{number}/in/file.rs"), b"x");
        let told = told(&fixture, &watch).await;
        assert!(told.ends_with(&format!("created /dir_{number}/in/file.rs")), "{number}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn flushes_of_many_each_prove() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = Arc::new(watching(&fixture).await);
    let seen = Arc::new(std::sync::Mutex::new(std::collections::HashSet::new()));
    let ask = |task: usize| {
        let (watch, seen, root) = (Arc::clone(&watch), Arc::clone(&seen), fixture.root().to_owned());
        async move {
            for number in 0..50 {
                let path = root.join(format!("{task}_{number}.rs"));
                fs::write(&path, "x").unwrap();
                assert_eq!(watch.flush(PATIENCE).await, Flushed::Proved);
                let mut seen = seen.lock().unwrap();
                let Changes::Known(changes) = watch.take_changes() else { panic!() };
                seen.extend(changes.into_iter().map(|change| change.path));
                assert!(seen.contains(&path));
            }
        }
    };
    let tasks: Vec<_> = (0..8).map(|task| tokio::spawn(ask(task))).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test]
async fn reading_is_no_change() {
    let fixture = Fixture::new("//- /a.rs\none\n//- /sub/b.rs\none\n");
    let watch = watching(&fixture).await;
    for _ in 0..1000 {
        fs::read(fixture.path("sub/b.rs")).unwrap();
        fixture.path("sub").read_dir().unwrap().for_each(drop);
    }
    assert_snapshot!(told(&fixture, &watch).await, @"nothing");
}

#[tokio::test]
async fn a_saved_file_is_told_however_it_was_saved() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = watching(&fixture).await;
    for number in 0..100 {
        fixture.write_bytes(".a.rs.tmp", number.to_string().as_bytes());
        fs::rename(fixture.path(".a.rs.tmp"), fixture.path("a.rs")).unwrap();
        assert_eq!(told(&fixture, &watch).await, "created /a.rs");
    }
    fs::rename(fixture.path("a.rs"), fixture.path("a.rs~")).unwrap();
    fixture.write_bytes("a.rs", b"new");
    fs::remove_file(fixture.path("a.rs~")).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @r"
    changed /a.rs
    deleted /a.rs~
    ");
    let file = fs::File::options().append(true).open(fixture.path("a.rs")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    assert_snapshot!(told(&fixture, &watch).await, @"changed /a.rs");
}

#[tokio::test]
async fn a_burst_is_told_once_per_path() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = watching(&fixture).await;
    for round in 0..10 {
        for number in 0..1000 {
            fixture.write_bytes(&format!("{number}.rs"), format!("{round}").as_bytes());
        }
    }
    match watch.flush(PATIENCE).await {
        Flushed::Proved => match watch.take_changes() {
            Changes::Known(changes) => {
                assert_eq!(changes.len(), 1000);
                assert!(changes.iter().all(|change| change.kind == ChangeKind::Created));
            }
            // A machine too slow to keep up is told so.
            Changes::Lost => {}
        },
        Flushed::Unproved(why) => assert_eq!(why, Unproved::Partial(Gap::Looking)),
    }
}

#[tokio::test]
async fn no_more_directories_than_allowed_are_watched() {
    let fixture = Fixture::new("//- /a/x/1.rs\n//- /b/2.rs\n//- /c/3.rs\n//- /d/4.rs\n");
    let watch = start(&fixture, WatchOptions { max_directories: 3, ..WatchOptions::default() });
    watch.looked_through().await;
    let reason = Gap::TooMany { most: 3 };
    assert_eq!(watch.coverage(), Coverage::Partial { watched: 3, reason: reason.clone() });
    assert_snapshot!(reason, @"more than 3 directories; raise `max_directories`, or ignore more of them");
    watch.take_changes();
    // What is watched is told all the same; it proves nothing.
    fixture.write_bytes("top.rs", b"x");
    assert_eq!(watch.flush(PATIENCE).await, Flushed::Unproved(Unproved::Partial(reason)));
    assert_snapshot!(written(&fixture, &watch.take_changes()), @"created /top.rs");
}

#[tokio::test]
async fn a_directory_that_comes_too_many_leaves_a_gap() {
    let fixture = Fixture::new("//- /a/1.rs\n");
    let watch = start(&fixture, WatchOptions { max_directories: 2, ..WatchOptions::default() });
    watch.looked_through().await;
    assert_eq!(watch.coverage(), Coverage::Complete { watched: 2 });
    fixture.write_bytes("b/2.rs", b"x");
    let reason = Gap::TooMany { most: 2 };
    assert_eq!(watch.flush(PATIENCE).await, Flushed::Unproved(Unproved::Partial(reason)));
}

#[tokio::test]
async fn a_root_that_is_not_there_or_goes_leaves_a_gap() {
    let fixture = Fixture::new("//- /root/a.rs\n//- /other/b.rs\n");
    let roots = [fixture.path("root"), fixture.path("other")];
    let watch = Watch::start(&roots, &Options::default(), WatchOptions::default()).unwrap();
    watch.looked_through().await;
    assert_eq!(watch.coverage(), Coverage::Complete { watched: 2 });
    fs::remove_dir_all(fixture.path("root")).unwrap();
    let reason = Gap::Unwatchable { path: fixture.path("root"), reason: "it is gone".to_owned() };
    assert_eq!(watch.flush(PATIENCE).await, Flushed::Unproved(Unproved::Partial(reason)));

    let again = Watch::start(&roots, &Options::default(), WatchOptions::default()).unwrap();
    again.looked_through().await;
    assert!(matches!(again.coverage(), Coverage::Partial { watched: 1, reason: Gap::Unwatchable { .. } }));
}

#[tokio::test]
async fn nothing_is_proved_before_all_is_watched() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = start(&fixture, WatchOptions::default());
    match watch.flush(PATIENCE).await {
        Flushed::Unproved(why) => assert_eq!(why, Unproved::Partial(Gap::Looking)),
        Flushed::Proved => assert_eq!(watch.take_changes(), Changes::Lost),
    }
}

/// Somebody who knows the files only by what he is told.
#[derive(Default)]
struct Reader(BTreeMap<PathBuf, String>);

impl Reader {
    fn hear(&mut self, root: &Path, changes: Changes) {
        let Changes::Known(changes) = changes else {
            self.0 = everything(root);
            return;
        };
        for Change { path, kind } in changes {
            if kind == ChangeKind::Deleted {
                self.0.retain(|known, _| !known.starts_with(&path));
            } else if let Ok(content) = fs::read_to_string(&path) {
                self.0.insert(path, content);
            }
        }
    }
}

/// All files that can be found, some of which may go while we look.
fn everything(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for path in directory.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(everything(&path));
        } else if let Ok(content) = fs::read_to_string(&path) {
            files.insert(path, content);
        }
    }
    files
}

/// Numbers that look like chance and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn directory(&mut self, root: &Path) -> PathBuf {
        let depth = self.roll(4);
        (0..depth).fold(root.to_owned(), |path, _| path.join(format!("d{}", self.roll(3))))
    }

    fn file(&mut self, root: &Path) -> PathBuf {
        self.directory(root).join(format!("f{}.rs", self.roll(4)))
    }

    /// Does something to the tree. Much of it cannot be done, and is not.
    fn disturb(&mut self, root: &Path) {
        match self.roll(10) {
            0..4 => {
                let file = self.file(root);
                let _ = fs::create_dir_all(file.parent().unwrap());
                let _ = fs::write(file, self.0.to_string());
            }
            4 => drop(fs::remove_file(self.file(root))),
            5 => drop(fs::rename(self.file(root), self.file(root))),
            6 | 7 => {
                let (from, to) = (self.directory(root), self.directory(root));
                if from != root && to != root {
                    let _ = fs::rename(from, to);
                }
            }
            8 => drop(fs::create_dir_all(self.directory(root))),
            _ => {
                let directory = self.directory(root);
                if directory != root {
                    let _ = fs::remove_dir_all(directory);
                }
            }
        }
    }
}

fn count_directories(directory: &Path) -> usize {
    let below =
        directory.read_dir().unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    1 + below.map(|path| count_directories(&path)).sum::<usize>()
}

#[tokio::test]
async fn whoever_hears_all_changes_knows_all_files() {
    for seed in [13, 7932, 15851] {
        let (fixture, mut dice) = (Fixture::new("//- /d0/f0.rs\none\n"), Dice(seed));
        let watch = watching(&fixture).await;
        let mut reader = Reader(everything(fixture.root()));
        for round in 0..150 {
            for _ in 0..=dice.roll(12) {
                dice.disturb(fixture.root());
            }
            assert_eq!(watch.flush(PATIENCE).await, Flushed::Proved);
            let changes = watch.take_changes();
            let told = written(&fixture, &changes);
            reader.hear(fixture.root(), changes);
            assert_eq!(reader.0, everything(fixture.root()), "round {round} of {seed}, told:\n{told}");
            assert_eq!(watch.watched(), count_directories(fixture.root()), "round {round} of {seed}");
        }
    }
}

#[tokio::test]
async fn whoever_hears_changes_while_they_happen_knows_all_files_in_the_end() {
    let fixture = Fixture::new("//- /d0/f0.rs\none\n");
    let watch = watching(&fixture).await;
    let mut reader = Reader(everything(fixture.root()));
    let disturb = |seed| {
        let (root, mut dice) = (fixture.root().to_owned(), Dice(seed));
        std::thread::spawn(move || (0..3000).for_each(|_| dice.disturb(&root)))
    };
    let disturbing = [disturb(104_736), disturb(209_465)];
    loop {
        let last = disturbing.iter().all(JoinHandle::is_finished);
        let flushed = watch.flush(PATIENCE).await;
        reader.hear(fixture.root(), watch.take_changes());
        if last {
            assert_eq!(flushed, Flushed::Proved);
            break;
        }
    }
    assert_eq!(reader.0, everything(fixture.root()));
    assert_eq!(watch.watched(), count_directories(fixture.root()));
}

/// Whether this process watches a directory.
fn is_watched(directory: &Path) -> bool {
    let wanted = format!(" ino:{:x} ", directory.metadata().unwrap().ino());
    let infos = fs::read_dir("/proc/self/fdinfo").unwrap().flatten();
    // Descriptors come and go while we look.
    infos.filter_map(|info| fs::read_to_string(info.path()).ok()).any(|info| info.contains(&wanted))
}

fn until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE);
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn nothing_is_left_open_after_the_end() {
    let fixture = Fixture::new("//- /a.rs\none\n");
    let watch = watching(&fixture).await;
    assert!(is_watched(fixture.root()));
    drop(watch);
    until(|| !is_watched(fixture.root()));

    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    for _ in 0..30 {
        drop(start(&fixture, WatchOptions::default()));
        drop(watching(&fixture).await);
    }
    // Other tests of this process have files open, too, but hardly this many.
    until(|| open() < before + 60);
}
