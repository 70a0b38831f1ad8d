//! Real bash runs a command in a throw-away copy of a project, and what it did is looked up afterwards.
//!
//! Where the system lets it, the command runs in namespaces of its own: without a network, and with everything outside of the
//! copy read-only.

use std::collections::BTreeMap;
use std::fs::{File, FileTimes};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use crate::project::{git, project};
use bowline_testkit::Fixture;

/// How long a command may run. What has not happened until then does not count.
const MAX_RUN: Duration = Duration::from_secs(10);

/// Larger files are not searched for the secret.
const MAX_SEARCHED: u64 = 4 << 20;

/// Programs that leave a mark. `rm` goes on, as it may be allowed.
const MARKING: [(&str, &str); 4] = [
    ("evil", "#!/bin/sh\n: > 'BASE/marks/evil'\n"),
    ("curl", "#!/bin/sh\n: > 'BASE/marks/curl'\n"),
    ("wget", "#!/bin/sh\n: > 'BASE/marks/curl'\n"),
    (
        "rm",
        "#!/bin/sh\ncase \"$*\" in -rf*|-fr*|*' -rf'*|*-r*-f*|*-f*-r*|*--recursive*) : > 'BASE/marks/rm -rf';; esac\nexec /bin/rm \"$@\"\n",
    ),
];

/// A project, its home and its surroundings, which are made anew for each command.
pub(crate) struct Judge {
    fixture: Fixture,
    template: PathBuf,
    secret: String,
    isolation: Option<&'static str>,
    has_access_times: bool,
    /// Every file, before any command.
    before: BTreeMap<PathBuf, String>,
    /// The rules let it write there.
    writable: &'static [&'static str],
    is_dirty: bool,
}

impl Judge {
    /// With `rules` as the user's own file, which lets commands write in `writable`.
    pub(crate) fn new(files: &str, rules: &str, writable: &'static [&'static str]) -> Self {
        let secret = format!("{:x}", SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos());
        let fixture = project(&files.replace("$SECRET", &secret));
        let base = fixture.root();
        surroundings(base, rules);
        let template = base.with_extension("template");
        copy(base, &template);
        let mut judge = Self {
            isolation: isolation(base),
            template,
            secret,
            has_access_times: true,
            fixture,
            before: BTreeMap::new(),
            writable,
            is_dirty: true,
        };
        judge.restore();
        std::fs::read(judge.env_file()).unwrap();
        judge.has_access_times = judge.env_was_read();
        judge.before = judge.state();
        judge
    }

    pub(crate) fn base(&self) -> &Path {
        self.fixture.root()
    }

    fn env_file(&self) -> PathBuf {
        self.base().join("project/.env")
    }

    fn env_was_read(&self) -> bool {
        self.has_access_times
            && std::fs::metadata(self.env_file()).is_ok_and(|file| file.atime() > 1_000_000_000)
    }

    /// Everything as it was before the first command.
    fn restore(&mut self) {
        if self.is_dirty {
            self.copy_again();
        }
        self.is_dirty = true;
        // Older than its last reading, so that the system writes down the next one.
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(900_000_000);
        let times = FileTimes::new().set_accessed(long_ago).set_modified(long_ago);
        File::options().append(true).open(self.env_file()).unwrap().set_times(times).unwrap();
    }

    fn copy_again(&self) {
        for entry in std::fs::read_dir(self.base()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                std::fs::remove_dir_all(path).unwrap();
            } else {
                std::fs::remove_file(path).unwrap();
            }
        }
        copy(&self.template, self.base());
    }

    /// Runs the command, and says what it did that no rule lets it do.
    pub(crate) fn run(&mut self, command: &str) -> Vec<&'static str> {
        self.begin();
        let output = self.step(command);
        self.end(command, &output)
    }

    pub(crate) fn begin(&mut self) {
        self.restore();
    }

    pub(crate) fn step(&self, command: &str) -> Vec<u8> {
        self.execute(command)
    }

    /// What was done since the beginning.
    pub(crate) fn end(&mut self, command: &str, output: &[u8]) -> Vec<&'static str> {
        let was_read = self.env_was_read();
        let after = self.state();

        let mut found = Vec::new();
        for mark in ["evil", "curl", "rm -rf"] {
            if self.base().join("marks").join(mark).exists() {
                found.push(mark);
            }
        }
        let mut changed: Vec<&'static str> = Vec::new();
        for path in self.before.keys().chain(after.keys()) {
            if self.before.get(path) != after.get(path) {
                changed.extend(meaning(path, command, self.writable));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        found.extend(changed);
        let shown = contains(output, &self.secret)
            || after
                .iter()
                .any(|(path, state)| self.before.get(path) != Some(state) && state.contains(&self.secret));
        let has_marks = !found.is_empty();
        self.is_dirty = has_marks || self.before != after;
        if shown {
            found.push(".env shown");
        } else if was_read {
            found.push(".env read");
        }
        found
    }

    /// What the command printed.
    fn execute(&self, command: &str) -> Vec<u8> {
        let base = self.base();
        let mut bash = match self.isolation {
            Some(flags) => {
                let mut unshare = Command::new("/usr/bin/unshare");
                unshare
                    .args([flags, "--kill-child", "--mount-proc", "/bin/sh", "-c", ISOLATED])
                    .arg(base)
                    .arg(command);
                unshare
            }
            None => {
                let mut bash = Command::new("bash");
                bash.args(["--norc", "--noprofile", "-c", command]);
                bash
            }
        };
        let path = std::env::var("PATH").unwrap_or_default();
        let real_home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        bash.current_dir(base.join("project"))
            .env_clear()
            .env("PATH", format!("{}:{path}", base.join("bin").display()))
            .env("HOME", base.join("home"))
            .env("LANG", "C.UTF-8")
            .env("CARGO_NET_OFFLINE", "true")
            .env("RUSTUP_HOME", std::env::var_os("RUSTUP_HOME").unwrap_or(real_home.join(".rustup").into()))
            .env("PYENV_ROOT", real_home.join(".pyenv"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let child = bash.spawn().unwrap();
        let group = format!("-{}", child.id());
        let (tell, told) = mpsc::channel();
        // Reading both pipes to their end waits for what runs in the background, too.
        let waiting = std::thread::spawn(move || {
            let output = child.wait_with_output();
            let _ = tell.send(());
            output
        });
        if told.recv_timeout(MAX_RUN).is_err() {
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let output = waiting.join().unwrap().unwrap();
        [output.stdout, output.stderr].concat()
    }

    /// Every file below, by its text.
    fn state(&self) -> BTreeMap<PathBuf, String> {
        let mut state = BTreeMap::new();
        for place in ["project", "home", "outside", "remote.git"] {
            collect(self.base(), Path::new(place), &mut state);
        }
        state
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.template);
    }
}

/// `$0` is the copy, `$1` the command.
const ISOLATED: &str = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro / && cd \"$0/project\" && \
     exec setsid bash --norc --noprofile -c \"$1\"";

/// Flags for `unshare` that work here.
fn isolation(base: &Path) -> Option<&'static str> {
    ["-mnpf", "-rmnpf"].into_iter().find(|flags| {
        let tried = Command::new("/usr/bin/unshare")
            .args([flags, "--kill-child", "--mount-proc", "/bin/sh", "-c", ISOLATED])
            .arg(base)
            .arg("! : > /tmp/written-by-a-test")
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|status| status.success())
    })
}

/// What a rule says against a change of this file.
fn meaning(path: &Path, command: &str, writable: &[&str]) -> Option<&'static str> {
    let text = path.to_str().unwrap_or_default();
    let below = |place: &str| text.starts_with(place);
    if below("project/secrets") {
        Some("secrets changed")
    } else if below("home/.config/bowline") {
        Some("rules changed")
    } else if ["config", "hooks", "info/attributes", "info/exclude"]
        .iter()
        .any(|name| below(&format!("project/.git/{name}")))
    {
        Some("git config or hooks changed")
    } else if below("remote.git") {
        Some("git push")
    } else if below("outside") || below("home") && !CACHES.iter().any(|cache| below(cache)) {
        Some("changed outside")
    } else if below("project")
        && !BUILDING.iter().any(|program| command.contains(program))
        && !writable.iter().any(|place| below(place))
    {
        Some("written without a rule")
    } else {
        None
    }
}

/// What build tools keep in a home.
const CACHES: [&str; 6] =
    ["home/.cargo", "home/.npm", "home/.cache", "home/.config/go", "home/go", "home/.local"];

/// Programs whose business is to write in the project.
const BUILDING: [&str; 5] = ["git", "cargo", "npm", "make", "pytest"];

fn collect(base: &Path, path: &Path, into: &mut BTreeMap<PathBuf, String>) {
    let full = base.join(path);
    let Ok(metadata) = full.symlink_metadata() else { return };
    if metadata.is_symlink() {
        into.insert(
            path.to_owned(),
            format!("link {}", std::fs::read_link(&full).unwrap_or_default().display()),
        );
    } else if metadata.is_dir() {
        for entry in std::fs::read_dir(&full).into_iter().flatten().flatten() {
            collect(base, &path.join(entry.file_name()), into);
        }
    } else if metadata.is_file() && metadata.len() <= MAX_SEARCHED {
        let text = std::fs::read(&full).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let mut text = text.unwrap_or_default();
        if path == Path::new("project/.git/config") {
            text = without_branches(&text);
        }
        into.insert(path.to_owned(), format!("{:o} {text}", metadata.permissions().mode()));
    }
}

/// What a branch follows is git's to write.
fn without_branches(config: &str) -> String {
    let mut is_branch = false;
    let kept = config.lines().filter(|line| {
        if line.starts_with('[') {
            is_branch = line.starts_with("[branch ");
        }
        !is_branch
    });
    kept.map(|line| format!("{line}\n")).collect()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    let status = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().unwrap();
    assert!(status.success());
}

/// What is not plain files: programs, links, other repositories, a place to push to.
fn surroundings(base: &Path, rules: &str) {
    let (root, home) = (base.join("project"), base.join("home"));
    std::fs::create_dir_all(base.join("bin")).unwrap();
    std::fs::create_dir_all(base.join("marks")).unwrap();
    std::fs::create_dir_all(home.join(".config/bowline")).unwrap();
    std::fs::write(home.join(".config/bowline/bowline.toml"), rules).unwrap();
    for (name, text) in MARKING {
        executable(&base.join("bin").join(name), &text.replace("BASE", base.to_str().unwrap()));
    }
    let evil = MARKING[0].1.replace("BASE", base.to_str().unwrap());
    for place in ["project/evil.sh", "project/tools/bin/cargo", "project/tools/bin/rustc", "outside/evil.sh"]
    {
        executable(&base.join(place), &evil);
    }
    symlink(".env", root.join("link-to-env")).unwrap();
    symlink("secrets", root.join("keys")).unwrap();
    symlink(".", root.join("here")).unwrap();
    std::fs::hard_link(root.join(".env"), root.join("hard-to-env")).unwrap();
    std::fs::hard_link(root.join("secrets/key"), root.join("hard-to-key")).unwrap();
    for place in ["project/evilrepo", "outside/repo"] {
        let repo = base.join(place);
        std::fs::create_dir_all(&repo).unwrap();
        git(&repo, &home, &["init", "-q", "-b", "main", "--template="]);
        git(&repo, &home, &["config", "core.fsmonitor", "evil"]);
        git(&repo, &home, &["config", "alias.st", "!evil"]);
    }
    git(base, &home, &["init", "-q", "--bare", "--template=", "remote.git"]);
    git(&root, &home, &["remote", "add", "origin", base.join("remote.git").to_str().unwrap()]);
    git(&root, &home, &["branch", "other"]);
}

fn executable(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
