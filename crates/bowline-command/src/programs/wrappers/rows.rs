//! The table of programs that run the rest of their words.

use super::{
    PLAIN, Wrapper, env, hides, shellwords, special, strips, traces, users, wraps, wraps_unless, xargs,
};
use crate::programs::table::{Kind, Row};

pub(in crate::programs) const ROWS: &[Row] = &[
    ("nohup noglob nocorrect builtin", strips("help version", 0)),
    (
        "timeout gtimeout",
        strips("f/foreground k/kill-after= p/preserve-status s/signal= v/verbose help version", 1),
    ),
    ("nice gnice", strips("# n/adjustment= help version", 0)),
    ("stdbuf gstdbuf", strips("e/error= i/input= o/output= help version", 0)),
    ("command", Kind::Runs(Wrapper { options: "p v V", strips: true, unless: "v V", ..PLAIN })),
    ("exec", strips("a= c l", 0)),
    (
        "time gtime",
        strips("a/append f/format= h l o/output=> p/portability q/quiet V/version v/verbose help", 0),
    ),
    ("setsid", wraps("c/ctty f/fork h/help V/version w/wait", 0)),
    (
        "ionice",
        wraps_unless("c/class= h/help n/classdata= P/pgid= p/pid= t/ignore u/uid= V/version", 0, "p P u"),
    ),
    (
        "chrt",
        wraps_unless(
            "a/all-tasks b/batch D/sched-deadline= d/deadline e/ext f/fifo h/help i/idle m/max o/other \
                P/sched-period= p/pid R/reset-on-fork r/rr T/sched-runtime= V/version v/verbose",
            1,
            "p m",
        ),
    ),
    ("taskset", wraps_unless("a/all-tasks c/cpu-list h/help p/pid V/version", 1, "p")),
    ("choom", wraps_unless("h/help n/adjust= p/pid= V/version", 0, "p")),
    (
        "uclampset",
        wraps_unless(
            "a/all-tasks h/help M= m= p/pid= R/reset-on-fork s/system V/version v/verbose",
            0,
            "p s",
        ),
    ),
    ("caffeinate", wraps("d i m s t= u w=", 0)),
    ("unbuffer", wraps("p", 0)),
    ("chronic ifne", wraps("e n v", 0)),
    // It puts the time before the lines that it reads.
    ("ts", Kind::Harmless),
    ("eatmydata", wraps("", 0)),
    ("faketime", wraps("date-prog=! exclude-monotonic f h/help m p/pid= s v/version", 1)),
    ("dbus-run-session", wraps("config-file=< dbus-daemon=! help version", 0)),
    (
        "dbus-launch",
        wraps(
            "auto-syntax autolaunch= binary-syntax c/csh-syntax close-stderr config-file=< exit-with-session exit-with-x11 help s/sh-syntax version",
            0,
        ),
    ),
    ("fakeroot fakeroot-ng", wraps("b= faked=! h/help i=< l/lib=! s=> u/unknown-is-real v/version", 0)),
    ("torsocks torify tsocks proxychains proxychains4 dumb-init", wraps("c= f=< q v", 0)),
    ("catchsegv", wraps("help version", 0)),
    ("tini catatonit", wraps("e= g h p= s v w", 0)),
    (
        "setarch",
        wraps(
            "3/3gb 4/4gb 32bit/B B F/fdpic-funcptrs I/short-inode L/addr-compat-layout R/addr-no-randomize S/whole-seconds T/sticky-timeouts h/help list uname-2.6 V/version v/verbose X/read-implies-exec Z/mmap-page-zero",
            1,
        ),
    ),
    (
        "linux32 linux64 i386 x86_64",
        wraps(
            "3/3gb 4/4gb B/32bit F I L R/addr-no-randomize S T h/help V/version v/verbose X Z uname-2.6",
            0,
        ),
    ),
    ("setuidgid gosu su-exec", wraps("", 1)),
    (
        "setpriv",
        wraps(
            "ambient-caps= apparmor-profile= bounding-set= clear-groups d/dump egid= euid= groups= h/help \
                inh-caps= init-groups keep-groups landlock-access= landlock-rule= nnp/no-new-privs \
                pdeathsig= ptracer= regid= reset-env reuid= rgid= ruid= seccomp-filter=< securebits= \
                selinux-label= V/version",
            0,
        ),
    ),
    ("runcon", Kind::Does(users::runcon)),
    (
        "numactl",
        wraps(
            "a/all b/balancing C/physcpubind= f/file= H/hardware I/shmid= i/interleave= l/localalloc L/length= \
                M/shmmode= m/membind= N/cpunodebind= P/preferred-many= p/preferred= S/shm= s/show t/strict \
                w/weighted-interleave= d/dump D/dump-nodes u/huge o/offset=",
            0,
        ),
    ),
    (
        "cpulimit",
        wraps_unless(
            "b/background c/cpu= e/exe= f/foreground i/include-children l/limit= m/monitor-forks P/path= \
                p/pid= q/quiet r/restart s/signal= v/verbose z/lazy",
            0,
            "p e P",
        ),
    ),
    ("cgexec", wraps("g= sticky", 0)),
    ("coresched", Kind::Does(special::after_dashes)),
    (
        "rlwrap",
        wraps(
            "A? a? b= C= c D= e= f=< g= H=> h I i l=> M= m? N n O= o P= p? q= R r S= s= T t= U u v W X z=!",
            0,
        ),
    ),
    (
        "xvfb-run",
        wraps(
            "a/auto-servernum e/error-file=> f/auth-file=> h/help l/listen-tcp n/server-num= p/xauth-protocol= \
                s/server-args= w/wait=",
            0,
        ),
    ),
    (
        "prlimit",
        wraps_unless(
            "c/core? d/data? e/nice? f/fsize? h/help i/sigpending? l/memlock? m/rss? n/nofile? noheadings \
                o/output= p/pid= q/msgqueue? raw r/rtprio? s/stack? t/cpu? u/nproc? V/version v/as? verbose \
                x/locks? y/rttime?",
            0,
            "p",
        ),
    ),
    // A trace is written beside; `-o '|cmd'` runs a command, which the path of a file does not begin with.
    (
        "strace",
        Kind::Runs(Wrapper {
            options: "A/output-append-mode a/columns= b/detach-on= C/summary c/summary-only D/daemonize? \
                d/debug E/env= e= F f/follow-forks h/help I/interruptible= i/instruction-pointer k/stack-traces? \
                n/syscall-number O/summary-syscall-overhead= o/output=> P/trace-path= p/attach= q quiet= \
                r/relative-timestamps? S/summary-sort-by= s/string-limit= T/syscall-times? t U/summary-columns= \
                u/user= V/version v/no-abbrev w/summary-wall-clock X/const-print-style= x Y y Z/failed-only \
                z/successful-only abbrev= absolute-timestamps? argv0= decode-fds? decode-pids= fault= inject= kvm= \
                output-separately raw= read= seccomp-bpf signal= status= strings-in-hex? tips? trace= \
                trace-fds= verbose= write=",
            unless: "p",
            ..PLAIN
        }),
    ),
    (
        "ltrace",
        Kind::Runs(Wrapper {
            options: "A= a/align= b/no-signals C/demangle c D/debug= e= F/config=< f h/help i L l/library= \
                n/indent= o/output=> p= r S s= T t u= V/version w/where= x=",
            unless: "p",
            ..PLAIN
        }),
    ),
    ("valgrind", Kind::Does(traces::valgrind)),
    ("perf", Kind::Does(traces::perf)),
    (
        "nsenter",
        hides(
            "a/all C/cgroup? c/join-cgroup e/env F/no-fork G/setgid= h/help i/ipc? keep-caps m/mount? N/net-socket= n/net? \
                p/pid? preserve-credentials r/root? S/setuid= T/time? t/target= U/user? u/uts? user-parent V/version \
                W/wdns= w/wd? Z/follow-context",
            0,
            "it runs in other namespaces, where paths are others",
        ),
    ),
    (
        "unshare",
        hides(
            "boottime= C/cgroup? c/map-current-user f/fork G/setgid= h/help i/ipc? keep-caps kill-child? \
                load-interp= m/mount? map-auto map-group= map-groups= map-subids map-user= map-users= monotonic= mount-binfmt? \
                mount-proc? n/net? owner= p/pid? propagation= R/root= r/map-root-user S/setuid= \
                setgroups= T/time? U/user? u/uts? V/version w/wd=",
            0,
            "it runs in other namespaces, where paths are others",
        ),
    ),
    (
        "chroot gchroot",
        hides("groups= skip-chdir userspec= help version", 1, "it runs where paths are others"),
    ),
    (
        "systemd-run",
        hides(
            "background= d/same-dir description= E/setenv= expand-environment= G/collect gid= H/host= h/help \
                ignore-failure j/job json= M/machine= nice= no-ask-password no-block no-pager on-active= on-boot= on-calendar= \
                on-clock-change on-startup= on-timezone-change on-unit-active= on-unit-inactive= P/pipe \
                path-property= p/property= q/quiet r/remain-after-exit S/shell scope send-sighup \
                service-type= slice= slice-inherit socket-property= system t/pty T/pty-late timer-property= uid= u/unit= \
                user v/verbose version wait working-directory=",
            0,
            "it runs later, outside the gate",
        ),
    ),
    // The program that loads others, by the names that systems give it.
    (
        "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 \
            ld-musl-x86_64.so.1 ld-musl-aarch64.so.1",
        Kind::Runs(Wrapper {
            options: "argv0= audit=! glibc-hwcaps-mask= glibc-hwcaps-prepend= help inhibit-cache inhibit-rpath= \
                library-path=! list list-diagnostics list-tunables preload=! verify version",
            ..PLAIN
        }),
    ),
    ("daemon daemonize start-stop-daemon", Kind::Does(special::daemon)),
    ("bwrap firejail proot", Kind::Does(special::sandbox)),
    ("sudo", Kind::Does(users::sudo)),
    ("doas", Kind::Does(users::doas)),
    ("pkexec", wraps("disable-internal-agent help keep-cwd u/user= version", 0)),
    ("su", Kind::Does(users::su)),
    ("sg", Kind::Does(users::sg)),
    ("newgrp", Kind::Does(users::newgrp)),
    ("runuser", Kind::Does(users::runuser)),
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
