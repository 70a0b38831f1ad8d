//! The files of one family in a project, those read that are not known.

mod walked;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::SystemTime;

use bowline_std::fs::read_straight;

use walked::{Seen, Walked, walk};

use super::aliases::Alias;
use super::facts::{Facts, Setting};
use super::family::{Family, key, name_of};
use crate::WorkspaceError;
use crate::fleet::hides_sources;
use crate::stamp::kept_ns;
use crate::workspace::Work;

/// Settings of a compiler can be long: each file with all of its options.
const MOST_SETTING: u64 = 64 << 20;

/// The files of one family in a project, with what they say.
pub(super) struct Sight {
    pub(super) files: Vec<(PathBuf, Arc<Facts>)>,
    pub(super) settings: Vec<Arc<Facts>>,
    /// Why there may be more than was seen.
    pub(super) doubts: Vec<String>,
}

impl Sight {
    /// Blocks.
    pub(super) fn look(work: &Work, family: Family, project: &Path) -> Result<Self, WorkspaceError> {
        let looked_at = SystemTime::now();
        let Walked { mut files, settings, mut others, mut doubts } = walk(work, family, project)?;
        let mut sight = Self { files: Vec::new(), settings: Vec::new(), doubts: Vec::new() };
        let mut directories: HashSet<&Path> = HashSet::new();
        for seen in &files {
            for directory in seen.path.ancestors().skip(1) {
                if !directory.starts_with(project) || !directories.insert(directory) {
                    break;
                }
            }
        }
        if hides_sources(&directories) {
            doubts.push(
                "a directory is passed over because it is called like one for what is built".to_owned(),
            );
        }
        sight.doubts = doubts;
        let read = sight.read(work, family, settings, looked_at)?;
        sight.settle(read);
        sight.read_extended(work, family, &mut others, looked_at)?;
        loop {
            let read = sight.read(work, family, std::mem::take(&mut files), looked_at)?;
            sight.files.extend(read);
            if family != Family::C {
                break;
            }
            // Whatever is included is C, whatever it is called.
            let mentioned: HashSet<u64> =
                sight.files.iter().flat_map(|(_, facts)| facts.mentions.iter().copied()).collect();
            let is_included = |path: &PathBuf| mentioned.contains(&key(&name_of(path)));
            let (included, left): (Vec<_>, Vec<_>) = others.into_iter().partition(is_included);
            files = included.into_iter().filter_map(Seen::now).collect();
            others = left;
            if files.is_empty() {
                break;
            }
        }
        Ok(sight)
    }

    /// Settings that other settings name.
    fn read_extended(
        &mut self,
        work: &Work,
        family: Family,
        others: &mut Vec<PathBuf>,
        looked_at: SystemTime,
    ) -> Result<(), WorkspaceError> {
        if family != Family::Script {
            return Ok(());
        }
        loop {
            let aliases = self.settings.iter().filter_map(|facts| match &facts.setting {
                Setting::Script(aliases) => Some(aliases),
                _ => None,
            });
            let extended = aliases.flatten().filter_map(|alias| match alias {
                Alias::Extends(name) => Some(name),
                _ => None,
            });
            let named: HashSet<&String> = extended.collect();
            let is_named = |path: &PathBuf| named.contains(&name_of(path).to_lowercase());
            let (wanted, left): (Vec<_>, Vec<_>) = std::mem::take(others).into_iter().partition(is_named);
            *others = left;
            if wanted.is_empty() {
                return Ok(());
            }
            let wanted = wanted.into_iter().filter_map(Seen::now).collect();
            let read = self.read(work, family, wanted, looked_at)?;
            self.settle(read);
        }
    }

    fn settle(&mut self, read: Vec<(PathBuf, Arc<Facts>)>) {
        for (path, facts) in read {
            self.doubts.extend(facts.unclear.map(|unclear| unclear.sentence(&path)));
            self.settings.push(facts);
        }
    }

    /// What each of these says, from memory or from disk.
    fn read(
        &mut self,
        work: &Work,
        family: Family,
        seen: Vec<Seen>,
        looked_at: SystemTime,
    ) -> Result<Vec<(PathBuf, Arc<Facts>)>, WorkspaceError> {
        let (mut found, mut unknown) = (Vec::with_capacity(seen.len()), Vec::new());
        {
            let known = work.shared.mentions.lock();
            let known = known.get(&family);
            for seen in seen {
                match known.and_then(|known| known.get(&seen.path)) {
                    Some((changed, size, facts)) if (*changed, *size) == (seen.changed_ns, seen.size) => {
                        found.push((seen.path, Arc::clone(facts)));
                    }
                    _ => unknown.push(seen),
                }
            }
        }
        if unknown.is_empty() {
            return Ok(found);
        }
        let read: Mutex<Vec<(&Seen, Arc<Facts>)>> = Mutex::default();
        let unreadable: Mutex<Vec<String>> = Mutex::default();
        let next = AtomicUsize::new(0);
        work.meter.begin(Some(unknown.len() as u64));
        let one = || {
            while !work.stopped()
                && let Some(seen) = unknown.get(next.fetch_add(1, Ordering::Relaxed))
            {
                match read_one(work, family, &seen.path) {
                    Ok(facts) => push(&read, (seen, Arc::new(facts))),
                    Err(why) => push(&unreadable, why),
                }
                work.meter.step();
            }
        };
        thread::scope(|scope| {
            let threads = work.shared.options.threads().min(unknown.len());
            (1..threads).for_each(|_| drop(scope.spawn(one)));
            one();
        });
        if work.stopped() {
            return Err(WorkspaceError::Cancelled);
        }
        let read = read.into_inner().unwrap_or_else(PoisonError::into_inner);
        let kept = read.iter().map(|(seen, facts)| {
            (seen.path.clone(), (kept_ns(seen.changed_ns, looked_at), seen.size, Arc::clone(facts)))
        });
        work.shared.mentions.put(family, kept);
        found.extend(read.into_iter().map(|(seen, facts)| (seen.path.clone(), facts)));
        let mut unreadable = unreadable.into_inner().unwrap_or_else(PoisonError::into_inner);
        unreadable.sort_unstable();
        self.doubts.extend(unreadable);
        Ok(found)
    }
}

fn push<T>(to: &Mutex<Vec<T>>, value: T) {
    to.lock().unwrap_or_else(PoisonError::into_inner).push(value);
}

fn read_one(work: &Work, family: Family, path: &Path) -> Result<Facts, String> {
    let options = &work.shared.options;
    let most = if family.is_setting(path) { MOST_SETTING } else { options.max_named_file_bytes };
    // Only with links that may be followed is the path not real already.
    let real = if options.follow_links { work.shared.of_servers.real(path) } else { Some(path.to_owned()) };
    let real = real.ok_or_else(|| format!("`{}` leads out of the workspace", path.display()))?;
    let bytes = match read_straight(&real, most) {
        Ok((bytes, _)) => bytes,
        Err(bowline_std::fs::ReadError::NotFound(_)) => return Ok(Facts::default()),
        Err(error) => return Err(error.to_string()),
    };
    // In UTF-16 no word would be found.
    if bytes.iter().take(8192).any(|byte| *byte == 0) {
        return Err(format!("`{}` is a binary file", path.display()));
    }
    Ok(Facts::read(family, path, &String::from_utf8_lossy(&bytes)))
}
