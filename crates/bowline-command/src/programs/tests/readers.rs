//! Programs that only read, and the shell itself.

use super::check;

#[test]
fn readers_are_harmless_unless_told_otherwise() {
    check(
        r#"
        echo x => wraps
        echo "$x" $y * => wraps
        ls => ok
        ls -la src => ok
        ls $x => ok
        cat a b => r a, r b
        cat "$x" => r …
        cat - a => r a
        head -5 f => r f
        head -n 5 f => r f
        tail -f f => r f
        wc -l f => r f
        grep foo f g => r f, r g
        grep -rn foo src => r src/**
        grep -e foo f => r f
        grep "$x" f => r …/**, r f/**
        grep -A 3 foo f => r f
        rg foo => r ./**
        rg foo src => r src/**
        rg --pre evil foo => ~all, runs [evil], r ./**
        rg --pre=evil foo => ~all, runs [evil], r ./**
        rg --hostname-bin=evil foo => ~all, runs [evil], r ./**
        rg "$x" => ?, r …/**
        rg -n -- "$x" src => r src/**
        rg -tpy foo => r ./**
        diff a b => r a/**, r b/**
        diff -u a b => r a/**, r b/**
        cmp a b => r a, r b
        diff3 --diff-program=evil a b c => ~all, runs [evil], r a, r b, r c
        sdiff -o prot/x a b => w prot/x, r a, r b
        tr a b => ok
        od f => r f
        file a => r a
        file -C -m x => ~all, r x/**
        stat a => ok
        du -sh . => ok
        date => ok
        date +%s => ok
        date -s x => ~all, r x
        date --set=x => ~all, r x
        hostname => ok
        hostname -F x => ~all, r x
        base64 -d f => r f
        base64 -i f -o prot/x => w prot/x, r f
        tree => ok
        tree -o prot/x => w prot/x
        less f => r f
        less +!evil f => ~all, r +!evil, r f
        less -o prot/x f => w prot/x, r f
        man ls => ok
        man -P evil ls => ~all, runs [evil]
        man --pager=evil ls => ~all, runs [evil]
        jq .a f => r f
        jq -r .a f => r f
        printf x => wraps
        printf '%s\n' "$x" => wraps
        printf "$x" => ?, wraps
        printf -- "$x" => wraps
        printf -v a x => wraps
        printf -v 'a[$(evil)]' x => ?, wraps
        printf '-va[1]' x => ?, wraps
        printf -v PATH x => ?, wraps
        bat f => r f
        bat --pager=evil f => ~all, runs [evil], r f
        which x => ok
        sleep 1 => ok
        true => wraps
        : => wraps
        "#,
    );
}

#[test]
fn the_shell_itself() {
    check(
        r#"
        cd prot => wraps, cd prot
        cd => wraps, cd …
        cd - => wraps, cd …
        cd -P prot => wraps, cd prot
        cd "$x" => wraps, cd …
        cd -- x => wraps, cd x
        pushd prot => wraps, cd prot
        pushd => wraps, cd …
        pushd +1 => wraps, cd …
        popd => wraps, cd …
        export X=1 => wraps
        export X => wraps
        export PATH=/x => ?, wraps
        export "X=$y" => wraps
        export $x => ?, wraps
        export -f f => ?, wraps
        export -n X => wraps
        declare -i x=1 => ?, wraps
        declare -n x=y => ?, wraps
        declare 'a[1]=2' => ?, wraps
        declare -a arr => wraps
        local x=1 => wraps
        readonly X=2 => wraps
        alias git=evil => ?
        alias => ok
        unalias x => ok
        enable -f x y => ?
        enable => ok
        hash -r => ok
        hash -p /x git => ?
        shopt -s expand_aliases => ?
        shopt -s nullglob globstar => ok
        shopt => ok
        set -euo pipefail => wraps
        set -e => wraps
        set -k => ?, wraps
        set -- "$x" => wraps
        set +x => wraps
        set $x => ?, wraps
        read x y => wraps
        read -r line => wraps
        read 'a[$(evil)]' => ?, wraps
        read PATH => ?, wraps
        read -a arr => wraps
        mapfile -t arr => ok
        mapfile -C evil arr => ?
        unset x => ok
        unset 'a[$(evil)]' => ?
        unset $x => ?
        test -f x => wraps
        [ -f x ] => wraps
        [ "$x" = y ] => wraps
        [ -n "$x" ] => wraps
        [ -n $x ] => ?, wraps
        [ -v 'a[$(evil)]' ] => ?, wraps
        [ -v x ] => wraps
        [ "$a" "$b" ] => ?, wraps
        test -v "$x" => ?, wraps
        let x=1 => wraps
        let i++ => ?, wraps
        let 'a[$(evil)]=1' => ?, wraps
        compgen -C evil => ?
        compgen -W '$(evil)' => ?
        compgen -c => ok
        complete -F f x => ?
        bind -x x => ?
        history => ok
        history -w prot/x => w prot/x
        fc -s => ?
        fc -l => ok
        wait => wraps
        wait $pid => ?, wraps
        wait $! => wraps
        exit 1 => wraps
        getopts ab x => ok
        getopts ab 'a[$(evil)]' => ?
        nm a.o => r a.o
        nm --plugin x a.o => ~all, runs [x], r a.o
        "#,
    );
}
