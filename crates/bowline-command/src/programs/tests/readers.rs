//! Programs that only read, and the shell itself.

use super::check;

#[test]
fn readers_are_harmless_unless_told_otherwise() {
    check(
        r#"
        echo x => ok
        echo "$x" $y * => ok
        ls => ok
        ls -la src => r src
        ls $x => r ……
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
        stat a => r a
        du -sh . => r .
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
        printf x => ok
        printf '%s\n' "$x" => ok
        printf "$x" => ?
        printf -- "$x" => ok
        printf -v a x => ok
        printf -v 'a[$(evil)]' x => ?
        printf '-va[1]' x => ?
        printf -v PATH x => ?
        bat f => r f
        bat --pager=evil f => ~all, runs [evil], r f
        which x => ok
        sleep 1 => ok
        true => ok
        : => ok
        "#,
    );
}

#[test]
fn the_shell_itself() {
    check(
        r#"
        cd prot => cd prot
        cd => cd …
        cd - => cd …
        cd -P prot => cd prot
        cd "$x" => cd …
        cd -- x => cd x
        pushd prot => cd prot
        pushd => cd …
        pushd +1 => cd …
        popd => cd …
        export X=1 => ok
        export X => ok
        export PATH=/x => ?
        export "X=$y" => ok
        export $x => ?
        export -f f => ?
        export -n X => ok
        declare -i x=1 => ?
        declare -n x=y => ?
        declare 'a[1]=2' => ?
        declare -a arr => ok
        local x=1 => ok
        readonly X=2 => ok
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
        set -euo pipefail => ok
        set -e => ok
        set -k => ?
        set -- "$x" => ok
        set +x => ok
        set $x => ?
        read x y => ok
        read -r line => ok
        read 'a[$(evil)]' => ?
        read PATH => ?
        read -a arr => ok
        mapfile -t arr => ok
        mapfile -C evil arr => ?
        unset x => ok
        unset 'a[$(evil)]' => ?
        unset $x => ?
        test -f x => ok
        [ -f x ] => ok
        [ "$x" = y ] => ok
        [ -n "$x" ] => ok
        [ -n $x ] => ?
        [ -v 'a[$(evil)]' ] => ?
        [ -v x ] => ok
        [ "$a" "$b" ] => ?
        test -v "$x" => ?
        let x=1 => ok
        let i++ => ?
        let 'a[$(evil)]=1' => ?
        compgen -C evil => ?
        compgen -W '$(evil)' => ?
        compgen -c => ok
        complete -F f x => ?
        bind -x x => ?
        history => ok
        history -w prot/x => w prot/x
        fc -s => ?
        fc -l => ok
        wait => ok
        wait $pid => ?
        wait $! => ok
        exit 1 => ok
        getopts ab x => ok
        getopts ab 'a[$(evil)]' => ?
        nm a.o => r a.o
        nm --plugin x a.o => ~all, runs [x], r a.o
        "#,
    );
}
