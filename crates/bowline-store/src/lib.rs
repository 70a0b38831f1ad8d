//! What outlives a process, in SQLite: the symbol index.
