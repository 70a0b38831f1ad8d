//! Variables that change what runs, or where files are; and those that the shell reckons with.

use crate::programs::environment;

/// Does assigning this value to this variable change what runs? `None` is a value that is not known.
pub(super) fn changes_what_runs(name: &str, value: Option<&str>) -> bool {
    environment::decides(name) && !is_idle(name, value)
}

/// `PAGER=cat` and `EDITOR=true` are how people ask for no pager and no editor.
fn is_idle(name: &str, value: Option<&str>) -> bool {
    match name {
        "PAGER" | "GIT_PAGER" | "MANPAGER" | "AWS_PAGER" | "GH_PAGER" | "SYSTEMD_PAGER" | "BAT_PAGER" => {
            matches!(value, Some("" | "cat"))
        }
        "EDITOR" | "VISUAL" | "GIT_EDITOR" | "GIT_SEQUENCE_EDITOR" => matches!(value, Some("true" | ":")),
        _ => value.is_some_and(|value| environment::are_plain_flags(name, value)),
    }
}

/// Does the shell itself assign to this variable, now and then?
pub(super) fn is_of_shell(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "_",
        "REPLY",
        "OPTARG",
        "OPTERR",
        "MAPFILE",
        "COPROC",
        "PIPESTATUS",
        "DIRSTACK",
        "FUNCNAME",
        "GROUPS",
        "OLDPWD",
        "PWD",
        "HOSTNAME",
    ];
    NAMES.contains(&name) || name.starts_with("BASH") || name.starts_with("READLINE") || is_reckoned(name)
}

/// Does the shell reckon with whatever is assigned to this variable?
pub(super) fn is_reckoned(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "RANDOM",
        "SRANDOM",
        "OPTIND",
        "SECONDS",
        "LINENO",
        "HISTCMD",
        "BASHPID",
        "EPOCHSECONDS",
        "EPOCHREALTIME",
        "BASH_SUBSHELL",
        "PPID",
        "UID",
        "EUID",
        "COLUMNS",
        "LINES",
        "TMOUT",
        "FUNCNEST",
        "HISTSIZE",
        "HISTFILESIZE",
    ];
    NAMES.contains(&name)
}
