//! Foreign MCP clients, for the tests that let them talk to the real binary.

use anyhow::{Result, bail};

use crate::arguments::Arguments;
use crate::tools::{self, INSPECTOR_NODE};
use crate::{install, prerequisites};

/// `cargo xtask clients`: installs them and prints the variables, for a `cargo test` by hand.
pub(crate) fn main(arguments: Arguments) -> Result<()> {
    arguments.finish()?;
    prerequisites::check()?;
    for (name, value) in environment()? {
        println!("export {name}='{value}'");
    }
    Ok(())
}

/// Foreign clients for the tests that need them, by the variables that those tests read.
pub(crate) fn environment() -> Result<Vec<(&'static str, String)>> {
    let place = |tool: &tools::Tool| -> Result<String> { Ok(install::tool(tool)?.display().to_string()) };
    let node = match (prerequisites::node(), tools::NODE) {
        (Some(found), _) if found >= INSPECTOR_NODE => "node".to_owned(),
        (_, Some(tool)) => place(&tool)?,
        (_, None) => bail!("the tests need Node ≥ {}.{} on this machine", INSPECTOR_NODE.0, INSPECTOR_NODE.1),
    };
    Ok(vec![
        ("BOWLINE_TEST_PYTHON", place(&tools::PYTHON_SDK)?),
        ("BOWLINE_TEST_NODE", node),
        ("BOWLINE_TEST_NODE_MODULES", place(&tools::TYPESCRIPT_SDK)?),
        ("BOWLINE_TEST_INSPECTOR", place(&tools::INSPECTOR)?),
        // Under it, a test whose client is absent fails instead of standing aside.
        ("BOWLINE_TESTS_COMPLETE", "1".to_owned()),
    ])
}
