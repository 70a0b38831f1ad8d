//! git.

use super::check;

#[test]
fn what_git_runs_and_writes() {
    check(
        r#"
        git status => ok
        git log --oneline => ok
        git log --grep='$(evil)' => ok
        git log --format='%h | %s; %an' => ok
        git log --output=prot/settings.json => w prot/settings.json
        git log --output prot/settings.json => w prot/settings.json
        git log --outp=prot/x => ?
        git log "$x" => ?
        git log -- "$x" => ok
        git log --grep "$x" => ok
        git log --grep="$x" => ok
        git log -S "$x" -n 5 => ok
        git log origin/"$x" => ok
        git log $x => ?
        git diff => r ./**
        git diff HEAD~1 -- src => r src/**, r HEAD~1/**
        git diff --output=prot/x => r ./**, w prot/x
        git diff --ext-diff => ~all, r ./**
        git diff --no-index a b => r a/**, r b/**, r ./**, r a/**, r b/**
        git show HEAD:prot/settings.json => r prot/settings.json/**, r ./**
        git show "$x" => ?, r ./**
        git shortlog -sn => ok
        git reflog => ok
        git stash list => ok
        git stash show -p => r ./**
        git stash => w ./**
        git stash pop => w ./**
        git stash push -m x => w ./**
        git rev-list --output=prot/x HEAD => w prot/x
        git blame --output prot/x a => ~all, r a/**, w prot/x
        git commit -qm "$(cat)" => ok
        git commit -m "$x" => ok
        git commit -am 'x y' => r ./**
        git commit --amend --no-edit => ok
        git commit -F - => ok
        git commit $x => r ……/**, r ……
        git add . => r ./**
        git add -A => r ./**, r ./**
        git add * => r ……/**
        git add "$x" => r …/**, r ……
        git tag v1 => ok
        git branch -a => ok
        git branch -D x => ok
        git fetch => ok
        git fetch origin => r origin
        git fetch --upload-pack=evil x => ~all, runs [evil], r x
        git fetch --upload-p evil x => ~all, runs [evil], r x
        git fetch ext::evil => ~all
        git fetch "$x" => ?, ~all, r …
        git push => ok
        git push -u origin main => ok
        git push origin HEAD => ok
        git push --receive-pack=evil origin => ~all, runs [evil]
        git push --exec=evil origin => ~all, runs [evil]
        git push origin "$branch" => ?
        git pull => w ./**
        git pull --rebase => w ./**
        git ls-remote origin => r origin
        git clone https://h/a/b.git => ~2, w b/**
        git clone https://h/a/b.git prot => ~2, w prot/**
        git clone git@h:a/b.git => ~2, w b/**
        git clone -c core.x=evil u => ~all, r u, r u/**, w u/**
        git clone --template=x u => ~all, r u, r u/**, w u/**
        git clone -u evil u => ~all, runs [evil], r u, r u/**, w u/**
        git clone "$x" => ?, ~2, r …, r …/**
        git init => ~2
        git init prot => ~2, w prot/**
        git init --template=x => ~all
        git -c core.fsmonitor=evil status => ~all, runs [git status]
        git -c core.pager=evil -p log => ~all, runs [git log]
        git -p log => ~all, runs [git log]
        git --no-pager log => ok
        git -P log => ok
        git -C evilrepo status => x .git, cd evilrepo
        git -C prot checkout -- settings.json => w settings.json/**, x .git, cd prot
        git -C "$x" status => ?
        git --git-dir=x status => ~all, runs [git status]
        git --work-tree x status => ~all, runs [git status]
        git --exec-path=x status => ~all, runs [git status]
        git --config-env=a=b status => ~all, runs [git status]
        git --version => ok
        git --odd status => ?, runs [git status]
        git => ok
        git $x => ?
        git "$x" y => ?
        git submodule foreach evil => ~all, shell [evil]
        git submodule foreach --recursive 'evil x' => ~all, shell [evil x]
        git submodule status => ok
        git submodule update --init => ~all
        git grep foo => r ./**
        git grep -Oevil hello => ~all, runs [evil], r ./**
        git grep -nOevil hello => ~all, runs [evil], r ./**
        git grep --open-files-in-pager=evil x => ~all, runs [evil], r ./**
        git grep --open=evil x => ~all, runs [evil], r ./**
        git grep "$x" => ?, r ./**
        git grep -e "$x" => r ./**
        git grep -n foo -- src => r src/**
        git difftool -y -x evil HEAD~1 => ~all, shell [evil], r HEAD~1/**, r ./**, r HEAD~1/**
        git difftool => ~all, r ./**
        git mergetool => ~all, r ./**
        git bisect run evil x => ~all, runs [evil x], w ./**
        git bisect start => w ./**
        git bisect log => ok
        git rebase main => w ./**
        git rebase -x evil main => ~all, shell [evil], w ./**
        git rebase --exec 'evil x' main => ~all, shell [evil x], w ./**
        git rebase --exe=evil main => ~all, shell [evil], w ./**
        git rebase "$x" => ?, w ./**
        git merge main => w ./**
        git merge -s evil main => ~all, w ./**
        git cherry-pick abc => w ./**
        git revert abc => w ./**
        git checkout main => w ./**
        git checkout -b x => ok
        git checkout -- prot/settings.json => w prot/settings.json/**
        git checkout HEAD -- src/a.rs b => w src/a.rs/**, w b/**
        git checkout HEAD prot/settings.json => w ./**, w prot/settings.json/**
        git checkout prot/settings.json => w ./**, w prot/settings.json/**
        git checkout -- 'prot/*' => w prot/**
        git checkout -- '*.rs' => w ./**
        git checkout -- :/ => ?
        git checkout -- "$x" => w …/**
        git checkout "$x" => w ./**, r ……
        git checkout -- . => w ./**
        git switch main => w ./**
        git switch -c x => ok
        git restore prot/settings.json => w prot/settings.json/**
        git restore --staged x => ok
        git restore --staged --worktree x => w x/**
        git restore . => w ./**
        git restore "$x" => w …/**, r ……
        git reset => ok
        git reset HEAD x => ok
        git reset --soft HEAD~1 => ok
        git reset --hard => w ./**
        git reset --hard HEAD~1 => w ./**
        git clean -fdqx prot => w prot/**
        git clean -n => ok
        git clean -fd => ~2, w ./**
        git rm prot/x => w prot/x/**
        git rm --cached x => ok
        git rm -r src => w src/**
        git mv a prot => r a/**, w a/**, w prot/**, w prot/a/**
        git mv "$x" b => r …/**, w …/**, w b/**
        git config --get user.name => ok
        git config user.name => ok
        git config user.name x => ~all, w .git/config
        git config --global core.pager evil => ~all
        git config alias.x '!evil' => ~all, w .git/config
        git config -f prot/x a b => ~all, r prot/x, w prot/x
        git config -l => ok
        git config list => ok
        git config set a b => ~all, w .git/config
        git config --edit => ~all, w .git/config
        git remote -v => ok
        git remote => ok
        git remote add x u => ~3
        git remote add x ext::evil => ~all
        git remote get-url origin => ok
        git worktree list => ok
        git worktree add prot/x => ~3, w prot/x/**, r ./**
        git archive HEAD => r HEAD/**, r ./**
        git archive -o prot/x HEAD => r HEAD/**, r ./**, w prot/x
        git archive --output=prot/x HEAD => r HEAD/**, r ./**, w prot/x
        git archive --remote=x --exec=evil HEAD => ~all, runs [evil], r HEAD/**, r ./**
        git bundle create prot/x HEAD => r ./**, w prot/x
        git bundle verify x => r x
        git format-patch HEAD~1 => ~2, r HEAD~1/**, r ./**
        git format-patch -o prot HEAD~1 => w prot/**, r HEAD~1/**, r ./**
        git format-patch --stdout HEAD~1 => r HEAD~1/**, r ./**
        git apply x.patch => ~all, r x.patch, w ./**
        git am x => ~all, r x, w ./**
        git filter-branch --tree-filter evil => ~all, r evil
        git send-email x => ~all, r x
        git maintenance start => ~all
        git maintenance run => ok
        git lfs pull => ~3, w ./**
        git lfs ls-files => ok
        git bogus-sub => ~2
        git st => ~2
        git blame -L 1,2 f => r f/**
        git rev-parse HEAD => ok
        git rev-parse "$x" => ok
        git ls-files "$x" => r ……
        git interpret-trailers --in-place f => ~all, r f, r ../f, r ../../f, r ../../../f, r ../../../../f, w f
        git credential fill => ~all, r fill
        git hook run x => ~all, r run, r x
        svn status => ok
        svn update => ~2
        hg --config x=y status => ~all
        "#,
    );
}

#[test]
fn what_stands_before_the_subcommand() {
    check(
        r#"
        git -P push => ok
        git --no-pager -C sub push origin => x .git, cd sub
        git -C a -C b status => x .git, cd a/b
        git -c color.ui=always diff --stat => ok
        git -c core.pager=cat log => ok
        git -c alias.x=!evil x => ~all, runs [git x]
        git -c "$x" push => ~all, runs [git push]
        git --literal-pathspecs push => ok
        git --no-optional-locks status => ok
        git --icase-pathspecs restore SRC => w SRC/**, w ./**
        git --git-dir=x push => ~all, runs [git push]
        git -C sub commit -m x => x .git, cd sub
        git -C sub make-up => ~4, x .git, cd sub
        git -P remote add x u => ~4
        git status --help => ok
        git push --help => ok
        git rm --help x => ok
        "#,
    );
}

#[test]
fn options_that_undo_and_swallow() {
    check(
        r#"
        git config --get --no-get core.fsmonitor evil => ~all, w .git/config
        git config core.fsmonitor evil --get => ~all, w .git/config
        git config core.fsmonitor evil -l => ~all, w .git/config
        git config --get core.fsmonitor => ok
        git config --list --no-list core.fsmonitor evil => ~all, w .git/config
        git rm -n --no-dry-run prot/f => w prot/f/**
        git rm --no-dry-run -n prot/f => ok
        git rm -n --no-dry prot/f => w prot/f/**
        git rm --cached --no-cached prot/f => w prot/f/**
        git clean -n --no-dry-run -f prot => w prot/**
        git clean -nfd => ok
        git mv -n --no-dry-run prot/f b => r prot/f/**, w prot/f/**, w b/**, w b/f/**
        git restore -S --no-staged prot/f => w prot/f/**
        git restore --staged -W prot/f => w prot/f/**
        git blame -n --output=prot/f a => ~all, r a/**, w prot/f
        git shortlog -n --output=prot/f => w prot/f
        git log -n --output=prot/f => w prot/f
        git log -S --output=prot/f => w prot/f
        git log --grep --output=prot/f => w prot/f
        git log --frobnicate => ?
        git describe --frobnicate => ok
        git remote -v set-url origin evil => ~4
        git remote -v => ok
        git bundle create --version 3 prot/f HEAD => r ./**, w prot/f
        git bundle create --version=3 -q prot/f HEAD => r ./**, w prot/f
        git -P bundle create prot/f HEAD => r ./**, w prot/f
        git bisect view evil => ~all
        git bisect visualize --output=prot/f => ~all, w prot/f
        git bisect run sh -c evil => ~all, runs [sh -c evil], w ./**
        git stash -q -m x => w ./**
        git stash -- src => w src/**
        git stash push src/a.rs => w src/a.rs/**
        git stash list --output=prot/f => w prot/f
        git stash show -p --output=prot/f => r ./**, w prot/f
        git reflog --output=prot/f => w prot/f
        git reflog show --output prot/f => w prot/f
        git fetch --upload-pack evil . => ~all, runs [evil], r ., x .
        git ls-remote --exec=evil . => ~all, runs [evil], r ., x .
        git fetch-pack --exec=evil . => ~all, runs [evil], r ., x .
        git archive --exec evil --remote . HEAD => ~all, runs [evil], r HEAD/**, r ./**
        git log --ext-diff -p => ~all, r ./**
        git log --no-ext-diff => ok
        git diff --ext-diff --no-ext-diff => ~all, r ./**
        git send-pack --receive-pack=evil . => ~all, runs [evil], x .
        git push ./other main => x ./other
        git push file:///tmp/other main => x /tmp/other
        git push git@h:a/b.git main => ok
        git push --repo=./other => x ./other
        git pull -s evil => ~all, w ./**
        git cherry-pick --strategy=evil abc => ~all, w ./**
        git merge -s ours x => w ./**
        git rebase -i --exec evil HEAD~1 => ~all, shell [evil], w ./**
        git update-index --cacheinfo 100644,abc,prot/f => w prot/f
        git update-index --add --cacheinfo 100644 abc prot/f => r abc, w abc, r prot/f, w prot/f
        git update-index --index-info => ~all
        git checkout-index --prefix=prot/ -a => ~all, w prot/**, r ./**
        git checkout-index -f prot/f => ~2, w ./**, r prot/f, w prot/f
        git read-tree --index-output=prot/f HEAD => ~all, w ./**, w prot/f
        git pack-objects prot/p => ~all, w prot/**
        git index-pack -o prot/f x.pack => ~all, r x.pack, w prot/f
        git mailsplit -oprot x => w prot/**, r x
        git mailinfo prot/a prot/b => w prot/a, w prot/b
        git merge-file prot/f a b => r prot/f, r a, r b, w prot/f
        git merge-file -p prot/f a b => r prot/f, r a, r b
        git interpret-trailers --in-pl prot/f => ~all, r prot/f, r ../prot/f, r ../../prot/f, r ../../../prot/f, r ../../../../prot/f, w prot/f
        git format-patch -1 -oprot => w prot/**, r ./**
        git format-patch --output-dir prot -1 => w prot/**, r ./**
        git bugreport -o prot => ~2, w prot/**, w prot/git-
        git diagnose --output-directory=prot -s x => ~2, w prot/**, w prot/git-
        git apply --check x.patch => r x.patch
        git apply --stat --apply x.patch => ~all, r x.patch, w ./**
        git apply --build-fake-ancestor=prot/f x.patch => ~all, r x.patch, w ./**, w prot/f
        git worktree add -b x ../wt HEAD => ~3, w ../wt/**, r ./**
        git worktree move a prot/b => ~3, w a/**, w prot/b/**
        git sparse-checkout set src => ~3, w ./**
        git merge-index evil -a => ~all, r evil
        git submodule foreach --quiet evil => ~all, shell [evil]
        git submodule -q foreach evil => ~all, shell [evil]
        git hook run pre-commit => ~all, r run, r pre-commit
        git archive -o prot/f HEAD src => r src/**, w prot/f
        git archive -l => ok
        git symbolic-ref config refs/heads/main => ~all, w .git/config
        git symbolic-ref ../prot/f refs/heads/main => ~all, w .git/../prot/f
        git symbolic-ref HEAD refs/heads/main => ok
        git symbolic-ref HEAD => ok
        git update-ref hooks/x HEAD => ~all, w .git/hooks/x
        git update-ref -d refs/heads/x => ok
        git update-ref "$x" HEAD => ?, ~all
        git update-ref --stdin => ~all
        git repack -ad => ok
        git multi-pack-index write --object-dir=prot => ~all, w prot/**
        git multi-pack-index --object-dir=prot write => ?
        git commit-graph write --reachable => ok
        git hash-object -w --stdin-paths => ~all
        git repack -ad --expire-to=prot/x => ~all, w prot/x/**, w prot/**
        git maintenance register => ~all
        git gc => ok
        git fsck --lost-found => ok
        "#,
    );
}

#[test]
fn what_git_reads() {
    check(
        r#"
        git diff --no-index /dev/null .env => r /dev/null/**, r .env/**, r ./**, r /dev/null/**, r .env/**
        git diff --no-inde /dev/null .env => ?, r /dev/null/**, r .env/**, r ./**, r /dev/null/**, r .env/**
        git diff -- .env /dev/null => r .env/**, r /dev/null/**, r .env/**, r /dev/null/**
        git diff .env => r .env/**, r ./**
        git diff HEAD -- .env => r .env/**, r HEAD/**
        git diff --stat => ok
        git diff --name-only main...HEAD => ok
        git diff --cached => r ./**
        git diff HEAD:.env HEAD:a => r .env/**, r ./**, r a/**, r ./**, r ./**, r HEAD:.env/**, r HEAD:a/**
        git grep --no-index x => r ./**
        git grep --no-index x .env => r .env/**, r ./**
        git grep -f .env => r ./**, r .env
        git grep -f.env a => r a/**, r ./**, r .env
        git grep x -- .env => r .env/**
        git grep --untracked x => r ./**
        git grep --no-exclude-standard --untracked x => r ./**
        git grep -e x -- ':!y' => r ./**
        git commit -F .env => r .env
        git commit --fil=.env => r .env
        git commit -aF.env => r ./**, r .env
        git commit -t .env => r .env
        git commit -m x .env => r .env/**
        git commit -m "$x" -- a => r a/**
        git tag -F .env v1 => r .env
        git notes add -F .env => r .env
        git notes --ref=x append --file=.env => r .env
        git merge -F .env x => w ./**, r .env
        git commit-tree -F .env abc => r .env
        git fmt-merge-msg -F .env => r .env
        git archive --add-file=.env HEAD => r HEAD/**, r ./**, r .env
        git archive HEAD .env => r .env/**
        git config -f .env -l => r .env
        git config -f.env --get a => r .env
        git config list --file .env => r .env
        git config --blob HEAD:.env -l => r .env/**, r ./**
        git blame --contents .env a => r a/**, r .env
        git blame --contents=.env a => r a/**, r .env
        git blame .env => r .env/**
        git blame -L 1,5 HEAD -- .env => r HEAD/**, r .env/**
        git hash-object .env => r .env
        git hash-object -w -- .env => r .env
        git show HEAD:.env => r .env/**, r ./**
        git show :.env => r .env/**, r ./**
        git show :0:.env => r .env/**, r ./**
        git show HEAD:./.env => r ./.env/**, r ./**
        git show --stat HEAD => ok
        git show --stat HEAD:.env => r .env/**, r ./**
        git show -s --format=%B HEAD => ok
        git cat-file -p HEAD:.env => r .env/**, r ./**
        git cat-file blob HEAD:.env => r blob/**, r .env/**, r ./**, r ./**
        git cat-file -t HEAD => ok
        git cat-file -s :.env => ok
        git cat-file --batch => r ./**
        git cat-file --textconv --path=.env abc => r .env, r abc/**, r ./**
        git log -p -- .env => r .env/**
        git log -L 1,9:.env => r .env/**
        git log --oneline -5 => ok
        git log -p => r ./**
        git log --stat -3 => ok
        git log -- .env => ok
        git log -U3 => r ./**
        git add .env => r .env/**
        git add -f . => r ./**
        git add -n . => ok
        git add -u => r ./**, r ./**
        git add --pathspec-from-file=.env => r ./**, r ./**, r .env
        git restore --pathspec-from-file=.env => ~all, r .env
        git ls-files -X .env -o => r .env
        git ls-files -o --exclude-per-dir=.env => r .env, r ./**
        git add ':(icase).ENV' => r ./**
        git --icase-pathspecs add .ENV => ?, r .ENV/**, r ./**
        git log -O.env => r .env
        git diff-tree -p HEAD => r HEAD/**, r ./**
        git diff-tree --name-only HEAD => ok
        git diff-files -p => r ./**
        git format-patch --signature-file=.env -1 --stdout => r ./**, r .env
        git range-diff a b c => r a/**, r b/**, r c/**, r ./**
        git merge-file -p a .env b => r a, r .env, r b
        git am .env => ~all, r .env, w ./**
        git apply .env => ~all, r .env, w ./**
        git difftool --no-index -y -x cat a .env => ~all, shell [cat], r a/**, r .env/**, r ./**, r a/**, r .env/**
        git status -v => r ./**
        git status -sb => ok
        git rerere diff => ~2, w ./**
        git fast-import --import-marks=.env => ~all, r ./**, r .env
        git unpack-file abc => r abc/**, r ./**
        git mv .env b => r .env/**, w .env/**, w b/**, w b/.env/**
        git show :/fix => r fix/**, r ./**
        git show 'HEAD^{/fix: x}' => r HEAD^{/fix: x}/**, r ./**
        git show HEAD@{10:00} => r HEAD@{10:00}/**, r ./**
        "#,
    );
}

#[test]
fn what_git_writes_in_the_tree() {
    check(
        r#"
        git restore src/main.rs => w src/main.rs/**
        git restore -s HEAD~1 src => w src/**
        git restore ':(icase)SRC' => ?
        git restore ':!src' => w ./**
        git restore :/src => w src/**, w ./**
        git restore 'src/*.rs' => w src/**
        git checkout HEAD~1 -- src => w src/**
        git checkout feature/x => w ./**
        git checkout -b x main => w ./**
        git checkout -B x => ok
        git checkout -fb x => w ./**
        git checkout --orphan x => ok
        git checkout -p => r ./**, w ./**
        git checkout - => w ./**
        git switch -c x main => w ./**
        git switch - => w ./**
        git switch --discard-changes main => w ./**
        git reset --hard origin/main => w ./**
        git reset --merge => w ./**
        git clean -fdx => ~2, w ./**
        git clean -fd -- build => w build/**
        git stash -a => w ./**, r ./**, w ./**
        git stash apply 'stash@{0}' => w ./**
        git stash branch x => w ./**
        git cherry-pick --abort => w ./**
        git rebase --continue => w ./**
        git bisect good => w ./**
        git bisect reset => w ./**
        git pull origin main => w ./**, r origin, r main
        git merge -X subtree=.claude evil => ~all, w ./**
        git merge -X ours evil => w ./**
        git merge -s subtree evil => ~all, w ./**
        git cherry-pick --strategy-option=subtree=.claude evil => ~all, w ./**
        git rebase -X subtree=.claude evil => ~all, w ./**
        git pull -X subtree=.claude . evil => ~all, w ./**, r ., r evil, x .
        git hash-object -t tree -w f => ~all, r f
        git hash-object -t blob -w f => r f
        git hash-object --literally -w f => ~all, r f
        git mktree => ~all
        git unpack-objects => ~all
        git bundle unbundle x => ~all, r x
        git fetch x.bundle a:a => ~all, r x.bundle
        git pull https://evil/x main => ~all, w ./**, r main
        git format-patch --suffix=/../x -1 => ?, ~2, r ./**
        git -c format.suffix=/../x format-patch -1 => ~all, runs [git format-patch -1], r ./**
        git mv src/a.rs src/b.rs => r src/a.rs/**, w src/a.rs/**, w src/b.rs/**, w src/b.rs/a.rs/**
        git rm -r --cached . => ok
        git rm '*.log' => w ./**
        "#,
    );
}

/// The words of the core, and how many of them must be spelt.
#[test]
fn harmless_options_before_the_subcommand_are_left_out() {
    for (text, expected) in [
        ("git push", None),
        ("git -P push", Some("git push")),
        ("git --no-pager -C a -C b push x", Some("git push x")),
        ("git --literal-pathspecs push", Some("git push")),
        ("git -c color.ui=never -c core.pager=cat log", Some("git log")),
        ("git -P remote add x u", Some("git remote add x u ~3")),
        ("git send-pack u", Some("git push u")),
        // These may run something: without them it is another command, which has to be allowed as well.
        ("git -c core.pager=evil push", None),
        ("git -P -c alias.x=!evil x", None),
        ("git --git-dir=x push", None),
        ("git --odd push", None),
    ] {
        let core = super::meaning(&super::words(text)).core.map(|core| {
            let words: Vec<&str> = core.words.iter().map(crate::Word::shown).collect();
            let pin = match core.pin {
                Some(crate::Pin::Words(count)) => format!(" ~{count}"),
                Some(crate::Pin::Everything) => " ~all".to_owned(),
                None => String::new(),
            };
            words.join(" ") + &pin
        });
        assert_eq!(core.as_deref(), expected, "{text}");
    }
}
