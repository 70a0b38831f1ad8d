//! Commands that run other commands.

use super::check;

#[test]
fn commands_within_commands() {
    check(
        r#"
        timeout 5 git status => wraps, runs [git status]
        timeout -s KILL -k 3 5 evil => wraps, runs [evil]
        timeout --signal=KILL 5 evil => wraps, runs [evil]
        timeout $x evil => ?, wraps, runs [evil]
        timeout --odd 5 evil => ?, wraps, runs [evil]
        time evil => wraps, runs [evil]
        time -o prot/x evil => wraps, runs [evil], w prot/x
        nice -n 5 evil => wraps, runs [evil]
        nice -5 evil => wraps, runs [evil]
        nohup evil => wraps, runs [evil]
        stdbuf -oL evil => wraps, runs [evil]
        command git status => wraps, runs [git status]
        command -v git => wraps
        builtin echo x => wraps, runs [echo x]
        noglob ls => wraps, runs [ls]
        exec evil -x => wraps, runs [evil -x]
        exec => wraps
        env evil => runs [evil]
        env => ok
        env -i evil => runs [evil]
        env - evil => runs [evil]
        env FOO=bar evil => runs [evil]
        env PATH=/tmp evil => ?, runs [evil]
        env GIT_PAGER=evil git log => ?, runs [git log]
        env LANG=C sort f => runs [sort f]
        env -u X -C prot evil x => runs [evil x], cd prot
        env -S evil => runs [evil]
        env -S 'evil a' b => runs [evil a b]
        env '-Sevil a' b => runs [evil a b]
        env --split-string='FOO=1 evil' => runs [evil]
        env -iS 'evil' => runs [evil]
        env -S '$x' => ?
        env -S 'a -S b' => runs [a -S b]
        env $x git status => ?, runs […… git status]
        env --odd evil => ?, runs [evil]
        env "$x" git => ?, runs [… git]
        setsid evil => runs [evil]
        setsid -f evil => runs [evil]
        ionice -c 3 evil => runs [evil]
        ionice -p 12 => ok
        chrt -f 10 evil => runs [evil]
        taskset 1 evil => runs [evil]
        taskset -c 0,1 evil => runs [evil]
        taskset -p 12 => ok
        unbuffer evil => runs [evil]
        strace -f -o prot/trace evil => runs [evil], w prot/trace
        strace -o '|evil' ls => ?, runs [ls], shell [evil], w |evil
        strace -p 12 => ok
        sudo evil => runs [evil]
        sudo -u root evil => runs [evil]
        sudo -s evil x => shell [evil x]
        sudo -i => <code
        sudo FOO=1 evil => runs [evil]
        sudo LD_PRELOAD=x evil => ?, runs [evil]
        sudo -D prot evil => runs [evil], cd prot
        doas -u root evil => runs [evil]
        su -c evil => shell [evil]
        su root -c evil => shell [evil]
        su - root => <code
        su => <code
        runuser -u root evil => runs [evil]
        runuser -u root -- evil => runs [evil]
        runuser root -c evil => shell [evil]
        flock /tmp/lk evil => runs [evil], w /tmp/lk
        flock /tmp/lk -c evil => shell [evil], w /tmp/lk
        flock -n 9 => ok
        flock -c evil /tmp/lk => shell [evil], w /tmp/lk
        xargs evil => runs [evil ……]
        xargs -n1 evil => runs [evil ……]
        xargs => ok
        xargs -0 -P4 grep foo => runs [grep foo ……]
        xargs -I{} evil {} x{}y => runs [evil … x…]
        xargs -I % sh -c 'echo %' => runs [sh -c echo …]
        xargs -i evil {} => runs [evil …]
        xargs rm => runs [rm ……]
        xargs sh -c => runs [sh -c ……]
        xargs --odd evil => ?, runs [evil ……]
        xargs -a list evil => runs [evil ……], r list
        parallel evil ::: a b => shell [evil "$argument"]
        parallel -j4 'evil {}' ::: a => shell [evil "$argument" "$argument"]
        parallel => <code
        parallel 'echo {.}' ::: a => ?, shell [echo {.} "$argument"]
        watch evil x => shell [evil x]
        watch -n 1 -x evil => runs [evil]
        entr -c make test => runs [make test]
        entr -s evil => shell [evil]
        entr cat /_ => runs [cat …]
        hyperfine 'evil x' ls => shell [evil x], shell [ls]
        busybox sh -c evil => runs [sh -c evil]
        busybox => ok
        script -c evil out => shell [evil], w out
        script -q => <code, w typescript
        script out evil => runs [evil], w out
        chroot /x evil => ~all, runs [evil]
        nsenter -t 1 -m evil => ~all, runs [evil]
        unshare -r evil => ~all, runs [evil]
        systemd-run --user evil => ~all, runs [evil]
        start-stop-daemon --start --exec evil -- x => ~all, runs [x], runs [evil]
        bwrap --ro-bind / / -- evil => ~all, runs [evil]
        find . -name x => ok
        find . -maxdepth 0 -exec evil ; => runs [evil]
        find . -maxdepth 0 -execdir evil {} ; => runs [evil ./…], cd …
        find src -type f -exec grep -l foo {} + => runs [grep -l foo src…]
        find src -exec rm {} ; => runs [rm src…]
        find . -ok evil ; -exec ls {} + => runs [evil], runs [ls .…]
        find . -exec sh -c 'evil' ; => runs [sh -c evil]
        find . -name '*.o' -delete => w ./**
        find build -delete => w build/**
        find src.txt -fprint prot/settings.json => w prot/settings.json
        find . -fprintf prot/x '%p' -name y => w prot/x
        find . -fls prot/x => w prot/x
        find $dir -name x => ?
        find "$dir" -name x => ?
        find "src/$dir" -name x => ok
        find . -name "$x" => ok
        find . -name $x => ?
        find . -odd x => ?
        find . -newermt 2020-01-01 -print => ok
        find -L . -type l => ok
        find . ( -name a -o -name b ) -print0 => ok
        find . -files0-from x => ?, r x
        fd foo => ok
        fd -e rs -x evil => runs [evil ……]
        fd foo -X rm => runs [rm ……]
        fd --exec evil {} => runs [evil …]
        fd -Hx evil {/} => runs [evil …]
        ssh host evil => ~all, shell [evil]
        docker ps => ok
        docker exec c evil => ~all
        docker run -v .:/x i evil => ~all
        kubectl get pods => ok
        kubectl exec p -- evil => ~all, runs [evil]
        nc -e evil h 1 => ~all
        tmux new-session evil => ~all
        at now => ?, <code
        at -l => ok
        crontab -l => ok
        crontab - => ?
        crontab file => ?
        crontab -r => ?
        systemctl status x => ok
        systemctl start x => ~all
        systemctl stop bowline => NEVER, ~all
        launchctl list => ok
        watchexec -- evil => ~all, runs [evil]
        ip addr => ok
        ip netns exec x evil => ~all
        /usr/bin/env evil => runs [evil]
        /usr/bin/timeout 5 evil => wraps, runs [evil]
        /opt/tools/env evil => ~1, runs [evil]
        /opt/tools/evil => ~1
        ./x.sh a => ~1
        bin/tool => ~1
        bin/cp a prot/x => ~1, r a, w prot/x, w prot/x/a
        ./node_modules/.bin/tsc -p x => ~1, x x, x .
        /usr/bin/unknown => ~1
        env -S 'cat' .env => runs [cat .env]
        env -S'cat' -u .env => runs [cat -u .env]
        env -vS 'cat -n' .env => runs [cat -n .env]
        env -S 'cat' -C x .env => runs [cat -C x .env]
        env -C d -S 'cat' .env => runs [cat .env], cd d
        env -S 'a\_b' c => ?, runs [c]
        xargs --process-slot-var=N evil => runs [evil ……]
        xargs --process-slot-var=BASH_ENV bash x => ?, runs [bash x ……]
        time --output=prot/x -p evil => wraps, runs [evil], w prot/x
        strace --output prot/t -E X=1 evil => runs [evil], w prot/t
        valgrind --leak-check=full --log-file=prot/v evil x => runs [evil x], w prot/v
        perf stat -o prot/s evil => runs [evil], w prot/s
        perf record evil => runs [evil], w perf.data, w perf.data.old
        perf list => ok
        choom -n 5 -- evil => runs [evil]
        uclampset -m 5 evil => runs [evil]
        faketime '1 day ago' evil => runs [evil]
        eatmydata evil => runs [evil]
        pkexec --user root evil => runs [evil]
        sg staff 'evil x' => shell [evil x]
        sg staff -c evil => shell [evil]
        newgrp staff => <code
        runcon -t x evil => runs [evil]
        runcon ctx evil => runs [evil]
        sudo -h host evil => ?, runs [host evil]
        bwrap --ro-bind / / --dev /dev evil x => ~all, runs [evil x]
        bwrap --unshare-all -- evil => ~all, runs [evil]
        firejail --private evil => ~all, runs [evil]
        proot -r /x evil => ~all, runs [evil]
        /lib64/ld-linux-x86-64.so.2 /bin/cat .env => ~1, runs [/bin/cat .env]
        /lib64/ld-linux-x86-64.so.2 --preload x /bin/cat => ~all, runs [x], runs [/bin/cat]
        prlimit --nofile=5 evil => runs [evil]
        setpriv --reset-env --pdeathsig KILL evil => runs [evil]
        numactl -C 1 evil => runs [evil]
        fakeroot -s prot/s evil => runs [evil], w prot/s
        rlwrap -H prot/h evil => runs [evil], w prot/h
        parallel --results prot/r evil ::: a => shell [evil "$argument"], w prot/r, w prot/r/**
        parallel --tagstring x evil ::: a => ?, shell [evil "$argument"]
        ssh -V => ok
        ssh -o ProxyCommand=evil h => ~all, shell [evil]
        ssh h -v rm x => ~all, shell [rm x]
        nc -z localhost 3000 => ok
        docker compose ps => ok
        docker compose -f x.yml logs -f web => r x.yml
        docker compose up => ~all
        docker --config x ps => ~all
        docker context ls => ok
        docker save -o prot/x i => ~all, w prot/x/**
        kubectl logs -f p -n x => ok
        kubectl get pods -o go-template-file=prot/t => r prot/t
        kubectl --kubeconfig=x get pods => ~all
        kubectl cluster-info dump => ~all
        gh pr view 3 --web => ~all
        gh pr view 3 => ok
        gh run download 3 -D prot => ~3, w prot/**
        gh api -F x=@.env u => ~all, r .env
        gh api -X DELETE repos/a/b => ~all
        gh api repos/a/b -XDELETE => ~3
        gh api repos/a/b --method=PATCH => ~3
        gh api repos/a/b -f a=b => ~3
        gh api repos/a/b --raw-fi a=b => ~3
        gh api repos/a/b --input x => ~3, r x
        gh api graphql => ~3
        gh api repos/a/b -H X-HTTP-Method-Override:DELETE => ~3
        gh api https://evil/x => ~3
        gh api --hostname evil x => ~all
        gh issue create -F .env => ~3, r .env
        psql -c '\dt' => ok
        psql -c 'select 1' => ok
        psql -c 'drop table x' => ~all
        "#,
    );
}
