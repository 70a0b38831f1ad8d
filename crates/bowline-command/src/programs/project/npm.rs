//! npm and pnpm, and the programs that run a package's program.

use super::delegate::{self, Inner};
use super::options::Dialect;
use super::runner::{After, Operands, PLAIN, Project, Spelt, Sub};
use crate::programs::Meaning;
use crate::{Pin, Word};

/// What changes nothing of what runs.
const HARMLESS: &str = "loglevel= d dd ddd q/quiet s/silent verbose json porcelain p/parseable color~ progress \
    unicode timing fund audit update-notifier l/long heading= description/desc searchlimit= version/v versions \
    usage/h/H/help if-present";

const OPTIONS: &str = "a/all access= allow-same-version also= audit-level= auth-type= before/enjoy-by= bin-links \
    ca=! cafile=! cert=! cidr= cpu= libc= os= depth= dev diff= diff-ignore-all-space diff-name-only diff-no-prefix \
    diff-dst-prefix= diff-src-prefix= diff-text diff-unified= dry-run engine-strict expect-result-count= \
    expect-results expires= fetch-retries= fetch-retry-factor= fetch-retry-maxtimeout= fetch-retry-mintimeout= \
    fetch-timeout= f/force foreground-scripts format-package-lock git-tag-version global-style ignore-scripts \
    include= include-staged include-workspace-root/iwr include-attestations init-author-email= \
    init-author-name= init-author-url= init-license= init-type= init-version= init-private install-links \
    install-strategy= key=! legacy-bundling legacy-peer-deps link local-address= lockfile-version= \
    logs-max= name= maxsockets= m/message= min-release-age= min-release-age-exclude= noproxy= offline omit= \
    omit-lockfile-registry-resolved only= optional orgs= otp= package-lock package-lock-only \
    pack-destination=>> packages= prefer-dedupe prefer-offline prefer-online preid= production \
    provenance provenance-file=< read-only/readonly rebuild-bundle S/save B/save-bundle D/save-dev E/save-exact \
    O/save-optional save-peer save-prefix= P/save-prod sbom-format= sbom-type= scope= scopes= \
    searchexclude= searchopts= searchstaleness= shrinkwrap sign-git-commit sign-git-tag strict-peer-deps \
    strict-ssl! tag= tag-version-prefix= umask= user-agent= which= w/workspace= workspaces/ws workspaces-update \
    y/yes n/no local bypass-2fa allow-scripts-pending allow-scripts-pin strict-allow-scripts \
    packages-all packages-and-scopes-permission= orgs-permission= token-description= cache-min= cache-max= \
    commit-hooks allow-directory=! allow-file=! allow-git=! allow-remote=! allow-scripts=! \
    dangerously-allow-all-scripts! _auth=! password=! browser~! cache=>> c/call=; editor=; git=; \
    globalconfig=! https-proxy=! init-module=! init.module=! init.author.email= init.author.name= init.author.url= \
    init.license= init.version= L/location=! logs-dir=>> node-gyp=; node-options=! package=! C/prefix=@ proxy=! \
    registry/reg=! replace-registry-host=! script-shell=; shell=; userconfig=! viewer=;";

/// What is installed for all projects may be looked at, and is changed only if all is spelt.
const TELLS: Sub = Sub { options: "g/global", spelt: Spelt::Nothing, ..PLAIN };
const CHANGES: Sub = Sub { options: "g/global!", spelt: Spelt::Sub, ..PLAIN };
const SCRIPT: Sub = Sub { spelt: Spelt::Sub, after: After::Free, ..CHANGES };

const SUBS: &[Sub] = &[
    Sub { names: "run|run-script|rum|urn", ..SCRIPT },
    Sub { names: "test|t|tst", ..SCRIPT },
    Sub { names: "start", ..SCRIPT },
    Sub { names: "stop", ..SCRIPT },
    Sub { names: "restart", ..SCRIPT },
    Sub {
        names: "install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add",
        operands: Operands::Packages,
        ..CHANGES
    },
    Sub { names: "ci|clean-install|ic|install-clean|isntall-clean", ..CHANGES },
    Sub { names: "install-test|it", operands: Operands::Packages, ..CHANGES },
    Sub { names: "install-ci-test|cit|sit|clean-install-test", ..CHANGES },
    Sub { names: "uninstall|un|unlink|remove|rm|r", ..CHANGES },
    Sub { names: "update|u|up|upgrade|udpate", ..CHANGES },
    Sub { names: "publish", operands: Operands::Packages, ..CHANGES },
    Sub { names: "version|verison", ..CHANGES },
    Sub { names: "pack", operands: Operands::Packages, ..CHANGES },
    Sub { names: "ls|list|ll|la", ..TELLS },
    Sub { names: "view|info|show|v", ..TELLS },
    Sub { names: "outdated", ..TELLS },
    Sub { names: "search|s|se|find", ..TELLS },
    Sub { names: "whoami", ..TELLS },
    Sub { names: "ping", ..TELLS },
    Sub { names: "root", ..TELLS },
    Sub { names: "bin", ..TELLS },
    Sub { names: "prefix", ..TELLS },
    Sub { names: "explain|why", ..TELLS },
    Sub { names: "fund", ..TELLS },
    Sub { names: "licenses", ..TELLS },
    Sub { names: "query", ..TELLS },
    Sub { names: "sbom", ..TELLS },
    Sub { names: "doctor", ..TELLS },
    Sub { names: "find-dupes", ..TELLS },
    Sub { names: "audit+fix", ..CHANGES },
    Sub { names: "audit", ..TELLS },
    Sub { names: "pkg+get", ..TELLS },
    Sub { names: "pkg+set pkg+delete pkg+fix", makes: "package.json", ..CHANGES },
    Sub { names: "config+get|c+get config+list|config+ls|c+list|c+ls", ..TELLS },
    Sub { names: "config|c get set edit", spelt: Spelt::Everything, ..PLAIN },
    Sub { names: "cache+ls cache+verify", ..TELLS },
    Sub { names: "cache", ..CHANGES },
    Sub { names: "dedupe|ddp", ..CHANGES },
    Sub { names: "prune", ..CHANGES },
    Sub { names: "rebuild|rb", ..CHANGES },
    Sub { names: "shrinkwrap", ..CHANGES },
    Sub { names: "link|ln", operands: Operands::Packages, ..CHANGES },
    Sub { names: "init|create|innit", ..CHANGES },
    Sub { names: "exec|x", ..EXEC },
    Sub { names: "explore", spelt: Spelt::Everything, ..PLAIN },
    Sub { names: "dlx", ..EXEC },
    // Known, so that no beginning of them is taken for another.
    Sub {
        names: "access adduser|add-user|login approve-scripts owner|author bugs|issues completion deny-scripts",
        ..OTHER
    },
    Sub {
        names: "deprecate diff dist-tag|dist-tags docs|home repo help|hlep help-search install-scripts",
        ..OTHER
    },
    Sub {
        names: "logout org|ogr profile stage star stars team token trust undeprecate unpublish unstar",
        ..OTHER
    },
];

/// It is looked up in the project, and otherwise fetched.
const EXEC: Sub = Sub { spelt: Spelt::Operand, operands: Operands::Script, ..CHANGES };
const OTHER: Sub = CHANGES;

const NPM: Project = Project {
    dialect: Dialect::Nopt,
    cuts_names: true,
    harmless: HARMLESS,
    options: OPTIONS,
    subs: SUBS,
    other: Sub { spelt: Spelt::Sub, ..PLAIN },
    alone: Spelt::Nothing,
};

/// Its options end at the script's name. What is no command of its own is a script, or a program of a dependency.
const PNPM: Project = Project {
    dialect: Dialect::Nopt,
    cuts_names: false,
    harmless: "loglevel= s/silent q/quiet verbose json parseable color~ progress long version/v h/help \
            reporter= stream aggregate-output use-stderr if-present no-bail bail parallel sort sequential \
            workspace-concurrency=",
    options: "r/recursive F/filter= filter-prod= w/workspace-root C/dir=^ prefix=^ D/save-dev dev/d P/save-prod prod \
        O/save-optional E/save-exact optional depth= f/force frozen-lockfile lockfile-only prefer-offline \
        offline ignore-scripts fix-lockfile lockfile include-workspace-root test-pattern= \
        changed-files-ignore-pattern= latest L/latest i/interactive ignore-workspace report-summary \
        resume-from= no-reporter-hide-prefix c/shell-mode! script-shell=; shell-emulator! \
        config.=! package=! global-dir=! store-dir=! virtual-store-dir=>> modules-dir=>> lockfile-dir=>> \
        pack-destination=>> out=> registry=! userconfig=! node-options=! ignore-pnpmfile pnpmfile=! \
        global-pnpmfile=! dangerously-allow-all-builds! allow-build=! patches-dir=@ hoist shamefully-hoist \
        strict-peer-dependencies audit-level= json-output",
    subs: SUBS,
    other: Sub { spelt: Spelt::Sub, operands: Operands::Plain, after: After::Free, ..PLAIN },
    alone: Spelt::Nothing,
};

pub(super) fn npm(words: &[Word]) -> Meaning {
    let meaning = NPM.meaning(words);
    match NPM.operand(words, 1) {
        Some(at) if matches!(words[at].literal(), Some("exec" | "x")) => {
            delegate::within(words, NPM.operand(words, at + 1), meaning, Inner::Fetched)
        }
        _ => meaning,
    }
}

pub(super) fn pnpm(words: &[Word]) -> Meaning {
    let Some(sub) = PNPM.operand(words, 1) else { return PNPM.meaning(words) };
    let second = || PNPM.operand(words, sub + 1);
    let last = match words[sub].literal() {
        Some("exec" | "dlx") => {
            return delegate::within(words, second(), PNPM.meaning(words), Inner::Fetched);
        }
        Some("run" | "run-script") => second(),
        Some("test" | "t" | "start" | "stop" | "restart") => Some(sub),
        Some(name) if !PNPM.has(name) => Some(sub),
        _ => None,
    };
    // What follows the name of a script is the script's.
    let own = last.map_or(words, |last| &words[..=last]);
    let mut meaning = PNPM.meaning(own);
    // Older ones take their own options there as well.
    if PNPM.meaning(words).moves_to != meaning.moves_to {
        meaning.opaque(Pin::Everything, "`pnpm` may work in another directory");
    }
    if let Some(core) = &mut meaning.core {
        core.words.extend_from_slice(&words[own.len()..]);
    }
    meaning
}

const NPX: Project = Project {
    dialect: Dialect::Nopt,
    cuts_names: false,
    harmless: "y/yes n/no no-install install q/quiet s/silent loglevel= prefer-offline offline bun",
    options: "p/package=! from=! with=! python=! c/call=; shell=; shell-auto-fallback~! node-arg=! \
        node-options=! ignore-existing userconfig=! registry=! cache=>> prefix=@ w/workspace= workspaces \
        script-shell=; version/v h/help",
    subs: &[],
    other: Sub { spelt: Spelt::Operands, operands: Operands::Script, ..PLAIN },
    alone: Spelt::Everything,
};

/// `npx tsc --noEmit`: what the program does that is run is counted as well.
pub(super) fn npx(words: &[Word]) -> Meaning {
    delegate::within(words, NPX.operand(words, 1), NPX.meaning(words), Inner::Fetched)
}
