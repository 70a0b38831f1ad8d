//! What a tool is: typed where it is written, erased where it is called.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Answer, AnyAnswer, CallContext, Effect, Intent, ToolError, arguments, fit, schema};

/// One tool. The doc comment on `Args` is the description that the model reads.
pub trait Tool: Send + Sync + 'static {
    type Args: DeserializeOwned + JsonSchema + Send + 'static;
    type Output: Serialize + Send;

    const NAME: &'static str;
    /// The most this tool may ever do, whatever its arguments. MCP annotations come from here, so they cannot lie.
    const MOST: Effect;
    /// The least that a call does which succeeds, whatever its arguments: what a dry run does, where there is one.
    const LEAST: Effect = Self::MOST;
    /// Members of its answer that say how it came out: tables of phases may go by these.
    const ANSWERS: &'static [&'static str] = &[];
    /// Whether it may take longer than a call usually may: builds and tests.
    const SLOW: bool = false;
    /// How many entries it lists where the caller says no number. Whoever asks for more than that is given them all,
    /// however long the answer is. By default no number is more.
    const USUAL_LIMIT: usize = usize::MAX;
    /// Whether its answer shows the content of the files that its intent names, all of it or a part: after the call, its caller knows
    /// what stands there.
    const SHOWS_CONTENT: bool = false;
    /// It cuts its answers itself, and says how to get the rest.
    const OWN_PAGES: bool = false;

    /// Turns arguments into what the schema says, where clients write them otherwise. Schemas are plain: some clients
    /// refuse one that allows a string or a list.
    fn accept(_arguments: &mut Value) {}

    /// What a call with these arguments would do.
    fn intent(&self, args: &Self::Args) -> Intent;

    /// How long a call with these arguments may take, where it sets itself a limit. `None` is the usual time.
    fn patience(&self, _args: &Self::Args) -> Option<Duration> {
        None
    }

    /// Does it. No checks of permission, no logging, no audit in here.
    fn run(
        &self,
        args: Self::Args,
        cx: &CallContext,
    ) -> impl Future<Output = Result<Answer<Self::Output>, ToolError>> + Send;
}

/// What the outside is told about a tool.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    pub name: String,
    pub declaration: Declaration,
    pub most: Effect,
    pub least: Effect,
    /// Members of its answer that others may go by.
    pub answers: &'static [&'static str],
    pub slow: bool,
    /// Its answer shows the content of the files that it names.
    pub shows_content: bool,
}

impl ToolSpec {
    /// What the model reads about it.
    pub fn description(&self) -> &str {
        &self.declaration.get().0
    }

    /// What it takes.
    pub fn input_schema(&self) -> &Value {
        &self.declaration.get().1
    }

    /// What it takes, as it is listed: without what is only taken for clients that always send it.
    pub fn listed_schema(&self) -> Value {
        schema::listed(self.input_schema())
    }
}

/// The description of a tool and the schema of its arguments, made on first use: a process that starts, lists its tools
/// and calls a few of them never generates the other schemas. Clones share what was made.
#[derive(Clone)]
pub struct Declaration(Arc<Lazy>);

struct Lazy {
    generate: fn() -> (String, Value),
    generated: OnceLock<(String, Value)>,
}

impl Declaration {
    /// A description and a schema that are known already.
    pub fn new(description: impl Into<String>, input_schema: Value) -> Self {
        let generated = OnceLock::from((description.into(), input_schema));
        Self(Arc::new(Lazy { generate: Default::default, generated }))
    }

    /// Those of an argument type.
    pub fn of<A: JsonSchema>() -> Self {
        Self(Arc::new(Lazy { generate: schema::of::<A>, generated: OnceLock::new() }))
    }

    /// Whether the schema exists already.
    pub fn is_generated(&self) -> bool {
        self.0.generated.get().is_some()
    }

    fn get(&self) -> &(String, Value) {
        self.0.generated.get_or_init(self.0.generate)
    }
}

impl fmt::Debug for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Declaration").field(&self.0.generated.get()).finish()
    }
}

/// A tool whose types have been forgotten. A foreign tool implements this itself.
pub trait AnyTool: Send + Sync {
    fn spec(&self) -> &ToolSpec;

    /// Reads the arguments, once.
    fn prepare(&self, arguments: Value) -> Result<Box<dyn Prepared>, ToolError>;
}

/// A call whose arguments are understood.
pub trait Prepared: Send {
    fn intent(&self) -> Intent;

    /// How long it may take, where it sets itself a limit.
    fn patience(&self) -> Option<Duration> {
        None
    }

    fn run<'a>(self: Box<Self>, cx: &'a CallContext) -> BoxFuture<'a, Result<AnyAnswer, ToolError>>;
}

/// Forgets a tool's types.
pub fn erase<T: Tool>(tool: T) -> Arc<dyn AnyTool> {
    let spec = ToolSpec {
        name: T::NAME.to_owned(),
        declaration: Declaration::of::<T::Args>(),
        most: T::MOST,
        least: T::LEAST,
        answers: T::ANSWERS,
        slow: T::SLOW,
        shows_content: T::SHOWS_CONTENT,
    };
    Arc::new(Erased { tool: Arc::new(tool), spec })
}

struct Erased<T> {
    tool: Arc<T>,
    spec: ToolSpec,
}

impl<T: Tool> AnyTool for Erased<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn prepare(&self, mut arguments: Value) -> Result<Box<dyn Prepared>, ToolError> {
        T::accept(&mut arguments);
        let arguments = arguments::check(self.spec.input_schema(), arguments)?;
        let is_whole = fit::is_asked_for(&arguments, T::USUAL_LIMIT);
        let has_pages = self.spec.input_schema().pointer("/properties/offset").is_some();
        let offset = arguments.get("offset").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
        let offset = has_pages.then(|| offset.unwrap_or(0));
        let args =
            serde_json::from_value(arguments).map_err(|error| ToolError::bad_arguments(error.to_string()))?;
        Ok(Box::new(TypedCall { tool: Arc::clone(&self.tool), args, is_whole, offset }))
    }
}

struct TypedCall<T: Tool> {
    tool: Arc<T>,
    args: T::Args,
    /// The caller wants all of it, however long it is.
    is_whole: bool,
    /// Where its list begins, where it has pages.
    offset: Option<usize>,
}

impl<T: Tool> Prepared for TypedCall<T> {
    fn intent(&self) -> Intent {
        let intent = self.tool.intent(&self.args);
        // A tool that intends more than it declares is judged by what it intends; its list entry is wrong.
        debug_assert!(intent.effect <= T::MOST, "`{}` intends more than its constant says", T::NAME);
        intent
    }

    fn patience(&self) -> Option<Duration> {
        self.tool.patience(&self.args)
    }

    fn run<'a>(self: Box<Self>, cx: &'a CallContext) -> BoxFuture<'a, Result<AnyAnswer, ToolError>> {
        Box::pin(async move {
            let answer = self.tool.run(self.args, cx).await?.forget()?;
            Ok(if T::MOST == Effect::Read && !T::OWN_PAGES && !self.is_whole {
                answer.fitted(self.offset)
            } else {
                answer
            })
        })
    }
}
