//! What bowline answers to each request of the protocol.

use std::borrow::Cow;
use std::sync::Arc;

use bowline_call::{CallId, Caller, ConversationId, NoProgress, NobodyToAsk, Progress, ToolCall, ToolError};
use bowline_dispatch::Corridor;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, InitializeRequestParams, InitializeResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, RequestId, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::sync::CancellationToken;

use crate::in_flight::InFlight;
use crate::logs::{Level, Logs};
use crate::progress::ToClient;
use crate::recorder::Recorder;
use crate::{listing, reply};

const INSTRUCTIONS: &str = "Code intelligence behind one gate. Lines and columns are 1-based; paths are absolute or \
relative to the workspace root. Start with list_symbols or find_symbol instead of reading whole files. A refusal \
says which rule, why, and what to do instead.";

pub(crate) struct Server {
    corridor: Arc<Corridor>,
    conversation: ConversationId,
    logs: Logs,
    /// Made once, so that every client is told the same.
    tools: Vec<Tool>,
    recorder: Arc<Recorder>,
    in_flight: Arc<InFlight>,
    /// Ends all calls when the client has gone.
    closing: CancellationToken,
}

impl Server {
    pub(crate) fn new(
        corridor: Arc<Corridor>,
        conversation: ConversationId,
        logs: Logs,
        recorder: Arc<Recorder>,
        in_flight: Arc<InFlight>,
        closing: CancellationToken,
    ) -> Self {
        let tools = listing(corridor.registry());
        Self { corridor, conversation, logs, tools, recorder, in_flight, closing }
    }

    fn call(
        &self,
        params: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> (ToolCall, Caller) {
        if let Some(client) = context.meta.client_info() {
            self.recorder.meet(&client.name);
        }
        let call = ToolCall {
            id: CallId::fresh(),
            conversation: self.conversation.clone(),
            origin: self.recorder.origin(),
            tool: params.name.into_owned(),
            arguments: params.arguments.map_or(serde_json::Value::Null, Into::into),
        };
        let progress: Arc<dyn Progress> = match context.meta.get_progress_token() {
            Some(token) => Arc::new(ToClient::new(context.peer.clone(), token)),
            None => Arc::new(NoProgress),
        };
        let cancellation = self.closing.child_token();
        (call, Caller { cancellation, progress, asker: Arc::new(NobodyToAsk), patience: None })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        #[expect(deprecated, reason = "clients of the older era still ask for logging")]
        let capabilities = ServerCapabilities::builder().enable_tools().enable_logging().build();
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
        self.negotiate_initialize(&request)
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
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params("the list has one page; no cursor was handed out", None));
        }
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let RequestId::Number(number) = context.id
            && !self.in_flight.taken_over(number)
        {
            return Err(ErrorData::internal_error("cancelled", None));
        }
        let (call, caller) = self.call(request, &context);
        let stop = caller.cancellation.clone();
        let walk = self.corridor.call(call, caller);
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
        match answered {
            Ok(answer) => Ok(reply::success(answer).into()),
            Err(ToolError::Cancelled) => Err(ErrorData::internal_error("cancelled", None)),
            Err(error) => reply::failure(&error).map(Into::into),
        }
    }
}

/// Pinned: an update of the library must not offer a revision that was never tested here.
pub(crate) fn supported_versions() -> &'static [ProtocolVersion] {
    ProtocolVersion::known_up_to(&ProtocolVersion::V_2026_07_28)
}
