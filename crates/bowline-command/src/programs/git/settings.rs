//! Settings that are given with `git -c`: which of them run nothing, and name no file.

/// Groups of which every setting is harmless, but for those in the list of programs.
const GROUPS: &[&str] =
    &["color", "advice", "user", "author", "committer", "log", "status", "column", "rerere", "versionsort"];

/// Of these groups, only these are known to be harmless.
const ONLY: &[(&str, &str)] = &[
    (
        "core",
        "quotepath abbrev autocrlf eol safecrlf filemode ignorecase precomposeunicode longpaths logallrefupdates \
            bigfilethreshold compression commentchar untrackedcache preloadindex checkstat trustctime whitespace \
            warnambiguousrefs symlinks commitgraph multipackindex",
    ),
    (
        "diff",
        "renames renamelimit noprefix mnemonicprefix algorithm context interhunkcontext colormoved colormovedws relative \
            statgraphwidth statnamewidth wordregex ignoresubmodules submodule indentheuristic wserrorhighlight dirstat \
            suppressblankempty srcprefix dstprefix",
    ),
    ("branch", "autosetupmerge autosetuprebase sort"),
    ("http", "postbuffer version lowspeedlimit lowspeedtime"),
    ("protocol", "version"),
    ("init", "defaultbranch"),
    ("commit", "gpgsign status verbose cleanup"),
    ("tag", "gpgsign sort forcesignannotated"),
    ("push", "default followtags autosetupremote recursesubmodules"),
    ("pull", "rebase ff octopus"),
    ("fetch", "prune prunetags parallel writecommitgraph showforcedupdates output recursesubmodules"),
    (
        "merge",
        "conflictstyle ff renames renamelimit log stat autostash verbosity verifysignatures directoryrenames",
    ),
    (
        "rebase",
        "autostash autosquash stat updaterefs abbreviatecommands missingcommitscheck rebasemerges forkpoint",
    ),
    ("gc", "auto autodetach autopacklimit"),
    ("pack", "threads windowmemory window depth compression"),
    ("submodule", "recurse fetchjobs"),
    ("transfer", "fsckobjects"),
    ("receive", "denycurrentbranch"),
    ("checkout", "defaultremote guess workers"),
    ("blame", "showemail coloring showroot date blankboundary"),
    ("format", "pretty signoff numbered thread coverletter subjectprefix"),
    ("stash", "showpatch showstat showincludeuntracked"),
    ("help", "autocorrect"),
    ("clone", "defaultremotename rejectshallow"),
    ("apply", "ignorewhitespace whitespace"),
    ("am", "keepcr threeway"),
    ("notes", "displayref rewritemode"),
    ("index", "threads version sparse"),
    ("i18n", "commitencoding logoutputencoding"),
    ("grep", "linenumber column patterntype extendedregexp threads fullname fallbacktonoindex"),
    ("feature", "manyfiles experimental"),
];

/// Programs, of which these are none.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("core.pager", &["cat", ""]),
    ("core.editor", &["true", ":"]),
    ("sequence.editor", &["true", ":"]),
    ("core.fsmonitor", &["false"]),
    ("core.hookspath", &["/dev/null"]),
    ("credential.helper", &[""]),
    ("diff.external", &[""]),
];

/// `name=value`, or a name that is set to true.
pub(super) fn is_harmless(setting: &str) -> bool {
    let (name, value) = setting.split_once('=').unwrap_or((setting, "true"));
    let name = name.to_ascii_lowercase();
    if let Some((_, values)) = PROGRAMS.iter().find(|(program, _)| *program == name) {
        return values.contains(&value);
    }
    let Some((group, rest)) = name.split_once('.') else { return false };
    // Which pager each command has.
    if group == "pager" {
        return matches!(value, "cat" | "false" | "no" | "off" | "0");
    }
    if rest.contains('.') && group != "color" && group != "advice" {
        return false;
    }
    match ONLY.iter().find(|(only, _)| *only == group) {
        Some((_, names)) => names.split_ascii_whitespace().any(|name| name == rest),
        None => GROUPS.contains(&group),
    }
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn settings_that_run_nothing() {
        for setting in [
            "color.ui=always",
            "Color.UI",
            "core.quotePath=off",
            "user.name=A B",
            "core.pager=cat",
            "pager.log=false",
            "advice.detachedHead=false",
            "commit.gpgsign=false",
            "diff.noprefix=true",
            "core.hooksPath=/dev/null",
            "rebase.autoStash=true",
            "log.showSignature=false",
            "protocol.version=2",
            "color.diff.new=green",
        ] {
            assert!(is_harmless(setting), "{setting}");
        }
        for setting in [
            "core.pager=evil",
            "core.fsmonitor=evil",
            "core.hooksPath=x",
            "alias.push=!evil",
            "diff.external=evil",
            "diff.x.command=evil",
            "diff.x.textconv=evil",
            "pager.log=evil",
            "pager.log",
            "core.sshCommand=evil",
            "credential.helper=evil",
            "include.path=x",
            "includeIf.x.path=x",
            "gpg.program=evil",
            "filter.x.clean=evil",
            "merge.x.driver=evil",
            "core.editor=evil",
            "core.worktree=x",
            "core.attributesFile=x",
            "core.excludesFile=x",
            "x",
            "",
            "=",
            "protocol.ext.allow=always",
            "safe.directory=*",
            "url.x.insteadOf=y",
            "remote.origin.uploadpack=evil",
            "commit.template=.env",
            "blame.ignoreRevsFile=.env",
            "diff.orderFile=.env",
            "format.outputDirectory=prot",
            "branch.x.remote=y",
            "init.templateDir=x",
            "help.browser=x",
            "core.askPass=x",
        ] {
            assert!(!is_harmless(setting), "{setting}");
        }
    }
}
