//! One call from the door in to the door out. Every ending passes the same last steps: the gate learns, the
//! record is closed, the caller is answered.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bowline_audit::{AllowedToolsPolicy, Audit, Closing, Malformed, Opening};
use bowline_call::{
    AnyAnswer, AnyTool, CallContext, Caller, Deadline, Effect, Intent, Prepared, Registry, Shows, Targets,
    ToolCall, ToolError, ToolIdentity, foreign_paths, host_tool,
};
use bowline_gate::{Facts, Gate, Ledgers, Objection};
use bowline_std::text::nearest;
use futures_util::FutureExt;
use tokio::sync::Semaphore;

use crate::asking::{Look, Passage};
use crate::hold::{Held, Hold};
use crate::learn::Lesson;
use crate::record::{CallRecord, Judged};
use crate::{Advisor, FactFinder, Memory, Options, Reply, advice};

/// Joins the tools, the gate and the audit trail.
pub struct Corridor {
    registry: Registry,
    pub(crate) gate: Arc<Gate>,
    pub(crate) audit: Audit,
    pub(crate) facts: FactFinder,
    pub(crate) options: Options,
    pub(crate) ledgers: Ledgers,
    memory: OnceLock<Arc<dyn Memory>>,
    pub(crate) advisor: OnceLock<Arc<Advisor>>,
    /// What could not be written down when it happened.
    pub(crate) unlearned: Mutex<Vec<Lesson>>,
    running: Arc<Semaphore>,
    /// Calls that change things are taken one at a time.
    changing: Arc<Semaphore>,
}

impl Corridor {
    pub fn new(
        registry: Registry,
        (gate, ledgers): (Gate, Ledgers),
        audit: Audit,
        facts: FactFinder,
        options: Options,
    ) -> Arc<Self> {
        let running = Arc::new(Semaphore::new(options.parallel.max(1)));
        Arc::new(Self {
            registry,
            gate: Arc::new(gate),
            audit,
            facts,
            options,
            ledgers,
            unlearned: Mutex::default(),
            advisor: OnceLock::new(),
            running,
            memory: OnceLock::new(),
            changing: Arc::new(Semaphore::new(1)),
        })
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Lets answers be remembered for ever. Without this they last for a conversation at most.
    pub fn remember_in(&self, memory: Arc<dyn Memory>) {
        // A second one would make two truths of it: the first stays.
        let _ = self.memory.set(memory);
    }

    pub(crate) fn memory(&self) -> Option<&Arc<dyn Memory>> {
        self.memory.get()
    }

    /// Takes one call from its door in to its door out.
    pub async fn call(self: &Arc<Self>, call: ToolCall, mut caller: Caller) -> Reply {
        let most = self.registry.get(&call.tool).map_or(Effect::Read, |tool| tool.spec().most);
        if most < Effect::Write {
            return self.take(call, caller, most).await;
        }
        // Not in the caller's hands: one who walks away while something is written would take along the record of it.
        caller.cancellation = caller.cancellation.child_token();
        let _stop = caller.cancellation.clone().drop_guard();
        let corridor = Arc::clone(self);
        let walked = tokio::spawn(async move { corridor.take(call, caller, most).await }).await;
        walked.unwrap_or_else(|_| Reply {
            result: Err(ToolError::internal("bowline is shutting down")),
            feedback: Vec::new(),
        })
    }

    /// Waits until nothing is being changed any more, but no longer than this.
    pub async fn settle(&self, most: Duration) {
        let _ = tokio::time::timeout(most, self.changing.acquire()).await;
    }

    async fn take(self: &Arc<Self>, call: ToolCall, caller: Caller, most: Effect) -> Reply {
        let started = Instant::now();
        let opening = Opening {
            call_id: call.id,
            conversation: call.conversation.clone(),
            origin: call.origin.clone(),
            tool: call.tool.clone(),
            effect: most,
            files: Vec::new(),
        };
        let record = Arc::new(CallRecord::new(self.audit.open_call(&opening)));
        self.begin(&call.conversation).await;
        let running = self.ledgers.begin(call.id);
        // It is large, and would be moved from hand to hand.
        let walk = Box::pin(self.walk(&call, &caller, &record));
        let reply = AssertUnwindSafe(walk).catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!(tool = %call.tool, call = %call.id, "a call panicked; stderr has its words");
            Err(ToolError::internal(format!(
                "`{}` failed unexpectedly; the log has more under {}",
                call.tool, call.id
            )))
        });
        // Texts of callers, files and tools may be megabytes long; what leaves the house is not.
        let reply = reply.map(AnyAnswer::bounded).map_err(ToolError::bounded);
        let judged = record.all_judged();
        let (reply, advice) = self.learn(&call, &judged, running.end(), reply).await;
        let policy = self.policy(&call);
        let answer = record.answers();
        record.close(Closing { answer, ..closing(&judged, most, &reply, policy, started.elapsed()) }).await;
        let warnings = warnings(&judged).into_iter().chain(record.notes()).collect::<Vec<_>>();
        let result = match reply {
            Ok(mut answer) => {
                answer.warnings.splice(..0, warnings);
                Ok(answer)
            }
            Err(error) => Err(warnings.into_iter().fold(error, ToolError::hint)),
        };
        Reply { result, feedback: advice::rendered(&advice) }
    }

    /// Remembers a request that never became a call.
    pub async fn malformed(&self, request: Malformed) {
        self.audit.malformed(request).await;
    }

    async fn walk(
        self: &Arc<Self>,
        call: &ToolCall,
        caller: &Caller,
        record: &Arc<CallRecord>,
    ) -> Result<AnyAnswer, ToolError> {
        let tool = self.registry.get(&call.tool).ok_or_else(|| self.unknown(&call.tool))?;
        let prepared = tool.prepare(call.arguments.clone())?;
        let intent = prepared.intent();
        let patience = self.patience(&**tool, &*prepared, caller);
        let deadline = Deadline::from(Instant::now() + patience);
        // Dropped at the end of the walk, however it ends: what the handler left running hears of it.
        let stop = caller.cancellation.child_token();
        let _stop = stop.clone().drop_guard();
        let passage = Arc::new(Passage {
            corridor: Arc::clone(self),
            call: call.clone(),
            asker: Arc::clone(&caller.asker),
            record: Arc::clone(record),
            deadline: deadline.clone(),
            hold: Hold::new(Arc::clone(&self.changing), Arc::clone(&self.running)),
        });
        let inside = Caller { cancellation: stop.clone(), ..caller.clone() };
        let cx = CallContext::new(
            call.id,
            call.conversation.clone(),
            inside,
            Some(deadline.clone()),
            Arc::clone(&passage) as _,
        );
        let mut work = pin!(async {
            // What a program does is its own business; what we write for it has its turn by the second look.
            let has_turn = intent.effect == Effect::Write;
            passage.hold.take(Held { turn: has_turn, place: true }).await?;
            passage.permit(&intent, Look::First).await?;
            let answer = prepared.run(&cx).await?;
            self.look_again(record).await;
            Ok(answer)
        });
        let early = tokio::select! {
            biased;
            () = caller.cancellation.cancelled() => ToolError::Cancelled,
            answer = &mut work => return answer,
            () = deadline.passed() => out_of_time(patience),
        };
        // What is begun is brought to its end, and that is what is answered.
        if cx.unfinished().is_something() { work.await } else { Err(early) }
    }

    pub(crate) async fn gather(&self, call: &ToolCall, intent: &Intent) -> Facts {
        let may_name = intent.targets == Targets::Unknown && !foreign_paths(&call.arguments).is_empty();
        if intent.paths().next().is_none() && intent.commands().next().is_none() && !may_name {
            return self.facts.without_paths(call);
        }
        let (facts, gate) = (self.facts.clone(), Arc::clone(&self.gate));
        let (asked, intent) = (call.clone(), intent.clone());
        match tokio::task::spawn_blocking(move || facts.gather(&asked, &intent, &gate)).await {
            Ok(facts) => Facts { shows_content: self.shows_content(call), ..facts },
            // Facts that do not cover the intent make the gate refuse.
            Err(_) => self.facts.without_paths(call),
        }
    }

    /// Whether its answer shows what stands in the files that it names.
    pub(crate) fn shows_content(&self, call: &ToolCall) -> bool {
        let own = ToolIdentity::of(&call.tool);
        match own.own().and_then(|name| self.registry.get(name)) {
            Some(tool) => tool.spec().shows_content,
            None => host_tool(&call.tool).is_some_and(|tool| tool.shows == Shows::Content),
        }
    }

    /// As long as the caller waits; or as the call allows itself; or as it is usual.
    fn patience(&self, tool: &dyn AnyTool, prepared: &dyn Prepared, caller: &Caller) -> Duration {
        let usual = if tool.spec().slow { self.options.slow_timeout_ms } else { self.options.timeout_ms };
        let own = || prepared.patience().unwrap_or(Duration::from_millis(usual));
        caller.patience.unwrap_or_else(own)
    }

    fn unknown(&self, name: &str) -> ToolError {
        let error = ToolError::UnknownTool { name: bowline_std::text::cut(name, 100), hints: Vec::new() };
        if self.registry.is_hidden(name) {
            return error.hint("it is there, and was not chosen: `--tools` says which tools are offered");
        }
        match nearest(name, self.registry.specs().map(|spec| spec.name.as_str())) {
            Some(meant) => error.hint(format!("did you mean `{meant}`?")),
            None => error,
        }
    }
}

fn closing(
    judged: &[Judged],
    most: Effect,
    reply: &Result<AnyAnswer, ToolError>,
    policy: Option<AllowedToolsPolicy>,
    duration: Duration,
) -> Closing {
    // The first verdict let the call in; a later one, on what it turned out to do, may have stopped it.
    let last = judged.last();
    let receipt = reply.as_ref().ok().and_then(|answer| answer.receipt.clone());
    let mut seen = HashSet::new();
    let paths = judged.iter().flat_map(|one| &one.facts.paths);
    let paths = paths.map(|path| path.real.as_ref().unwrap_or(&path.absolute));
    let files: Vec<PathBuf> = paths.filter(|path| seen.insert(*path)).cloned().collect();
    Closing {
        success: reply.is_ok(),
        error_message: reply.as_ref().err().map(ToString::to_string),
        verdict: last.map(|one| one.verdict.to_owned()),
        rule: last.map(|one| one.rule.clone()),
        answer: None,
        effect: judged.iter().map(|one| one.intent.effect).max().unwrap_or(most),
        files,
        receipt,
        skill: reply.as_ref().ok().and_then(|answer| answer.skill.clone()),
        policy,
        duration,
    }
}

/// What rules have against a call that was let in all the same.
fn warnings(judged: &[Judged]) -> Vec<String> {
    let mut warnings = Vec::new();
    for Objection { reason, recovery, .. } in judged.iter().flat_map(|one| &one.warnings) {
        let warning = format!("Phase warning: {reason}. {recovery}");
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

fn out_of_time(patience: Duration) -> ToolError {
    ToolError::NotReady {
        message: format!("no answer within {} ms", patience.as_millis()),
        retry_after_ms: 1000,
    }
}
