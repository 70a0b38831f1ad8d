//! Commands of git that run a program, write a protected file or show a secret one, most of them where it is not expected.

/// One in a line, without `git`. Blanks separate, single quotes keep together.
pub(crate) const HOSTILE: &str = "
symbolic-ref ../prot/f refs/heads/main
symbolic-ref refs/../../prot/new refs/heads/main
symbolic-ref -m x ../prot/f refs/heads/main
-P symbolic-ref ../prot/new refs/heads/main
log --output=prot/f
log --output prot/f
-P log -1 --output=prot/new
log -p --output=prot/f -- a.txt
log -n 1 --output=prot/f
log -S one --output=prot/f
log --grep --output=prot/f --output=prot/new
log --oneline --output=prot/f
diff --output=prot/f
diff --output prot/new HEAD~1
diff --stat --output=prot/f HEAD~1
diff --no-index --output=prot/f a.txt src/x.rs
show --output=prot/f
show --stat --output=prot/new HEAD
whatchanged --output=prot/f
reflog --output=prot/f
reflog show --output=prot/new
stash list --output=prot/f
shortlog -n --output=prot/f HEAD
blame -n --output=prot/f a.txt
rev-list --output=prot/f HEAD
diff-tree --output=prot/f -p HEAD
diff-index --output=prot/f -p HEAD
diff-files --output=prot/f -p
range-diff --output=prot/f HEAD~2 HEAD~1 HEAD
format-patch --output=prot/f -1
format-patch -o prot -1
format-patch -oprot -1
format-patch --output-directory prot HEAD~1
format-patch --output-dir=prot -1
format-patch --stdout --output=prot/new -1
archive -o prot/f HEAD
archive -oprot/new HEAD a.txt
archive --output prot/f HEAD
archive --format=tar --outp=prot/f HEAD
bundle create prot/f HEAD
bundle create --version 3 prot/f HEAD
bundle create --version=3 -q prot/new main
bundle create -q prot/new --all
bugreport -o prot --suffix x
diagnose -o prot -s x
fast-export --export-marks=prot/f HEAD
fast-import --export-marks=prot/f
fast-import --force --export-pack-edges=prot/new
mailinfo prot/f prot/new
mailsplit -oprot mbox
mailsplit -o prot mbox
merge-file prot/f a.txt src/x.rs
merge-file --ours prot/f specs a.txt
interpret-trailers --in-place --trailer a:b prot/f
interpret-trailers --in-pl --trailer a:b prot/f
interpret-trailers --trailer a:b --in-place prot/f
apply --build-fake-ancestor=prot/new x.patch
apply x.patch
apply --directory=prot x.patch
apply -R --exclude=src/* x.patch
apply --index --reject x.patch
am mbox
am -3 mbox
am --directory=prot mbox
checkout HEAD~1 -- prot/f
checkout HEAD~1 prot/f
checkout HEAD~2 -- prot
checkout HEAD~2 -- 'pro*/f'
checkout HEAD~2 -- :/prot
checkout HEAD~2 -- ':(top)prot'
checkout HEAD~2 -- ':(icase)PROT'
checkout HEAD~2 -- ':!src'
checkout HEAD~2 .
checkout HEAD~2 --pathspec-from-file=specs
checkout other -f
checkout -f other
checkout -qf HEAD~2
checkout -B x HEAD~2 -f
checkout --detach -f other
checkout -fb x other
switch -f other
switch -c x -f HEAD~2
switch --discard-changes -q --detach HEAD~2
-C src checkout HEAD~2 -- ../prot
-C prot checkout HEAD~2 -- f
-C src restore -s HEAD~2 :/prot
-c core.quotepath=off restore -s other prot/f
--literal-pathspecs restore -s other prot/f
--icase-pathspecs restore -s other PROT/F
restore -s other prot/f
restore --source=other -- prot
restore -s HEAD~2 .
restore -S -W -s other prot/f
restore -sother -SW prot
restore -s other --pathspec-from-file=specs
restore -S --no-staged -s other prot/f
restore -s other ':(glob)prot/**'
reset --hard other
reset --hard HEAD~2
reset -q --hard HEAD~2
reset --soft --hard HEAD~2
read-tree -u --reset other
read-tree --index-output=prot/f HEAD
checkout-index -f --prefix=prot/ a.txt
checkout-index --prefix=prot/x- -a
checkout-index --prefix prot/ a.txt
merge-recursive HEAD~2 -- HEAD other
cherry-pick other
cherry-pick -n -X theirs other
revert -n HEAD~1
revert --no-edit HEAD~1
merge -X theirs other
merge --no-commit -X theirs other
rebase --autostash HEAD~2 --onto other
stash
-c stash.showPatch=true stash show
rm -f prot/f
rm -rf prot
rm -r -f -n --no-dry-run prot
rm -fn --no-dry prot/f
rm --cached --no-cached -f prot/f
rm -f --pathspec-from-file=specs
rm -f 'prot/*'
rm -f ':(icase)PROT/F'
rm -f -- prot/f
mv prot/f x
mv prot x
mv a.txt prot
mv -f a.txt prot/f
mv -n --no-dry-run a.txt prot/new
mv -k a.txt prot/
mv src prot
worktree add prot/wt
worktree add -b x prot/wt HEAD
worktree add --detach prot/wt
clone . prot/c
clone -q --bare . prot/c
clone --separate-git-dir=prot/g . x
init prot/r
init --separate-git-dir=prot/g x
pack-objects prot/p --all
index-pack --stdin -o prot/f
bundle create prot/new main~1..main
diff --no-index /dev/null .env
diff --no-index -- /dev/null .env
diff --no-index --stat -p /dev/null .env
diff --no-index /dev/null ./.env
diff --no-index a.txt .env
diff -- /dev/null .env
diff /dev/null .env
diff --no-index --word-diff /dev/null .env
-P diff --no-index /dev/null .env
--no-pager diff --no-index /dev/null .env
-C src diff --no-index /dev/null ../.env
difftool --no-index -y -x cat /dev/null .env
grep --no-index SECRET
grep --no-index SECRET .env
grep --no-index -r -h SECRET .
grep --no-index --no-exclude-standard SECRET
grep --untracked --no-exclude-standard SECRET
grep --untracked --no-exclude-standard -e SECRET -- .
grep --no-index -e SECRET -- ':!src'
grep -h SECRET
grep SECRET HEAD
grep SECRET HEAD~1 -- conf
grep SECRET conf
grep -e SECRET -- conf/secret
grep -W -e SECRET :/
grep --cached SECRET
-C src grep SECRET -- ..
-C src grep --no-index SECRET ..
commit --allow-empty -F .env
commit --allow-empty --file .env
commit --allow-empty --fil=.env
commit --allow-empty -aF.env
commit --allow-empty -qF .env --no-quiet
commit --dry-run -v -a
commit --dry-run -v -a --short
tag -F .env v2 -a
blame --contents .env a.txt
blame --contents=.env a.txt
blame -s --contents .env a.txt
blame conf/secret
annotate conf/secret
blame -L 1,1 HEAD -- conf/secret
blame HEAD~1 conf/secret
config -f .env -l
config --file .env --get SECRET
config -f.env --list
config --blob HEAD:conf/secret -l
interpret-trailers .env
interpret-trailers --trailer a:b .env
merge-file -p .env a.txt src/x.rs
merge-file --stdout a.txt a.txt .env
show HEAD:conf/secret
show HEAD~1:conf/secret
show :conf/secret
show :0:conf/secret
show HEAD:./conf/secret
show --stat HEAD:conf/secret
show 'HEAD^{tree}:conf/secret'
-C conf show HEAD:conf/secret
-C conf show HEAD:./secret
show HEAD~1
show
show -m HEAD~1
show --name-only -p HEAD~1
show HEAD~1 -- conf
log -p
log -p -- conf/secret
log -u -2 -- conf
log -L 1,1:conf/secret
log -L1,+1:conf/secret
log -U1
log --cc -p
log -c -p
log --word-diff -p
log --patch-with-stat
log -Gmore -p
log --stat -p HEAD
whatchanged -p
reflog -p
diff
diff HEAD
diff HEAD~2
diff --cached HEAD~2
diff conf
diff -- conf
diff HEAD~2 HEAD
diff HEAD~2..HEAD -- conf/secret
diff HEAD~2:conf/secret HEAD:conf/secret
diff HEAD~2:conf HEAD:conf
diff --stat --patch
diff -U0
diff --word-diff
diff --color-words
diff --check --word-diff HEAD~2
diff --raw -p
diff --binary
diff -- ':(top)conf'
diff -- ':(icase)CONF/SECRET'
diff -- ':!src'
diff :/ HEAD~1
diff -W
-C src diff
-C src diff -- :/conf
diff-files -p
diff-files --patch conf
diff-index -p HEAD
diff-index -p HEAD~2 conf
diff-tree -p HEAD~2 HEAD
diff-tree --root -p HEAD~2
diff-tree -p HEAD~1
format-patch --stdout HEAD~2
format-patch --stdout -1 HEAD~1
range-diff HEAD~2..HEAD~1 HEAD~2..HEAD
cat-file -p HEAD:conf/secret
cat-file blob HEAD:conf/secret
cat-file blob :conf/secret
cat-file --filters HEAD:conf/secret
cat-file --textconv HEAD:conf/secret
cat-file --filters --path=conf/secret HEAD:conf/secret
unpack-file HEAD:conf/secret
checkout-index --temp conf/secret
checkout-index --prefix=out/ conf/secret
checkout-index --prefix=out- -a
archive HEAD conf
archive HEAD:conf
archive -o out.tar HEAD
archive -o out.tar --add-file=.env HEAD a.txt
archive --add-file=.env HEAD a.txt
worktree add wt
mv conf/secret open.txt
mv conf open
fast-export main
stash list -p
status -v
status -vv
add -p
checkout -p
restore -p
reset -p HEAD~1
commit -p
stash -p
apply --stat conf/secret
apply .env
mailinfo .git/m .git/p
merge-tree --trivial-merge HEAD~2 HEAD other
rev-list -p --pretty=oneline HEAD
log --pretty=oneline -m -p
grep -Oevil b
grep -O../bin/evil b
grep -nOevil b
grep --open-files-in-pager=evil b
grep --open=evil b
grep -lOevil b
difftool -y -x evil
difftool -y --extcmd=evil HEAD~1
difftool --no-prompt --ext=evil HEAD~1
bisect run evil
bisect view evil
bisect visualize evil
submodule foreach evil
rebase -x evil HEAD~1
rebase --exec evil --autostash HEAD~1
rebase --exe=evil --autostash HEAD~1
-c sequence.editor=evil rebase -i --autostash HEAD~1
-c core.editor=evil commit --allow-empty
-c core.editor=evil tag -a v3
-c core.fsmonitor=evil status
-c core.pager=evil -p log
-c alias.x=!evil x
-c diff.external=evil diff
-c diff.x.command=evil diff
-c core.sshCommand=evil fetch ssh://h/x
-c credential.helper=!evil fetch
-c merge.x.driver=evil merge other
-c core.hooksPath=../bin status
-c gpg.program=evil commit --allow-empty -S -m x
-c gpg.program=evil tag -s -m x v3
-c protocol.ext.allow=always fetch ext::evil
-c protocol.ext.allow=always ls-remote ext::evil
-c protocol.ext.allow=always clone ext::evil x
-c protocol.ext.allow=always push ext::evil main
-c remote.origin.uploadpack=evil fetch
-c uploadpack.packObjectsHook=evil fetch
-c tar.x.command=evil archive --format=x HEAD
-c trailer.x.command=evil interpret-trailers --trailer x a.txt
-c browser.x.cmd=evil -c help.browser=x help -w log
-c interactive.diffFilter=evil add -p
-c pager.log=evil -p log
-c core.askPass=evil fetch
-c mergetool.x.cmd=evil -c merge.tool=x mergetool
-c diff.tool=x -c difftool.x.cmd=evil difftool -y
-c man.x.cmd=evil -c man.viewer=x help log
fetch --upload-pack=evil
fetch --upload-pack evil
fetch --upload-p=evil origin
fetch evil::x
pull --upload-pack=evil
ls-remote --upload-pack=evil
ls-remote --exec=evil
ls-remote evil::x
ls-remote -q --exe=evil .
fetch-pack --exec=evil ../remote.git main
clone -u evil . x
clone --upload-pack=evil ../remote.git x
clone -c core.fsmonitor=evil . x
clone -c protocol.ext.allow=always ext::evil x
clone evil::x y
push --receive-pack=evil
push --exec=evil origin main
push --exe=evil origin main
push evil::x main
send-pack --receive-pack=evil ../remote.git main
send-pack --exec=evil ../remote.git main
archive --remote=../remote.git --exec=evil HEAD
archive --remote evil::x HEAD
merge -s evil other
merge --strategy=evil other
pull -s evil origin other
cherry-pick --strategy evil other
rebase -s evil other --autostash
evil
-P evil
merge-index evil -a
merge-index -o evil -a
for-each-repo --config=user.name evil
filter-branch --tree-filter evil
remote add -f x evil::x
submodule foreach --quiet evil
-c alias.x=evil x
";

/// The words of one line.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_ascii_whitespace().map(str::to_owned));
        }
    }
    words
}
