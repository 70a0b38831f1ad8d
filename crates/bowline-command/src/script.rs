//! What was understood of a command line.

use std::path::PathBuf;

use crate::Word;

/// Where a command line would run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// `None` if nobody can tell.
    pub cwd: Option<PathBuf>,
    pub home: Option<PathBuf>,
    pub shell: ShellKind,
}

/// Which shell runs a command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShellKind {
    /// It may be bash, `sh` or another one. `&>`, `[[` or `$'…'` have two meanings, and both count.
    #[default]
    Unknown,
    Bash,
}

/// What a command line would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// Every command that may run, wherever it stands, in the order of the text. One that runs another is there itself, and
    /// the other follows it.
    pub commands: Vec<Command>,
    /// The files that are known to be touched.
    pub touches: Vec<Touch>,
    /// What could not be followed. Without a doubt, `commands` and `touches` are all there is.
    pub doubts: Vec<Doubt>,
    /// Why nobody is to run it: it would end the gate, or go past it.
    pub forbidden: Vec<String>,
    /// Patterns whose names would be options if they began with a dash. Whoever knows the disk says whether one does.
    pub bare: Vec<Bare>,
    /// The files of which some content is certainly shown to the caller, if the command succeeds.
    pub shown: Vec<PathBuf>,
}

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    /// The program, then its arguments. Never empty.
    pub words: Vec<Word>,
    /// The same command without options that change nothing of what an entry speaks of: `git push` for `git -P push`,
    /// `make test` for `make -j8 test`. Entries may mean either.
    pub core: Option<Core>,
    /// It does nothing but run the command that follows it: `timeout 5`, `nohup`, `command`; or nothing but tell a number to
    /// one that stands around it: `make -j$(nproc)`; or it is a word of the shell that starts no program: `cd`, `break`. It
    /// needs no entry of its own beside others.
    pub is_wrapper: bool,
    /// It does what is written elsewhere.
    pub pin: Option<Pin>,
}

/// What is left of a command without its harmless options.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Core {
    pub words: Vec<Word>,
    /// Counts these words.
    pub pin: Option<Pin>,
}

/// How much of a command an entry must spell out to allow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pin {
    /// Its first so many words: two for `make test`, three for `npm run build`.
    Words(usize),
    /// All of it.
    Everything,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    Read,
    Write,
    /// Code that lies there is run: a build, a test, what a configuration file names.
    Execute,
}

/// A file or directory that is touched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Touch {
    pub access: Access,
    /// Every place that it may be, as joined to the directory the command runs in; relative where that is not known.
    /// Never empty.
    pub paths: Vec<PathBuf>,
    /// Everything below is meant too, but for what the filter leaves out.
    pub is_deep: bool,
    pub filter: Filter,
}

/// Which files below a directory a touch means. The default leaves nothing out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Shell patterns for the names that follow the directory: `*.rs` for `src/*.rs`. A `*` matches no hidden name.
    pub parts: Vec<String>,
    /// Only what matches `parts` is meant, and nothing below it.
    pub is_shallow: bool,
    /// Shell patterns for file names, of which one must match. Empty: all files.
    pub only: Vec<String>,
    /// Shell patterns for the names of files that are left out.
    pub except: Vec<String>,
    /// Shell patterns for the names of directories that are left out, with everything below.
    pub except_directories: Vec<String>,
    /// Hidden files are left out.
    pub skips_hidden: bool,
    /// Files that `.gitignore` and its like name are left out.
    pub skips_ignored: bool,
    /// All of the repository is meant, wherever in it the command runs.
    pub whole_repository: bool,
    /// Only files that git tracks are meant.
    pub tracked_only: bool,
    /// The program may mean fewer files than these: a denied one among them is a question, and no certainty.
    pub may_be_fewer: bool,
    /// Symbolic links that are met on the way down are followed.
    pub follows_links: bool,
    /// A name with a blank, a quotation mark or a backslash is taken for several words, or for another name. If there is such
    /// a name below, nothing is known of what is meant.
    pub splits_names: bool,
    /// So is a name that looks like a pattern.
    pub expands_names: bool,
    /// The names are those that git gives files from the top of the repository: in another directory, they are other files.
    pub from_top: bool,
    pub creates: Creates,
}

/// Which new files may come to stand below a directory that is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Creates {
    #[default]
    Anything,
    Nothing,
    /// Files with the names that are found in these places now.
    NamesBelow(Vec<Source>),
    /// Files with these names.
    Names(Vec<String>),
}

impl Creates {
    /// The names that come are known, and they come from elsewhere.
    pub fn is_copy(&self) -> bool {
        matches!(self, Self::NamesBelow(_) | Self::Names(_))
    }
}

/// Where the names of files come from that a copy or a move brings along.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Source {
    pub path: PathBuf,
    /// Which of the names below it.
    pub filter: Filter,
    /// So many of the first parts of a name are left behind: for `src/*/x`, which arrives as `x`, it is one.
    pub skips: usize,
}

/// A pattern of names that stands where an option may stand: a file that is called `-rf` is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bare {
    /// The directories that the names may be in.
    pub directories: Vec<PathBuf>,
    pub pattern: String,
}

/// Why not everything is known that a command line does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// It cannot be told which commands run, or which files are written. No entry about commands allows it.
    Unreadable(String),
    /// A command was understood, and runs code that was not: the text says which and why. The command has a pin.
    Opaque(String),
}

impl Doubt {
    /// Of the same kind.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        matches!(self, Self::Opaque(_)) == matches!(other, Self::Opaque(_))
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Unreadable(text) | Self::Opaque(text) => text,
        }
    }
}

impl Script {
    pub fn is_readable(&self) -> bool {
        !self.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unreadable(_)))
    }

    /// The commands that need an entry to be allowed. Where nothing stands but words of the shell, each of them does.
    pub fn needing_entries(&self) -> impl Iterator<Item = &Command> {
        let is_bare = self.commands.iter().all(|command| command.is_wrapper);
        self.commands.iter().filter(move |command| is_bare || !command.is_wrapper)
    }

    pub fn writes(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| touch.access == Access::Write)
    }
}
