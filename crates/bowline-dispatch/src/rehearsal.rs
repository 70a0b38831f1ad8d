//! What the gate would say to a call, and what it would learn from it. No tool runs, nobody is asked, nothing is recorded.

use std::sync::Arc;

use bowline_call::{
    CallContext, Caller, ConversationId, Effect, Gatekeeper, Intent, RefusalCode, Targets, ToolCall,
    ToolError, ToolIdentity, Turn, host_call,
};
use bowline_gate::{Asked, Changes, Facts, Happened, Judgement, LedgerUnavailable, Objection, Verdict};
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::{Corridor, advice};

/// What is known of a call before it runs.
#[derive(Debug, Clone)]
pub struct Foreseen {
    pub call: ToolCall,
    pub intent: Intent,
    pub facts: Facts,
    pub judgement: Judgement,
    /// What each rule says, in their order.
    pub each: Vec<(&'static str, Verdict)>,
    /// Advice that comes with it.
    pub feedback: Vec<String>,
}

/// Tools that change nothing but the ledger.
const BOOKS: [&str; 4] = ["activate_skill", "deactivate_skill", "skills_load", "update_plan"];

/// Nothing else is done in a rehearsal.
struct NoLeave;

impl Gatekeeper for NoLeave {
    fn judge<'a>(&'a self, _intent: &'a Intent) -> BoxFuture<'a, Result<Turn, ToolError>> {
        Box::pin(std::future::ready(Err(ToolError::unsupported("this is a rehearsal"))))
    }
}

/// How a call is supposed to end.
#[derive(Debug, Clone, PartialEq)]
pub enum Supposed {
    Success(Value),
    Failure,
}

impl Corridor {
    /// Tokens that were used, as a surface reports them.
    pub fn spent(&self, conversation: &ConversationId, tokens: u64) -> Result<(), LedgerUnavailable> {
        self.ledgers.with(conversation, |ledger| ledger.spend_tokens(tokens))
    }

    /// What the gate would say to this call now; and what it would learn, were it to end so. Without a supposition, one that
    /// would run succeeds, and any other does not run.
    pub async fn rehearse(
        self: &Arc<Self>,
        call: ToolCall,
        supposed: Option<Supposed>,
    ) -> Result<Foreseen, LedgerUnavailable> {
        self.begin(&call.conversation).await;
        let corridor = Arc::clone(self);
        let foreseen = tokio::task::spawn_blocking(move || corridor.foresee(call)).await;
        let mut foreseen = foreseen.map_err(|_| LedgerUnavailable::new("somebody stumbled over it"))?;
        let supposed = match (&foreseen.judgement.verdict, supposed) {
            // What is refused does not happen.
            (Verdict::Refuse(_), _) => Supposed::Failure,
            (Verdict::Ask(_), supposed) => supposed.unwrap_or(Supposed::Failure),
            (Verdict::Allow { .. } | Verdict::Warn(_), supposed) => {
                supposed.unwrap_or_else(|| Supposed::Success(serde_json::json!({})))
            }
        };
        foreseen.feedback = self.suppose(&foreseen, supposed).await?;
        Ok(foreseen)
    }

    /// What the gate would say to this call now. Blocks on the disk.
    fn foresee(&self, mut call: ToolCall) -> Foreseen {
        let intent = match self.understand(&mut call) {
            Ok(intent) => intent,
            Err(reason) => return self.not_understood(call, reason),
        };
        let facts = self.facts.gather(&call, &intent, &self.gate);
        let facts = Facts { shows_content: self.shows_content(&call), ..facts };
        let ledger = self.ledgers.known(&call.conversation);
        let definition = self.registry().definition(&call.tool);
        let asked = Asked { definition, ..Asked::new(&ledger, &call, &intent, &facts) };
        let (judgement, each) = (self.gate.before(&asked), self.gate.each(&asked));
        Foreseen { call, intent, facts, judgement, each, feedback: Vec::new() }
    }

    /// Lets the gate learn how such a call ended.
    async fn suppose(
        &self,
        foreseen: &Foreseen,
        supposed: Supposed,
    ) -> Result<Vec<String>, LedgerUnavailable> {
        let (supposed, changes) = match supposed {
            Supposed::Success(answer) => self.keep_books(foreseen, answer).await,
            Supposed::Failure => (Supposed::Failure, Changes::default()),
        };
        let Foreseen { call, intent, judgement, .. } = foreseen;
        let mut facts = foreseen.facts.clone();
        if intent.effect == Effect::Write && matches!(supposed, Supposed::Success(_)) {
            // Nothing was written, so what was there is there.
            facts.after = facts.paths.clone();
        }
        let answer = match &supposed {
            Supposed::Success(answer) => Some(answer),
            Supposed::Failure => None,
        };
        let tool = ToolIdentity::of(&call.tool);
        let happened = Happened { call, tool: &tool, intent, facts: &facts, answer, stand: judgement.stand };
        let watched = self.watch().await;
        let advice = self.ledgers.with(&call.conversation, |ledger| {
            let changed = changes.apply(ledger);
            self.gate.after(ledger, &Happened { answer: answer.filter(|_| changed.is_ok()), ..happened });
            self.advise(ledger, watched.as_ref())
        })?;
        Ok(advice::rendered(&advice))
    }

    /// Runs what only changes the books of the conversation: which skill is active, what was loaded, what the plan is.
    async fn keep_books(&self, foreseen: &Foreseen, answer: Value) -> (Supposed, Changes) {
        let name = ToolIdentity::of(&foreseen.call.tool);
        let tool = name.own().filter(|name| BOOKS.contains(name)).and_then(|name| self.registry().get(name));
        let Some(prepared) = tool.and_then(|tool| tool.prepare(foreseen.call.arguments.clone()).ok()) else {
            return (Supposed::Success(answer), Changes::default());
        };
        let call = &foreseen.call;
        let cx = CallContext::new(
            call.id,
            call.conversation.clone(),
            Caller::default(),
            None::<std::time::Instant>,
            Arc::new(NoLeave),
        );
        let running = self.ledgers.begin(call.id);
        let ran = prepared.run(&cx).await;
        let changes = running.end();
        match ran {
            Ok(answered) => (Supposed::Success(answered.payload), changes),
            Err(_) => (Supposed::Failure, Changes::default()),
        }
    }

    /// What a call would do: a tool of ours, of a host, or one that nobody knows, which may do anything.
    fn understand(&self, call: &mut ToolCall) -> Result<Intent, String> {
        if let Some(server) = call.server.as_ref().filter(|server| server.tool.is_some()) {
            call.tool = format!("mcp__{}__{}", server.name, server.tool.as_deref().unwrap_or_default());
        }
        let identity = ToolIdentity::of(&call.tool);
        if let Some(tool) = identity.own().and_then(|name| self.registry().get(name)) {
            let arguments = match &call.arguments {
                Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| call.arguments.clone()),
                other => other.clone(),
            };
            let prepared = tool.prepare(arguments).map_err(|error| error.to_string())?;
            return Ok(prepared.intent());
        }
        match host_call(&call.tool, &call.arguments) {
            Some(Ok(host)) => {
                call.arguments = host.arguments;
                call.cwd = match (call.cwd.take(), host.cwd) {
                    (Some(cwd), Some(inner)) => Some(cwd.join(inner)),
                    (cwd, inner) => inner.or(cwd),
                };
                Ok(host.intent)
            }
            Some(Err(error)) => Err(error.to_string()),
            None => Ok(Intent { effect: Effect::Run, targets: Targets::Unknown }),
        }
    }

    /// A call that does not say what it would do is refused.
    fn not_understood(&self, call: ToolCall, reason: String) -> Foreseen {
        let objection = Objection {
            code: RefusalCode::RuleFailed,
            rule: "arguments".into(),
            reason,
            recovery: "call it again with arguments that it takes".into(),
            skill: None,
        };
        let verdict = Verdict::Refuse(objection.clone());
        let stand = self.ledgers.known(&call.conversation).stand();
        Foreseen {
            intent: Intent { effect: Effect::Run, targets: Targets::Unknown },
            facts: self.facts.without_paths(&call),
            judgement: Judgement {
                verdict: verdict.clone(),
                objections: vec![objection],
                warnings: Vec::new(),
                offer: None,
                stand,
            },
            each: vec![("arguments", verdict)],
            feedback: Vec::new(),
            call,
        }
    }
}
