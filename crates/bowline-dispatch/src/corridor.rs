//! One call from the door in to the door out. Every ending passes the same last steps: the gate learns, the
//! record is closed, the caller is answered.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bowline_audit::{AllowedToolsPolicy, Audit, Closing, Malformed, Opening};
use bowline_call::{
    Answered, AnyAnswer, AnyTool, Asker, CallContext, Caller, Effect, Intent, Prepared, Question, Refusal,
    RefusalCode, Registry, Targets, ToolCall, ToolError, ToolIdentity, Turn,
};
use bowline_gate::{
    Advice, Asked, Facts, Gate, Happened, Judgement, Ledgers, News, Objection, Verdict, Watched,
};
use bowline_std::text::nearest;
use futures_util::FutureExt;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use crate::record::{CallRecord, Judged};
use crate::second_look::SecondLook;
use crate::{Advisor, FactFinder, Options, Reply, advice};

/// Joins the tools, the gate and the audit trail.
pub struct Corridor {
    registry: Registry,
    pub(crate) gate: Gate,
    pub(crate) audit: Audit,
    pub(crate) facts: FactFinder,
    options: Options,
    pub(crate) ledgers: Ledgers,
    pub(crate) advisor: OnceLock<Arc<Advisor>>,
    running: Semaphore,
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
        let running = Semaphore::new(options.parallel.max(1));
        Arc::new(Self {
            registry,
            gate,
            audit,
            facts,
            options,
            ledgers,
            advisor: OnceLock::new(),
            running,
            changing: Arc::new(Semaphore::new(1)),
        })
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
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
        let walk = self.walk(&call, &caller, &record);
        let reply = AssertUnwindSafe(walk).catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!(tool = %call.tool, call = %call.id, "a call panicked; stderr has its words");
            Err(ToolError::internal(format!(
                "`{}` failed unexpectedly; the log has more under {}",
                call.tool, call.id
            )))
        });
        // Texts of callers, files and tools may be megabytes long; what leaves the house is not.
        let reply = reply.map(AnyAnswer::bounded).map_err(ToolError::bounded);
        let judged = record.judged();
        let watched = self.watch().await;
        let (news, advice) = self.learn(&call, &judged, reply.as_ref().ok(), watched.as_ref());
        self.tell(&call, news);
        let policy = self.policy(&call);
        record.close(closing(&judged, most, &reply, policy, started.elapsed())).await;
        let warnings = warnings(&judged);
        let result = match reply {
            Ok(answer) => Ok(AnyAnswer { warnings, ..answer }),
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
        let deadline = Instant::now() + patience;
        // Dropped at the end of the walk, however it ends: what the handler left running hears of it.
        let stop = caller.cancellation.child_token();
        let _stop = stop.clone().drop_guard();
        let gatekeeper = Arc::new(SecondLook {
            corridor: Arc::clone(self),
            call: call.clone(),
            asker: Arc::clone(&caller.asker),
            record: Arc::clone(record),
            turn: OnceCell::new(),
        });
        let inside = Caller { cancellation: stop.clone(), ..caller.clone() };
        let cx = CallContext::new(
            call.id,
            call.conversation.clone(),
            inside,
            Some(deadline),
            Arc::clone(&gatekeeper) as _,
        );
        let mut work = pin!(async {
            // What a program does is its own business; what we write for it has its turn by the second look.
            if intent.effect == Effect::Write {
                gatekeeper.turn.get_or_try_init(|| self.turn_to_change()).await?;
            }
            let _place = self.place().await?;
            self.permit(call, &intent, Look::First, &*caller.asker, record).await?;
            let answer = prepared.run(&cx).await?;
            self.look_again(record).await;
            Ok(answer)
        });
        let early = tokio::select! {
            biased;
            () = caller.cancellation.cancelled() => ToolError::Cancelled,
            answer = &mut work => return answer,
            () = tokio::time::sleep_until(deadline.into()) => out_of_time(patience),
        };
        // What is begun is brought to its end, and that is what is answered.
        if cx.unfinished().is_something() { work.await } else { Err(early) }
    }

    /// Leave to go on with this intent, and its record on disk before anything changes.
    pub(crate) async fn permit(
        &self,
        call: &ToolCall,
        intent: &Intent,
        look: Look,
        asker: &dyn Asker,
        record: &CallRecord,
    ) -> Result<(), ToolError> {
        let (judged, permitted) = self.judge(call, intent, look, asker, record).await;
        record.note(judged).await;
        permitted?;
        if intent.effect < Effect::Write {
            return Ok(());
        }
        record.commit_intent().await.map_err(|error| {
            refused(Refusal {
                error: RefusalCode::RuleFailed,
                tool: call.tool.clone(),
                skill: None,
                current_phase: None,
                rule: "audit".into(),
                reason: format!("nothing is changed that cannot be recorded: {error}"),
                recovery: "ask the person you work for to make room for bowline's audit log".into(),
            })
        })
    }

    /// Asks the gate, and the person where the gate says so.
    async fn judge(
        &self,
        call: &ToolCall,
        intent: &Intent,
        look: Look,
        asker: &dyn Asker,
        record: &CallRecord,
    ) -> (Judged, Result<(), ToolError>) {
        let facts = self.gather(call, intent).await;
        let Judgement { verdict, objections, warnings, offer, stand } = self
            .ledgers
            .with(&call.conversation, |ledger| self.gate.before(&Asked::new(ledger, call, intent, &facts)));
        for objection in record.unheard(&objections) {
            self.object(call, &objection);
        }
        let has_consent = record.has_consent(intent.effect, &facts);
        let mut judged = Judged {
            verdict: verdict.word(),
            rule: verdict.rule().to_owned(),
            intent: intent.clone(),
            facts,
            objections,
            warnings,
            stand,
            consented: false,
            written_ahead: false,
        };
        let permitted = match verdict {
            Verdict::Allow { .. } | Verdict::Warn(_) => Ok(()),
            Verdict::Refuse(objection) => Err(refused(objection.refuse(&call.tool))),
            // Nothing is written before the second look, which knows the files: the person is asked about those.
            Verdict::Ask(_) if look == Look::First && writes_unknown_files(intent) => {
                judged.verdict = "postponed";
                Ok(())
            }
            // Nobody is asked twice about the same files.
            Verdict::Ask(_) if has_consent => {
                judged.consented = true;
                Ok(())
            }
            Verdict::Ask(objection) => {
                let question = Question {
                    tool: call.tool.clone(),
                    arguments: call.arguments.clone(),
                    rule: objection.rule.clone(),
                    reason: objection.reason.clone(),
                    about: touched(intent, &judged.facts),
                    offer,
                    definition: None,
                };
                match asker.ask(question).await {
                    Answered::Yes(_) => {
                        judged.consented = true;
                        Ok(())
                    }
                    Answered::CannotAsk | Answered::Later => Err(refused(objection.refuse(&call.tool))),
                    Answered::No => Err(refused(Refusal {
                        error: RefusalCode::Denied,
                        reason: "the person who was asked said no".into(),
                        recovery: "do not try it again in this form; ask what to do instead".into(),
                        ..objection.refuse(&call.tool)
                    })),
                }
            }
        };
        (judged, permitted)
    }

    async fn gather(&self, call: &ToolCall, intent: &Intent) -> Facts {
        if intent.paths().next().is_none() && intent.commands().next().is_none() {
            return self.facts.without_paths(call);
        }
        let (facts, asked, intent) = (self.facts.clone(), call.clone(), intent.clone());
        match tokio::task::spawn_blocking(move || facts.gather(&asked, &intent)).await {
            Ok(facts) => facts,
            // Facts that do not cover the intent make the gate refuse.
            Err(_) => self.facts.without_paths(call),
        }
    }

    /// A place among those that run at once.
    async fn place(&self) -> Result<SemaphorePermit<'_>, ToolError> {
        self.running.acquire().await.map_err(|_| ToolError::internal("bowline is shutting down"))
    }

    /// The turn among those that change things, one at a time. It lasts until the last who holds it lets go, also
    /// when the call is over by then.
    pub(crate) async fn turn_to_change(&self) -> Result<Turn, ToolError> {
        let turn = Arc::clone(&self.changing).acquire_owned().await;
        turn.map(|turn| Arc::new(turn) as Turn).map_err(|_| ToolError::internal("bowline is shutting down"))
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

    fn learn(
        &self,
        call: &ToolCall,
        judged: &[Judged],
        answer: Option<&AnyAnswer>,
        watched: Option<&Watched>,
    ) -> (Vec<News>, Advice) {
        self.ledgers.with(&call.conversation, |ledger| {
            if let Some((first, later)) = judged.split_first() {
                // What it turned out to do counts as much as what it said.
                let (mut intent, mut facts) = (first.intent.clone(), first.facts.clone());
                for more in later {
                    intent.effect = intent.effect.max(more.intent.effect);
                    facts.paths.extend(more.facts.paths.iter().cloned());
                    facts.after.extend(more.facts.after.iter().cloned());
                }
                let tool = ToolIdentity::of(&call.tool);
                let answer = answer.map(|answer| &answer.payload);
                let happened = Happened {
                    call,
                    tool: &tool,
                    intent: &intent,
                    facts: &facts,
                    answer,
                    stand: first.stand,
                };
                self.gate.after(ledger, &happened);
            } else {
                ledger.miscalled(&call.tool, self.facts.now());
            }
            let advice = self.advise(ledger, watched);
            (ledger.take_news(), advice)
        })
    }
}

/// Which look at a call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// By its arguments, before it runs.
    First,
    /// By what it turned out to do.
    Second,
}

/// What a person who is asked has to know.
fn touched(intent: &Intent, facts: &Facts) -> Vec<String> {
    let paths = facts.paths.iter().map(|path| path.real.as_ref().unwrap_or(&path.absolute));
    let commands = intent.commands().map(str::to_owned);
    commands.chain(paths.map(|path| path.display().to_string())).collect()
}

fn writes_unknown_files(intent: &Intent) -> bool {
    intent.effect == Effect::Write && intent.targets == Targets::Unknown
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
        effect: judged.iter().map(|one| one.intent.effect).max().unwrap_or(most),
        files,
        receipt,
        skill: reply.as_ref().ok().and_then(|answer| answer.skill.clone()),
        policy,
        duration,
    }
}

fn refused(refusal: Refusal) -> ToolError {
    ToolError::Refused(Box::new(refusal))
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
