//! Real builds and tests of small projects that fail, each compared with what its program printed.
fn main() {}
