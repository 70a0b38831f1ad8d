//! The tables, and how a database is told to be ours.
//!
//! There are no migrations: a database of another version is made again, which is as fast and never half
//! right. One that cannot be made again is left as it is, and not used.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// The tables of one kind of database.
pub(crate) struct Schema {
    /// Four letters, where SQLite keeps a place for the name of the program.
    pub(crate) application: i64,
    /// Raised with every change to the tables, or to what is written in them.
    pub(crate) version: i64,
    tables: &'static str,
    pub(crate) worth: Worth,
}

/// What a database is worth that cannot be trusted any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Nothing: it can be made again, so it is set aside and begun anew.
    Remade,
    /// What was in it is nowhere else. Beginning anew would be forgetting, and that is for a person to decide.
    Kept,
}

/// "bowr": what language servers answered.
pub(crate) const REFERENCES: Schema =
    Schema { application: 0x626f_7772, version: 1, tables: REFERENCE_TABLES, worth: Worth::Remade };

/// "bowl": the symbol index.
pub(crate) const SYMBOLS: Schema =
    Schema { application: 0x626f_776c, version: 1, tables: SYMBOL_TABLES, worth: Worth::Remade };

/// "bowc": what happened in conversations.
pub(crate) const CONVERSATIONS: Schema =
    Schema { application: 0x626f_7763, version: 1, tables: CONVERSATION_TABLES, worth: Worth::Kept };

// Words have a table of their own: stamps are read before every query and must not lie between megabytes of them.
const SYMBOL_TABLES: &str = "
CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    language TEXT NOT NULL,
    modified_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE words (
    file INTEGER PRIMARY KEY,
    hashes BLOB NOT NULL
) STRICT;
CREATE TABLE symbol (
    file INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    kind INTEGER NOT NULL,
    container TEXT NOT NULL,
    range_line INTEGER NOT NULL,
    range_column INTEGER NOT NULL,
    range_end_line INTEGER NOT NULL,
    range_end_column INTEGER NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL,
    PRIMARY KEY (file, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX symbol_by_folded ON symbol (folded);
";

// Eviction reads `used` and `size` of every row, and nothing else of it: the index holds both.
const REFERENCE_TABLES: &str = "
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    world BLOB NOT NULL,
    question BLOB NOT NULL,
    origin INTEGER NOT NULL,
    used INTEGER NOT NULL,
    places BLOB NOT NULL,
    size INTEGER NOT NULL GENERATED ALWAYS AS (length(places)) VIRTUAL,
    UNIQUE (world, question)
) STRICT;
CREATE INDEX entry_by_use ON entry (used, size);
";

// A number is never given twice: a conversation that was thrown away and begun again is another one.
const CONVERSATION_TABLES: &str = "
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    state TEXT NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
CREATE INDEX conversation_by_age ON conversation (updated);
CREATE TABLE log (
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;
";

/// What a database turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Empty,
    Ours,
    /// Another program's, or another version's.
    Foreign(String),
}

impl Schema {
    /// In one transaction: another process may be making the tables right now.
    pub(crate) fn kind(&self, connection: &Connection) -> rusqlite::Result<Kind> {
        self.kind_within(&connection.unchecked_transaction()?)
    }

    fn kind_within(&self, connection: &Transaction<'_>) -> rusqlite::Result<Kind> {
        let (application, version) = name_and_version(connection)?;
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(match (application, version, tables) {
            (0, 0, 0) => Kind::Empty,
            (application, _, _) if application != self.application => {
                Kind::Foreign("another program's database".into())
            }
            (_, version, 1..) if version == self.version => Kind::Ours,
            (_, other, _) => Kind::Foreign(format!("version {other} instead of {}", self.version)),
        })
    }

    /// Makes the tables, unless another process has just made them.
    pub(crate) fn create(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if self.kind_within(&transaction)? == Kind::Empty {
            transaction.execute_batch(self.tables)?;
            transaction.pragma_update(None, "application_id", self.application)?;
            transaction.pragma_update(None, "user_version", self.version)?;
        }
        transaction.commit()
    }

    /// What [`texts`] says of a database that is ours and nothing else.
    pub(crate) fn expected_texts(&self) -> rusqlite::Result<Vec<Text>> {
        let mut model = Connection::open_in_memory()?;
        self.create(&mut model)?;
        texts(&model)
    }
}

pub(crate) fn name_and_version(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((pragma("application_id")?, pragma("user_version")?))
}

/// Type, name, table and definition, which indexes of SQLite's own do not have.
pub(crate) type Text = (String, String, String, Option<String>);

/// How everything in a database is defined.
pub(crate) fn texts(connection: &Connection) -> rusqlite::Result<Vec<Text>> {
    connection
        .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect()
}
