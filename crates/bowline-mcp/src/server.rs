//! What bowline answers to each request of the protocol.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use bowline_call::{CallId, Caller, ConversationId, NoProgress, Progress, ToolCall, ToolError};
use bowline_dispatch::{Corridor, Reply};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestMethod, GetPromptRequestParams,
    GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListToolsResult, PaginatedRequestParams, PromptsCapability, ProtocolVersion, RequestId,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::sync::CancellationToken;

use crate::asking::Asking;
use crate::in_flight::InFlight;
use crate::listed::Listed;
use crate::listing::Listing;
use crate::logs::{Level, Logs};
use crate::progress::ToClient;
use crate::prompts::{PromptError, Prompts};
use crate::recorder::Recorder;
use crate::reply;
use crate::sealed::Sealer;
use crate::workers::Workers;

const INSTRUCTIONS: &str = "Code intelligence behind one gate. Lines and columns are 1-based; paths are absolute or \
relative to the workspace root. Start with list_symbols or find_symbol instead of reading whole files. A refusal \
says which rule, why, and what to do instead.";

pub(crate) struct Server {
    corridor: Arc<Corridor>,
    workers: Workers,
    conversation: ConversationId,
    prompts: Option<Prompts>,
    logs: Logs,
    /// Made once, so that every client is told the same.
    listing: Arc<Listing>,
    listed: Listed,
    recorder: Arc<Recorder>,
    in_flight: Arc<InFlight>,
    sealer: Sealer,
    /// Ends all calls when the client has gone.
    closing: CancellationToken,
}

impl Server {
    pub(crate) fn new(
        (corridor, workers): (Arc<Corridor>, Workers),
        (conversation, prompts, answers_within): (ConversationId, Option<Prompts>, Duration),
        logs: Logs,
        (recorder, in_flight, listing): (Arc<Recorder>, Arc<InFlight>, Arc<Listing>),
        closing: CancellationToken,
    ) -> Self {
        let listed = Listed::default();
        let sealer = Sealer::new(answers_within);
        Self {
            corridor,
            workers,
            conversation,
            prompts,
            logs,
            listing,
            listed,
            recorder,
            in_flight,
            sealer,
            closing,
        }
    }

    fn call(
        &self,
        params: CallToolRequestParams,
        asking: &Asking,
        context: &RequestContext<RoleServer>,
    ) -> (ToolCall, Caller) {
        let call = ToolCall {
            id: CallId::fresh(),
            conversation: self.conversation.clone(),
            origin: self.recorder.origin(),
            tool: params.name.into_owned(),
            arguments: params.arguments.map_or(serde_json::Value::Null, Into::into),
            cwd: None,
            server: None,
        };
        let progress: Arc<dyn Progress> = match context.meta.get_progress_token() {
            Some(token) => Arc::new(ToClient::new(context.peer.clone(), token)),
            None => Arc::new(NoProgress),
        };
        let cancellation = self.closing.child_token();
        (call, Caller { cancellation, progress, asker: asking.asker(), patience: None })
    }

    /// Requests of the newer era say who asks.
    fn meet(&self, context: &RequestContext<RoleServer>) {
        if let Some(client) = context.meta.client_info() {
            self.recorder.meet(&client.name);
        }
    }

    /// From here on the corridor remembers the request, unless it has been cancelled meanwhile.
    fn take_over(&self, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        match context.id {
            RequestId::Number(number) if !self.in_flight.taken_over(number) => Err(cancelled()),
            _ => Ok(()),
        }
    }

    /// Tells a client whose list follows the conversation that it is another one now.
    async fn tell_of_another_list(&self, context: &RequestContext<RoleServer>) {
        if !follows(context) || !self.listed.changes(self.corridor.exposed(&self.conversation).await) {
            return;
        }
        tokio::select! {
            told = context.peer.notify_tool_list_changed() => {
                if let Err(error) = told {
                    tracing::debug!(%error, "the client does not hear of another list");
                }
            }
            // Nobody waits for one who has left.
            () = self.closing.cancelled() => {}
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        #[expect(deprecated, reason = "clients of the older era still ask for logging")]
        let mut capabilities = ServerCapabilities::builder().enable_tools().enable_logging().build();
        capabilities.prompts = self.prompts.as_ref().map(|_| PromptsCapability::default());
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("bowline", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(supported_versions())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        self.recorder.meet(&request.client_info.name);
        context.peer.set_peer_info(request.clone());
        let mut answer = self.negotiate_initialize(&request)?;
        // To the others it is not said: their list never changes.
        if let Some(tools) = &mut answer.capabilities.tools {
            tools.list_changed = Some(true);
        }
        Ok(answer)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.logs.send_to(context.peer);
    }

    #[expect(deprecated, reason = "clients of the older era still set it")]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.logs.set_level(Level::from_protocol(request.level));
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params("the list has one page; no cursor was handed out", None));
        }
        let exposed = if follows(&context) { self.corridor.exposed(&self.conversation).await } else { None };
        Ok(self.listing.entries().names(exposed.as_ref()))
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let Some(prompts) = &self.prompts else { return Ok(ListPromptsResult::default()) };
        Ok(prompts.list(request.and_then(|page| page.cursor)).await?)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some(prompts) = &self.prompts else {
            return Err(ErrorData::method_not_found::<GetPromptRequestMethod>());
        };
        self.take_over(&context)?;
        self.meet(&context);
        let got = tokio::select! {
            biased;
            got = prompts.get(&request.name, request.arguments) => got,
            () = context.ct.cancelled() => Err(PromptError::Cancelled),
            () = self.closing.cancelled() => Err(PromptError::Cancelled),
        };
        let refused = got.as_ref().err().map(ToString::to_string);
        self.recorder.prompted(request.name, refused);
        Ok(got?.into())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // An answer that is not one for this call is remembered as a request that never became a call.
        self.meet(&context);
        let asking = Asking::of(&request, &context, &self.conversation, &self.sealer)?;
        self.take_over(&context)?;
        let (call, caller) = self.call(request, &asking, &context);
        let stop = caller.cancellation.clone();
        let corridor = Arc::clone(&self.corridor);
        let walk = self.workers.run(Box::pin(async move { corridor.call(call, caller).await }));
        tokio::pin!(walk);
        let answered = tokio::select! {
            biased;
            answered = &mut walk => answered,
            // The record is still to be closed, so the walk goes on to its end.
            () = context.ct.cancelled() => {
                stop.cancel();
                walk.await
            }
        };
        self.tell_of_another_list(&context).await;
        let Some(Reply { result, feedback }) = answered else {
            return Err(ErrorData::internal_error("bowline is shutting down", None));
        };
        match result {
            Ok(answer) => Ok(reply::advised(reply::success(answer), &feedback).into()),
            Err(ToolError::Cancelled) => Err(cancelled()),
            Err(ToolError::Asking(question)) => match asking.ask_with_reply(&question, &self.sealer) {
                Some(asked) => Ok(asked.into()),
                None => {
                    let failure = reply::failure(&ToolError::Asking(question))?;
                    Ok(reply::advised(failure, &feedback).into())
                }
            },
            Err(error) => Ok(reply::advised(reply::failure(&error)?, &feedback).into()),
        }
    }
}

fn cancelled() -> ErrorData {
    ErrorData::internal_error("cancelled", None)
}

/// Whether the list that this client gets follows the conversation. To the newer era a list is the same for all who ask,
/// and is kept by whoever likes.
fn follows(context: &RequestContext<RoleServer>) -> bool {
    let is_older = context.protocol_version().is_some_and(|version| version.has_initialize());
    is_older && context.peer.peer_info().is_some()
}

/// Pinned: an update of the library must not offer a revision that was never tested here.
pub(crate) fn supported_versions() -> &'static [ProtocolVersion] {
    ProtocolVersion::known_up_to(&ProtocolVersion::V_2026_07_28)
}
