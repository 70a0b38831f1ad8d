//! Symbols by a part of their name, best first.
//!
//! The order is: the very name, the name in other case, its beginning, its middle; then name, path, line. Only
//! when no name holds the query is it read as letters in order (`frf` for `find_references`).

use bowline_code::{MOST_BY_LETTERS, SymbolRow, fits_letters};
use rusqlite::Connection;

use crate::rows;

/// One page, and how many there are in all.
pub(crate) fn search(
    connection: &Connection,
    query: &str,
    limit: usize,
    offset: usize,
) -> rusqlite::Result<(Vec<SymbolRow>, usize)> {
    let folded = query.to_lowercase();
    let total: i64 = connection
        .prepare_cached("SELECT count(*) FROM symbol WHERE instr(folded, ?1) > 0")?
        .query_row([&folded], |row| row.get(0))?;
    let total = usize::try_from(total).unwrap_or(0);
    if total == 0 {
        return by_letters(connection, &folded, limit, offset);
    }
    // The first step needs nothing but the index; with whole rows it takes twenty times as long.
    let sql = format!(
        "WITH hit AS MATERIALIZED
             (SELECT file AS hit_file, ordinal AS hit_ordinal FROM symbol WHERE instr(folded, ?2) > 0)
         SELECT path, language, {}, CASE WHEN name = ?1 THEN 0 WHEN folded = ?2 THEN 1
             WHEN substr(folded, 1, length(?2)) = ?2 THEN 2 ELSE 3 END AS rank
         FROM hit CROSS JOIN symbol ON file = hit_file AND ordinal = hit_ordinal
             JOIN file ON file.id = symbol.file
         ORDER BY rank, name, path, line, column LIMIT ?3 OFFSET ?4",
        rows::SYMBOL
    );
    let (limit, offset) = (page(limit), page(offset));
    let found = connection
        .prepare_cached(&sql)?
        .query_map((query, &folded, limit, offset), symbol_row)?
        .collect::<rusqlite::Result<_>>()?;
    Ok((found, total))
}

pub(crate) fn named(connection: &Connection, name: &str) -> rusqlite::Result<Vec<SymbolRow>> {
    let sql = format!(
        "SELECT path, language, {} FROM symbol JOIN file ON file.id = symbol.file
         WHERE folded = ?1 AND name = ?2 ORDER BY path, line, column",
        rows::SYMBOL
    );
    connection.prepare_cached(&sql)?.query_map((name.to_lowercase(), name), symbol_row)?.collect()
}

fn by_letters(
    connection: &Connection,
    folded: &str,
    limit: usize,
    offset: usize,
) -> rusqlite::Result<(Vec<SymbolRow>, usize)> {
    let mut statement = connection.prepare_cached("SELECT DISTINCT folded FROM symbol")?;
    let mut all = statement.query([])?;
    let mut names = Vec::new();
    while let Some(row) = all.next()? {
        let name = row.get_ref(0)?.as_str().unwrap_or_default();
        if fits_letters(name, folded) {
            names.push(name.to_owned());
        }
        if names.len() > MOST_BY_LETTERS {
            return Ok((Vec::new(), 0));
        }
    }
    let sql = format!(
        "SELECT path, language, {} FROM symbol JOIN file ON file.id = symbol.file WHERE folded = ?1",
        rows::SYMBOL
    );
    let mut by_name = connection.prepare_cached(&sql)?;
    let mut found: Vec<SymbolRow> = Vec::new();
    for name in names {
        for row in by_name.query_map([name], symbol_row)? {
            found.push(row?);
        }
    }
    found.sort_by(|(left_path, _, left), (right_path, _, right)| {
        let key = |path, symbol: &bowline_code::IndexedSymbol| {
            (rows::path_bytes(path).to_owned(), symbol.selection)
        };
        left.name.cmp(&right.name).then_with(|| key(left_path, left).cmp(&key(right_path, right)))
    });
    let total = found.len();
    Ok((found.into_iter().skip(offset).take(limit).collect(), total))
}

fn symbol_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<SymbolRow> {
    Ok((rows::path(row, 0)?, row.get(1)?, rows::symbol(row, 2)?))
}

fn page(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
