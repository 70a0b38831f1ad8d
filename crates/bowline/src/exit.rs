//! How the program ends. Scripts go by these numbers, so they are part of the contract.

use bowline_call::ToolError;
use bowline_config::ConfigError;

/// The documented exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It went well.
    Well = 0,
    /// It was tried and failed.
    Failed = 1,
    /// The command line, the arguments or the configuration are wrong.
    Usage = 2,
    /// The gate said no.
    Refused = 3,
    /// Not now; the same again later may work.
    NotReady = 4,
}

/// For `--help`.
pub(crate) const HELP: &str = "Exit codes:
  0  it went well
  1  it was tried and failed
  2  the command line, the arguments or the configuration are wrong
  3  the gate refused it
  4  not ready; the same again later may work";

impl From<Ending> for std::process::ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(ending as u8)
    }
}

impl From<&ToolError> for Ending {
    fn from(error: &ToolError) -> Self {
        match error {
            ToolError::BadArguments { .. } | ToolError::UnknownTool { .. } => Self::Usage,
            ToolError::Refused(_) | ToolError::Asking(_) => Self::Refused,
            ToolError::NotReady { .. } => Self::NotReady,
            ToolError::Unsupported { .. }
            | ToolError::Failed { .. }
            | ToolError::Coded { .. }
            | ToolError::Cancelled
            | ToolError::Internal { .. } => Self::Failed,
        }
    }
}

impl From<&anyhow::Error> for Ending {
    fn from(error: &anyhow::Error) -> Self {
        if error.is::<ConfigError>() || error.is::<crate::commands::BadUsage>() {
            Self::Usage
        } else {
            Self::Failed
        }
    }
}

impl Ending {
    /// Says why, on stderr.
    pub(crate) fn tell(self, error: &anyhow::Error) -> Self {
        crate::paint::complain(&format!("{error:#}"));
        self
    }
}
