//! Which programs run what a project says, and how.

use super::options::Dialect;
use super::runner::{After, Operands, PLAIN, Project, Spelt, Sub};
use super::{cargo, golang, npm, python};
use crate::programs::table::{Kind, Row};

/// Its subcommands are told apart by these tables; options that are in none of them are flags, and `options` lists those that
/// make it do something else.
const fn subs(options: &'static str, subs: &'static [Sub]) -> Project {
    Project {
        dialect: Dialect::Argparse,
        cuts_names: false,
        harmless: "q/quiet v/verbose s/silent no-color color",
        options,
        subs,
        other: LAX,
        alone: Spelt::Everything,
    }
}

const LAX: Sub = Sub { is_lax: true, spelt: Spelt::Sub, ..PLAIN };
const TELLS: Sub = Sub { spelt: Spelt::Nothing, ..LAX };
const BY_TWO: Sub = Sub { spelt: Spelt::Operand, ..LAX };

/// What a subcommand without a table is, with what is loud for it.
const fn lax(options: &'static str, tells: &'static [Sub]) -> Kind {
    Kind::Project(subs(options, tells))
}

/// The same, and without a subcommand its name says all.
const fn lax_alone(options: &'static str, tells: &'static [Sub]) -> Kind {
    Kind::Project(Project { alone: Spelt::Program, ..subs(options, tells) })
}

/// It does what its configuration says, in its own way.
const fn configured(options: &'static str) -> Kind {
    Kind::Project(Project {
        other: Sub { is_lax: true, ..PLAIN },
        alone: Spelt::Program,
        ..subs(options, &[])
    })
}

/// A test program: its operands are code that runs.
const fn tests(options: &'static str) -> Kind {
    Kind::Project(Project {
        other: Sub { operands: Operands::Runs, ..PLAIN },
        alone: Spelt::Program,
        ..subs(options, &[])
    })
}

pub(in crate::programs) const ROWS: &[Row] = &[
    ("cmake", Kind::Does(super::cmake)),
    (
        "meson bazel bazelisk buck buck2 pants please plz earthly dagger tilt skaffold garden",
        lax_alone(
            "C=! S=! D=! build-config=! config=! workdir=! test-dir=@ script=! build-and-test=! output-log=> O=> \
                output-junit=> bazelrc=! output_base=>> run_under=! spawn_strategy=!",
            &[Sub { names: "version", ..TELLS }, Sub { names: "run", ..BY_TWO }],
        ),
    ),
    ("npm", Kind::Does(npm::npm)),
    ("pnpm", Kind::Does(npm::pnpm)),
    (
        "yarn yarnpkg",
        lax_alone(
            "cwd=^ modules-folder=! use-yarnrc=! script-shell=! node-options=! global-folder=! cache-folder=>> \
                link-folder=>> registry=! config=! git=! require=! c=! call=! top-level! pack-destination=>> \
                filename=> preferred-cache-folder=>>",
            &[
                Sub { names: "list outdated why info view licenses versions", ..TELLS },
                Sub { names: "exec dlx create node workspace config global link", ..BY_TWO },
                Sub { names: "run", after: After::Free, ..LAX },
            ],
        ),
    ),
    ("npx pnpx bunx uvx", Kind::Does(npm::npx)),
    (
        "bun",
        lax(
            "e/eval=! p/print=! r/preload=! c/config=! cwd=^ import=! env-file=! define=! outdir=>> outfile=> \
                reporter= reporter-outfile=> coverage-dir=>> cpu-prof-dir=>> inspect=! require=! elide-lines=",
            &[
                Sub { names: "x create exec", ..BY_TWO },
                Sub { names: "run", after: After::Free, ..LAX },
                Sub { names: "outdated why", ..TELLS },
                Sub { names: "pm+ls pm+bin pm+hash pm+cache", ..TELLS },
            ],
        ),
    ),
    (
        "deno",
        lax(
            "c/config=! import-map=! preload=! require=! location=! unsafely-ignore-certificate-errors! e/env-file=! \
                junit-path=> coverage=>> output=> o=> cert=! lock=< v8-flags=! A/allow-all! allow-run! allow-write! \
                allow-ffi! allow-env! allow-sys! allow-import! P/permission-set! ext= fix check",
            &[
                Sub { names: "info types doc", ..TELLS },
                Sub {
                    names: "fmt",
                    operands: Operands::Rewrites("ts tsx js jsx mjs json md"),
                    looks: "check",
                    ..LAX
                },
                Sub {
                    names: "lint",
                    operands: Operands::Rewrites("ts tsx js jsx mjs"),
                    writes_with: "fix",
                    ..LAX
                },
                Sub { names: "run task x serve", ..BY_TWO },
                Sub { names: "eval repl", spelt: Spelt::Everything, ..PLAIN },
            ],
        ),
    ),
    ("cargo", Kind::Does(cargo::meaning)),
    ("cargo-xtask xtask", lax("", &[])),
    ("rustup", Kind::Does(cargo::rustup)),
    (
        "rustdoc cpp tcc icc nvcc ld lld gold mold as nasm yasm \
            kotlinc scalac ghc ocamlfind ocamlopt gfortran swiftc zig nim crystal dmd ldc2 gdc fpc valac \
            ld.lld x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc",
        Kind::Hidden("a compiler writes where it is told, and may load and run plugins"),
    ),
    ("go", Kind::Project(golang::GO)),
    (
        "dotnet",
        lax(
            "c/configuration= f/framework= verbosity= filter= no-build no-restore nologo p! property! project=@ additionalprobingpath=! roll-forward=! o/output=>> l! logger! \
                r/results-directory=>> d/diag=> bl! binaryLogger! s/settings=@ collect=% a/test-adapter-path=! source=! \
                configfile=! artifacts-path=>>",
            &[
                Sub { names: "tool run new nuget ef", ..BY_TWO },
                Sub { names: "build test clean restore", operands: Operands::Runs, ..LAX },
                Sub { names: "list", ..TELLS },
            ],
        ),
    ),
    (
        "msbuild xbuild xcodebuild swift flutter dart fastlane pod carthage",
        lax_alone(
            "package-path=@ scratch-path=>> derivedDataPath=>> resultBundlePath=>> build-path=>> toolchain=! sdk=! \
                xctestrun=! file-reporter=! coverage-path=> output=>>",
            &[Sub { names: "run package test", ..BY_TWO }],
        ),
    ),
    ("pytest py.test", Kind::Project(python::PYTEST)),
    (
        "tox nox",
        Kind::Project(Project {
            harmless: "q v p= parallel=",
            options: "e= s/sessions/session= r l/list listenvs a h/help version notest skip-pkg-install recreate c/conf=! \
                workdir=>> root=@ f=! noxfile=! x=! override=! force-dep=! installpkg=! devenv=! runner=! R no-venv reuse-existing-virtualenvs",
            other: Sub { is_lax: false, spelt: Spelt::Sub, after: After::Free, ..PLAIN },
            alone: Spelt::Program,
            ..subs(
                "",
                &[
                    Sub { names: "run r run-parallel p", after: After::Free, ..PLAIN },
                    Sub { names: "list l config version", ..TELLS },
                ],
            )
        }),
    ),
    ("uv", Kind::Does(python::environment)),
    ("poetry pdm pipenv rye pixi conda mamba micromamba hatch", Kind::Does(python::environment)),
    (
        "pip pip3 pipx easy_install",
        lax(
            "t/target=>> prefix=>> root=>> src=>> python=! log=> report=> cache-dir=>> C/config-settings=! \
                global-option=! build-option=! proxy=! cert=! i/index-url=! extra-index-url=! find-links/f=! \
                trusted-host=! r/requirement=< c/constraint=< d/dest=>> w/wheel-dir=>> e/editable=@",
            &[
                Sub { names: "list show freeze check index search debug hash help inspect", ..TELLS },
                Sub { names: "run runpip config cache", ..BY_TWO },
                Sub { names: "install", operands: Operands::Packages, ..LAX },
            ],
        ),
    ),
    (
        "gem",
        lax(
            "i/install-dir=>> n/bindir=>> config-file=! P= source=! clear-sources! p/http-proxy=!",
            &[
                Sub { names: "list search which env environment help info", ..TELLS },
                Sub { names: "exec", ..BY_TWO },
            ],
        ),
    ),
    ("bundle bundler", Kind::Does(python::environment)),
    (
        "composer",
        lax(
            "d/working-dir=^ repository=! repository-url=!",
            &[
                Sub { names: "show info outdated licenses validate diagnose search why depends", ..TELLS },
                Sub { names: "run run-script", after: After::Free, ..LAX },
                Sub { names: "exec global config", ..BY_TWO },
            ],
        ),
    ),
    (
        "rspec minitest phpunit pest busted behave robot cucumber nose2 nosetests bats bats-core shellspec prove",
        tests(
            "f/format=% t/tag= e/example= filter= grep= g= b/backtrace bail fail-fast? n/next-failure recursive \
                only-failures order= seed= P/pattern= testdox stop-on-failure group= exclude-group= testsuite= no-coverage \
                p/profile~ dry-run j/jobs= timing tap i/include= name= tags= o/out=> log-junit=> coverage-html=>> \
                coverage-clover=> coverage-text? h/help version",
        ),
    ),
    (
        "webpack webpack-cli vite rollup esbuild parcel next nuxt astro \
            svelte-kit ng vue-cli-service react-scripts expo turbo nx lerna rush \
            cypress biome oxlint standard xo tslint karma protractor nyc c8 \
            rubocop standardrb phpstan psalm php-cs-fixer \
            ktlint detekt checkstyle spotless swiftlint pre-commit lefthook husky lint-staged \
            commitlint semantic-release changeset storybook tsup tsdx wrangler vercel netlify firebase \
            serverless sst cdk amplify prisma drizzle-kit typeorm knex sequelize alembic flask \
            django-admin gunicorn uvicorn celery rails hugo jekyll mkdocs sphinx-build mdbook zola \
            eleventy coverage autopep8 yapf pyflakes bandit",
        configured(
            "c! config! plugin! rulesdir! resolve-plugins-relative-to! project! p! rootDir! globalSetup! setupFiles! \
                transform! runner! testEnvironment! reporters! plugin-search-dir! output=>> o=>> output-file=> outDir=>> \
                outFile=> outfile=> outdir=>> fix-type! parser! init-hook! load-plugins! custom-typeshed-dir! \
                cache-location=>> cwd! root! prefix! build! b! r! require! preload! loader! inject! serve! servedir! exec! \
                call! format-command! formatter! f! rcfile! python-executable! cache-dir=>> target-path=>> output-path=>> \
                app! wsgi! report-dir=>> temp-dir=>> reports-dir=>>",
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
