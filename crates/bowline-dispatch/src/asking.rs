//! Leave to go on: the gate's word, and a person's where the gate wants one.
//!
//! While a person thinks, the call's clock stands still, and it holds neither a place nor a turn. What the gate said
//! before is said again afterwards, on the world as it is then; a yes answers the question it was given to, and no other.

use std::sync::Arc;
use std::time::Duration;

use bowline_call::{
    Answered, Asker, Deadline, Effect, Gatekeeper, Intent, Lasting, Proposal, Question, Refusal, RefusalCode,
    Targets, ToolCall, ToolError, Turn,
};
use bowline_gate::{Asked, Facts, Grant, Judgement, Objection, Verdict};
use futures_util::future::BoxFuture;

use crate::hold::{Held, Hold};
use crate::memory::Wish;
use crate::record::{CallRecord, Judged};
use crate::{Corridor, Memory, learn};

/// A world that changes with every answer is not asked about for ever.
const ROUNDS: usize = 3;

/// Which look at a call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// By its arguments, before it runs.
    First,
    /// By what it turned out to do.
    Second,
}

/// One call on its way: shared between the walk and the second looks at what it does.
pub(crate) struct Passage {
    pub(crate) corridor: Arc<Corridor>,
    pub(crate) call: ToolCall,
    pub(crate) asker: Arc<dyn Asker>,
    pub(crate) record: Arc<CallRecord>,
    pub(crate) deadline: Deadline,
    pub(crate) hold: Hold,
}

impl Gatekeeper for Passage {
    fn judge<'a>(&'a self, intent: &'a Intent) -> BoxFuture<'a, Result<Turn, ToolError>> {
        Box::pin(async move {
            self.hold.take(Held { turn: true, place: false }).await?;
            self.permit(intent, Look::Second).await?;
            self.hold.turn().await
        })
    }
}

/// What the gate said to one intent, and what follows.
enum Said {
    Go,
    Stop(ToolError),
    Ask(Box<Question>, Objection),
}

impl Passage {
    /// Leave to go on with this intent, and its record on disk before anything changes.
    pub(crate) async fn permit(&self, intent: &Intent, look: Look) -> Result<(), ToolError> {
        let mut asked: Option<Judged> = None;
        for _ in 0..=ROUNDS {
            let (mut judged, said) = self.judge_once(intent, look).await;
            if let Some(asked) = &asked {
                // For the record it is the question that counts, also where its answer is a rule by now.
                if !matches!(said, Said::Stop(_)) {
                    (judged.verdict, judged.rule) = (asked.verdict, asked.rule.clone());
                }
                if look == Look::Second && asked.facts.paths != judged.facts.paths {
                    self.record.note(judged).await;
                    return Err(changed_meanwhile());
                }
            }
            match said {
                Said::Go => {
                    self.record.note(judged).await;
                    return self.write_ahead(intent).await;
                }
                Said::Stop(error) => {
                    self.record.note(judged).await;
                    return Err(error);
                }
                Said::Ask(question, objection) => match self.ask(*question, objection, &judged).await {
                    Ok(()) => asked = Some(judged),
                    Err(error) => {
                        self.record.note(judged).await;
                        return Err(error);
                    }
                },
            }
        }
        Err(changed_meanwhile())
    }

    async fn write_ahead(&self, intent: &Intent) -> Result<(), ToolError> {
        if intent.effect < Effect::Write {
            return Ok(());
        }
        self.record.commit_intent().await.map_err(|error| {
            refused(Refusal {
                error: RefusalCode::RuleFailed,
                tool: self.call.tool.clone(),
                skill: None,
                current_phase: None,
                rule: "audit".into(),
                reason: format!("nothing is changed that cannot be recorded: {error}"),
                recovery: "ask the person you work for to make room for bowline's audit log".into(),
            })
        })
    }

    /// Asks the gate.
    async fn judge_once(&self, intent: &Intent, look: Look) -> (Judged, Said) {
        let (corridor, call) = (&self.corridor, &self.call);
        let facts = corridor.gather(call, intent).await;
        let definition = corridor.registry().definition(&call.tool);
        let ledger = match corridor.known(&call.conversation).await {
            Ok(ledger) => ledger,
            Err(error) => {
                let judged = Judged::by_nobody(learn::RULE, intent.clone(), facts);
                return (judged, Said::Stop(refused(learn::unknown_past(&call.tool, &error))));
            }
        };
        let asked = Asked { definition, ..Asked::new(&ledger, call, intent, &facts) };
        let Judgement { verdict, objections, warnings, offer, stand } = corridor.gate.before(&asked);
        for objection in self.record.unheard(&objections) {
            corridor.object(call, &objection);
        }
        let mut judged = Judged {
            verdict: verdict.word(),
            rule: verdict.rule().to_owned(),
            intent: intent.clone(),
            facts,
            objections,
            warnings,
            stand: Some(stand),
            written_ahead: false,
        };
        let said = match verdict {
            Verdict::Allow { .. } | Verdict::Warn(_) => Said::Go,
            Verdict::Refuse(objection) => Said::Stop(refused(objection.refuse(&call.tool))),
            // Nothing is written before the second look, which knows the files: the person is asked about those.
            Verdict::Ask(_) if look == Look::First && writes_unknown_files(intent) => {
                judged.verdict = "postponed";
                Said::Go
            }
            Verdict::Ask(objection) => {
                let question = Question {
                    tool: call.tool.clone(),
                    effect: intent.effect,
                    arguments: call.arguments.clone(),
                    rule: objection.rule.clone(),
                    reason: objection.reason.clone(),
                    recovery: objection.recovery.clone(),
                    about: touched(intent, &judged.facts),
                    offer,
                    definition: definition.map(str::to_owned),
                    always: None,
                };
                // Nobody is asked twice about the same.
                if self.record.has_consent(&question.digest(), intent, &judged.facts) {
                    Said::Go
                } else {
                    Said::Ask(Box::new(question), objection)
                }
            }
        };
        (judged, said)
    }

    /// Asks the person. `Ok` is a yes, and is remembered for as long as it was given.
    async fn ask(&self, question: Question, objection: Objection, judged: &Judged) -> Result<(), ToolError> {
        let question = Question { always: self.propose(&question, judged).await, ..question };
        let digest = question.digest();
        self.record.asking(digest.clone(), judged.clone());
        let answered = self.put(&question).await;
        let tool = &self.call.tool;
        let (word, reply) = match answered {
            Some(Answered::Yes(lasting)) => {
                let word = self.remember(&question, lasting).await;
                self.record.answered(&digest, word, true);
                return Ok(());
            }
            Some(Answered::No) => (
                "no",
                refused(Refusal {
                    error: RefusalCode::Denied,
                    reason: "the person who was asked said no".into(),
                    recovery: "do not try it again in this form; ask what to do instead".into(),
                    ..objection.refuse(tool)
                }),
            ),
            Some(Answered::CannotAsk) => ("nobody", refused(objection.refuse(tool))),
            Some(Answered::Later) => ("later", ToolError::Asking(Box::new(question))),
            None => {
                let seconds = self.patience().as_secs_f32();
                let reason = format!("{}; nobody answered within {seconds} s", objection.reason);
                let recovery = "call again when somebody is there to be asked".into();
                ("nobody", refused(Refusal { reason, recovery, ..objection.refuse(tool) }))
            }
        };
        self.record.answered(&digest, word, false);
        Err(reply)
    }

    /// Puts the question, and waits for the answer without holding anybody up. `None` if none came.
    async fn put(&self, question: &Question) -> Option<Answered> {
        let held = {
            let _standing_still = self.deadline.pause();
            let held = self.hold.let_go().await;
            let asking = self.asker.ask(question.clone());
            match tokio::time::timeout(self.patience(), asking).await {
                Ok(Answered::Yes(lasting)) => (held, lasting),
                Ok(other) => return Some(other),
                Err(_) => return None,
            }
        };
        let (held, lasting) = held;
        // Whoever is shutting down runs nothing any more.
        self.hold.take(held).await.is_ok().then_some(Answered::Yes(lasting))
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(self.corridor.options.ask_timeout_ms)
    }

    /// What would be written with a yes for ever.
    async fn propose(&self, question: &Question, judged: &Judged) -> Option<Proposal> {
        // An entry that asks would ask again: what is written for ever answers for what nobody has written a rule.
        if question.rule.contains(" ask `") {
            return None;
        }
        let memory = Arc::clone(self.corridor.memory()?);
        let wish = Wish {
            tool: question.tool.clone(),
            entries: question.offer.clone()?,
            definition: question.definition.clone(),
            at: judged.facts.now,
        };
        let proposed = tokio::task::spawn_blocking(move || memory.propose(&wish)).await.ok()?;
        proposed.inspect_err(|why| tracing::debug!("an answer could not be remembered for ever: {why}")).ok()
    }

    /// Remembers a yes, and says for how long it was in the end.
    async fn remember(&self, question: &Question, lasting: Lasting) -> &'static str {
        let Some(entries) = question.offer.clone().filter(|_| lasting != Lasting::Once) else {
            return Lasting::Once.word();
        };
        if lasting == Lasting::Always
            && let Err(why) = self.keep(question.always.clone()).await
        {
            self.record
                .tell(format!("Your yes counts for this call alone, and could not be remembered: {why}"));
            return Lasting::Once.word();
        }
        let rule = Some(question.rule.clone());
        let grant = Grant { entries, definition: question.definition.clone(), rule };
        // What is written for ever counts in this conversation at once.
        let conversation = self.call.conversation.clone();
        let add = move |corridor: &Corridor| {
            corridor.ledgers.with(&conversation, |ledger| ledger.grants_mut().add(grant))
        };
        match self.corridor.at_the_ledgers(add).await {
            Err(why) if lasting == Lasting::Conversation => {
                self.record
                    .tell(format!("Your yes counts for this call alone, and could not be remembered: {why}"));
                Lasting::Once.word()
            }
            _ => lasting.word(),
        }
    }

    async fn keep(&self, proposal: Option<Proposal>) -> Result<(), String> {
        let memory: Option<Arc<dyn Memory>> = self.corridor.memory().cloned();
        let (memory, proposal) = memory.zip(proposal).ok_or("there is no file to remember it in")?;
        let kept = tokio::task::spawn_blocking(move || memory.keep(&proposal)).await;
        kept.map_err(|_| "writing it failed unexpectedly")?
    }
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

fn changed_meanwhile() -> ToolError {
    ToolError::failed("what it is about was changed by somebody else while a person was asked")
        .hint("make the call again: it is looked at as things are now")
}

fn refused(refusal: Refusal) -> ToolError {
    ToolError::Refused(Box::new(refusal))
}
