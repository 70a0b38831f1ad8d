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
        git log --outp=prot/x => w prot/x
        git log "$x" => ?
        git log -- "$x" => ok
        git log --grep "$x" => ok
        git log --grep="$x" => ok
        git log -S "$x" -n 5 => ok
        git log origin/"$x" => ok
        git log $x => ?
        git diff => ok
        git diff HEAD~1 -- src => ok
        git diff --output=prot/x => w prot/x
        git diff --ext-diff => ~all
        git diff --no-index a b => ok
        git show HEAD:prot/settings.json => ok
        git show "$x" => ?
        git shortlog -sn => ok
        git reflog => ok
        git stash list => ok
        git stash show -p => ok
        git stash => ~2
        git stash pop => ~3
        git stash push -m x => ~3
        git rev-list --output=prot/x HEAD => w prot/x
        git blame --output prot/x a => w prot/x
        git commit -qm "$(cat)" => ok
        git commit -m "$x" => ok
        git commit -am 'x y' => ok
        git commit --amend --no-edit => ok
        git commit -F - => ok
        git commit $x => ok
        git add . => ok
        git add -A => ok
        git add * => ok
        git add "$x" => ok
        git tag v1 => ok
        git branch -a => ok
        git branch -D x => ok
        git fetch => ok
        git fetch origin => ok
        git fetch --upload-pack=evil x => ~all
        git fetch --upload-p evil x => ~all
        git fetch ext::evil => ~all
        git fetch "$x" => ?
        git push => ok
        git push -u origin main => ok
        git push origin HEAD => ok
        git push --receive-pack=evil origin => ~all
        git push --exec=evil origin => ~all
        git push origin "$branch" => ?
        git pull => ~2
        git pull --rebase => ~2
        git ls-remote origin => ok
        git clone https://h/a/b.git => ~2, w b/**
        git clone https://h/a/b.git prot => ~2, w prot/**
        git clone git@h:a/b.git => ~2, w b/**
        git clone -c core.x=evil u => ~all, w u/**
        git clone --template=x u => ~all, w u/**
        git clone -u evil u => ~all, w u/**
        git clone "$x" => ?, ~all
        git init => ~2
        git init prot => ~2, w prot/**
        git init --template=x => ~all
        git -c core.fsmonitor=evil status => ~all
        git -c core.pager=evil -p log => ~all
        git -p log => ~all
        git --no-pager log => ok
        git -P log => ok
        git -C evilrepo status => ~all
        git -C prot checkout -- settings.json => ~all, w prot/settings.json/**
        git -C "$x" status => ?, ~all
        git --git-dir=x status => ~all
        git --work-tree x status => ~all
        git --exec-path=x status => ~all
        git --config-env=a=b status => ~all
        git --version => ok
        git --odd status => ?
        git => ok
        git $x => ?
        git "$x" y => ?
        git submodule foreach evil => ~all, shell [evil]
        git submodule foreach --recursive 'evil x' => ~all, shell [evil x]
        git submodule status => ok
        git submodule update --init => ~all
        git grep foo => ok
        git grep -Oevil hello => ~all
        git grep -nOevil hello => ~all
        git grep --open-files-in-pager=evil x => ~all
        git grep --open=evil x => ~all
        git grep "$x" => ?
        git grep -e "$x" => ok
        git grep -n foo -- src => ok
        git difftool -y -x evil HEAD~1 => ~all, shell [evil]
        git difftool => ~all
        git mergetool => ~all
        git bisect run evil x => ~all, runs [evil x]
        git bisect start => ~3
        git bisect log => ok
        git rebase main => ~2
        git rebase -x evil main => ~all, shell [evil]
        git rebase --exec 'evil x' main => ~all, shell [evil x]
        git rebase --exe=evil main => ~all, shell [evil]
        git rebase "$x" => ?, ~2
        git merge main => ~2
        git merge -s evil main => ~all
        git cherry-pick abc => ~2
        git revert abc => ~2
        git checkout main => ~2
        git checkout -b x => ~2
        git checkout -- prot/settings.json => w prot/settings.json/**
        git checkout HEAD -- src/a.rs b => w src/a.rs/**, w b/**
        git checkout HEAD prot/settings.json => ~2, w prot/settings.json/**
        git checkout prot/settings.json => ~2, w prot/settings.json/**
        git checkout -- 'prot/*' => w prot/**
        git checkout -- '*.rs' => w ./**
        git checkout -- :/ => ?
        git checkout -- "$x" => w …/**
        git checkout "$x" => ~2
        git checkout -- . => w ./**
        git switch main => ~2
        git switch -c x => ~2
        git restore prot/settings.json => w prot/settings.json/**
        git restore --staged x => ok
        git restore --staged --worktree x => w x/**
        git restore . => w ./**
        git restore "$x" => w …/**
        git reset => ok
        git reset HEAD x => ok
        git reset --soft HEAD~1 => ok
        git reset --hard => ~2
        git reset --hard HEAD~1 => ~2
        git clean -fdqx prot => w prot/**
        git clean -n => ok
        git clean -fd => ~2
        git rm prot/x => w prot/x/**
        git rm --cached x => ok
        git rm -r src => w src/**
        git mv a prot => w a/**, w prot/**, w prot/a/**
        git mv "$x" b => w …/**, w b/**
        git config --get user.name => ok
        git config user.name => ok
        git config user.name x => ~all, w .git/config
        git config --global core.pager evil => ~all
        git config alias.x '!evil' => ~all, w .git/config
        git config -f prot/x a b => ~all, w prot/x
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
        git worktree add prot/x => ~3, w prot/x/**
        git archive HEAD => ok
        git archive -o prot/x HEAD => w prot/x
        git archive --output=prot/x HEAD => w prot/x
        git archive --remote=x --exec=evil HEAD => ~all
        git bundle create prot/x HEAD => w prot/x
        git bundle verify x => ok
        git format-patch HEAD~1 => ~2
        git format-patch -o prot HEAD~1 => w prot/**
        git format-patch --stdout HEAD~1 => ok
        git apply x.patch => ~all
        git am x => ~all
        git filter-branch --tree-filter evil => ~all
        git send-email x => ~all
        git maintenance start => ~all
        git maintenance run => ok
        git lfs pull => ~3
        git lfs ls-files => ok
        git bogus-sub => ~2
        git st => ~2
        git blame -L 1,2 f => ok
        git rev-parse HEAD => ok
        git rev-parse "$x" => ok
        git ls-files "$x" => ok
        git interpret-trailers --in-place f => ~all
        git credential fill => ~all
        git hook run x => ~all
        svn status => ok
        svn update => ~2
        hg --config x=y status => ~all
        "#,
    );
}
