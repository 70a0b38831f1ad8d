//! Shadows are large, and a project that is looked at once is often not looked at again: the oldest are removed.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::place::{DIGITS, NAME, is_lock_of, lock_of, mark_of};

/// So many stay, with the one that is in use.
const MOST: usize = 4;
/// One that nobody came back to for so long goes in any case.
const LONGEST: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// What is to be removed is moved into a directory of this name first.
const GONE: &str = "gone-shadow-";

/// Removes what is too much, beside whatever else goes on. What cannot be removed now is tried again next time.
pub(super) fn in_background(above: PathBuf, taken: PathBuf) {
    // A thread of its own and not the runtime's: a runtime that shuts down waits for its threads.
    let pruning = thread::Builder::new()
        .name("bowline-prune".into())
        .spawn(move || prune(&above, &taken, SystemTime::now()));
    if let Err(error) = pruning {
        tracing::debug!(%error, "old shadows are not looked for");
    }
}

pub(super) fn prune(above: &Path, taken: &Path, now: SystemTime) {
    let (mut shadows, mut gone) = (Vec::new(), Vec::new());
    for entry in above.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A link may lead to a place that others use as well.
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if is_shadow(&name) && entry.path() != taken {
            shadows.push((last_used(&entry.path()), entry.path()));
        } else if name.starts_with(GONE) {
            gone.push(entry.path());
        }
    }
    shadows.sort_unstable_by(|one, other| other.cmp(one));
    for (rank, (used, shadow)) in shadows.into_iter().enumerate() {
        let is_old = now.duration_since(used).is_ok_and(|since| since > LONGEST);
        // The one that is in use comes before all of them.
        if (is_old || rank + 1 >= MOST)
            && let Err(error) = put_away(above, &shadow).map(|moved| gone.extend(moved))
        {
            tracing::debug!(%error, shadow = %shadow.display(), "an old shadow stays");
        }
    }
    for dir in gone {
        match std::fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::debug!(%error, dir = %dir.display(), "a part of an old shadow stays");
            }
            _ => {}
        }
    }
}

fn is_shadow(name: &str) -> bool {
    let digits = name.strip_prefix(NAME).filter(|digits| digits.len() == DIGITS);
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// When the last check ended, or, where none did, when something was last put there.
fn last_used(shadow: &Path) -> SystemTime {
    let time = |path: &Path| path.symlink_metadata().and_then(|metadata| metadata.modified()).ok();
    let times = [time(shadow), time(&mark_of(shadow)), time(&lock_of(shadow))];
    times.into_iter().flatten().max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Moves a shadow that nobody is in out of the way, at once: to take it apart takes long, and whoever wants it meanwhile
/// begins a new one. Says where it is now. `None`: somebody is in it.
fn put_away(above: &Path, shadow: &Path) -> io::Result<Option<PathBuf>> {
    // One without a lock is none of ours.
    let lock = OpenOptions::new().write(true).open(lock_of(shadow))?;
    if lock.try_lock().is_err() || !is_lock_of(&lock, shadow) {
        return Ok(None);
    }
    let gone = tempfile::Builder::new().prefix(GONE).tempdir_in(above)?;
    std::fs::rename(shadow, gone.path().join("shadow"))?;
    Ok(Some(gone.keep()))
}

#[cfg(test)]
mod tests {
    use std::fs::{File, create_dir_all};
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// A directory with shadows that were last used so many days ago, each called by a digit.
    struct Cache {
        dir: TempDir,
        now: SystemTime,
    }

    impl Cache {
        fn new(shadows: &[(char, u32)]) -> Self {
            let cache = Self { dir: tempfile::tempdir().unwrap(), now: SystemTime::now() };
            for (digit, days) in shadows {
                let shadow = cache.shadow(*digit);
                create_dir_all(shadow.join("target/debug")).unwrap();
                bowline_std::fs::replace_private(&shadow.join("target/debug/large"), b"large").unwrap();
                symlink("/", shadow.join("target/link")).unwrap();
                bowline_std::fs::replace_private(&lock_of(&shadow), b"").unwrap();
                bowline_std::fs::replace_private(&mark_of(&shadow), b"").unwrap();
                let used = cache.now - DAY * *days;
                for path in [lock_of(&shadow), mark_of(&shadow)] {
                    OpenOptions::new().write(true).open(path).unwrap().set_modified(used).unwrap();
                }
                let open = OpenOptions::new().read(true).open(&shadow).unwrap();
                open.set_modified(used).unwrap();
            }
            cache
        }

        fn shadow(&self, digit: char) -> PathBuf {
            self.dir.path().join(format!("{NAME}{}", digit.to_string().repeat(DIGITS)))
        }

        fn lock(&self, digit: char) -> File {
            OpenOptions::new().write(true).open(lock_of(&self.shadow(digit))).unwrap()
        }

        /// What is left once one of them was taken.
        fn after(&self, taken: char) -> String {
            prune(self.dir.path(), &self.shadow(taken), self.now);
            let entries = self.dir.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = entries.map(|name| name.to_str().unwrap().to_owned()).collect();
            names.sort();
            names.iter().map(|name| name.strip_prefix(NAME).map_or(name.as_str(), |own| &own[..1])).collect()
        }
    }

    #[test]
    fn four_stay_with_the_one_that_is_in_use() {
        let cache = Cache::new(&[('1', 1), ('2', 2), ('3', 3), ('4', 4), ('5', 5), ('6', 6)]);
        assert_eq!(cache.after('6'), "1236");
        assert_eq!(cache.after('1'), "1236");
    }

    #[test]
    fn one_that_nobody_came_back_to_goes() {
        let cache = Cache::new(&[('1', 1), ('2', 13), ('3', 15)]);
        assert_eq!(cache.after('1'), "12");
        let cache = Cache::new(&[('1', 30), ('2', 15)]);
        assert_eq!(cache.after('1'), "1", "the one that is in use stays, however old");
    }

    #[test]
    fn one_that_somebody_is_in_stays_until_he_has_left() {
        let cache = Cache::new(&[('1', 1), ('2', 20)]);
        let somebody = cache.lock('2');
        somebody.try_lock().unwrap();
        assert_eq!(cache.after('1'), "12");
        assert!(cache.shadow('2').join("target/debug/large").exists());
        drop(somebody);
        assert_eq!(cache.after('1'), "1");
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let cache = Cache::new(&[('1', 1), ('2', 20), ('3', 20)]);
        let aside = tempfile::tempdir().unwrap();
        create_dir_all(cache.dir.path().join("shadow-mine")).unwrap();
        symlink(aside.path(), cache.shadow('4')).unwrap();
        // It looks like one, and has no lock.
        std::fs::remove_file(lock_of(&cache.shadow('3'))).unwrap();
        assert_eq!(cache.after('1'), "134m");
        assert!(aside.path().exists());
    }

    #[test]
    fn what_was_begun_is_ended_next_time() {
        let cache = Cache::new(&[('1', 1), ('2', 1)]);
        create_dir_all(cache.dir.path().join("gone-shadow-a/shadow/target")).unwrap();
        assert_eq!(cache.after('1'), "12");
    }

    #[test]
    fn a_lock_of_what_was_removed_is_no_lock() {
        let cache = Cache::new(&[('1', 1), ('2', 20)]);
        let waiting = cache.lock('2');
        assert!(is_lock_of(&waiting, &cache.shadow('2')));
        assert_eq!(cache.after('1'), "1");
        assert!(!is_lock_of(&waiting, &cache.shadow('2')));
        create_dir_all(cache.shadow('2')).unwrap();
        bowline_std::fs::replace_private(&lock_of(&cache.shadow('2')), b"").unwrap();
        assert!(!is_lock_of(&waiting, &cache.shadow('2')));
    }
}
