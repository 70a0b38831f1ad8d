//! Compilers of scripts, linters, formatters and test programs that do what the project's configuration says.
//!
//! Each has its own list: an option that is not in it may name a program, or a file that is written.

use super::options::Dialect;
use super::runner::{Operands, PLAIN, Project, Spelt, Sub};
use crate::programs::table::{Kind, Row};

const fn checks(harmless: &'static str, options: &'static str, operands: Operands) -> Project {
    Project {
        dialect: Dialect::Exact,
        cuts_names: false,
        harmless,
        options,
        subs: &[],
        other: Sub { operands, ..PLAIN },
        alone: Spelt::Program,
    }
}

/// It rewrites its operands, unless one of these is given.
const fn formats(
    harmless: &'static str,
    options: &'static str,
    endings: &'static str,
    looks: &'static str,
) -> Project {
    Project {
        other: Sub { operands: Operands::Rewrites(endings), looks, ..PLAIN },
        ..checks(harmless, options, Operands::Plain)
    }
}

/// It rewrites its operands only if one of these is given.
const fn shows(
    harmless: &'static str,
    options: &'static str,
    endings: &'static str,
    writes_with: &'static str,
) -> Project {
    Project {
        other: Sub { operands: Operands::Rewrites(endings), writes_with, ..PLAIN },
        ..checks(harmless, options, Operands::Plain)
    }
}

/// It runs no code that the project says, and is no doubt.
#[expect(clippy::needless_pass_by_value, reason = "a constant is made of it")]
const fn quiet(runner: Project) -> Project {
    Project { other: Sub { spelt: Spelt::Nothing, ..runner.other }, alone: Spelt::Nothing, ..runner }
}

const SCRIPTS: &str = "js jsx ts tsx mjs cjs mts cts vue svelte json md";
const PYTHON: &str = "py pyi ipynb";

const RUFF: &str = "n/no-cache isolated config=@ fix unsafe-fixes no-fix no-unsafe-fixes show-fixes no-show-fixes diff fix-only no-fix-only \
    output-format= o/output-file=> target-version= preview no-preview select= ignore= extend-select= \
    extend-ignore= per-file-ignores= extend-per-file-ignores= fixable= unfixable= extend-fixable= \
    exclude= extend-exclude= respect-gitignore no-respect-gitignore force-exclude no-force-exclude \
    cache-dir=>> stdin-filename= extension= e/exit-zero exit-non-zero-on-fix w/watch statistics add-noqa \
    show-files show-settings check line-length= range= h/help";

pub(in crate::programs) const ROWS: &[Row] = &[
    (
        "tsc",
        Kind::Project(checks(
            "pretty? noErrorTruncation extendedDiagnostics diagnostics listFiles listEmittedFiles traceResolution \
                preserveWatchOutput locale=",
            "noEmit p/project=@ b/build w/watch outDir/outdir=>> outFile=> declarationDir=>> rootDir= skipLibCheck~ strict~ \
                incremental~ tsBuildInfoFile=> t/target= m/module= moduleResolution= lib= jsx= esModuleInterop~ \
                allowJs~ checkJs~ d/declaration~ declarationMap~ sourceMap~ noEmitOnError~ types= typeRoots= baseUrl= \
                resolveJsonModule~ isolatedModules~ noImplicitAny~ noUnusedLocals~ noUnusedParameters~ \
                strictNullChecks~ composite~ emitDeclarationOnly~ showConfig allowSyntheticDefaultImports~ \
                forceConsistentCasingInFileNames~ downlevelIteration~ experimentalDecorators~ force dry \
                verbose clean v/version h/help all listFilesOnly generateTrace=>> generateCpuProfile=> \
                exactOptionalPropertyTypes~ noImplicitReturns~ noFallthroughCasesInSwitch~ useDefineForClassFields~ \
                allowImportingTsExtensions~ jsxImportSource= removeComments~ noCheck~ noLib~ verbatimModuleSyntax~",
            Operands::Reads,
        )),
    ),
    (
        "eslint",
        Kind::Project(Project {
            other: Sub { operands: Operands::Rewrites(SCRIPTS), writes_with: "fix", ..PLAIN },
            ..checks(
                "quiet color no-color stats no-warn-ignored",
                "fix fix-dry-run fix-type= ext= max-warnings= cache cache-strategy= cache-location=>> cache-file=> \
                    o/output-file=> f/format=% c/config=@ no-config-lookup no-eslintrc ignore-path=< \
                    ignore-pattern= no-ignore rule= env= global= parser-options= report-unused-disable-directives \
                    report-unused-disable-directives-severity= no-inline-config exit-on-fatal-error \
                    no-error-on-unmatched-pattern stdin stdin-filename= debug print-config= init! pass-on-no-patterns \
                    pass-on-unpruned-suppressions suppress-all suppress-rule= prune-suppressions \
                    suppressions-location=> concurrency= h/help v/version",
                Operands::Plain,
            )
        }),
    ),
    (
        "prettier",
        Kind::Project(shows(
            "log-level/loglevel= color no-color u/ignore-unknown no-error-on-unmatched-pattern",
            "w/write c/check l/list-different config=@ no-config config-precedence= no-editorconfig ignore-path=< \
                cache cache-location=>> cache-strategy= stdin-filepath= find-config-path= file-info= \
                support-info parser=% with-node-modules insert-pragma require-pragma print-width= tab-width= \
                use-tabs semi no-semi single-quote jsx-single-quote quote-props= trailing-comma= bracket-spacing \
                no-bracket-spacing bracket-same-line arrow-parens= prose-wrap= html-whitespace-sensitivity= \
                end-of-line= embedded-language-formatting= experimental-ternaries h/help version",
            "js jsx ts tsx mjs cjs mts cts vue svelte json json5 jsonc md mdx css scss less html yml yaml graphql hbs",
            "w",
        )),
    ),
    (
        "jest",
        Kind::Project(checks(
            "verbose silent i/runInBand w/maxWorkers= colors noStackTrace no-color forceExit bail? b? \
                detectOpenHandles logHeapUsage testTimeout=",
            "watch watchAll? t/testNamePattern= testPathPattern/testPathPatterns= testPathIgnorePatterns= coverage? \
                collectCoverage? ci? u/updateSnapshot o/onlyChanged changedSince= changedFilesWithAncestor lastCommit \
                findRelatedTests listTests passWithNoTests no-coverage no-cache clearCache showConfig json \
                outputFile=> coverageDirectory=>> cacheDirectory=>> coverageReporters=% collectCoverageFrom= \
                c/config=@ rootDir=@ roots=@ selectProjects= ignoreProjects= runTestsByPath expand e/expand \
                onlyFailures f shard= randomize seed= testEnvironment=% no-watchman watchman? errorOnDeprecated \
                coverageProvider= coverageThreshold= resetMocks restoreMocks clearMocks debug h/help version",
            Operands::Plain,
        )),
    ),
    (
        "vitest",
        Kind::Project(checks(
            "silent? no-color color bail= hideSkippedTests disable-console-intercept no-file-parallelism \
                maxWorkers= minWorkers= maxConcurrency= testTimeout= hookTimeout=",
            "w/watch run dir=@ t/testNamePattern= u/update ui! coverage? coverage.enabled? coverage.reportsDirectory=>> coverage.reporter=% \
                coverage.provider= outputFile=> outputFile.json=> outputFile.junit=> reporter=% c/config=@ r/root=@ mode= globals \
                environment=% changed? shard= project= passWithNoTests logHeapUsage allowOnly dangerouslyIgnoreUnhandledErrors \
                browser? pool= exclude= retry= typecheck inspect? related no-coverage isolate no-isolate sequence.shuffle h/help v/version",
            Operands::Plain,
        )),
    ),
    (
        "mocha",
        Kind::Project(checks(
            "c/color/colors no-color b/bail t/timeout= s/slow= full-trace diff inline-diffs j/jobs= p/parallel",
            "g/grep= f/fgrep= i/invert R/reporter=% O/reporter-option/reporter-options=! reporter-options=! recursive \
                exit w/watch ui= u= check-leaks forbid-only forbid-pending retries= sort ignore= exclude= extension= \
                config=@ package=@ no-config r/require=! file=@ spec=@ list-files dry-run h/help V/version",
            Operands::Runs,
        )),
    ),
    (
        "mypy",
        Kind::Project(checks(
            "v/verbose show-error-codes hide-error-codes pretty no-pretty color-output no-color-output no-error-summary \
                error-summary show-column-numbers show-error-context show-absolute-path show-traceback/tb \
                show-error-end",
            "strict ignore-missing-imports follow-imports= no-incremental install-types! non-interactive \
                config-file=@ cache-dir=>> p/package= m/module= c/command= exclude= python-version= platform= \
                python-executable=! warn-unused-ignores warn-unused-configs warn-return-any warn-redundant-casts \
                warn-unreachable disallow-untyped-defs disallow-any-generics disallow-untyped-calls disallow-incomplete-defs \
                check-untyped-defs no-implicit-optional implicit-optional strict-optional no-strict-optional strict-equality \
                namespace-packages explicit-package-bases no-namespace-packages no-site-packages disable-error-code= enable-error-code= \
                allow-redefinition local-partial-types junit-xml=> html-report=>> txt-report=>> xml-report=>> \
                cobertura-xml-report=>> any-exprs-report=>> linecount-report=>> linecoverage-report=>> \
                lineprecision-report=>> xslt-html-report=>> xslt-txt-report=>> sqlite-cache \
                scripts-are-modules skip-cache-mtime-checks fast-module-lookup no-warn-unused-ignores h/help V/version",
            Operands::Reads,
        )),
    ),
    (
        "pyright basedpyright",
        Kind::Project(checks(
            "stats verbose threads~ outputjson",
            "p/project=@ level= w/watch warnings pythonversion= pythonplatform= v/venvpath=! venv-path=! pythonpath=! \
                typeshedpath=@ t/typeshedpath=@ createstub= verifytypes= ignoreexternal dependencies skipunannotated h/help version",
            Operands::Reads,
        )),
    ),
    (
        "black",
        Kind::Project(formats(
            "v/verbose q/quiet color no-color W/workers=",
            "check diff l/line-length= t/target-version= S/skip-string-normalization C/skip-magic-trailing-comma \
                preview unstable fast safe include= exclude= extend-exclude= force-exclude= stdin-filename= \
                config=@ pyi ipynb x/skip-source-first-line required-version= line-ranges= no-cache h/help version",
            PYTHON,
            "check diff",
        )),
    ),
    (
        "isort",
        Kind::Project(formats(
            "v/verbose q/quiet color j/jobs~",
            "c/check-only/check d/diff profile=% l/line-length= settings-path/settings-file/settings=@ \
                sp=@ config-root=@ only-modified e/balanced sg/skip-glob= s/skip= skip-gitignore gitignore \
                filter-files stdout t/top= p/project= o/thirdparty= known-first-party= known-local-folder= \
                a/add-import= src= m/multi-line= tc/trailing-comma fgw/force-grid-wrap= float-to-top \
                show-files show-settings version V h/help",
            PYTHON,
            "c d stdout",
        )),
    ),
    (
        "flake8",
        Kind::Project(checks(
            "v/verbose q/quiet count color= j/jobs= show-source statistics benchmark",
            "max-line-length= max-complexity= ignore= extend-ignore= select= extend-select= exclude= extend-exclude= \
                per-file-ignores= filename= format=% output-file=> tee config=@ append-config=@ isolated \
                disable-noqa exit-zero max-doc-length= hang-closing indent-size= h/help version bug-report",
            Operands::Reads,
        )),
    ),
    (
        "pylint",
        Kind::Project(checks(
            "v/verbose j/jobs= s/score= r/reports=",
            "disable/d= enable/e= rcfile=@ f/output-format=% output=> E/errors-only fail-under= fail-on= ignore= ignore-paths= \
                ignore-patterns= max-line-length= msg-template= recursive= exit-zero list-msgs help-msg= py-version= \
                good-names= ignored-modules= h/help version",
            Operands::Reads,
        )),
    ),
    (
        "shellcheck",
        Kind::Project(quiet(checks(
            "C/color? f/format= W/wiki-link-count=",
            "s/shell= S/severity= e/exclude= i/include= o/enable= x/external-sources a/check-sourced norc rcfile=< \
                P/source-path= list-optional extended-analysis= V/version help",
            Operands::Reads,
        ))),
    ),
    (
        "clang-format",
        Kind::Project(quiet(shows(
            "verbose ferror-limit=",
            "i style= assume-filename= dry-run n Werror Wno-error= fallback-style= files=< length= lines= offset= \
                cursor= sort-includes qualifier-alignment= output-replacements-xml dump-config fail-on-incomplete-format \
                h/help version -i -n -style= --Werror",
            "c cc cpp cxx h hh hpp hxx m mm java js ts proto cs json",
            "i -i",
        ))),
    ),
    (
        "rustfmt",
        Kind::Project(formats(
            "v/verbose q/quiet color=",
            "check edition= style-edition= l/files-with-diff config= config-path=< emit= backup unstable-features skip-children \
                error-on-unformatted file-lines= h/help V/version",
            "rs",
            "check",
        )),
    ),
    (
        "gofmt goimports",
        Kind::Project(Project {
            dialect: Dialect::Single,
            ..quiet(shows("v", "l d e s w r= local= srcdir= cpuprofile=> format-only", "go", "w"))
        }),
    ),
    (
        "staticcheck",
        Kind::Project(Project {
            dialect: Dialect::Single,
            ..checks(
                "",
                "f= checks= fail= go= tests= tags= show-ignored explain= version",
                Operands::Packages,
            )
        }),
    ),
    (
        "ava tap",
        Kind::Project(checks(
            "v/verbose c/concurrency= color no-color T/timeout= fail-fast serial s",
            "m/match= w/watch u/update-snapshots node-arguments=! config=@ tap reset-cache version help",
            Operands::Plain,
        )),
    ),
    (
        "stylelint",
        Kind::Project(shows(
            "quiet q color no-color",
            "fix config=@ f/formatter=% max-warnings= mw= cache cache-location=>> o/output-file=> \
        aei allow-empty-input ip ignore-pattern= i ignore-path=< rd rdd h/help v/version",
            "css scss less sass vue html",
            "fix",
        )),
    ),
    (
        "svelte-check vue-tsc",
        Kind::Project(checks(
            "color no-color",
            "tsconfig=@ workspace=@ output= watch noEmit fail-on-warnings threshold= \
        ignore= compiler-warnings= skipLibCheck~ p/project=@ b/build",
            Operands::Plain,
        )),
    ),
    (
        "ruff",
        Kind::Project(Project {
            subs: &[
                Sub {
                    names: "check",
                    operands: Operands::Rewrites(PYTHON),
                    writes_with: "fix fix-only unsafe-fixes add-noqa",
                    ..PLAIN
                },
                Sub { names: "format", operands: Operands::Rewrites(PYTHON), looks: "check diff", ..PLAIN },
                Sub { names: "version rule config linter help", spelt: Spelt::Nothing, ..PLAIN },
                Sub { names: "clean", ..PLAIN },
            ],
            other: Sub { spelt: Spelt::Everything, ..PLAIN },
            alone: Spelt::Nothing,
            ..checks("q/quiet v/verbose s/silent color=", RUFF, Operands::Plain)
        }),
    ),
    (
        "golangci-lint",
        Kind::Project(Project {
            subs: &[
                Sub {
                    names: "run",
                    operands: Operands::Packages,
                    options: "c/config=@ no-config fix timeout= E/enable= D/disable= enable-all disable-all enable-only= \
                        fast p/presets= tests build-tags= new new-from-rev= new-from-merge-base= whole-files e/exclude= \
                        exclude-dirs= skip-dirs= skip-files= allow-parallel-runners allow-serial-runners \
                        issues-exit-code= max-issues-per-linter= max-same-issues= out-format=+ sort-results print-issued-lines \
                        print-linter-name uniq-by-line path-prefix= go= modules-download-mode= default= \
                        output.text.path=> output.json.path=> output.tab.path=> output.checkstyle.path=> output.sarif.path=> \
                        output.junit-xml.path=> output.html.path=> output.code-climate.path=> output.teamcity.path=> \
                        cpu-profile-path=> mem-profile-path=> trace-path=>",
                    ..PLAIN
                },
                Sub { names: "linters version help config", spelt: Spelt::Nothing, ..PLAIN },
                Sub { names: "fmt cache", ..PLAIN },
            ],
            other: Sub { spelt: Spelt::Everything, ..PLAIN },
            alone: Spelt::Nothing,
            ..checks("v/verbose color= j/concurrency= show-stats", "h/help", Operands::Plain)
        }),
    ),
    (
        "playwright",
        Kind::Project(Project {
            subs: &[
                Sub {
                    names: "test",
                    options: "c/config=@ g/grep= G/grep-invert= j/workers= x max-failures= output=>> project= headed debug ui! \
                        reporter=% retries= repeat-each= shard= timeout= global-timeout= u/update-snapshots? trace= \
                        browser= list fully-parallel forbid-only last-failed pass-with-no-tests only-changed? no-deps tsconfig=@ \
                        fail-on-flaky-tests ignore-snapshots h/help",
                    ..PLAIN
                },
                Sub {
                    names: "install",
                    options: "with-deps dry-run force list only-shell no-shell",
                    spelt: Spelt::Sub,
                    ..PLAIN
                },
            ],
            other: Sub { spelt: Spelt::Everything, ..PLAIN },
            alone: Spelt::Nothing,
            ..checks("quiet", "", Operands::Plain)
        }),
    ),
];
