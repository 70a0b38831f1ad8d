//! Readers, one for each program: what it printed in, a [`Report`](crate::Report) out. They never fail: what cannot be
//! read is not reported, and whoever ran the program has its whole output.

pub(crate) mod go;
