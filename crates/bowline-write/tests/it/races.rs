//! Somebody who changes the ground while it is walked on.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bowline_write::{Change, WriteError};

use crate::{Place, hash, write};

/// Lets a directory and a link that leads out of the root change places until told to stop.
fn swap_for_ever(place: &Place, stop: &AtomicBool) -> usize {
    let (dir, away, link) = (place.root.join("d"), place.root.join("away"), place.root.join("link"));
    let mut swaps = 0;
    while !stop.load(Ordering::Relaxed) {
        std::fs::rename(&dir, &away).unwrap();
        std::fs::rename(&link, &dir).unwrap();
        std::thread::yield_now();
        std::fs::rename(&dir, &link).unwrap();
        std::fs::rename(&away, &dir).unwrap();
        swaps += 1;
        // Sometimes long enough for a whole commit, mostly not.
        std::thread::sleep(Duration::from_micros(swaps as u64 * 37 % 2000));
    }
    swaps
}

fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = dir
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn a_directory_that_becomes_a_link_never_leads_out() {
    let place = Place::in_memory();
    let outside = place.keep.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    for name in ["a", "b"] {
        std::fs::write(outside.join(name), "0").unwrap();
        place.put(&format!("d/{name}"), "0");
    }
    std::os::unix::fs::symlink(&outside, place.root.join("link")).unwrap();
    let before = contents(&outside);
    let (stop, writer) = (AtomicBool::new(false), place.writer());
    let (mut done, mut refused) = (0_usize, 0_usize);
    std::thread::scope(|scope| {
        let swapping = scope.spawn(|| swap_for_ever(&place, &stop));
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(3) && done + refused < 10_000 {
            let (old, new) = (done.to_string(), (done + 1).to_string());
            let changes = [
                Change::modify(place.root.join("d/a"), hash(&old), new.as_str()),
                Change::modify(place.root.join("d/b"), hash(&old), new.as_str()),
                Change::create(place.root.join(format!("d/new{done}")), new.as_str()),
            ];
            match write(&writer, changes) {
                Ok(_) => done += 1,
                Err(_) => refused += 1,
            }
            assert_eq!(contents(&outside), before);
        }
        stop.store(true, Ordering::Relaxed);
        assert!(swapping.join().unwrap() > 0);
    });
    writer.recover().unwrap();
    let last = done.to_string();
    assert_eq!((place.text("d/a"), place.text("d/b")), (last.clone(), last));
    assert_eq!(place.root.join("d").read_dir().unwrap().count(), 2 + done, "litter, or a lost file");
    assert_eq!(contents(&outside), before);
    println!("{done} done, {refused} refused, 0 outside");
    assert!(done > 0 && refused > 0, "{done} done, {refused} refused: no race took place");
}

/// `leave` is the last thing that happens before the files are looked at.
#[test]
fn a_directory_replaced_by_a_link_between_check_and_write() {
    let place = Place::new();
    let outside = place.keep.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("a"), "a").unwrap();
    let path = place.put("d/a", "a");
    let plan = crate::plan([Change::modify(&path, hash("a"), "b")]);
    let refused = place.writer().write(plan, &|_| {
        std::fs::rename(place.root.join("d"), place.root.join("away")).unwrap();
        std::os::unix::fs::symlink(&outside, place.root.join("d")).unwrap();
        true
    });
    assert!(matches!(refused, Err(WriteError::Link(_))));
    assert_eq!(std::fs::read(outside.join("a")).unwrap(), b"a");
    assert_eq!(place.text("away/a"), "a");
}

/// Somebody else writes to the same file all the time, the way editors do. Nothing that they wrote is ever lost.
#[test]
fn an_edit_in_the_same_moment_is_never_lost() {
    let place = Place::in_memory();
    let path = place.put("a", "theirs 0");
    let stop = AtomicBool::new(false);
    // Counts what the writer has brought to an end.
    let rounds = AtomicU64::new(0);
    let (mut done, mut refused, mut odd) = (0, 0, Vec::new());
    std::thread::scope(|scope| {
        let editing = scope.spawn(|| {
            let (mut number, mut seen) = (0, 0);
            while !stop.load(Ordering::Relaxed) {
                number += 1;
                std::fs::write(place.root.join("swap"), format!("theirs {number}")).unwrap();
                std::fs::rename(place.root.join("swap"), &path).unwrap();
                std::thread::sleep(Duration::from_micros(300));
                let wanted = [format!("theirs {number}"), format!("ours after theirs {number}")];
                // What the writer exchanged by accident it puts back, but not in the same instant.
                let begun = rounds.load(Ordering::SeqCst);
                loop {
                    let passed = rounds.load(Ordering::SeqCst) - begun;
                    let text = place.text("a");
                    if wanted.contains(&text) {
                        break;
                    }
                    // The write that was under way has ended by then.
                    assert!(passed < 2, "{} is lost: {text}", wanted[0]);
                }
                seen += usize::from(place.text("a") == wanted[1]);
            }
            seen
        });
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(2) {
            rounds.fetch_add(1, Ordering::SeqCst);
            let old = place.text("a");
            let ours = format!("ours after {old}");
            if old.starts_with("ours") {
                continue;
            }
            match write(&place.writer(), [Change::modify(&path, hash(&old), ours)]) {
                Ok(_) => done += 1,
                Err(WriteError::Changed { .. } | WriteError::Overtaken { .. } | WriteError::Moved(_)) => {
                    refused += 1;
                }
                Err(error) => odd.push(error.to_string()),
            }
        }
        rounds.fetch_add(2, Ordering::SeqCst);
        stop.store(true, Ordering::Relaxed);
        assert!(editing.join().unwrap() <= done);
    });
    println!("{done} done, {refused} refused, 0 lost");
    assert_eq!(odd, [""; 0]);
    assert!(refused > 0, "{done} done: no race took place");
    let litter = place.tree().into_iter().filter(|name| name.contains("bowline")).count();
    assert_eq!(litter, 0);
}
