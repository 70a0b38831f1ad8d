//! Fixtures for tests: one string, many files, `$0` for the cursor.

mod fixture;

pub use fixture::Fixture;
