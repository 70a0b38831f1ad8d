//! What tests are made with: fixtures that are one string and many files, with `$0` for the cursor, a fake language
//! server that does exactly what its script says, and a way to end a program between any two of its system calls.

mod fake;
mod fixture;
pub mod kit;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub mod syscalls;

pub use fake::{
    FakeServer, Fault, Kind, PositionEncoding, Progress, Push, Received, Script, fake_ls, fake_ls_main,
    file_uri,
};
pub use fixture::Fixture;
