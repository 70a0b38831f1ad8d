//! What tests are made with: fixtures that are one string and many files, with `$0` for the cursor, and a fake
//! language server that does exactly what its script says.

mod fake;
mod fixture;

pub use fake::{
    FakeServer, Fault, Kind, PositionEncoding, Progress, Push, Received, Script, fake_ls, fake_ls_main,
    file_uri,
};
pub use fixture::Fixture;
