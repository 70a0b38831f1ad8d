//! Names of open files are the files behind them.

use bowline_command::Access;

use crate::{read, shown, touches};

#[test]
fn a_file_is_written_through_a_name_of_its_descriptor() {
    for text in [
        "cat p 3<key >/dev/fd/3",
        "cat p >/dev/fd/3 3<key",
        "ls <key >/dev/stdin",
        "cat p <key >/proc/self/fd/0",
        "cat p <key | tee /dev/stdin",
        "git log --output=/dev/fd/3 3<key",
        "sed -n 'w /dev/fd/7' p 7<key",
        "find . -fprint /dev/fd/3 3<key",
        "sort p -o /dev/fd/3 3<key",
        "dd if=p of=/dev/fd/3 3<key",
        "cp p /dev/fd/3 3<key",
        "exec 3<key; cat p >/dev/fd/3",
        "exec {fd}<key; cat p >/dev/fd/10",
        "cat p {fd}<key >/dev/fd/11",
        "{ { cat p >/dev/fd/10; } </dev/null; } <key",
        "cat p 3<>key >/dev/fd/3",
        "cat p 3<key 4<&3 >/dev/fd/4",
        "cat p 3<key 4>&3 5>&4 >/dev/fd/5",
        "cat p 3<key 4<&3- >/dev/fd/4",
        "cat p 3<key 4>&\"3\" >/dev/fd/4",
        "cat p 3<key 4>/dev/fd/3 >/proc/self/fd/4",
        "cat <key 3<key >/dev/fd/3",
        "n=3; cat p 3<key >/dev/fd/$n",
        "f() { cat p >/dev/fd/3; } 3<key; f",
        "f() { cat p >/dev/fd/3; }; f 3<key",
        "{ cat p >/dev/fd/3; } 3<key",
        "while cat p >/dev/stdin; do break; done <key",
        "if :; then cat p >/dev/fd/3; fi 3<key",
        "bash -c 'cat p >/dev/fd/3' 3<key",
        "cat p 3<key >/proc/self/../self/fd/3",
        "cat p 3<key >/proc/self/root/dev/fd/3",
        "cat p 3<key >/proc/thread-self/fd/3",
        "cat p 3<key >/dev/../dev/fd/3",
        "cat p 3<key >//dev//fd/./3",
        "cat p 3<key >/dev/fd/03",
        "cat p 3<key >/dev/fd/../fd/3",
        "cat p 3<key >/dev/fd/../../self/fd/3",
        "cat p 3<key >/proc/mounts/../fd/3",
        "cat p 3<key >../dev/fd/3",
        "cd /dev; cat p 3</proj/key >fd/3",
        "cd /dev/fd && cat p 3</proj/key >3",
        "cat p <key >/dev/f?/0",
        "cat p 3<key 3>&- >/dev/fd/3",
        "cat p 3<. >/dev/fd/3/key",
        "exec 3<. 4</dev/fd/3/key; cat p >/dev/fd/4",
        "cat p 3<sub >/dev/fd/3/../key",
        "cat p >/proc/self/cwd/key",
        "cat p >/dev/fd/../cwd/key",
    ] {
        let script = read(text);
        let found =
            ["/proj/key", "/proj/sub/../key"].iter().any(|path| touches(&script, Access::Write, path));
        assert!(found, "{text}\n{}", shown(text));
    }
}

#[test]
fn a_file_is_read_through_a_name_of_its_descriptor() {
    for text in [
        "cat /dev/fd/3 3>>key",
        "cat <>key /dev/stdin 3>&0",
        "exec 3>>key; cat /proc/self/fd/3",
        "cat 3>>key /dev/fd/*",
        "grep -r x /proc/self/fd 3>>key",
        "cat p 3<. /dev/fd/3/key",
        "cat 3<sub /dev/fd/3/../key",
        "cd /dev/fd/3 3<. && cat key",
        "cat </proc/self/cwd/key",
        "cd /proc/self/cwd/sub && cat ../key",
        "cat /proc/1234/fd/3",
        "cat /proc/$$/fd/3",
        "cat /proc/$PPID/cwd/key",
        "cat /proc/*/cwd/key",
    ] {
        let script = read(text);
        let found = ["/proj/key", "/proj/sub/../key"].iter().any(|path| touches(&script, Access::Read, path));
        assert!(found, "{text}\n{}", shown(text));
    }
}

#[test]
fn what_is_known_only_when_it_runs_is_doubted() {
    for text in [
        "cat p 3<key >/proc/$$/fd/3",
        "cat p >/proc/1234/fd/3",
        "cat p >/proc/$PPID/cwd/key",
        "cat p 3<key >/dev/fd/$(echo 3)",
        "cat p 3<key >&$x",
        "cat p >/dev/tcp/h/80",
        "cat </dev/udp/h/80",
        "exec 3<>/dev/tcp/h/80",
        "x=/dev/tcp/h/80; cat <$x",
        "x=/dev/tcp/$(cat p)/80; cat <$x",
        "cat </dev/${x}tcp/h/80",
    ] {
        assert!(!read(text).is_readable(), "{text}\n{}", shown(text));
    }
}

#[test]
fn ordinary_use_of_descriptors_is_decided() {
    for text in [
        "cat p > out.txt 2>&1",
        "cat p 2>/dev/null | tee /dev/stderr",
        "echo x >/dev/stderr",
        "cat /dev/stdin < p",
        "sort < p | tee /dev/stdout",
        "cat <<E | tee /dev/stdin\nx\nE",
        "cat p >/dev/tty </dev/null",
        "diff <(cat p) <(cat q)",
    ] {
        let script = read(text);
        assert!(script.doubts.is_empty(), "{text}\n{}", shown(text));
        assert!(!touches(&script, Access::Write, "/proj/p"), "{text}\n{}", shown(text));
        assert!(script.touches.iter().all(|touch| !touch.is_deep), "{text}\n{}", shown(text));
    }
}
