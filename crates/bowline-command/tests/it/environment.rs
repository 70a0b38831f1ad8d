//! Variables in front of a command: those that decide what runs are doubted, and others are not.

use crate::read;

/// With these, a command is as readable as without.
const HARMLESS: &str = "CI=1 LANG=C LC_ALL=C.UTF-8 TZ=UTC TERM=dumb COLUMNS=200 NO_COLOR=1 FORCE_COLOR=0 CLICOLOR=0 DEBUG=app:* VERBOSE=1 \
    RUST_LOG=debug RUST_BACKTRACE=1 RUST_LIB_BACKTRACE=0 RUST_MIN_STACK=8388608 RUST_TEST_THREADS=1 NODE_ENV=test PORT=3000 HOST=127.0.0.1 \
    BABEL_ENV=test RAILS_ENV=test RACK_ENV=test APP_ENV=test FLASK_ENV=development FLASK_DEBUG=1 LOG_LEVEL=debug LOGLEVEL=info \
    DEBIAN_FRONTEND=noninteractive SOURCE_DATE_EPOCH=0 GOOS=linux GOARCH=arm64 GOMAXPROCS=2 GO111MODULE=on CGO_ENABLED=0 GOGC=off \
    GODEBUG=gctrace=1 CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 CARGO_NET_OFFLINE=true CARGO_BUILD_JOBS=2 PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 PYTHONIOENCODING=utf8 PYTHONUTF8=1 PYTHONHASHSEED=0 PYTHONFAULTHANDLER=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 \
    PY_COLORS=1 GIT_TERMINAL_PROMPT=0 GIT_AUTHOR_NAME=me GIT_COMMITTER_EMAIL=me@x GIT_OPTIONAL_LOCKS=0 DOTNET_NOLOGO=1 \
    DOTNET_CLI_TELEMETRY_OPTOUT=1 NPM_CONFIG_LOGLEVEL=error npm_config_yes=true NEXT_TELEMETRY_DISABLED=1 PIP_NO_INPUT=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 HUSKY=0 DO_NOT_TRACK=1 HOMEBREW_NO_AUTO_UPDATE=1 UV_OFFLINE=1 NX_DAEMON=false VITEST_MAX_THREADS=1 \
    DATABASE_URL=postgres://localhost/x REDIS_URL=redis://x API_URL=http://localhost BASE_URL=/ FOO=bar MY_VAR=1 DJANGO_SETTINGS_MODULE=app.settings \
    MPLBACKEND=Agg AWS_REGION=eu AWS_PROFILE=dev PGHOST=localhost PGUSER=me PGPASSWORD=x SKIP_TESTS=1 E2E=1 TEST_ENV=ci WATCH=false";

/// These name a program, options of one, or a file that is written.
const DECIDING: &str = "PATH=. IFS=x ENV=x BASH_ENV=x LD_PRELOAD=x LD_AUDIT=x DYLD_INSERT_LIBRARIES=x GIT_SSH_COMMAND=evil GIT_EXTERNAL_DIFF=evil \
    GIT_TRACE=/x GIT_DIR=x GIT_CONFIG_COUNT=1 SSH_ASKPASS=evil PAGER=evil EDITOR=evil BROWSER=evil LESS=-ox LESSOPEN=x LESSHISTFILE=x LESSKEYIN_SYSTEM=x \
    TAR_OPTIONS=x TAPE=x GZIP=-r XZ_OPT=x ZIPOPT=x SIMPLE_BACKUP_SUFFIX=.pem VERSION_CONTROL=t RSYNC_RSH=evil CURL_HOME=. WGETRC=x SSLKEYLOGFILE=x OPENSSL_CONF=x \
    CC=evil CXX=evil LD=evil CFLAGS=x LDFLAGS=x COMPILER_PATH=. DEPENDENCIES_OUTPUT=x GCOV_PREFIX=x LLVM_PROFILE_FILE=x ASAN_OPTIONS=log_path=x \
    UBSAN_OPTIONS=x CPUPROFILE=x MAKEFLAGS=x MAKEFILES=x MAKE=evil CMAKE_TOOLCHAIN_FILE=x CMAKE_C_COMPILER_LAUNCHER=evil DESTDIR=x \
    RUSTC=evil RUSTC_WRAPPER=evil RUSTFLAGS=x RUSTDOC=evil RUSTUP_TOOLCHAIN=x CARGO_HOME=x CARGO_TARGET_DIR=x CARGO_BUILD_RUSTC_WRAPPER=evil CLIPPY_CONF_DIR=x \
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=evil GOFLAGS=-exec=evil GOCACHEPROG=evil GOTOOLCHAIN=x GOCOVERDIR=x GOPROXY=x GOENV=x GOAUTH=evil GOCACHE=x CGO_CFLAGS=x \
    NODE_OPTIONS=-rx NODE_PATH=x NODE_V8_COVERAGE=x NODE_REDIRECT_WARNINGS=x NODE_COMPILE_CACHE=x npm_config_prefix=x NPM_CONFIG_SCRIPT_SHELL=evil YARN_RC_FILENAME=x COREPACK_HOME=x \
    JEST_JUNIT_OUTPUT_FILE=x TS_NODE_REQUIRE=x PYTHONPATH=x PYTHONSTARTUP=x PYTHONPYCACHEPREFIX=x PYTHONBREAKPOINT=x PYTHONHOME=x PYTHONWARNINGS=x PYTEST_ADDOPTS=x PYTEST_PLUGINS=x \
    COVERAGE_FILE=x COVERAGE_PROCESS_START=x PIP_INDEX_URL=x UV_PYTHON=x RUBYOPT=x BUNDLE_GEMFILE=x GEM_HOME=x PERL5OPT=x JAVA_TOOL_OPTIONS=x CLASSPATH=x MAVEN_OPTS=x \
    GRADLE_OPTS=x LUA_INIT=x ERL_FLAGS=x PHPRC=x KUBECONFIG=x DOCKER_HOST=x DOCKER_CONFIG=x COMPOSE_FILE=x GH_CONFIG_DIR=x PSQLRC=x TF_CLI_ARGS=x TMPDIR=x TMP=x HOME=x XDG_CONFIG_HOME=x \
    FOO_PAGER=evil FOO_EDITOR=evil FOO_WRAPPER=evil X_LOG_FILE=x";

#[test]
fn variables_that_only_tell_are_no_doubt() {
    let doubted: Vec<&str> = HARMLESS
        .split_ascii_whitespace()
        .filter(|assignment| {
            !read(&format!("{assignment} prog")).doubts.is_empty()
                || !read(&format!("env {assignment} prog")).doubts.is_empty()
        })
        .collect();
    assert!(doubted.is_empty(), "{doubted:?}");
    assert!(HARMLESS.split_ascii_whitespace().count() >= 60);
}

#[test]
fn variables_that_decide_what_runs_are_doubted() {
    let passed: Vec<&str> = DECIDING
        .split_ascii_whitespace()
        .filter(|assignment| {
            read(&format!("{assignment} prog")).is_readable()
                || read(&format!("env {assignment} prog")).is_readable()
        })
        .collect();
    assert!(passed.is_empty(), "{passed:?}");
}

#[test]
fn make_takes_every_variable() {
    for doubted in [
        "RM=evil make test",
        "FOO=1 make test",
        "env RM=evil make test",
        "RM=evil timeout 5 make test",
        "CI='$(shell evil)' make test",
        "PORT='1;evil' make",
        "export RM=evil; make test",
        "declare -x RM=evil && make",
        "RM=evil; set -a; make",
        "RM=evil /usr/bin/make test",
        "X=evil ninja",
    ] {
        assert!(!read(doubted).is_readable(), "{doubted}");
    }
    for plain in [
        "CI=1 make test",
        "export NODE_ENV=test; make",
        "FOO=1 npm test",
        "V=1 make -j4",
        "env LANG=C make test",
        "export FOO=1; npm test",
    ] {
        assert!(read(plain).is_readable(), "{plain}");
    }
}

#[test]
fn flags_for_compilers_are_read() {
    let is_readable =
        |assignment: &str, program: &str| read(&format!("{assignment} {program}")).is_readable();
    for plain in [
        "'-D warnings'",
        "-Dwarnings",
        "'-Awarnings -C target-cpu=native -Copt-level=3'",
        "'--cfg tokio_unstable'",
        "'--cap-lints warn'",
        "''",
    ] {
        assert!(is_readable(&format!("RUSTFLAGS={plain}"), "cargo check"), "{plain}");
    }
    for loud in [
        "'-C linker=./evil'",
        "-Clinker=./evil",
        "'-D warnings -Clinker=x'",
        "'-C link-arg=-o'",
        "'-L .'",
        "@evil",
        "'--cfg @evil'",
        "'-o x'",
        "'-C target-cpu'",
        "'-C incremental=x'",
        "'-C debuginfo=../x'",
        "'-D'",
        "'-D --emit=asm=x'",
        "$x",
        "-D$x",
        "x",
    ] {
        assert!(!is_readable(&format!("RUSTFLAGS={loud}"), "cargo check"), "{loud}");
    }
    for plain in ["-mod=mod", "'-mod=vendor -count=1'", "-tags=integration,e2e"] {
        assert!(is_readable(&format!("GOFLAGS={plain}"), "go test ./..."), "{plain}");
    }
    for loud in
        ["-exec=evil", "-toolexec=evil", "'-mod=mod -vettool=x'", "-modfile=x", "-tags=../x", "-o=x", "$x"]
    {
        assert!(!is_readable(&format!("GOFLAGS={loud}"), "go test ./..."), "{loud}");
    }
    assert!(!is_readable("RUSTFLAGS='-D warnings'", "make test"), "its recipes may use it as a command");
    assert!(!is_readable("LDFLAGS=-mod=mod", "go build"), "another variable");
}
