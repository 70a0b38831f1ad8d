//! What a language server sees of our environment: what tool chains need, and nothing that opens doors.
//!
//! An agent's own environment holds the keys of its model. A language server runs code of the project (build
//! scripts, macros, plug-ins) and has no business with them, so only names that are listed here are handed on.

use std::ffi::{OsStr, OsString};

/// Handed on as they are.
const NAMES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "TERM",
    // Where tool chains are and keep their things.
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOCACHE",
    "GOMODCACHE",
    "GOENV",
    "GOFLAGS",
    "GOWORK",
    "GOEXPERIMENT",
    "GOOS",
    "GOARCH",
    "GOPROXY",
    "GOSUMDB",
    "GONOSUMDB",
    "GONOPROXY",
    "GOPRIVATE",
    "GOTOOLCHAIN",
    "GO111MODULE",
    "CGO_ENABLED",
    "CGO_CFLAGS",
    "CGO_LDFLAGS",
    "CARGO_HOME",
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "RUSTC",
    "RUSTC_WRAPPER",
    "NODE_PATH",
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "NVM_DIR",
    "NVM_BIN",
    "VOLTA_HOME",
    "FNM_DIR",
    "PNPM_HOME",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "JAVA_HOME",
    "JDK_HOME",
    "GRADLE_USER_HOME",
    "GRADLE_HOME",
    "MAVEN_HOME",
    "M2_HOME",
    "SBT_OPTS",
    "KOTLIN_HOME",
    "DOTNET_ROOT",
    "DOTNET_CLI_HOME",
    "NUGET_PACKAGES",
    "GEM_HOME",
    "GEM_PATH",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "BUNDLE_PATH",
    "BUNDLE_GEMFILE",
    "COMPOSER_HOME",
    "MIX_HOME",
    "HEX_HOME",
    "OPAMROOT",
    "OPAMSWITCH",
    "ZIG_LIB_DIR",
    "CC",
    "CXX",
    "CPP",
    "AR",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "SDKROOT",
    "DEVELOPER_DIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SYSTEMROOT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "PATHEXT",
    "COMSPEC",
    "NIX_PATH",
    "NIX_PROFILES",
    "NIX_SSL_CERT_FILE",
    "MISE_DATA_DIR",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
];
/// Handed on with whatever follows.
const PREFIXES: &[&str] = &["LC_", "XDG_"];

/// What is handed on of an environment.
pub fn allowed(environment: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    environment.into_iter().filter(|(name, _)| is_allowed(name)).collect()
}

fn is_allowed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_gets_through() {
        let names = [
            "PATH",
            "HOME",
            "LC_ALL",
            "XDG_CACHE_HOME",
            "GOPATH",
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "SSH_AUTH_SOCK",
            "NPM_TOKEN",
            "CARGO_REGISTRY_TOKEN",
            "BOWLINE_X",
            "LD_PRELOAD",
        ];
        let given = names.map(|name| (OsString::from(name), OsString::from("x")));
        let passed: Vec<OsString> = allowed(given).into_iter().map(|(name, _)| name).collect();
        assert_eq!(passed, ["PATH", "HOME", "LC_ALL", "XDG_CACHE_HOME", "GOPATH"]);
    }
}
