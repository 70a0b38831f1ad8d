//! What rules need to know of the world, gathered by the corridor beforehand.

use std::path::PathBuf;
use std::time::SystemTime;

use bowline_command::{Access, Script};

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    Missing,
    File,
    Directory,
    /// A device, a socket, a pipe.
    Other,
}

/// One path of an intent, in both readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFact {
    /// As the caller wrote it.
    pub written: PathBuf,
    /// Made absolute, `..` taken away, links not followed.
    pub absolute: PathBuf,
    /// Where it leads, links followed. `Err` says why nobody can tell.
    pub real: Result<PathBuf, String>,
    pub kind: PathKind,
    /// Of the content, where the call would change an existing file.
    pub hash: Option<[u8; 32]>,
    pub maker: Maker,
    /// Why a write there has programs run, or why running there runs programs, whatever the name is: git keeps its state
    /// there. `Err` says why that cannot be told, or that it was not asked.
    pub door: Result<Option<String>, String>,
    /// Other names of the same file (hard links) that some rule speaks of.
    pub links: TreeNames,
    /// What is meant below it, where the call means all of a directory.
    pub below: TreeNames,
}

/// Names in the tree that some rule speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TreeNames {
    /// The tree was not looked at, or is too large: any name may be there.
    #[default]
    Unknown,
    /// These, and no others.
    Known(Vec<PathBuf>),
}

impl TreeNames {
    pub const NONE: Self = Self::Known(Vec::new());
}

/// Whose work the file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Maker {
    /// Nobody asked: the call would not change it.
    NotAsked,
    /// Nothing says that a program makes it.
    Person,
    /// A program makes it, and `how` says from what that is known.
    Program { how: String },
    /// Nobody can tell, and why.
    Unknown(String),
}

/// The world at the moment of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub now: SystemTime,
    /// The directories bowline works in, by their real paths.
    pub roots: Vec<PathBuf>,
    /// One for each path of the intent, in its order.
    pub paths: Vec<PathFact>,
    /// Those that the arguments of another server's tool name, which may read or write there. They are compared with entries that
    /// ask or deny, and with nothing else: not everything that is called a path is one.
    pub named: Vec<PathFact>,
    /// One for each command of the intent, in its order.
    pub commands: Vec<CommandFact>,
    /// Its answer shows what stands in the files that it names.
    pub shows_content: bool,
    /// Where relative paths of the call start. A rule's relative paths do so too.
    pub cwd: Option<PathBuf>,
    /// What stands where the call has written, now that it has ended. Only looked at where a policy goes by it.
    pub after: Vec<PathFact>,
}

impl Facts {
    /// Facts about a call without commands.
    pub fn new(now: SystemTime, roots: Vec<PathBuf>, paths: Vec<PathFact>) -> Self {
        Self {
            now,
            cwd: roots.first().cloned(),
            roots,
            paths,
            named: Vec::new(),
            shows_content: false,
            commands: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Everything that commands are known to write, but for what git brings to another state that it holds: which files
    /// change is not said, and what they will be is in the history.
    pub fn written_by_commands(&self) -> impl Iterator<Item = &TouchFact> {
        self.touched_by_commands(Access::Write).filter(|touched| !touched.is_of_history())
    }

    /// Everything that commands are known to touch in this way.
    pub fn touched_by_commands(&self, access: Access) -> impl Iterator<Item = &TouchFact> {
        let touched = self.commands.iter().flat_map(|command| &command.touched);
        touched.filter(move |touched| touched.access == access)
    }
}

/// A command line, and what is known of the files that it touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandFact {
    pub script: Script,
    /// One for each touch of the script, in its order.
    pub touched: Vec<TouchFact>,
}

/// A file that a command touches, by every path that it may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchFact {
    pub access: Access,
    /// Everything below is meant too.
    pub is_deep: bool,
    /// Not all of what was found below need be touched.
    pub may_be_fewer: bool,
    /// Only files that git tracks are meant.
    pub tracked_only: bool,
    /// What is found below comes there by a copy or a move, and need not stand there yet.
    pub is_copy: bool,
    pub readings: Vec<PathFact>,
}

impl TouchFact {
    /// An entry has to allow it, besides the one that allows the command.
    pub fn must_be_allowed(&self) -> bool {
        self.access == Access::Write && !self.is_of_history()
    }

    /// Some of what git tracks, as `git switch` writes it. Entries that deny or ask may speak of it; it needs none that allows it.
    pub fn is_of_history(&self) -> bool {
        self.tracked_only && self.may_be_fewer
    }
}
