//! Real builds and tests of small projects that fail, each compared with what its program printed.

mod cpp;
mod go;
mod harness;
mod java;
mod javascript;
mod python;
mod rust;
