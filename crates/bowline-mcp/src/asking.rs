//! Who is asked, and how, by the era of the request: within the call, or with its reply.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bowline_call::{Answered, Asker, ConversationId, Lasting, NobodyToAsk, Question, digest_of};
use futures_util::future::BoxFuture;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientResult, ElicitRequest, ElicitResult, InputRequest,
    InputRequiredResult, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RequestHandle};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use crate::form::{answer, form};
use crate::sealed::{MOST_ALLOWED, Sealer, State};

/// The name under which the question goes out, and its answer comes back.
const KEY: &str = "answer";

/// How the person behind one request is asked.
pub(crate) enum Asking {
    /// The client has nobody to ask.
    Nobody,
    /// Older era: a request of ours while the call waits.
    Within(Arc<WithinTheCall>),
    /// Newer era: the reply is the question, and the same call brings the answer.
    WithReply { call: String, asker: Arc<WithTheReply> },
}

impl Asking {
    /// Refuses a request whose answer is not one to its own question.
    pub(crate) fn of(
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        conversation: &ConversationId,
        sealer: &Sealer,
    ) -> Result<Self, ErrorData> {
        let is_newer = context.protocol_version().is_some_and(|version| !version.has_initialize());
        if !is_newer {
            let can = context.peer.peer_info().is_some_and(|info| shows_forms(&info.capabilities));
            let within = || Self::Within(Arc::new(WithinTheCall { peer: context.peer.clone() }));
            return Ok(if can { within() } else { Self::Nobody });
        }
        if !context.meta.client_capabilities().is_some_and(|client| shows_forms(&client)) {
            return Ok(Self::Nobody);
        }
        let call = digest_of(&json!([request.name, request.arguments, conversation.as_str()]));
        let state = request.request_state.as_deref().map(|sealed| sealer.open(&call, sealed)).transpose();
        let state = state.map_err(|why| {
            let message =
                format!("the answer is not taken: {why}; the same call without `requestState` asks anew");
            ErrorData::invalid_params(message, None)
        })?;
        let said = request.input_responses.as_ref().and_then(|answers| answers.get(KEY)).cloned();
        let asker = Arc::new(WithTheReply::new(state, said));
        Ok(Self::WithReply { call, asker })
    }

    pub(crate) fn asker(&self) -> Arc<dyn Asker> {
        match self {
            Self::Nobody => Arc::new(NobodyToAsk),
            Self::Within(asker) => Arc::clone(asker) as _,
            Self::WithReply { asker, .. } => Arc::clone(asker) as _,
        }
    }

    /// The question as a reply, for a client that takes it so.
    pub(crate) fn ask_with_reply(&self, question: &Question, sealer: &Sealer) -> Option<InputRequiredResult> {
        let Self::WithReply { call, asker } = self else { return None };
        let state = State { asked: question.digest(), allowed: asker.allowed() };
        if state.allowed.len() > MOST_ALLOWED {
            return None;
        }
        let request = InputRequest::Elicitation(ElicitRequest::new(form(question)));
        let requests = BTreeMap::from([(KEY.to_owned(), request)]);
        Some(InputRequiredResult::new(Some(requests), Some(sealer.seal(call, &state))))
    }
}

/// Whether a client shows forms to its person. One that names no kind means these.
fn shows_forms(client: &ClientCapabilities) -> bool {
    client.elicitation.as_ref().is_some_and(|kinds| kinds.form.is_some() || kinds.url.is_none())
}

/// Asks by a request of ours, and waits for its answer.
pub(crate) struct WithinTheCall {
    peer: Peer<RoleServer>,
}

impl Asker for WithinTheCall {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered> {
        Box::pin(async move {
            let request = ServerRequest::ElicitRequest(ElicitRequest::new(form(&question)));
            let sent = self.peer.send_request_with_option(request, PeerRequestOptions::no_options()).await;
            let Ok(handle) = sent else { return Answered::CannotAsk };
            let mut open = Open(Some(handle));
            let Some(handle) = &mut open.0 else { return Answered::CannotAsk };
            let replied = (&mut handle.rx).await;
            open.0 = None;
            match replied {
                Ok(Ok(ClientResult::ElicitResult(result))) => answer(&result, &question),
                // An answer of another kind is one that we do not understand.
                Ok(Ok(_)) => Answered::No,
                Ok(Err(error)) => {
                    tracing::debug!(%error, "the client did not ask its person");
                    Answered::CannotAsk
                }
                Err(_) => Answered::CannotAsk,
            }
        })
    }
}

/// A form that is open at the client. Nobody is to fill in one that no longer matters.
struct Open(Option<RequestHandle<RoleServer>>);

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(handle.cancel(Some("the call is over".to_owned())));
        }
    }
}

/// Answers from what came back with the call. A question that nobody has answered yet goes out with the reply.
pub(crate) struct WithTheReply {
    /// The name of the question that was asked, and what came back.
    answered: Option<(String, Value)>,
    allowed: Mutex<Vec<String>>,
}

impl WithTheReply {
    fn new(state: Option<State>, said: Option<Value>) -> Self {
        let (asked, allowed) = state.map_or((None, Vec::new()), |state| (Some(state.asked), state.allowed));
        // An answer without the state of its question is an answer to nothing.
        Self { answered: asked.zip(said), allowed: Mutex::new(allowed) }
    }

    fn allowed(&self) -> Vec<String> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn answer(&self, question: &Question) -> Answered {
        let name = question.digest();
        let mut allowed = self.allowed.lock().unwrap_or_else(PoisonError::into_inner);
        if allowed.contains(&name) {
            return Answered::Yes(Lasting::Once);
        }
        let Some((_, said)) = self.answered.as_ref().filter(|(asked, _)| *asked == name) else {
            return Answered::Later;
        };
        let result = serde_json::from_value::<ElicitResult>(said.clone());
        let answered = result.map_or(Answered::No, |result| answer(&result, question));
        if let Answered::Yes(_) = answered {
            allowed.push(name);
        }
        answered
    }
}

impl Asker for WithTheReply {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered> {
        Box::pin(std::future::ready(self.answer(&question)))
    }
}
