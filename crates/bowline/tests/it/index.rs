//! The index that outlives a process, as workspace and database make it together.

use std::path::PathBuf;

use bowline_testkit::Fixture;

use crate::{fixture, run};

fn found(fixture: &Fixture, name: &str) -> usize {
    let (code, stdout, stderr) = run(fixture, &["call", "go_to_symbol", "--symbol-path", name]);
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str::<serde_json::Value>(&stdout).unwrap().as_array().unwrap().len()
}

fn database(fixture: &Fixture) -> PathBuf {
    let kept = fixture.path("cache/bowline/index");
    let inside = std::fs::read_dir(kept).unwrap().next().unwrap().unwrap().path();
    inside.join("symbols.db")
}

#[test]
fn is_kept_and_follows_every_change() {
    let mut fixture = fixture();
    assert_eq!(found(&fixture, "greet"), 1);
    assert!(database(&fixture).is_file());
    fixture.write("project/src/other.rs", "fn greet() {}\nfn added() {}\n");
    assert_eq!((found(&fixture, "greet"), found(&fixture, "added")), (2, 1));
    std::fs::remove_file(fixture.path("project/src/lib.rs")).unwrap();
    assert_eq!(found(&fixture, "greet"), 1);
}

#[test]
fn a_broken_database_costs_nothing_but_time() {
    let fixture = fixture();
    assert_eq!(found(&fixture, "greet"), 1);
    let database = database(&fixture);
    for rubbish in [&b"not a database at all"[..], b"", &[0; 8192]] {
        std::fs::write(&database, rubbish).unwrap();
        assert_eq!(found(&fixture, "greet"), 1);
    }
}

#[test]
fn a_pipe_in_its_place_blocks_nobody() {
    let fixture = fixture();
    assert_eq!(found(&fixture, "greet"), 1);
    let database = database(&fixture);
    std::fs::remove_file(&database).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&database).status().unwrap().success());
    assert_eq!(found(&fixture, "greet"), 1);
}

#[test]
fn two_processes_share_it() {
    let fixture = fixture();
    std::thread::scope(|scope| {
        let both: Vec<_> = (0..4).map(|_| scope.spawn(|| found(&fixture, "greet"))).collect();
        for one in both {
            assert_eq!(one.join().unwrap(), 1);
        }
    });
}
