//! Foreign programs for the tests: MCP clients that talk to the real binary, and the validator that reads its skills.

use anyhow::Result;

use crate::arguments::Arguments;
use crate::tools::{self, INSPECTOR_NODE};
use crate::{install, node, prerequisites};

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
    Ok(vec![
        ("BOWLINE_TEST_PYTHON", place(&tools::PYTHON_SDK)?),
        ("BOWLINE_TEST_SKILLS_REF", place(&tools::SKILLS_REF)?),
        ("BOWLINE_TEST_NODE", node::at_least(INSPECTOR_NODE)?.display().to_string()),
        ("BOWLINE_TEST_NODE_MODULES", place(&tools::TYPESCRIPT_SDK)?),
        ("BOWLINE_TEST_INSPECTOR", place(&tools::INSPECTOR)?),
        // Under it, a test whose client is absent fails instead of standing aside.
        ("BOWLINE_TESTS_COMPLETE", "1".to_owned()),
    ])
}
