//! The compilers that come with the language servers, for the tests that compare verdicts with theirs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::tools::{self, TYPESCRIPT_SERVER_NODE, Tool};
use crate::{install, links, node, paths};

struct Compiler {
    name: &'static str,
    /// By which the tests find it.
    variable: &'static str,
    /// With what it was installed.
    tool: &'static Tool,
    /// Its script, from the folder where that was installed on.
    script: &'static str,
    node: (u32, u32),
}

const COMPILERS: [Compiler; 2] = [
    Compiler {
        name: "pyright",
        variable: "BOWLINE_COMPILER_PYRIGHT",
        tool: &tools::PYRIGHT,
        script: "node_modules/pyright/index.js",
        node: (20, 0),
    },
    Compiler {
        name: "tsc",
        variable: "BOWLINE_COMPILER_TYPESCRIPT",
        tool: &tools::TYPESCRIPT_SERVER,
        script: "node_modules/typescript/lib/tsc.js",
        node: TYPESCRIPT_SERVER_NODE,
    },
];

/// The compilers by the variables that the tests read. They are in no folder that is meant for a `PATH`.
pub(crate) fn environment() -> Result<Vec<(&'static str, String)>> {
    COMPILERS.iter().map(Compiler::variable).collect()
}

impl Compiler {
    fn variable(&self) -> Result<(&'static str, String)> {
        let script = self.script(&install::tool(self.tool)?).context("it is installed nowhere")?;
        ensure!(script.is_file(), "`{}` has no `{}`", self.tool.package, script.display());
        let place = paths::compilers().join(self.name);
        links::script(&node::at_least(self.node)?, &[&script], &place)
            .with_context(|| format!("cannot make `{}`", place.display()))?;
        Ok((self.variable, place.display().to_string()))
    }

    /// In the folder of a tool that is installed at this place.
    fn script(&self, installed: &Path) -> Option<PathBuf> {
        let inside = Path::new(self.tool.place).components().count();
        Some(installed.ancestors().nth(inside)?.join(self.script))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_is_beside_the_server_that_brought_it() {
        for compiler in &COMPILERS {
            let installed = Path::new("/tools/it").join(compiler.tool.place);
            assert_eq!(compiler.script(&installed), Some(Path::new("/tools/it").join(compiler.script)));
        }
    }
}
