//! Which programs run what a project says, and how.

use super::{Names, Project};
use crate::programs::table::{Kind, Row};

const PLAIN: Project =
    Project { options: "", loud: "", quiet: "", deeper: "", hides: "", names: Names::First };

const fn sub(options: &'static str, loud: &'static str, quiet: &'static str, deeper: &'static str) -> Kind {
    Kind::Project(Project { options, loud, quiet, deeper, ..PLAIN })
}

/// Targets: all of them.
const fn targets(options: &'static str, loud: &'static str) -> Kind {
    Kind::Project(Project { options, loud, names: Names::All, ..PLAIN })
}

/// It does what its configuration says, in its own way; other configurations are loud.
const fn configured(loud: &'static str) -> Kind {
    Kind::Project(Project { loud, names: Names::Itself, ..PLAIN })
}

const NPM_LOUD: &str = "c call script-shell prefix C cwd dir node-options userconfig globalconfig \
    init-module git editor viewer browser shell require location global-dir modules-folder use-yarnrc";
const NPM_QUIET: &str =
    "ls list ll la view info show v outdated search whoami ping root bin why explain fund licenses";

pub(in crate::programs) const ROWS: &[Row] = &[
    (
        "make gmake bmake nmake remake",
        targets(
            "j/jobs? k/keep-going s/silent/quiet B/always-make n/just-print/dry-run i/ignore-errors \
                l/load-average? w/print-directory no-print-directory r/no-builtin-rules \
                R/no-builtin-variables O/output-sync? d debug? t/touch q/question S/stop trace \
                warn-undefined-variables",
            "f file makefile C directory eval I include-dir o W e environment-overrides E",
        ),
    ),
    ("ninja samu", targets("j= k= l= n v/verbose d= quiet", "f C t")),
    (
        "just",
        targets(
            "n/dry-run q/quiet v/verbose list l summary color= yes unsorted dump",
            "f justfile d working-directory shell shell-arg set c command chooser e edit choose \
                dotenv-path dotenv-filename g",
        ),
    ),
    (
        "task go-task",
        targets(
            "l list a list-all f/force s/silent v/verbose n/dry p/parallel y yes summary status w",
            "t taskfile d dir g entrypoint",
        ),
    ),
    (
        "rake invoke inv doit mage ant buildr waf scons mk redo thor gulp grunt jake lage nuke",
        targets(
            "q/quiet v/verbose s/silent n/dry-run l/list T",
            "f rakefile C r require e execute E p I c collection D R gulpfile cwd base gruntfile buildfile",
        ),
    ),
    ("cmake", Kind::Does(super::cmake)),
    (
        "ctest meson bazel bazelisk buck buck2 pants please plz earthly dagger tilt skaffold garden",
        sub("", "C S D build-config config workdir", "version", "run"),
    ),
    (
        "npm",
        sub(
            "s/silent q/quiet d no-fund no-audit workspaces w/workspace= if-present ignore-scripts \
                loglevel= g/global",
            NPM_LOUD,
            NPM_QUIET,
            "run run-script rum urn exec x explore audit config pkg cache",
        ),
    ),
    (
        "pnpm",
        sub(
            "s/silent r/recursive w/workspace-root filter/F= reporter= parallel stream",
            NPM_LOUD,
            NPM_QUIET,
            "run exec dlx run-script create audit config",
        ),
    ),
    (
        "yarn yarnpkg",
        Kind::Project(Project {
            options: "s/silent verbose",
            loud: NPM_LOUD,
            quiet: NPM_QUIET,
            deeper: "run exec dlx create node workspace config",
            names: Names::FirstIfAny,
            ..PLAIN
        }),
    ),
    (
        "npx pnpx bunx uvx",
        sub(
            "y/yes no no-install p/package= q/quiet bun from= with= python=",
            "c call shell shell-auto-fallback node-options",
            "",
            "",
        ),
    ),
    (
        "bun",
        sub(
            "bun b silent smol watch hot",
            "e eval p print r preload c config cwd import env-file define",
            "",
            "run x create exec",
        ),
    ),
    (
        "deno",
        Kind::Project(Project {
            options: "q/quiet",
            loud: "c config import-map preload require location unsafely-ignore-certificate-errors e",
            quiet: "info types doc lint",
            deeper: "run task x serve",
            hides: "eval repl",
            ..PLAIN
        }),
    ),
    (
        "cargo",
        sub(
            "v/verbose q/quiet color= offline locked frozen",
            "config manifest-path C Z target-dir artifact-dir out-dir root lockfile-path fix exec runner \
                git path",
            "metadata tree search locate-project pkgid read-manifest verify-project version info help \
                fmt:--check",
            "nextest llvm-cov hack watch",
        ),
    ),
    ("cargo-xtask xtask", sub("", "", "", "")),
    (
        "rustup",
        sub(
            "v/verbose q/quiet",
            "",
            "show which check doc toolchain-list",
            "run toolchain component target override self",
        ),
    ),
    (
        "rustc rustdoc gcc g++ cc c++ clang clang++ cpp tcc icc nvcc ld lld gold mold as nasm yasm javac \
            kotlinc scalac ghc ocamlfind ocamlopt gfortran swiftc zig nim crystal dmd ldc2 gdc fpc valac \
            ld.lld x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc",
        Kind::Hidden("a compiler writes where it is told, and may load and run plugins"),
    ),
    (
        "go",
        sub(
            "",
            "exec toolexec vettool C modfile overlay o ldflags gcflags asmflags gccgoflags pkgdir w u \
                compiler modcacherw",
            "version env doc help list",
            "run tool mod work",
        ),
    ),
    (
        "mvn mvnw mvnd",
        targets(
            "q/quiet B/batch-mode o/offline e/errors X/debug U ntp T= pl= am",
            "f file s settings gs t toolchains D define P",
        ),
    ),
    (
        "gradle gradlew",
        targets(
            "q/quiet i/info d/debug s/stacktrace offline daemon no-daemon parallel continue console= \
                rerun-tasks no-build-cache build-cache",
            "b build-file c settings-file p project-dir I init-script P D g gradle-user-home include-build",
        ),
    ),
    ("sbt lein boot mill", targets("", "D J")),
    (
        "dotnet",
        sub(
            "",
            "p property project additionalprobingpath roll-forward",
            "list-sdks",
            "tool run new nuget ef",
        ),
    ),
    (
        "msbuild xbuild xcodebuild swift flutter dart fastlane pod carthage",
        sub("", "package-path scratch-path derivedDataPath", "", "run package test"),
    ),
    (
        "pytest py.test",
        Kind::Project(Project {
            names: Names::AllIfAny,
            options: "q/quiet v/verbose x/exitfirst s l/showlocals k= m= n/numprocesses= lf/last-failed \
                ff/failed-first nf maxfail= tb= durations= co/collect-only timeout= cov? cov-report= \
                no-cov no-header color= capture= r= W= strict-markers disable-warnings sw stepwise reruns= \
                failed-first",
            loud: "c config-file rootdir confcutdir p o override-ini pyargs import-mode basetemp junitxml \
                junit-xml log-file cov-config debug",
            ..PLAIN
        }),
    ),
    (
        "tox nox hatch",
        Kind::Project(Project {
            names: Names::FirstIfAny,
            options: "q v e= s/session= p",
            loud: "c conf workdir root f noxfile x override force-dep installpkg",
            quiet: "list l config version",
            deeper: "run r env",
            ..PLAIN
        }),
    ),
    (
        "uv",
        sub(
            "q/quiet v/verbose offline no-cache color=",
            "directory project config-file python with-requirements index-url default-index find-links \
                target prefix",
            "version tree",
            "run pip tool python cache x",
        ),
    ),
    (
        "poetry pdm pipenv rye pixi conda mamba micromamba",
        sub(
            "q v n no-interaction no-ansi",
            "C directory project P prefix p name n",
            "show list info check env-list search version",
            "run shell env config cache self",
        ),
    ),
    (
        "pip pip3 pipx easy_install",
        sub(
            "q/quiet v/verbose disable-pip-version-check no-input no-cache-dir isolated",
            "target t prefix root src python log cache-dir C config-settings global-option build-option",
            "list show freeze check index search debug hash help",
            "run runpip config cache",
        ),
    ),
    (
        "gem",
        sub("", "i install-dir n bindir config-file", "list search which env environment help info", "exec"),
    ),
    (
        "bundle bundler",
        Kind::Project(Project {
            loud: "gemfile path binstubs",
            quiet: "list show info outdated check",
            deeper: "exec config",
            names: Names::FirstIfAny,
            ..PLAIN
        }),
    ),
    (
        "composer",
        sub(
            "q/quiet v/verbose n/no-interaction no-ansi ansi",
            "d working-dir",
            "show info outdated licenses validate diagnose search why depends",
            "run run-script exec global config",
        ),
    ),
    (
        "rspec mocha ava tap minitest phpunit pest busted behave robot cucumber nose2 nosetests bats \
            bats-core shellspec prove",
        Kind::Project(Project {
            names: Names::AllIfAny,
            loud: "r require I c config configuration bootstrap options require-module opts file e exec",
            options: "f/format= q/quiet v/verbose t/tag= e= filter= grep= g= bail b color no-color \
                fail-fast recursive",
            ..PLAIN
        }),
    ),
    (
        "jest vitest eslint prettier tsc webpack webpack-cli vite rollup esbuild parcel next nuxt astro \
            svelte-check svelte-kit ng vue-cli-service react-scripts expo turbo nx lerna rush playwright \
            cypress stylelint biome oxlint standard xo tslint karma protractor nyc c8 mypy pyright pylint \
            flake8 ruff black isort rubocop standardrb phpstan psalm php-cs-fixer golangci-lint \
            staticcheck ktlint detekt checkstyle spotless swiftlint pre-commit lefthook husky lint-staged \
            commitlint semantic-release changeset storybook tsup tsdx wrangler vercel netlify firebase \
            serverless sst cdk amplify prisma drizzle-kit typeorm knex sequelize alembic flask \
            django-admin gunicorn uvicorn celery rails hugo jekyll mkdocs sphinx-build mdbook zola \
            eleventy",
        configured(
            "c config plugin rulesdir resolve-plugins-relative-to project p rootDir globalSetup setupFiles \
                transform runner testEnvironment reporters plugin-search-dir output o output-file outDir \
                outFile outfile outdir fix-type parser init-hook load-plugins custom-typeshed-dir \
                cache-location cwd root prefix build b r require preload loader inject serve servedir exec \
                call format-command formatter f rcfile python-executable cache-dir target-path output-path \
                app wsgi",
        ),
    ),
    (
        "terraform tofu terragrunt pulumi packer vagrant ansible ansible-playbook ansible-galaxy salt \
            chef-client puppet helm helmfile kustomize nomad consul vault",
        Kind::Hidden("it changes machines as files describe"),
    ),
    (
        "apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew port emerge nix-env nix nix-shell \
            nix-build guix snapcraft choco winget scoop opam cabal stack cpan cpanm luarocks mix rebar3 \
            hex conan vcpkg spack eb nvm fnm volta asdf mise rbenv pyenv sdk goenv rvm n direnv devbox \
            devenv",
        Kind::Does(super::super::elsewhere::installer),
    ),
    ("gh glab hub tea", Kind::Does(super::super::elsewhere::forge)),
    ("run-parts", Kind::Hidden("it runs all programs of a directory")),
];
