//! `set_log_level`: how much bowline says about its own work.

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::LogSwitch;

/// How much is logged.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SetLogLevelArgs {
    pub level: Level,
}

/// The names of syslog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Emergency,
    Alert,
    Critical,
    Error,
    Warning,
    Notice,
    Info,
    Debug,
}

impl Level {
    fn as_str(self) -> &'static str {
        match self {
            Self::Emergency => "emergency",
            Self::Alert => "alert",
            Self::Critical => "critical",
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}

pub struct SetLogLevel {
    pub log_level: Option<LogSwitch>,
}

impl Tool for SetLogLevel {
    type Args = SetLogLevelArgs;
    type Output = String;
    const NAME: &'static str = "set_log_level";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &SetLogLevelArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(&self, args: SetLogLevelArgs, _cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let level = args.level.as_str();
        let Some(set) = &self.log_level else {
            return Err(ToolError::unsupported("nothing is logged here"));
        };
        set(level);
        Ok(Answer::new(format!("Log level set to \"{level}\""))
            .hint("log lines come as notifications where the client takes them, else on stderr"))
    }
}
