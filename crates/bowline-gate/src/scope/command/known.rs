//! What is known of the options that people forbid: which names are one option, and which take a value.
//!
//! Only entries that ask or deny are compared by this table. An option that is not in it is compared by its name.

/// Programs, or subcommands of them, and their options. Names that mean the same are joined by `/`, `=` takes a value, `?` may
/// have one attached, and `D:delete,force` is short for several.
pub(super) struct Known {
    pub(super) programs: &'static str,
    /// Empty for the options of the program itself.
    pub(super) subcommands: &'static str,
    pub(super) options: &'static str,
    /// A word after one dash is one name: `find -delete`. Two dashes mean the same.
    pub(super) is_whole: bool,
}

const fn letters(programs: &'static str, options: &'static str) -> Known {
    Known { programs, subcommands: "", options, is_whole: false }
}

const fn sub(programs: &'static str, subcommands: &'static str, options: &'static str) -> Known {
    Known { programs, subcommands, options, is_whole: false }
}

const fn whole(programs: &'static str, options: &'static str) -> Known {
    Known { programs, subcommands: "", options, is_whole: true }
}

/// Options before a subcommand are in the row of the program, those after it in that of the subcommand and of the program.
pub(super) const KNOWN: &[Known] = &[
    letters("rm", "r/R/recursive f/force v/verbose i/interactive? d/dir I"),
    letters("rmdir", "p/parents v/verbose"),
    letters("cp", "r/R/recursive f/force a/archive t/target-directory= S/suffix= n/no-clobber v/verbose"),
    letters("mv", "f/force n/no-clobber t/target-directory= S/suffix= v/verbose i/interactive"),
    letters("ln", "s/symbolic f/force t/target-directory= S/suffix= n/no-dereference v/verbose"),
    letters("chmod", "R/recursive v/verbose c/changes f/silent/quiet reference="),
    letters(
        "chown chgrp",
        "R/recursive v/verbose c/changes f/silent/quiet h/no-dereference reference= from=",
    ),
    letters("mkdir", "p/parents m/mode= v/verbose"),
    letters(
        "sed gsed",
        "i/in-place? n/quiet/silent e/expression= f/file= E/r/regexp-extended l/line-length= s/separate",
    ),
    letters("tee", "a/append i/ignore-interrupts"),
    letters("truncate", "s/size= r/reference= c/no-create o/io-blocks"),
    letters(
        "curl",
        "X/request= d/data= data-raw= data-binary= data-urlencode= json= H/header= o/output= O/remote-name T/upload-file= \
         F/form= u/user= A/user-agent= e/referer= b/cookie= c/cookie-jar= x/proxy= K/config= w/write-out= m/max-time= \
         E/cert= key= cacert= connect-timeout= retry= url= L/location s/silent S/show-error f/fail k/insecure i/include \
         I/head v/verbose G/get g/globoff N/no-buffer 0/http1.0",
    ),
    letters(
        "wget",
        "O/output-document= o/output-file= a/append-output= P/directory-prefix= U/user-agent= header= post-data= \
         post-file= method= body-data= body-file= i/input-file= e/execute= t/tries= T/timeout= r/recursive l/level= \
         q/quiet m/mirror c/continue no-check-certificate",
    ),
    letters(
        "git",
        "C= c= git-dir= work-tree= namespace= config-env= super-prefix= attr-source= list-cmds= exec-path? P/no-pager \
         p/paginate bare no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs \
         no-optional-locks h/help v/version",
    ),
    sub(
        "git",
        "push",
        "f/force force-with-lease?:force-with-lease,force force-if-includes:force-if-includes,force n/dry-run d/delete \
         u/set-upstream o/push-option= receive-pack/exec= repo= recurse-submodules= q/quiet v/verbose all/branches mirror:mirror,force \
         tags follow-tags atomic prune no-verify signed? 4/ipv4 6/ipv6",
    ),
    sub("git", "reset", "hard soft mixed merge keep q/quiet p/patch N/intent-to-add pathspec-from-file="),
    sub("git", "clean", "f/force n/dry-run d x X i/interactive e/exclude= q/quiet"),
    sub(
        "git",
        "commit",
        "n/no-verify a/all p/patch m/message= F/file= C/reuse-message= c/reedit-message= t/template= author= date= fixup= \
         squash= cleanup= trailer= amend no-edit e/edit s/signoff S/gpg-sign? q/quiet v/verbose allow-empty \
         allow-empty-message o/only i/include u/untracked-files? z/null pathspec-from-file= reset-author verify",
    ),
    sub(
        "git",
        "branch",
        "D:delete,force d/delete M:move,force m/move C:copy,force c/copy f/force u/set-upstream-to= l/list a/all \
         r/remotes v/verbose q/quiet t/track? contains= no-contains= merged= no-merged= points-at= sort= format= \
         edit-description show-current unset-upstream",
    ),
    sub(
        "git",
        "checkout",
        "f/force b= B= orphan= q/quiet t/track? d/detach p/patch m/merge ours theirs l conflict=",
    ),
    sub(
        "git",
        "switch",
        "f/force/discard-changes c/create= C/force-create= orphan= q/quiet d/detach t/track? m/merge",
    ),
    sub("git", "restore", "S/staged W/worktree s/source= p/patch q/quiet ours theirs m/merge"),
    sub("git", "rm", "r f/force n/dry-run q/quiet cached ignore-unmatch"),
    sub(
        "git",
        "tag",
        "d/delete f/force a/annotate s/sign u/local-user= m/message= F/file= l/list n? sort= format= v/verify",
    ),
    sub(
        "git",
        "merge",
        "n/no-stat m/message= F/file= s/strategy= X/strategy-option= no-verify no-ff ff-only squash abort continue e/edit",
    ),
    sub(
        "git",
        "rebase",
        "i/interactive onto= x/exec= s/strategy= X/strategy-option= no-verify abort continue skip quit f/force-rebase no-ff autostash root",
    ),
    sub(
        "git",
        "pull",
        "r/rebase? f/force no-verify s/strategy= X/strategy-option= ff-only no-ff a/append p/prune",
    ),
    sub(
        "git",
        "add",
        "f/force A/all/no-ignore-removal n/dry-run v/verbose i/interactive p/patch e/edit u/update N/intent-to-add chmod=",
    ),
    sub("git", "worktree", "f/force b= B= d/detach n/dry-run v/verbose reason= expire="),
    letters(
        "npm",
        "g/global f/force w/workspace= prefix= C= registry= userconfig= cache= loglevel= tag= otp= access= omit= include= location= s/silent q/quiet D/save-dev S/save E/save-exact O/save-optional P/save-prod y/yes",
    ),
    letters(
        "pnpm",
        "g/global f/force C/dir= F/filter= r/recursive D/save-dev P/save-prod O/save-optional E/save-exact w/workspace-root registry= reporter= loglevel= tag= otp=",
    ),
    letters(
        "yarn",
        "g cwd= f/force D/dev P/peer O/optional E/exact W/ignore-workspace-root-check registry= tag= otp=",
    ),
    letters(
        "pip pip3",
        "t/target= r/requirement= c/constraint= e/editable= i/index-url= extra-index-url= f/find-links= prefix= root= U/upgrade user break-system-packages y/yes q/quiet v/verbose",
    ),
    letters(
        "cargo",
        "Z= C= config= color= p/package= F/features= j/jobs= target= target-dir= manifest-path= profile= bin= example= test= bench= message-format= git= branch= tag= rev= path= root= registry= index= token= version= q/quiet v/verbose f/force r/release allow-dirty no-verify n/dry-run",
    ),
    letters(
        "docker podman",
        "c/context= H/host= l/log-level= config= connection= tlscacert= tlscert= tlskey= D/debug v/version",
    ),
    sub(
        "docker podman",
        "run create",
        "privileged d/detach i/interactive t/tty rm init P/publish-all q/quiet v/volume= e/env= p/publish= name= u/user= \
         w/workdir= network/net= mount= entrypoint= env-file= l/label= m/memory= cpus= cap-add= cap-drop= device= \
         h/hostname= ipc= pid= userns= uts= cgroupns= security-opt= restart= add-host= dns= tmpfs= ulimit= platform= \
         pull= gpus= shm-size= volumes-from= a/attach= runtime= group-add= link= log-driver= log-opt= sysctl= \
         stop-signal= cidfile= read-only",
    ),
    sub(
        "docker podman",
        "exec",
        "privileged d/detach i/interactive t/tty e/env= env-file= u/user= w/workdir= detach-keys=",
    ),
    sub("docker podman", "rm rmi", "f/force v/volumes l/link a/all"),
    sub("docker podman", "system volume image", "f/force a/all filter= volumes"),
    letters(
        "kubectl oc",
        "n/namespace= context= cluster= user= kubeconfig= s/server= token= as= as-group= request-timeout= v= f/filename= \
         l/selector= o/output= k/kustomize= c/container= field-selector= grace-period= timeout= cascade= replicas= p/patch= \
         type= A/all-namespaces all force now wait? dry-run? R/recursive i/stdin t/tty certificate-authority= \
         client-certificate= client-key= tls-server-name= image= port= template= sort-by=",
    ),
    letters(
        "helm",
        "n/namespace= kube-context= kubeconfig= f/values= set= set-string= version= timeout= repo= force dry-run? i/install a/atomic wait",
    ),
    letters(
        "gh",
        "R/repo= H/header= X/method= f/raw-field= F/field= q/jq= t/template= t/title= b/body= B/base= l/label= a/assignee= r/reviewer= input= hostname=",
    ),
    letters(
        "make gmake",
        "C/directory= f/file/makefile= I/include-dir= j/jobs? l/load-average? o/old-file= W/what-if= E/eval= k/keep-going n/just-print/dry-run/recon s/silent/quiet B/always-make",
    ),
    letters(
        "rsync",
        "delete r/recursive a/archive n/dry-run f/filter= e/rsh= B/block-size= T/temp-dir= M/remote-option= exclude= include= exclude-from= include-from= files-from= v/verbose z/compress u/update",
    ),
    letters(
        "ssh",
        "o= p= i= l= L= R= D= F= J= b= c= e= m= w= B= E= I= O= Q= S= W= N f n q t T v A a C g x X y 4 6",
    ),
    letters(
        "systemctl",
        "H/host= M/machine= t/type= p/property= P= n/lines= o/output= s/signal= now f/force q/quiet user system",
    ),
    letters(
        "apt apt-get",
        "y/yes/assume-yes q/quiet o/option= c/config-file= t/target-release/default-release= a/host-architecture= f/fix-broken s/simulate/dry-run purge d/download-only",
    ),
    letters("brew", "f/force cask formula v/verbose q/quiet n/dry-run zap"),
    letters("python python2 python3 pypy pypy3", "c= m= W= X= check-hash-based-pycs="),
    letters(
        "pytest py.test",
        "c/config-file= p= k= m= o/override-ini= n/numprocesses= W/pythonwarnings= r= rootdir= confcutdir= basetemp= \
         junitxml/junit-xml= log-file= maxfail= tb= durations= deselect= ignore= import-mode= v/verbose q/quiet s \
         x/exitfirst",
    ),
    letters("bash sh dash zsh ksh", "o= O= rcfile= init-file="),
    letters("node nodejs", "e/eval= p/print= r/require= C/conditions= import= loader= c/check i/interactive"),
    letters("ruby", "e= r= I= C= E= K= W="),
    letters("perl", "e= E= I= M= m="),
    letters("php", "r= f= c= d= B= R= F= E= S= t= z="),
    whole(
        "kill pkill killall",
        "9/KILL/SIGKILL 15/TERM/SIGTERM 1/HUP/SIGHUP 2/INT/SIGINT s/signal= n= l u= U= g= G= P= t= f x o",
    ),
    whole("find gfind", "exec ok delete"),
    whole(
        "terraform tofu",
        "chdir= auto-approve target= var= var-file= state= out= destroy replace= parallelism= backup= lock-timeout= force",
    ),
    whole(
        "go",
        "C= o= p= run= bench= count= timeout= tags= ldflags= gcflags= asmflags= exec= toolexec= mod= modfile= overlay= u v race json",
    ),
    whole("java javac", "cp= classpath= jar="),
    whole("openssl", "in= out= key= inkey= passin= passout= config= pass= k="),
    whole("xcodebuild", "project= workspace= scheme= configuration= destination= sdk= target="),
    whole("gcloud", "project= region= zone= account= configuration= format= filter= q/quiet"),
];

/// Programs that take options before their first operand alone: what follows belongs to the program that they run. After the options
/// that are named here, everything does.
pub(super) const LEADING: &[(&str, &str)] =
    &[("python python2 python3 pypy pypy3", "c m"), ("bash sh dash zsh ksh node nodejs ruby perl php", "")];

/// Other names of a subcommand; the first counts.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("npm", "install i in ins inst insta instal isnt isnta isntal isntall add"),
    ("npm", "uninstall un unlink remove rm r"),
    ("npm", "test t tst"),
    ("npm", "run run-script rum urn"),
    ("npm", "update up upgrade udpate"),
    ("npm", "exec x"),
    ("npm", "ci clean-install ic install-clean isntall-clean"),
    ("pnpm", "install i"),
    ("pnpm", "remove rm uninstall un"),
    ("pnpm", "update up upgrade"),
    ("pnpm", "run run-script"),
    ("yarn", "upgrade up"),
    ("cargo", "build b"),
    ("cargo", "check c"),
    ("cargo", "doc d"),
    ("cargo", "run r"),
    ("cargo", "test t"),
    ("cargo", "remove rm"),
];

/// Words that may stand before a subcommand and change nothing of it: `docker container run`.
pub(super) const GROUPS: &[(&str, &str)] = &[("docker", "container"), ("podman", "container")];
