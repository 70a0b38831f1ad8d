//! What happened in conversations: for each a state with a version, and a log that is only added to. Several processes may take
//! part in the same one.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Transaction};

use crate::database::Database;
use crate::{StoreError, schema};

/// So many entries of one log are kept; the oldest go first.
const MOST_LOG: i64 = 100_000;
/// What nobody took part in for so long is over.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// So many are forgotten at one opening: whoever opens is waiting for an answer.
const FORGOTTEN_AT_ONCE: i64 = 8;

/// Which of all states that were ever written one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowMark {
    /// Never given twice.
    pub row: i64,
    /// Raised with every change.
    pub version: i64,
    /// How many entries its log has had.
    pub calls: i64,
}

/// One conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRow {
    pub mark: RowMark,
    pub state: String,
    /// The last entries, the oldest first.
    pub log: Vec<String>,
}

/// What there is, for one who may have seen an earlier state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowFound {
    Nothing,
    Same,
    Other(ConversationRow),
}

/// What is to be there from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRow {
    pub state: String,
    /// What was there goes, with its log, and the row gets a new number.
    pub anew: bool,
    /// Added to the log.
    pub log: Vec<String>,
}

/// All conversations of one user.
///
/// Every operation blocks: call it from a thread that may.
#[derive(Debug)]
pub struct ConversationStore(Database);

impl ConversationStore {
    /// Opens the database, making it with its directory where there is none, and forgets what is long over. One that is
    /// damaged, another program's or another version's is an error, and stays as it is.
    pub fn open(path: &Path, now: SystemTime) -> Result<Self, StoreError> {
        let store = Self(Database::open(&schema::CONVERSATIONS, path)?);
        store.forget(now);
        Ok(store)
    }

    /// What is there, with no more than `most` entries of its log: those that one who knows `known` has not seen.
    pub fn read(&self, name: &str, known: Option<RowMark>, most: usize) -> Result<RowFound, StoreError> {
        // In one transaction, so that the log is that of the state.
        self.0.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            find(&transaction, name, known, most)
        })
    }

    /// Shows what is there and writes what `work` makes of it, in one transaction that nobody else's overlaps. Where `work`
    /// fails or has nothing to write, nothing changes. The answer is the mark of what is there now.
    pub fn change<E: From<StoreError>>(
        &self,
        name: &str,
        known: Option<RowMark>,
        most: usize,
        now: SystemTime,
        work: impl FnOnce(RowFound) -> Result<Option<NewRow>, E>,
    ) -> Result<Option<RowMark>, E> {
        let changed = self.0.write(|transaction| {
            let before = mark(transaction, name)?;
            let found = find(transaction, name, known, most)?;
            match work(found) {
                Err(error) => Ok(Err(error)),
                Ok(None) => Ok(Ok(before)),
                Ok(Some(new)) => write(transaction, name, before, &new, now).map(|mark| Ok(Some(mark))),
            }
        });
        changed.map_err(E::from)?
    }

    /// Forgets one conversation.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        self.0.write(|transaction| match mark(transaction, name)? {
            Some(mark) => remove(transaction, mark.row),
            None => Ok(()),
        })
    }

    /// How many entries the log of a conversation holds.
    pub fn logged(&self, name: &str) -> Result<usize, StoreError> {
        const COUNT: &str = "SELECT count(*) FROM log JOIN conversation ON id = conversation WHERE name = ?1";
        let count: i64 = self.0.read(|connection| connection.query_row(COUNT, [name], |row| row.get(0)))?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// What is long over goes, if nobody else is writing: it can as well go the next time.
    fn forget(&self, now: SystemTime) {
        let before = seconds(now).saturating_sub(FORGOTTEN_AFTER.as_secs().cast_signed());
        const OLD: &str = "SELECT id FROM conversation WHERE updated < ?1 ORDER BY updated LIMIT ?2";
        let old = self.0.read(|connection| {
            let mut statement = connection.prepare(OLD)?;
            let ids = statement.query_map((before, FORGOTTEN_AT_ONCE), |row| row.get(0))?;
            ids.collect::<rusqlite::Result<Vec<i64>>>()
        });
        let forgotten = old.and_then(|old| match old.as_slice() {
            [] => Ok(()),
            old => self.0.write_if_free(|transaction| {
                // Somebody may have gone on with one of them just now.
                const STILL: &str = "SELECT count(*) FROM conversation WHERE id = ?1 AND updated < ?2";
                for id in old {
                    if transaction.query_row(STILL, (id, before), |row| row.get::<_, i64>(0))? > 0 {
                        remove(transaction, *id)?;
                    }
                }
                Ok(())
            }),
        });
        if let Err(error) = forgotten {
            tracing::debug!(%error, "old conversations could not be forgotten");
        }
    }
}

fn mark(connection: &Connection, name: &str) -> rusqlite::Result<Option<RowMark>> {
    connection
        .prepare_cached("SELECT id, version, calls FROM conversation WHERE name = ?1")?
        .query_row([name], |row| Ok(RowMark { row: row.get(0)?, version: row.get(1)?, calls: row.get(2)? }))
        .optional()
}

fn find(
    connection: &Connection,
    name: &str,
    known: Option<RowMark>,
    most: usize,
) -> rusqlite::Result<RowFound> {
    let Some(mark) = mark(connection, name)? else { return Ok(RowFound::Nothing) };
    if known == Some(mark) {
        return Ok(RowFound::Same);
    }
    let state = connection
        .prepare_cached("SELECT state FROM conversation WHERE id = ?1")?
        .query_row([mark.row], |row| row.get(0))?;
    let seen = known.filter(|known| known.row == mark.row).map_or(0, |known| known.calls);
    let mut log: Vec<String> = connection
        .prepare_cached(
            "SELECT entry FROM log WHERE conversation = ?1 AND seq > ?2 ORDER BY seq DESC LIMIT ?3",
        )?
        .query_map((mark.row, seen, i64::try_from(most).unwrap_or(i64::MAX)), |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    log.reverse();
    Ok(RowFound::Other(ConversationRow { mark, state, log }))
}

fn write(
    transaction: &Transaction<'_>,
    name: &str,
    before: Option<RowMark>,
    new: &NewRow,
    now: SystemTime,
) -> rusqlite::Result<RowMark> {
    let before = match before {
        Some(before) if new.anew => {
            remove(transaction, before.row)?;
            None
        }
        before => before,
    };
    let seen = before.map_or(0, |before| before.calls);
    let calls = seen.saturating_add(i64::try_from(new.log.len()).unwrap_or(i64::MAX));
    let version = before.map_or(0, |before| before.version).saturating_add(1);
    let row = match before {
        Some(before) => {
            transaction
                .prepare_cached("UPDATE conversation SET version = ?2, calls = ?3, state = ?4, updated = ?5 WHERE id = ?1")?
                .execute((before.row, version, calls, &new.state, seconds(now)))?;
            before.row
        }
        None => transaction
            .prepare_cached(
                "INSERT INTO conversation (name, version, calls, state, updated) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
            )?
            .query_row((name, version, calls, &new.state, seconds(now)), |row| row.get(0))?,
    };
    let mut add = transaction.prepare_cached("INSERT INTO log VALUES (?1, ?2, ?3)")?;
    for (seq, entry) in (seen + 1..).zip(&new.log) {
        add.execute((row, seq, entry))?;
    }
    if calls > MOST_LOG {
        transaction
            .prepare_cached("DELETE FROM log WHERE conversation = ?1 AND seq <= ?2")?
            .execute((row, calls - MOST_LOG))?;
    }
    Ok(RowMark { row, version, calls })
}

fn remove(transaction: &Transaction<'_>, row: i64) -> rusqlite::Result<()> {
    transaction.prepare_cached("DELETE FROM log WHERE conversation = ?1")?.execute([row])?;
    transaction.prepare_cached("DELETE FROM conversation WHERE id = ?1")?.execute([row])?;
    Ok(())
}

fn seconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
