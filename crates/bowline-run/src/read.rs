//! Readers, one for each program: what it printed in, a [`Report`](crate::Report) out. They never fail: what cannot be
//! read is not reported, and whoever ran the program has its whole output.

pub(crate) mod cargo;
pub(crate) mod cc;
pub(crate) mod cmake;
pub(crate) mod ctest;
pub(crate) mod go;
mod place;
pub(crate) mod pytest;
pub(crate) mod python;
pub(crate) mod unittest;
