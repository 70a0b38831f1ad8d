//! The rows: one for each answer, numbered by when it was used last.
//!
//! That number is no time but counts up with every use: clocks differ between machines and are set back.

use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use super::places::{self, Flaw};
use super::{Limits, Origin, ReferenceKey, Remembered};

pub(crate) enum Found {
    Nothing,
    Good(Remembered),
    Bad(&'static str),
}

/// Room is made for more than the next answer, so that it is not made with every one.
const EMPTIED_PARTS: usize = 50;

pub(crate) fn find(connection: &Connection, key: &ReferenceKey) -> rusqlite::Result<Found> {
    let found = connection
        .prepare_cached("SELECT origin, places FROM entry WHERE world = ?1 AND question = ?2")?
        .query_row((key.world, key.question), |row| Ok(read(key, row, 0)))
        .optional()?;
    Ok(match found {
        None => Found::Nothing,
        Some(Ok(remembered)) => Found::Good(remembered),
        Some(Err(Flaw(reason))) => Found::Bad(reason),
    })
}

/// Reads `origin` and `places` from column `first` on.
pub(crate) fn read(key: &ReferenceKey, row: &Row<'_>, first: usize) -> Result<Remembered, Flaw> {
    let origin = match row.get(first) {
        Ok(0) => Origin::Own,
        Ok(1) => Origin::Shared,
        _ => return Err(Flaw("unknown origin")),
    };
    let bytes = row.get_ref(first + 1).ok().and_then(|value| value.as_blob().ok()).ok_or(Flaw("no bytes"))?;
    Ok(Remembered { places: places::decode(key, bytes)?, origin })
}

pub(crate) fn count(connection: &Connection) -> rusqlite::Result<usize> {
    connection.query_row("SELECT count(*) FROM entry", [], |row| row.get(0)).map(whole)
}

/// Gives these keys the next numbers, in their order, and returns the highest there is now.
pub(crate) fn mark(transaction: &Transaction<'_>, keys: &[ReferenceKey]) -> rusqlite::Result<i64> {
    let mut tick: i64 = transaction
        .prepare_cached("SELECT coalesce(max(used), 0) FROM entry")?
        .query_row([], |row| row.get(0))?;
    let mut update =
        transaction.prepare_cached("UPDATE entry SET used = ?3 WHERE world = ?1 AND question = ?2")?;
    for key in keys {
        tick = tick.saturating_add(1);
        update.execute((key.world, key.question, tick))?;
    }
    Ok(tick)
}

/// An answer of our own, in the place of whatever was there.
pub(crate) fn put(
    transaction: &Transaction<'_>,
    key: &ReferenceKey,
    bytes: &[u8],
    tick: i64,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO entry (world, question, origin, used, places) VALUES (?1, ?2, 0, ?4, ?3)
             ON CONFLICT (world, question) DO UPDATE SET origin = 0, used = ?4, places = ?3",
        )?
        .execute((key.world, key.question, bytes, tick))?;
    Ok(())
}

/// A shared answer, if there is none. Says whether it was taken.
pub(crate) fn adopt(
    transaction: &Transaction<'_>,
    key: &ReferenceKey,
    bytes: &[u8],
    tick: i64,
) -> rusqlite::Result<bool> {
    let taken = transaction
        .prepare_cached(
            "INSERT INTO entry (world, question, origin, used, places) VALUES (?1, ?2, 1, ?4, ?3)
             ON CONFLICT (world, question) DO NOTHING",
        )?
        .execute((key.world, key.question, bytes, tick))?;
    Ok(taken > 0)
}

pub(crate) fn remove(transaction: &Transaction<'_>, key: &ReferenceKey) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("DELETE FROM entry WHERE world = ?1 AND question = ?2")?
        .execute((key.world, key.question))?;
    Ok(())
}

/// Removes what was used least recently, until the rest is within the limits.
pub(crate) fn evict(transaction: &Transaction<'_>, limits: Limits) -> rusqlite::Result<()> {
    // Both are read from the index over `used` alone: the answers themselves are not touched.
    let (mut entries, mut bytes) = transaction
        .prepare_cached("SELECT count(*), coalesce(sum(size), 0) FROM entry INDEXED BY entry_by_use")?
        .query_row([], |row| Ok((whole(row.get(0)?), whole(row.get(1)?))))?;
    if entries <= limits.entries && bytes <= limits.bytes {
        return Ok(());
    }
    let less = |limit: usize| limit - limit / EMPTIED_PARTS;
    let mut going = Vec::new();
    let mut statement =
        transaction.prepare_cached("SELECT id, size FROM entry INDEXED BY entry_by_use ORDER BY used")?;
    let mut oldest = statement.query([])?;
    while (entries > less(limits.entries) || bytes > less(limits.bytes))
        && let Some(row) = oldest.next()?
    {
        going.push(row.get::<_, i64>(0)?);
        entries = entries.saturating_sub(1);
        bytes = bytes.saturating_sub(whole(row.get(1)?));
    }
    let mut delete = transaction.prepare_cached("DELETE FROM entry WHERE id = ?1")?;
    going.into_iter().try_for_each(|id| delete.execute([id]).map(drop))
}

fn whole(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}
