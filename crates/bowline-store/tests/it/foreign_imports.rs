//! What is not an exported cache is refused, says why, and changes nothing.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;

use bowline_store::{ImportLimits, Origin, ReferenceStore, StoreError, SymbolStore};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use rusqlite::Connection;
use tempfile::TempDir;

use super::names_in;
use super::references::{key, places, put};

/// A store on disk that knows questions 0 to 4.
struct Own {
    directory: TempDir,
    store: ReferenceStore,
}

type Row = (i64, Vec<u8>, Vec<u8>, i64, i64, Vec<u8>);

impl Own {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = ReferenceStore::open(&directory.path().join("references.db")).unwrap();
        put(&store, 1, 0..5);
        fs::create_dir(directory.path().join("scratch")).unwrap();
        Self { directory, store }
    }

    fn rows(&self) -> Vec<Row> {
        Connection::open(self.directory.path().join("references.db"))
            .unwrap()
            .prepare("SELECT id, world, question, origin, used, places FROM entry ORDER BY id")
            .unwrap()
            .query_map([], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
            })
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap()
    }

    /// The error, after everything else was found to be as it was.
    fn refuses(&self, bytes: &[u8]) -> StoreError {
        let scratch = self.directory.path().join("scratch");
        let before = self.rows();
        let refused = self.store.import(&mut &*bytes, ImportLimits::ASKED_FOR, &scratch).unwrap_err();
        assert_eq!(self.rows(), before);
        assert_eq!(names_in(&scratch), [""; 0]);
        assert!(!names_in(self.directory.path()).iter().any(|name| name.contains("broken")));
        refused
    }
}

fn refused(bytes: &[u8]) -> String {
    Own::new().refuses(bytes).to_string()
}

fn no_cache(reason: &str) -> String {
    format!(
        "this is no exported cache, or it was damaged on the way ({reason}); get it anew from whoever made it"
    )
}

fn exported(questions: std::ops::Range<u32>) -> Vec<u8> {
    let store = ReferenceStore::in_memory().unwrap();
    put(&store, 1, questions);
    let scratch = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    store.export(&mut bytes, scratch.path()).unwrap();
    bytes
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

/// An export after this was done to the database in it.
fn changed(change: impl FnOnce(&Connection)) -> Vec<u8> {
    let (_keep, path) = on_disk(&unpacked(&exported(3..9)));
    let connection = Connection::open(&path).unwrap();
    change(&connection);
    connection.close().unwrap();
    packed(&fs::read(path).unwrap())
}

fn on_disk(bytes: &[u8]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("some.db");
    fs::write(&path, bytes).unwrap();
    (directory, path)
}

fn changed_by(sql: &str) -> Vec<u8> {
    changed(|connection| connection.execute_batch(sql).unwrap())
}

#[test]
fn the_ways_of_these_tests_make_what_is_accepted() {
    let own = Own::new();
    let scratch = own.directory.path().join("scratch");
    assert_eq!(
        own.store
            .import(&mut &*changed_by("DELETE FROM entry WHERE id = 6"), ImportLimits::ASKED_FOR, &scratch)
            .unwrap(),
        3
    );
    assert_eq!(own.store.import(&mut &*changed(|_| {}), ImportLimits::ASKED_FOR, &scratch).unwrap(), 1);
}

#[test]
fn text_and_nothing_at_all() {
    assert_eq!(refused(b"[section]\nkey = 1\n"), no_cache("invalid gzip header"));
    assert_eq!(refused(b""), no_cache("unexpected end of file"));
    assert_eq!(refused(&packed(b"")), no_cache("there is no database in it"));
    assert_eq!(refused(&packed(b"just text")), no_cache("there is no database in it"));
    assert_eq!(refused(&unpacked(&exported(0..9))), no_cache("invalid gzip header"));
}

#[test]
fn a_file_cut_short_anywhere() {
    let (own, bytes) = (Own::new(), exported(0..100));
    for part in 0..20 {
        let refused = own.refuses(&bytes[..bytes.len() * part / 20]);
        assert!(matches!(refused, StoreError::NotACache(_)), "{part}: {refused:?}");
    }
    own.refuses(&bytes[..bytes.len() - 1]);
}

#[test]
fn a_file_with_something_behind_it() {
    let once = exported(3..9);
    assert_eq!(refused(&[&*once, b"more"].concat()), no_cache("something follows its end"));
    assert_eq!(refused(&[&*once, &*once].concat()), no_cache("something follows its end"));
}

/// Time, system and the hint about the level say nothing about the content, and so do they when they are wrong.
#[test]
fn a_flipped_bit_anywhere() {
    let (own, bytes) = (Own::new(), exported(0..30));
    let says_nothing = |at: usize| (4..10).contains(&at);
    for at in (0..bytes.len()).filter(|at| !says_nothing(*at)) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let refused = own.refuses(&bytes);
        assert!(matches!(refused, StoreError::NotACache(_)), "{at}: {refused:?}");
    }
}

/// Where the checksum of the compressed stream is right, the database itself is what cannot be trusted.
#[test]
fn a_flipped_byte_in_the_database_gives_no_wrong_answer() {
    let database = unpacked(&exported(3..40));
    let scratch = tempfile::tempdir().unwrap();
    let (mut refusals, mut imports) = (0, 0);
    for at in (0..100).chain((100..database.len()).step_by(23)) {
        let mut bytes = database.clone();
        bytes[at] ^= 0x55;
        let store = ReferenceStore::in_memory().unwrap();
        put(&store, 1, 0..5);
        match store.import(&mut &*packed(&bytes), ImportLimits::ASKED_FOR, scratch.path()) {
            Ok(_) => imports += 1,
            Err(StoreError::NotACache(_) | StoreError::Newer { .. }) => {
                assert_eq!(store.count().unwrap(), 5);
                refusals += 1;
            }
            Err(other) => panic!("{at}: {other:?}"),
        }
        for question in 0..40 {
            let found = store.get(&key(1, question)).unwrap();
            let origin = found.as_ref().map(|found| found.origin);
            assert!(question >= 5 || origin == Some(Origin::Own), "{at}: {question}");
            assert!(found.is_none_or(|found| found.places == places(question, 4)), "{at}: {question}");
        }
        assert_eq!(names_in(scratch.path()), [""; 0], "{at}");
    }
    assert!(refusals > 100 && imports > 0, "{refusals} {imports}");
}

#[test]
fn another_programs_database() {
    let (_keep, path) = on_disk(b"");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert_eq!(refused(&packed(&fs::read(path).unwrap())), no_cache("it is another program's database"));

    let (_keep, path) = on_disk(b"");
    drop(SymbolStore::open(&path).unwrap());
    assert_eq!(refused(&packed(&fs::read(path).unwrap())), no_cache("it is another program's database"));
}

#[test]
fn another_version() {
    assert_eq!(
        refused(&changed_by("PRAGMA user_version = 7")),
        "a newer version made this cache (format 7, we know 1); update this program"
    );
    assert!(matches!(
        Own::new().refuses(&changed_by("PRAGMA user_version = 2; DROP TABLE entry")),
        StoreError::Newer { found: 2, known: 1 }
    ));
    for none in [0, -1] {
        let bytes = changed_by(&format!("PRAGMA user_version = {none}"));
        assert_eq!(refused(&bytes), no_cache(&format!("there is no version {none}")));
    }
}

#[test]
fn tables_that_are_not_exactly_ours() {
    for sql in [
        "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
        "CREATE VIEW v AS SELECT * FROM entry",
        "CREATE TABLE more (x)",
        "CREATE INDEX further ON entry (world)",
        "CREATE VIRTUAL TABLE f USING fts5 (x)",
        "DROP INDEX entry_by_use",
        "DROP TABLE entry",
        "ALTER TABLE entry ADD COLUMN more TEXT",
        "ALTER TABLE entry RENAME TO other; CREATE VIEW entry AS SELECT * FROM other",
        "ANALYZE",
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, 'length(places)', 'length(world)') WHERE name = 'entry'",
    ] {
        assert_eq!(refused(&changed_by(sql)), no_cache("its tables are not the ones we make"), "{sql}");
    }
}

#[test]
fn an_index_that_disagrees_with_its_table() {
    let bytes = changed(|connection| {
        connection
            .execute_batch(
                "CREATE TABLE spare (used, size); CREATE INDEX empty ON spare (used, size);
                 PRAGMA writable_schema = ON;
                 UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'empty')
                     WHERE name = 'entry_by_use';
                 DELETE FROM sqlite_schema WHERE name IN ('spare', 'empty')",
            )
            .unwrap();
    });
    let said = refused(&bytes);
    assert!(said.starts_with("this is no exported cache"), "{said}");
}

/// One place in a file of this name, with the right checksum for its key.
fn answer_in(file: &[u8], question: u32) -> Vec<u8> {
    let mut bytes = vec![1, 1, u8::try_from(file.len()).unwrap()];
    bytes.extend_from_slice(file);
    bytes.extend_from_slice(&[1, 1, 2, 7, 0, 3]);
    let mut sum = Crc::new();
    sum.update(&key(1, question).world);
    sum.update(&key(1, question).question);
    sum.update(&bytes);
    bytes.extend_from_slice(&sum.sum().to_le_bytes());
    bytes
}

#[test]
fn rows_that_lead_out_of_the_workspace() {
    let with = |file: &str| {
        changed(|connection| {
            let sql = "UPDATE entry SET places = ?1 WHERE question = ?2";
            let changed = connection.execute(sql, (answer_in(file.as_bytes(), 7), key(1, 7).question));
            assert_eq!(changed.unwrap(), 1);
        })
    };
    for file in ["../secret", "a/../../b", "/etc/passwd", "..", "./a", "a//b", "a\0b"] {
        let reason = "answer 5: its path does not stay within the workspace";
        assert_eq!(refused(&with(file)), no_cache(reason), "{file}");
    }
    let own = Own::new();
    own.store
        .import(&mut &*with("a/b"), ImportLimits::ASKED_FOR, &own.directory.path().join("scratch"))
        .unwrap();
    assert_eq!(own.store.get(&key(1, 7)).unwrap().unwrap().places[0].file, PathBuf::from("a/b"));
}

#[test]
fn rows_that_are_no_answers() {
    for (damage, reason) in [
        ("places = x''", "too short"),
        ("places = zeroblob(100)", "wrong checksum"),
        ("places = zeroblob(20000000)", "too long"),
        ("question = x'00'", "its key is none"),
        ("world = zeroblob(33)", "its key is none"),
        ("world = zeroblob(32)", "wrong checksum"),
        ("origin = 2", "unknown origin"),
    ] {
        let bytes = changed_by(&format!("UPDATE entry SET {damage} WHERE id = 3"));
        assert_eq!(refused(&bytes), no_cache(&format!("answer 3: {reason}")), "{damage}");
    }
}

#[test]
fn a_bomb() {
    let mut database = unpacked(&exported(0..3));
    database.resize(64 << 20, 0);
    let bytes = packed(&database);
    assert!(bytes.len() < 1 << 20);
    let refused = Own::new().refuses(&bytes);
    assert!(matches!(refused, StoreError::TooLarge(_)), "{refused:?}");
}

#[test]
fn more_answers_than_any_store_holds() {
    let bytes = changed_by(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100000)
         INSERT INTO entry (world, question, origin, used, places)
             SELECT x'01', CAST(n AS BLOB), 0, n, x'00' FROM n",
    );
    let refused = Own::new().refuses(&bytes);
    assert!(matches!(refused, StoreError::TooLarge(_)), "{refused:?}");
}
