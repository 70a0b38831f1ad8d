//! Programs that run commands on other machines, in containers, or later.

mod containers;
mod forge;
mod remote;

pub(super) use forge::forge;

use super::Meaning;
use super::look::only_asks_about_itself;
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("ssh slogin", Kind::Does(remote::ssh)),
    (
        "autossh mosh rsh rlogin telnet sshpass plink pdsh pssh clush fab teleport tsh eternal-terminal et",
        Kind::Hidden("it runs commands on another machine"),
    ),
    ("docker podman nerdctl", Kind::Does(containers::docker)),
    ("docker-compose podman-compose", Kind::Does(containers::compose)),
    ("kubectl oc", Kind::Does(containers::kubectl)),
    (
        "buildah lxc lxc-exec lxc-attach incus machinectl systemd-nspawn ctr crictl k9s minikube kind k3s \
            colima lima limactl multipass devcontainer distrobox toolbox wsl",
        Kind::Does(containers::other),
    ),
    ("nc netcat", Kind::Does(remote::netcat)),
    ("ncat socat nmap", Kind::Hidden("it may run a program for each connection")),
    ("screen tmux zellij byobu dtach abduco tmate reptyr", Kind::Hidden("it runs commands outside the gate")),
    (
        "xterm gnome-terminal konsole alacritty kitty wezterm xfce4-terminal urxvt st foot open xdg-open \
            gio start cygstart gtk-launch dex",
        Kind::Hidden("it starts another program"),
    ),
    ("at batch", Kind::Does(at)),
    ("crontab", Kind::Does(crontab)),
    (
        "systemctl service rc-service initctl sv s6-svc supervisorctl launchctl pm2 forever nssm sc",
        Kind::Does(services),
    ),
    ("anacron fcron incrontab atrm schtasks", Kind::Hidden("it changes what runs later, outside the gate")),
    (
        "watchexec watchman nodemon chokidar onchange guard fswatch inotifywait cargo-watch",
        Kind::Does(whenever),
    ),
    ("aws gcloud az doctl flyctl fly heroku", Kind::Hidden("it changes machines elsewhere")),
    ("ip", Kind::Does(ip)),
    (
        "insmod modprobe rmmod sysctl mount umount losetup swapon mkfs fdisk parted useradd usermod \
            userdel passwd chpasswd visudo vipw groupadd iptables nft ufw reboot shutdown halt poweroff \
            init telinit",
        Kind::Hidden("it changes the machine itself"),
    ),
    (
        "ssh-keygen ssh-add ssh-agent ssh-copy-id gpg gpg2 pass security secret-tool keyctl age",
        Kind::Hidden("it deals with keys"),
    ),
];

/// What follows `--` runs there. It is told so that a rule against it is heard.
fn inner(words: &[Word], meaning: &mut Meaning) {
    if let Some(at) =
        words.iter().position(|word| word.literal() == Some("--")).filter(|at| at + 1 < words.len())
    {
        meaning.runs.push(words[at + 1..].to_vec());
    }
}

fn second(words: &[Word]) -> Option<&str> {
    words.get(1).and_then(Word::literal)
}

fn at(words: &[Word]) -> Meaning {
    let lists = matches!(second(words), Some("-l" | "-V"));
    let mut meaning = Meaning::default();
    if !lists {
        meaning.unreadable("it runs later, outside the gate");
        meaning.shell_from_stdin = !words.iter().any(|word| word.start().starts_with("-f"));
    }
    meaning
}

fn crontab(words: &[Word]) -> Meaning {
    if words.len() == 2 && second(words) == Some("-l") {
        return Meaning::default();
    }
    Meaning::doubtful("it changes what runs later, outside the gate")
}

fn services(words: &[Word]) -> Meaning {
    const LOOKS: &[&str] = &[
        "status",
        "show",
        "cat",
        "list-units",
        "list-unit-files",
        "list-timers",
        "is-active",
        "is-enabled",
        "is-failed",
        "list",
        "print",
        "jlist",
        "ls",
        "--version",
        "--help",
        "query",
    ];
    let sub = words[1..].iter().find(|word| !word.start().starts_with('-')).and_then(Word::literal);
    if sub.is_some_and(|sub| LOOKS.contains(&sub)) || (words.len() == 1) {
        return Meaning::default();
    }
    let mut meaning = Meaning::code(Pin::Everything, "it changes what runs outside the gate");
    if words[1..].iter().any(|word| word.start().to_lowercase().contains("bowline")) {
        meaning.forbidden = Some("it would stop or change the gate".to_owned());
    }
    meaning
}

/// It runs a command again whenever a file changes; its options are too many to know.
fn whenever(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "it runs a command whenever a file changes");
    inner(words, &mut meaning);
    meaning
}

fn ip(words: &[Word]) -> Meaning {
    let is_quiet = words[1..].iter().all(|word| {
        word.literal()
            .is_some_and(|text| text != "exec" && !text.starts_with("-b") && !text.starts_with("-f"))
    });
    if is_quiet {
        Meaning::default()
    } else {
        Meaning::code(Pin::Everything, "it may run commands in other networks")
    }
}

/// Package managers: lists and searches are harmless, `run` and `exec` run what follows, the rest installs.
pub(super) fn installer(words: &[Word]) -> Meaning {
    const LOOKS: &[&str] = &[
        "list",
        "search",
        "show",
        "info",
        "policy",
        "leaves",
        "deps",
        "outdated",
        "ls",
        "current",
        "which",
        "versions",
        "--version",
        "--list",
        "-l",
        "-L",
        "-s",
        "-S",
        "-qa",
        "-q",
        "-Q",
        "--help",
    ];
    if only_asks_about_itself(words)
        || (words.len() <= 3 && second(words).is_some_and(|sub| LOOKS.contains(&sub)))
    {
        return Meaning::default();
    }
    let mut meaning = Meaning::code(
        Pin::Everything,
        format!("`{}` runs or installs what is written elsewhere", words[0].shown()),
    );
    inner(words, &mut meaning);
    meaning
}
