//! Variables that decide what a program runs, or where it writes.

use super::Meaning;
use crate::Word;

/// Exactly these.
const NAMES: &str = "PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PS0 PS1 PS2 PROMPT_COMMAND CDPATH GLOBIGNORE SHELL HOME \
    TMPDIR PAGER EDITOR VISUAL BROWSER LESS MORE LESSOPEN LESSCLOSE LESSKEY MANOPT MANPATH \
    POSIXLY_CORRECT CC CXX CPP LD AR AS LINK CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKEFILES MFLAGS \
    GNUMAKEFLAGS TAR_OPTIONS GREP_OPTIONS GZIP XZ_OPT XZ_DEFAULTS ZIPOPT UNZIP RSYNC_RSH RSYNC_PROXY \
    AWKPATH AWKLIBPATH GCONV_PATH LOCPATH NLSPATH HOSTALIASES TERMINFO TERMCAP VIMINIT EXINIT VIM \
    VIMRUNTIME MYVIMRC INPUTRC HISTFILE OPENSSL_CONF OPENSSL_MODULES CURL_HOME WGETRC SYSTEM_WGETRC \
    NETRC PSQLRC PHPRC PHP_INI_SCAN_DIR CLASSPATH MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS ANT_OPTS SBT_OPTS \
    KUBECONFIG TERM_PROGRAM FPATH ZDOTDIR FIGNORE BASH_COMPAT BASH_XTRACEFD BASH_LOADABLES_PATH \
    EXECIGNORE RUSTC RUSTDOC RUSTFLAGS RUSTDOCFLAGS BASH_CMDS BASH_ALIASES SED AWK M4PATH PKG_CONFIG \
    ANSIBLE_CONFIG DOCKER_HOST FCEDIT NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS JAVA_HOME \
    JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS GOROOT GOPATH GOBIN CMAKE_TOOLCHAIN_FILE \
    SQLITE_HISTORY COMPOSE_FILE LUA_PATH LUA_CPATH LUA_INIT";

/// Whatever begins so.
const STARTS: &str = "LD_ DYLD_ GIT_ SSH_ASKPASS SUDO_ BASH_FUNC_ PYTHON PERL RUBY GEM_ BUNDLE_ NPM_ npm_ YARN_ PNPM_ \
    CARGO_ RUSTC_ RUSTUP_ GOFLAGS GO_ CGO_ PIP_ UV_ POETRY_ COMPOSER_ DOTNET_ DENO_ BUN_ JULIA_ R_ XDG_ \
    EMACS MYSQL_ CLAUDE CODEX GEMINI QWEN OPENCODE COPILOT GOOSE_ AIDER_ BOWLINE NIX_ TF_CLI TF_PLUGIN \
    MAVEN_ GRADLE_ CCACHE_ DISTCC_ VIRTUAL_ENV CONDA_ PYENV_ RBENV_ NVM_ MISE_ ASDF_ DIRENV_ MSBUILD";

/// Whatever ends so.
const ENDS: &str = "_PAGER _EDITOR _BROWSER _ASKPASS _WRAPPER _COMMAND _SHELL PRELOAD";

/// These begin like the others, and only say how much is told, and in which colour.
const HARMLESS: &str = "CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN CARGO_TERM_VERBOSE CARGO_TERM_QUIET CARGO_INCREMENTAL \
    CARGO_NET_OFFLINE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 \
    PYTHONHASHSEED GIT_TERMINAL_PROMPT GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE \
    GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_OPTIONAL_LOCKS DOTNET_NOLOGO \
    DOTNET_CLI_TELEMETRY_OPTOUT NPM_CONFIG_LOGLEVEL npm_config_loglevel PIP_NO_INPUT \
    PIP_DISABLE_PIP_VERSION_CHECK PERL_BADLANG";

/// A variable of this name decides what runs.
pub(crate) fn decides(name: &str) -> bool {
    let has = |list: &'static str, fits: &dyn Fn(&str) -> bool| list.split(' ').any(fits);
    !has(HARMLESS, &|harmless| harmless == name)
        && (has(NAMES, &|known| known == name)
            || has(STARTS, &|start| name.starts_with(start))
            || has(ENDS, &|end| name.ends_with(end)))
}

/// Takes `NAME=value` from the front, as `env` and `sudo` do; what they change is a doubt.
pub(super) fn without_assignments(mut words: Vec<Word>, meaning: &mut Meaning) -> Vec<Word> {
    let count = words.iter().take_while(|word| word.start().split_once('=').is_some()).count();
    for word in words.drain(..count) {
        let name = word.start().split('=').next().unwrap_or_default();
        if decides(name) || word.is_loose() {
            meaning.unreadable(format!("`{}` decides what runs", word.shown()));
        }
    }
    words
}
