//! Programs that run the rest of their words: `timeout 5 make`, `env X=1 make`, `sudo make`.

mod env;
mod shellwords;
mod special;
mod xargs;

use super::Meaning;
use super::line::{Line, Order, parse};
use super::table::{Kind, Row};
use crate::{Pin, Word};

/// A program whose operands are a command.
pub(super) struct Wrapper {
    pub(super) options: &'static str,
    /// Operands of its own before the command.
    pub(super) own: usize,
    /// It does nothing besides, and people write rules as if it were not there.
    pub(super) strips: bool,
    /// With one of these options it runs nothing.
    pub(super) unless: &'static str,
    /// Options that name a file it writes.
    pub(super) writes: &'static str,
    /// The command runs where paths and programs are others: why.
    pub(super) elsewhere: Option<&'static str>,
}

const PLAIN: Wrapper =
    Wrapper { options: "", own: 0, strips: false, unless: "", writes: "", elsewhere: None };

const fn wraps(options: &'static str, own: usize) -> Kind {
    Kind::Runs(Wrapper { options, own, ..PLAIN })
}

const fn strips(options: &'static str, own: usize) -> Kind {
    Kind::Runs(Wrapper { options, own, strips: true, ..PLAIN })
}

const fn wraps_unless(options: &'static str, own: usize, unless: &'static str) -> Kind {
    Kind::Runs(Wrapper { options, own, unless, ..PLAIN })
}

const fn hides(options: &'static str, own: usize, why: &'static str) -> Kind {
    Kind::Runs(Wrapper { options, own, elsewhere: Some(why), ..PLAIN })
}

pub(super) const ROWS: &[Row] = &[
    ("nohup noglob nocorrect builtin", strips("help version", 0)),
    (
        "timeout gtimeout",
        strips("s/signal= k/kill-after= v/verbose f/foreground p/preserve-status help version", 1),
    ),
    ("nice", strips("# n/adjustment= help version", 0)),
    ("stdbuf gstdbuf", strips("i/input= o/output= e/error= help version", 0)),
    ("command", Kind::Runs(Wrapper { options: "p v V", strips: true, unless: "v V", ..PLAIN })),
    ("exec", strips("c l a=", 0)),
    (
        "time gtime",
        Kind::Runs(Wrapper {
            options: "p/portability v/verbose a/append q/quiet o/output= f/format= l h V/version help",
            strips: true,
            writes: "o",
            ..PLAIN
        }),
    ),
    ("setsid", wraps("c/ctty f/fork w/wait h/help V/version", 0)),
    (
        "ionice",
        wraps_unless("c/class= n/classdata= t/ignore p/pid= P/pgid= u/uid= h/help V/version", 0, "p P u"),
    ),
    (
        "chrt",
        wraps_unless(
            "a/all-tasks b/batch d/deadline f/fifo i/idle o/other r/rr R/reset-on-fork v/verbose m/max \
                p/pid T/sched-runtime= P/sched-period= D/sched-deadline= h/help V/version",
            1,
            "p m",
        ),
    ),
    ("taskset", wraps_unless("a/all-tasks p/pid c/cpu-list h/help V/version", 1, "p")),
    ("caffeinate", wraps("d i m s u t= w=", 0)),
    ("unbuffer", wraps("p", 0)),
    ("chronic ifne", wraps("n v e", 0)),
    ("dbus-run-session", wraps("config-file= dbus-daemon= help version", 0)),
    ("fakeroot torsocks torify tsocks proxychains proxychains4 catchsegv dumb-init", wraps("q v", 0)),
    ("tini catatonit", wraps("s v g p= e= w h", 0)),
    ("setarch", wraps("v/verbose R/addr-no-randomize B/32bit L X Z F S T/sticky 3/3gb", 1)),
    ("linux32 linux64 i386 x86_64", wraps("v/verbose R/addr-no-randomize B L X Z F S T 3", 0)),
    ("setuidgid gosu su-exec", wraps("", 1)),
    (
        "setpriv",
        wraps(
            "d/dump no-new-privs nnp reuid= regid= ruid= euid= rgid= egid= clear-groups keep-groups \
                init-groups groups= inh-caps= bounding-set= ambient-caps= reset-env",
            0,
        ),
    ),
    (
        "numactl",
        wraps(
            "i/interleave= p/preferred= m/membind= C/physcpubind= N/cpunodebind= l/localalloc a/all \
                H/hardware s/show",
            0,
        ),
    ),
    (
        "cpulimit",
        wraps_unless(
            "l/limit= p/pid= e/exe= P/path= b/background f/foreground m q/quiet v/verbose z/lazy \
                i/include-children",
            0,
            "p e P",
        ),
    ),
    ("cgexec", wraps("g= sticky", 0)),
    ("rlwrap", wraps("a? A? b= c C= f= H= i I l= m? M= n N o O= p? P= q= r R s= S= t= w= W z=", 0)),
    (
        "xvfb-run",
        wraps(
            "a/auto-servernum n/server-num= e/error-file= f/auth-file= l/listen-tcp s/server-args= w/wait=",
            0,
        ),
    ),
    (
        "prlimit",
        wraps_unless(
            "p/pid= o/output= noheadings raw verbose c/core? d/data? e/nice? f/fsize? i/sigpending? \
                l/memlock? m/rss? n/nofile? q/msgqueue? r/rtprio? s/stack? t/cpu? u/nproc? v/as? x/locks?",
            0,
            "p",
        ),
    ),
    // A trace is written beside; `-o '|cmd'` runs a command, which the path of a file does not begin with.
    (
        "strace ltrace",
        Kind::Runs(Wrapper {
            options: "f ff F c C d h i k n q qq r t tt ttt T v V w x xx y yy D Z z a= b= e= E= I= n= \
                o/output= O= p= P= s= S= u= U= X= l= L A= follow-forks quiet= string-limit= trace=",
            unless: "p",
            writes: "o",
            ..PLAIN
        }),
    ),
    (
        "valgrind",
        Kind::Runs(Wrapper {
            options: "q/quiet v/verbose tool= leak-check= show-leak-kinds= track-origins= error-exitcode= \
                num-callers= trace-children= log-file= suppressions= gen-suppressions= callgrind-out-file= \
                massif-out-file=",
            writes: "log-file callgrind-out-file massif-out-file",
            ..PLAIN
        }),
    ),
    (
        "nsenter",
        hides(
            "a/all t/target= m/mount? u/uts? i/ipc? n/net? N= p/pid? U/user? C/cgroup? T/time? S/setuid= \
                G/setgid= r/root? w/wd? W/wdns= e/env F/no-fork Z/follow-context preserve-credentials",
            0,
            "it runs in other namespaces, where paths are others",
        ),
    ),
    (
        "unshare",
        hides(
            "m/mount? u/uts? i/ipc? n/net? p/pid? U/user? C/cgroup? T/time? f/fork r/map-root-user \
                c/map-current-user map-auto map-user= map-group= mount-proc? kill-child? propagation= \
                setgroups= R/root= w/wd= S/setuid= G/setgid= keep-caps",
            0,
            "it runs in other namespaces, where paths are others",
        ),
    ),
    ("chroot", hides("groups= userspec= skip-chdir", 1, "it runs where paths are others")),
    (
        "systemd-run",
        hides(
            "u/unit= p/property= E/setenv= t/pty P/pipe q/quiet r/remain-after-exit S/shell d/same-dir \
                G/collect user system scope slice= wait no-block on-active= on-boot= on-calendar= \
                on-startup= on-unit-active= timer-property= working-directory= uid= gid= nice= \
                service-type= description=",
            0,
            "it runs later, outside the gate",
        ),
    ),
    ("daemon daemonize start-stop-daemon", Kind::Does(special::daemon)),
    ("bwrap firejail proot", Kind::Does(special::after_dashes)),
    ("sudo", Kind::Does(special::sudo)),
    ("doas", Kind::Does(special::doas)),
    ("su", Kind::Does(special::su)),
    ("runuser", Kind::Does(special::runuser)),
    ("flock", Kind::Does(special::flock)),
    ("busybox toybox", Kind::Does(special::busybox)),
    ("script", Kind::Does(special::script)),
    ("env genv", Kind::Does(env::env)),
    ("xargs gxargs", Kind::Does(xargs::xargs)),
    ("parallel", Kind::Does(xargs::parallel)),
    ("watch", Kind::Does(shellwords::watch)),
    ("entr", Kind::Does(shellwords::entr)),
    ("hyperfine concurrently", Kind::Does(shellwords::each_operand)),
];

impl Wrapper {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        let line = parse(words, self.options, Order::First);
        let mut meaning = Meaning { is_wrapper: self.strips, ..Meaning::default() };
        for name in self.writes.split(' ') {
            for path in line.values(name) {
                meaning.writes(path, false);
                if path.start().starts_with(['|', '!']) {
                    meaning.unreadable(format!("`{}` may be a command", path.shown()));
                }
            }
        }
        if !self.unless.is_empty() && line.has(self.unless) {
            return meaning;
        }
        self.run(words, &line, &mut meaning);
        if let Some(why) = self.elsewhere {
            meaning.opaque(Pin::Everything, why);
        }
        meaning
    }

    fn run(&self, words: &[Word], line: &Line, meaning: &mut Meaning) {
        doubt_options(words, line, meaning);
        let own = line.operands.iter().take(self.own);
        if own.into_iter().any(|(_, word)| matches!(word, Word::Unknown { splits: true, .. })) {
            meaning
                .unreadable(format!("which command `{}` runs is known only when it runs", words[0].shown()));
        }
        let rest: Vec<Word> = line.words().skip(self.own).cloned().collect();
        if !rest.is_empty() {
            meaning.runs.push(rest);
        }
    }
}

/// With an option that nobody knows it cannot be told where the command begins.
fn doubt_options(words: &[Word], line: &Line, meaning: &mut Meaning) {
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: which command `{}` runs cannot be told", words[0].shown()));
    }
}
