//! Between the corridor and the ledgers: what is known before a call, and what is learned when it is over.
//!
//! Ledgers that are kept lie in a database, and whoever asks may have to wait for it. That is done on threads that may.

use std::sync::{Arc, PoisonError};

use bowline_call::{AnyAnswer, ConversationId, Refusal, RefusalCode, ToolCall, ToolError, ToolIdentity};
use bowline_gate::{Advice, Changes, Happened, Ledger, LedgerUnavailable, Watched};
use serde_json::Value;

use crate::Corridor;
use crate::record::Judged;

/// The rule that stands in the way when nobody can tell what happened so far.
pub(crate) const RULE: &str = "ledger";

/// A call that is over, and what there is to learn of it.
pub(crate) struct Lesson {
    call: ToolCall,
    judged: Vec<Judged>,
    /// What it answered, if it succeeded.
    answer: Option<Value>,
    changes: Changes,
    /// What providers of feedback want to know. Advice that comes too late is not given.
    watched: Option<Watched>,
}

/// What is done with a lesson: whether its changes went through, and the advice that came due.
type Learned = (Result<(), ToolError>, Advice);

impl Corridor {
    /// What happened so far in a conversation, whoever did it.
    pub(crate) async fn known(
        self: &Arc<Self>,
        conversation: &ConversationId,
    ) -> Result<Arc<Ledger>, LedgerUnavailable> {
        if self.ledgers.is_kept() {
            let conversation = conversation.clone();
            let refresh = move |corridor: &Self| {
                corridor.catch_up(&conversation)?;
                corridor.ledgers.refresh(&conversation)
            };
            self.at_the_ledgers(refresh).await?;
        }
        Ok(self.ledgers.known(conversation))
    }

    /// Does work with ledgers where it may wait, if it must.
    pub(crate) async fn at_the_ledgers<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, LedgerUnavailable> + Send + 'static,
    ) -> Result<T, LedgerUnavailable> {
        if !self.ledgers.is_kept() {
            return work(self);
        }
        let corridor = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&corridor)).await;
        done.unwrap_or_else(|_| Err(LedgerUnavailable::new("somebody stumbled over it")))
    }

    /// What a call wanted changed happens now if it has succeeded, and all rules learn of it. The answer is the caller's: a call
    /// whose changes do not go with what others have done meanwhile has failed after all.
    pub(crate) async fn learn(
        self: &Arc<Self>,
        call: &ToolCall,
        judged: &[Judged],
        changes: Changes,
        reply: Result<AnyAnswer, ToolError>,
    ) -> (Result<AnyAnswer, ToolError>, Advice) {
        // One who was sent away because nobody knew anything leaves nothing to learn.
        if judged.first().is_some_and(|first| first.stand.is_none()) {
            return (reply, Advice::default());
        }
        let lesson = Lesson {
            call: call.clone(),
            judged: judged.to_vec(),
            answer: reply.as_ref().ok().map(|answer| answer.payload.clone()),
            changes: changes.clone(),
            watched: self.watch().await,
        };
        let learned = self.at_the_ledgers(move |corridor| corridor.learn_kept(lesson)).await;
        let (learned, advice) = match learned {
            Ok((changed, advice)) => (Ok(changed), advice),
            Err(error) => (Err(error), Advice::default()),
        };
        let reply = match learned {
            Ok(Ok(())) => reply,
            Ok(Err(conflict)) => reply.and(Err(conflict)),
            Err(error) if !changes.is_empty() => reply.and(Err(ToolError::failed(error.to_string())
                .hint("nothing was changed by this call; ask the person you work for to look at it"))),
            Err(error) => {
                tracing::error!(call = %call.id, %error, "a call could not be remembered");
                let warning = format!("this call could not be remembered: {error}");
                reply.map(|mut answer| {
                    answer.warnings.push(warning);
                    answer
                })
            }
        };
        (reply, advice)
    }

    /// Blocks on the disk.
    fn learn_kept(&self, lesson: Lesson) -> Result<Learned, LedgerUnavailable> {
        let learned = self.catch_up(&lesson.call.conversation).and_then(|()| self.learn_one(&lesson));
        let ran = lesson.judged.iter().any(|judged| judged.verdict != "refuse");
        if learned.is_err() && ran {
            // Its caller hears that nothing of it was changed, so it is learned as a call that failed.
            let lesson = match lesson.changes.is_empty() {
                true => lesson,
                false => Lesson { answer: None, changes: Changes::default(), ..lesson },
            };
            let late = Lesson { watched: None, ..lesson };
            self.unlearned.lock().unwrap_or_else(PoisonError::into_inner).push(late);
        }
        learned
    }

    /// What could not be learned when it happened is learned before anything else is judged. Blocks on the disk.
    fn catch_up(&self, conversation: &ConversationId) -> Result<(), LedgerUnavailable> {
        // Held all the while: nobody is to be judged by what is about to be learned.
        let mut unlearned = self.unlearned.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(index) = unlearned.iter().position(|lesson| lesson.call.conversation == *conversation)
        {
            let _ = self.learn_one(&unlearned[index])?;
            unlearned.remove(index);
        }
        Ok(())
    }

    fn learn_one(&self, lesson: &Lesson) -> Result<Learned, LedgerUnavailable> {
        let call = &lesson.call;
        let (news, changed, advice) = self.ledgers.with(&call.conversation, |ledger| {
            let changed = self.teach(ledger, lesson);
            let advice = self.advise(ledger, lesson.watched.as_ref());
            (ledger.take_news(), changed, advice)
        })?;
        self.tell(call, news);
        Ok((changed, advice))
    }

    fn teach(&self, ledger: &mut Ledger, lesson: &Lesson) -> Result<(), ToolError> {
        let Lesson { call, judged, answer, changes, .. } = lesson;
        let answer = answer.as_ref();
        let changed = if answer.is_some() { changes.apply(ledger) } else { Ok(()) };
        if let Some((first, later)) = judged.split_first() {
            // What it turned out to do counts as much as what it said.
            let (mut intent, mut facts) = (first.intent.clone(), first.facts.clone());
            for more in later {
                intent.effect = intent.effect.max(more.intent.effect);
                facts.paths.extend(more.facts.paths.iter().cloned());
                facts.after.extend(more.facts.after.iter().cloned());
            }
            let tool = ToolIdentity::of(&call.tool);
            let happened = Happened {
                call,
                tool: &tool,
                intent: &intent,
                facts: &facts,
                answer: answer.filter(|_| changed.is_ok()),
                stand: first.stand.unwrap_or_default(),
            };
            self.gate.after(ledger, &happened);
        } else {
            ledger.miscalled(&call.tool, self.facts.now());
        }
        changed
    }
}

/// Nothing runs in a conversation whose past nobody knows: there may be a rule in it.
pub(crate) fn unknown_past(tool: &str, error: &LedgerUnavailable) -> Refusal {
    Refusal {
        error: RefusalCode::RuleFailed,
        tool: tool.to_owned(),
        skill: None,
        current_phase: None,
        rule: RULE.into(),
        reason: error.to_string(),
        recovery: "ask the person you work for to look at what the reason names; nothing runs in this conversation until then"
            .into(),
    }
}
