//! make and its like: programs whose words are targets of the project's own.

use super::options::Dialect;
use super::runner::{Operands, PLAIN, Project, Spelt, Sub};
use crate::programs::table::{Kind, Row};

/// All targets are spelt; without one, the program's name says it.
const fn targets(dialect: Dialect, harmless: &'static str, options: &'static str) -> Kind {
    Kind::Project(Project {
        dialect,
        cuts_names: false,
        harmless,
        options,
        subs: &[],
        other: Sub { spelt: Spelt::Operands, operands: Operands::Targets, ..PLAIN },
        alone: Spelt::Program,
    })
}

/// The same, where some targets are words of the program's own.
const fn lifecycle(usual_targets: &'static str, harmless: &'static str, options: &'static str) -> Kind {
    Kind::Project(Project {
        dialect: Dialect::Exact,
        cuts_names: false,
        harmless,
        options,
        subs: &[],
        other: Sub { spelt: Spelt::Operands, operands: Operands::Targets, usual_targets, ..PLAIN },
        alone: Spelt::Program,
    })
}

pub(in crate::programs) const ROWS: &[Row] = &[
    (
        "make gmake bmake nmake remake",
        targets(
            Dialect::Gnu,
            "j/jobs~ k/keep-going s/silent/quiet no-silent w/print-directory no-print-directory O/output-sync? \
                l/load-average/max-load~ d debug? trace warn-undefined-variables S/no-keep-going/stop \
                r/no-builtin-rules R/no-builtin-variables L/check-symlink-times",
            "B/always-make n/just-print/dry-run/recon i/ignore-errors t/touch q/question p/print-data-base b m \
                o/old-file/assume-old= W/what-if/new-file/assume-new= C/directory=^ f/file/makefile=! \
                E/eval=! I/include-dir=! e/environment-overrides! h/help v/version shuffle? jobserver-style=",
        ),
    ),
    (
        "ctest",
        targets(
            Dialect::Exact,
            "V/verbose VV/extra-verbose -VV output-on-failure Q/quiet j/parallel~ no-label-summary progress",
            "R/tests-regex= E/exclude-regex= L/label-regex= LE/label-exclude= -LE= I/tests-information= \
                C/build-config= N/show-only? timeout= repeat= rerun-failed schedule-random stop-on-failure \
                no-tests= test-dir=@ O/output-log=> output-junit=> S/script=! SP/script-new-process=! D/dashboard=! \
                build-and-test! print-labels F U/union preset= test-load= h/help version",
        ),
    ),
    ("ninja samu", targets(Dialect::Gnu, "j= k= l= v/verbose quiet", "n d= w= C=^ f=! t=! h/help version")),
    (
        "just",
        targets(
            Dialect::Exact,
            "q/quiet v/verbose u/unsorted color= yes timestamp explain no-highlight highlight",
            "n/dry-run l/list~ summary dump evaluate show/s= dump-format= variables groups d/working-directory=@ \
                f/justfile=! shell=; shell-arg=! set! c/command=; chooser=! choose! e/edit! init! fmt! \
                dotenv-path/E=! dotenv-filename=! g/global-justfile! unstable clear-shell-args shell-command no-deps \
                one no-dotenv h/help V/version",
        ),
    ),
    (
        "task go-task",
        targets(
            Dialect::Exact,
            "s/silent v/verbose p/parallel C/concurrency= c/color o/output= interval= x/exit-code",
            "l/list a/list-all f/force n/dry y/yes summary status w/watch j/json offline t/taskfile=! d/dir=^ \
                g/global! entrypoint=! i/init! experiments download h/help version",
        ),
    ),
    (
        "rake invoke inv doit mage ant buildr waf scons mk redo thor gulp grunt jake lage nuke",
        targets(
            Dialect::Exact,
            "q/quiet v/verbose s/silent j/jobs= k",
            "n/dry-run l/list T/tasks h/help t/trace P/prereqs A/all no-color color f=! rakefile=! gulpfile=! gruntfile=! \
                buildfile=! cwd=! base=!",
        ),
    ),
    (
        "mvn mvnw mvnd",
        lifecycle(
            "clean validate initialize compile test-compile process-resources process-classes test package \
                integration-test verify install",
            "q/quiet B/batch-mode e/errors X/debug ntp/no-transfer-progress T/threads= color= V/show-version \
                fae fn ff fail-at-end fail-fast fail-never -ntp -fae -fn -ff",
            "o/offline U/update-snapshots am/also-make -am amd/also-make-demands -amd pl/projects= -pl= rf/resume-from= -rf= \
                P/activate-profiles= N/non-recursive nsu -nsu D/define=$ f/file=! s/settings=! gs/global-settings=! -gs=! \
                t/toolchains=! gt=! -gt=! l/log-file=> -l=> v/version h/help",
        ),
    ),
    (
        "gradle gradlew",
        lifecycle(
            "clean build check test assemble classes testClasses compileJava compileTestJava compileKotlin \
                compileTestKotlin jar tasks dependencies projects properties help",
            "q/quiet i/info d/debug w/warn s/stacktrace S/full-stacktrace parallel no-parallel console= daemon \
                no-daemon max-workers= warning-mode= configuration-cache no-configuration-cache build-cache \
                no-build-cache priority= watch-fs no-watch-fs",
            "all offline continue rerun-tasks refresh-dependencies tests= t/continuous m/dry-run x/exclude-task= scan! no-scan \
                configure-on-demand info profile no-rebuild a/no-rebuild-dependencies fail-fast status stop \
                P/project-prop=$ p/project-dir=^ b/build-file=! c/settings-file=! I/init-script=! D/system-prop! \
                g/gradle-user-home=! include-build=! project-cache-dir=>> write-locks h/help v/version",
        ),
    ),
    ("sbt lein boot mill", targets(Dialect::Exact, "", "")),
];

/// `cmake -S . -B build`, and `cmake --build build`.
pub(super) const CMAKE: Project = Project {
    dialect: Dialect::Exact,
    cuts_names: false,
    harmless: "log-level= Wno-dev Wdev Wno-deprecated v/verbose j/parallel~ -Wno-dev -Wdev",
    options: "S=@ B=>> D=$ U= G= A= T= preset= list-presets~ fresh L LA LH N build=@ config= target/t= clean-first \
        n/install-prefix= use-stderr h/help version",
    subs: &[],
    other: Sub { operands: Operands::Runs, ..PLAIN },
    alone: Spelt::Program,
};
