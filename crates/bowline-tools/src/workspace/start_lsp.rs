//! `start_lsp`: starts language servers before they are needed, or connects to one that runs already.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::{Patience, ScopeWish, Status, Was, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// How long a call usually may take, a margin left for the answer.
const USUAL: Duration = Duration::from_millis(9500);

/// Start the language servers of a project now; without it they start when needed.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct StartLspArgs {
    pub root_dir: PathBuf,
    /// Only this language.
    #[serde(default)]
    pub language_id: Option<String>,
    /// `host:port` of a server that runs already.
    #[serde(default)]
    pub connect: Option<String>,
    /// Wait so long until it has indexed.
    #[serde(default)]
    pub ready_timeout_seconds: Option<f64>,
    /// Limit it to these directories, commas between; empty lifts the limit.
    #[serde(default)]
    pub scope: Option<String>,
}

pub struct StartLsp {
    pub workspace: Arc<Workspace>,
}

impl Tool for StartLsp {
    type Args = StartLspArgs;
    type Output = String;
    const NAME: &'static str = "start_lsp";
    const MOST: Effect = Effect::Draft;
    const SLOW: bool = true;

    fn accept(arguments: &mut Value) {
        if let Some(list @ Value::Array(_)) = arguments.get_mut("scope") {
            *list = Value::String(list.to_string());
        }
    }

    fn intent(&self, args: &StartLspArgs) -> Intent {
        let address = args.connect.clone().map(Target::Address);
        Intent::new(Effect::Draft, [Target::Path(args.root_dir.clone())].into_iter().chain(address))
    }

    async fn run(&self, args: StartLspArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let report = reporter(cx);
        let within = wait(args.ready_timeout_seconds)?;
        let patience = patience(cx, &report);
        // Only who asks to wait for it waits longer than any call does.
        let usual = Instant::now() + USUAL + within.unwrap_or_default();
        let deadline = Some(patience.deadline.map_or(usual, |due| due.min(usual)));
        let patience = Patience { deadline, ..patience };
        let root = self.workspace.resolve(&args.root_dir).map_err(explain)?;
        if !root.is_dir() {
            return Err(ToolError::bad_arguments(format!("`{}` is not a directory", root.display())));
        }
        if let Some(address) = &args.connect {
            let language = args.language_id.as_deref().ok_or_else(|| {
                ToolError::bad_arguments(
                    "connect needs `language_id`: which language does that server speak?",
                )
            })?;
            if address.rsplit_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_err()) {
                return Err(ToolError::bad_arguments(format!(
                    "connect must be `host:port`, got `{address}`"
                )));
            }
            self.workspace.connect_server(language, &root, address, &patience).await.map_err(explain)?;
            return Ok(Answer::new(format!("Connected to existing language server at {address}")));
        }
        let languages = match args.language_id {
            Some(language) => vec![language],
            None => self.detected(&root, &patience).await?,
        };
        if languages.is_empty() {
            return Err(ToolError::unsupported(format!(
                "no installed language server fits `{}`",
                root.display()
            ))
            .hint("detect_lsp_servers says which are missing; the other tools answer by syntax meanwhile"));
        }
        let limited = match &args.scope {
            Some(scope) => self.limit(&languages, &root, &ScopeWish::parse(scope), &patience).await?,
            None => Vec::new(),
        };
        let mut started = self.start(&languages, &root, within, &patience).await?;
        for line in limited {
            started.payload.push_str(&format!("\n{line}"));
        }
        Ok(started)
    }
}

impl StartLsp {
    /// The languages of a directory whose servers are there.
    async fn detected(
        &self,
        root: &std::path::Path,
        patience: &Patience<'_>,
    ) -> Result<Vec<String>, ToolError> {
        self.workspace.startable_languages(root, patience).await.map_err(explain)
    }

    /// Limits the servers that can be, and says to what.
    async fn limit(
        &self,
        languages: &[String],
        root: &std::path::Path,
        wish: &ScopeWish,
        patience: &Patience<'_>,
    ) -> Result<Vec<String>, ToolError> {
        let (mut lines, mut refused) = (Vec::new(), None);
        for language in languages {
            match self.workspace.set_scope(language, root, wish, patience).await {
                Ok(Some(scoped)) => lines.push(format!("{language}: {}", scoped.describe())),
                Ok(None) => lines.push(format!("{language}: not limited")),
                Err(error @ WorkspaceError::ScopesItself { .. }) => refused = Some(error),
                Err(error) => return Err(explain(error)),
            }
        }
        match refused.filter(|_| lines.is_empty()) {
            Some(error) => Err(explain(error)),
            None => Ok(lines),
        }
    }

    /// Starts each for itself: one that cannot is said, and takes no other along.
    async fn start(
        &self,
        languages: &[String],
        root: &std::path::Path,
        within: Option<Duration>,
        patience: &Patience<'_>,
    ) -> Result<Answer<String>, ToolError> {
        let starting = languages.iter().map(|language| async move {
            (language, self.workspace.start_server(language, root, within, patience).await)
        });
        let (mut lines, mut failed) = (Vec::new(), Vec::new());
        for (language, started) in futures_util::future::join_all(starting).await {
            match started {
                Ok(status) => lines.push(described(language, &status)),
                Err(error) => failed.push((language, error)),
            }
        }
        if lines.is_empty()
            && let Some((_, error)) = failed.pop()
        {
            return Err(explain(error));
        }
        let answer = Answer::new(format!("LSP server started successfully\n{}", lines.join("\n")));
        let failed: Vec<String> =
            failed.iter().map(|(language, error)| format!("{language}: {error}")).collect();
        Ok(if failed.is_empty() { answer } else { answer.hint(failed.join("\n")) })
    }
}

fn described(language: &str, status: &Status) -> String {
    let state = match status.state {
        Was::Ready => "ready".to_owned(),
        other => status.detail.clone().unwrap_or_else(|| other.as_str().to_owned()),
    };
    format!("{language}: {} ({state})", status.name)
}

fn wait(seconds: Option<f64>) -> Result<Option<Duration>, ToolError> {
    let Some(seconds) = seconds.filter(|seconds| *seconds != 0.0) else {
        return Ok(None);
    };
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|wait| *wait <= Duration::from_secs(3600))
        .map(Some)
        .ok_or_else(|| {
            ToolError::bad_arguments(format!("ready_timeout_seconds must be 0 to 3600, got {seconds}"))
        })
}
