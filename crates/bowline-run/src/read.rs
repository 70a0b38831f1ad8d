//! Readers, one for each program: what it printed in, a [`Report`](crate::Report) out. They never fail: what cannot be
//! read is not reported, and whoever ran the program has its whole output.

mod java;
mod json;
mod place;
mod stack;
mod text;

pub(crate) mod cargo;
pub(crate) mod cc;
pub(crate) mod cmake;
pub(crate) mod ctest;
pub(crate) mod dotnet;
pub(crate) mod eslint;
pub(crate) mod go;
pub(crate) mod gradle;
pub(crate) mod javac;
pub(crate) mod jest;
pub(crate) mod junit_xml;
pub(crate) mod kotlin;
pub(crate) mod maven;
pub(crate) mod minitest;
pub(crate) mod mocha;
pub(crate) mod node_test;
pub(crate) mod php;
pub(crate) mod phpstan;
pub(crate) mod phpunit;
pub(crate) mod pytest;
pub(crate) mod python;
pub(crate) mod rspec;
pub(crate) mod ruby;
pub(crate) mod swift;
pub(crate) mod tsc;
pub(crate) mod unittest;
pub(crate) mod vitest;
pub(crate) mod zig;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod odd;
#[cfg(test)]
mod shown;

use crate::Report;

/// The same, with every message cut to what one reads: the whole output is in the log.
pub(crate) fn bounded(mut report: Report) -> Report {
    report.problems.iter_mut().for_each(|problem| problem.message = text::bounded(&problem.message));
    report.failures.iter_mut().for_each(|failure| failure.message = text::bounded(&failure.message));
    report
}
