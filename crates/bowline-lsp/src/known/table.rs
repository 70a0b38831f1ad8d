//! The table of known language servers.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Value, json};

/// One language server, and how to tell that a project wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownServer {
    /// The language, by the name that users write in their configuration.
    pub language: &'static str,
    pub binary: &'static str,
    pub args: &'static [&'static str],
    /// Files that mark a project of this language; `*.x` is any file that ends so.
    pub markers: &'static [&'static str],
    /// How its files' names end.
    pub extensions: &'static [&'static str],
    /// Whole names of files without such an ending.
    pub names: &'static [&'static str],
}

impl KnownServer {
    /// What the server is told when it starts, where it would otherwise keep something back that we ask for.
    pub fn initialization_options(&self) -> Option<Value> {
        match self.binary {
            // Asked for diagnostics it answers with all of them; what it pushes comes in two parts.
            // Hints are off unless asked for.
            "gopls" => Some(json!({
                "pullDiagnostics": true,
                "semanticTokens": true,
                "hints": {
                    "assignVariableTypes": true,
                    "compositeLiteralFields": true,
                    "compositeLiteralTypes": true,
                    "constantValues": true,
                    "functionTypeParameters": true,
                    "parameterNames": true,
                    "rangeVariableTypes": true,
                },
            })),
            // Its second tsserver answers from single files while the first one loads the project; and types are looked
            // for on the network.
            "typescript-language-server" => Some(json!({
                "tsserver": {"useSyntaxServer": "never"},
                "disableAutomaticTypingAcquisition": true,
                // Off unless asked for, too.
                "preferences": {
                    "includeInlayParameterNameHints": "all",
                    "includeInlayFunctionParameterTypeHints": true,
                    "includeInlayVariableTypeHints": true,
                    "includeInlayPropertyDeclarationTypeHints": true,
                    "includeInlayFunctionLikeReturnTypeHints": true,
                    "includeInlayEnumMemberValueHints": true,
                },
            })),
            _ => None,
        }
    }

    fn speaks(&self, name: &str, extension: Option<&str>) -> bool {
        self.names.contains(&name) || extension.is_some_and(|extension| self.extensions.contains(&extension))
    }
}

/// The language that a file of this name is written in, as far as any server knows.
pub fn language_of(path: &Path) -> Option<&'static KnownServer> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension().and_then(OsStr::to_str).map(str::to_lowercase);
    KNOWN.iter().find(|known| known.speaks(name, extension.as_deref()))
}

const fn server(
    language: &'static str,
    binary: &'static str,
    args: &'static [&'static str],
    markers: &'static [&'static str],
    extensions: &'static [&'static str],
) -> KnownServer {
    KnownServer { language, binary, args, markers, extensions, names: &[] }
}

const STDIO: &[&str] = &["--stdio"];
/// A draft of a header is there for those who include it. By itself clangd tells a thousand uses of a symbol and renames it
/// in fifty files, without a word about the rest.
const CLANGD: &[&str] = &["--use-dirty-headers", "--limit-references=0", "--rename-file-limit=0"];
const C_MARKERS: &[&str] = &["compile_commands.json", "CMakeLists.txt", ".clangd", "Makefile", "meson.build"];

/// One per language, by language.
pub const KNOWN: &[KnownServer] = &[
    server("bash", "bash-language-server", &["start"], &[], &["sh", "bash"]),
    server("c", "clangd", CLANGD, C_MARKERS, &["c", "h"]),
    server("clojure", "clojure-lsp", &[], &["deps.edn", "project.clj"], &["clj", "cljs", "cljc"]),
    server("cpp", "clangd", CLANGD, C_MARKERS, &["cpp", "cc", "cxx", "c++", "hpp", "hxx", "hh"]),
    server("csharp", "csharp-ls", &[], &["*.sln", "*.csproj"], &["cs", "csx"]),
    server("css", "vscode-css-language-server", STDIO, &[], &["css", "scss", "less"]),
    server("dart", "dart", &["language-server"], &["pubspec.yaml"], &["dart"]),
    KnownServer {
        names: &["Dockerfile", "Containerfile"],
        ..server("dockerfile", "docker-langserver", STDIO, &["Dockerfile"], &["dockerfile"])
    },
    server("elixir", "elixir-ls", &[], &["mix.exs"], &["ex", "exs"]),
    server("gleam", "gleam", &["lsp"], &["gleam.toml"], &["gleam"]),
    server("go", "gopls", &[], &["go.mod", "go.work"], &["go"]),
    server(
        "haskell",
        "haskell-language-server-wrapper",
        &["--lsp"],
        &["stack.yaml", "*.cabal"],
        &["hs", "lhs"],
    ),
    server("html", "vscode-html-language-server", STDIO, &[], &["html", "htm"]),
    server("java", "jdtls", &[], &["pom.xml", "build.gradle", "build.gradle.kts"], &["java"]),
    server(
        "javascript",
        "typescript-language-server",
        STDIO,
        &["package.json", "jsconfig.json"],
        &["js", "jsx", "mjs", "cjs"],
    ),
    server("json", "vscode-json-language-server", STDIO, &[], &["json", "jsonc"]),
    server(
        "kotlin",
        "kotlin-language-server",
        &[],
        &["build.gradle.kts", "settings.gradle.kts"],
        &["kt", "kts"],
    ),
    server("lua", "lua-language-server", &[], &[".luarc.json"], &["lua"]),
    server("mql", "mql-lsp-server", &[], &[], &["mq4", "mq5", "mqh"]),
    server("nix", "nil", &[], &["flake.nix"], &["nix"]),
    server("ocaml", "ocamllsp", &[], &["dune-project"], &["ml", "mli"]),
    server("php", "intelephense", STDIO, &["composer.json"], &["php", "phtml"]),
    server("prisma", "prisma-language-server", STDIO, &["schema.prisma"], &["prisma"]),
    server(
        "python",
        "pyright-langserver",
        STDIO,
        &["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"],
        &["py", "pyi", "pyw"],
    ),
    KnownServer {
        names: &["Gemfile", "Rakefile"],
        ..server("ruby", "solargraph", &["stdio"], &["Gemfile", "*.gemspec"], &["rb", "rake", "gemspec"])
    },
    server("rust", "rust-analyzer", &[], &["Cargo.toml", "rust-project.json"], &["rs"]),
    server("scala", "metals", &[], &["build.sbt", "build.sc"], &["scala", "sc", "sbt"]),
    server("sql", "sqls", &[], &[], &["sql"]),
    server("svelte", "svelteserver", STDIO, &["svelte.config.js"], &["svelte"]),
    server("swift", "sourcekit-lsp", &[], &["Package.swift"], &["swift"]),
    server("terraform", "terraform-ls", &["serve"], &[".terraform.lock.hcl"], &["tf", "tfvars"]),
    server(
        "typescript",
        "typescript-language-server",
        STDIO,
        &["tsconfig.json"],
        &["ts", "tsx", "mts", "cts"],
    ),
    server("vue", "vue-language-server", STDIO, &[], &["vue"]),
    server("yaml", "yaml-language-server", STDIO, &[], &["yaml", "yml"]),
    server("zig", "zls", &[], &["build.zig"], &["zig"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted_and_names_each_language_once() {
        assert!(KNOWN.is_sorted_by(|left, right| left.language < right.language));
    }
}
