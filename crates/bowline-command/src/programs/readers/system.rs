//! Programs that tell of the system, of processes and of the network, or print what they are given.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{beware, looks, options_of, reads, tells};
use crate::{Pin, Word};

pub(in super::super) const ROWS: &[Row] = &[
    // Their words name no files.
    (
        "echo basename dirname whoami id uname printenv which sleep usleep seq yes arch tty nproc free uptime ps \
            pidof w groups locale cal logname hostid factor expr numfmt clear reset lsb_release sw_vers lsmod \
            vmstat iostat mpstat nslookup host ping ping6 traceroute netstat pathchk mesg pwdx pstree pwd gseq \
            gecho gbasename gdirname gexpr gnumfmt gfactor gnproc guname gid gwhoami",
        Kind::Harmless,
    ),
    ("sync gsync", reads("d/data f/file-system help version")),
    (
        "who users gwho gusers",
        reads(
            "a/all b/boot d/dead H/heading ips l/login lookup m p/process q/count r/runlevel s/short t/time T/w/mesg u/users message writable help version",
        ),
    ),
    (
        "last lastb",
        looks(
            "a/hostlast d/dns f/file=< F/fulltimes i/ip n/limit= R/nohostname s/since= t/until= p/present= w/fullnames x/system time-format= h/help V/version #",
        ),
    ),
    ("tput", looks("S T= V x")),
    ("stty gstty", looks("a/all g/save F/file=< f?< help version")),
    ("getconf", tells("a v=!")),
    ("getent", tells("A/no-addrconfig i/no-idn s/service=! ?/help usage V/version")),
    ("pgrep", looks("F/pidfile=<")),
    ("lscpu", looks("s/sysroot=<")),
    ("lsblk", looks("sysroot=<")),
    ("lspci", looks("i=< p=< F=< A= H= O= s= d= t v m n k x b D P q Q M V")),
    ("lsusb", looks("D=< d= s= t v V/version h/help")),
    (
        "ss",
        tells(
            "a/all l/listening o/options e/extended m/memory p/processes T/threads i/info s/summary H/no-header \
                O/oneline n/numeric r/resolve b/bpf 4/ipv4 6/ipv6 0/packet t/tcp u/udp d/dccp w/raw x/unix S/sctp \
                M/mptcp vsock tipc xdp Z/context z/contexts N/net= E/events f/family= A/query/socket= D/diag=> \
                F/filter=< K/kill^ inet-sockopt B/bound-inactive Q/no-queues cgroup tos tipcinfo h/help V/version",
        ),
    ),
    (
        "dmesg",
        tells(
            "C/clear^ c/read-clear^ D/console-off^ E/console-on^ F/file=< f/facility= H/human J/json k/kernel \
                L/color? l/level= n/console-level=^ P/nopager p/force-prefix r/raw noescape S/syslog \
                s/buffer-size= u/userspace w/follow W/follow-new x/decode d/show-delta e/reltime T/ctime t/notime \
                time-format= since= until= h/help V/version",
        ),
    ),
    ("cowsay cowthink", tells("b d g p s t w y e= f=^ l n r C T= W= h")),
    ("figlet", looks("f=< d= C=< w= m= c l r x t p v k s o L R X I= N D E A")),
    (
        "apropos whatis",
        tells(
            "d/debug v/verbose r/regex w/wildcard e/exact a/and l/long s/sections/section= m/systems= M/manpath= L/locale= C/config-file=^ f k ?/help usage V/version",
        ),
    ),
    ("date gdate", Kind::Does(date)),
    ("hostname", Kind::Does(hostname)),
    ("ifconfig", Kind::Does(ifconfig)),
    (
        "lsof",
        beware(
            "a b c= d= D=^ e= E f F? g? h i? k=< K? l L? m=^ M n N o O p= P Q r? R s? S? t T? u= U v V w X x? \
                z? Z? A= # +",
        ),
    ),
    ("tcpdump tshark dumpcap", Kind::Hidden("it may write what it hears, and run a program on it")),
    ("dig drill", looks("b= c= f=< k=< p= q= t= x= y= i? m u v h 4 6 r D T S V z")),
];

const DATE: &str = "d/date= f/file=< I/iso-8601? r/reference= R/rfc-email rfc-822 rfc-2822 rfc-3339= u/utc/universal \
    debug j n v= z? s/set=^ resolution help version";

/// A word that is no format sets the clock.
fn date(words: &[Word]) -> Meaning {
    let line = parse(words, DATE, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    meaning.touches.retain(|touched| !touched.path.start().starts_with('+'));
    if line.words().any(|word| !word.start().starts_with('+')) && !line.has("j") {
        meaning.opaque(Pin::Everything, "it may set the clock");
    }
    meaning
}

/// A word by itself sets the name.
fn hostname(words: &[Word]) -> Meaning {
    const OPTIONS: &str = "a/alias A/all-fqdns d/domain f/fqdn/long F/file=^ i/ip-address I/all-ip-addresses s/short \
        y/yp/nis b/boot^ v/verbose V/version h/help";
    let line = parse(words, OPTIONS, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    if line.words().next().is_some() {
        meaning.opaque(Pin::Everything, "it may set the name of the host");
    }
    meaning
}

/// More than the name of an interface changes it.
fn ifconfig(words: &[Word]) -> Meaning {
    let line = parse(words, "a s v l L m r u d", Order::Anywhere);
    match line.unsure.is_some() || line.operands.len() > 1 {
        true => Meaning::code(Pin::Everything, "it may change the network"),
        false => Meaning::default(),
    }
}
