//! What calls leave in the ledger, however they end; and what becomes of them where nobody can tell what happened so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bowline_audit::Audit;
use bowline_call::{
    Answer, AnyAnswer, CallContext, CallId, Caller, ConversationId, Effect, Intent, Origin, Registry, Tool,
    ToolCall, ToolError, erase,
};
use bowline_dispatch::{Corridor, FactFinder, Options};
use bowline_gate::{
    Gate, Grant, KeptLedger, LedgerFound, LedgerMark, LedgerStore, LedgerUnavailable, LedgerWork, Ledgers,
    Roots,
};
use bowline_std::clock::SystemClock;
use bowline_testkit::Fixture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Wants something, and ends as it is told.
#[derive(Debug, Deserialize, JsonSchema)]
struct WishArgs {
    wish: Option<String>,
    end: String,
}

struct Wisher {
    ledgers: Ledgers,
    store: Arc<Paper>,
    started: Arc<Notify>,
    release: Arc<Notify>,
}

impl Tool for Wisher {
    type Args = WishArgs;
    type Output = Value;
    const NAME: &'static str = "wisher";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &WishArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(&self, args: WishArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        if let Some(wish) = args.wish {
            let grant = Grant { entries: vec![wish], definition: None, rule: None };
            self.ledgers.stage(cx.conversation(), cx.id(), move |ledger| {
                if ledger.grants().iter().any(|known| *known == grant) {
                    return Err(ToolError::failed("somebody else was faster"));
                }
                ledger.grants_mut().add(grant.clone());
                Ok(())
            })?;
        }
        self.started.notify_one();
        match args.end.as_str() {
            "fail" => Err(ToolError::failed("it went wrong")),
            "panic" => panic!("on purpose"),
            "hang" => std::future::pending().await,
            "wait" => {
                self.release.notified().await;
                Ok(Answer::new(json!("waited")))
            }
            "break" => {
                self.store.broken.store(true, Ordering::Relaxed);
                Ok(Answer::new(json!("broken")))
            }
            _ => Ok(Answer::new(json!("well"))),
        }
    }
}

/// One conversation, on a paper that may be lost.
#[derive(Default)]
struct Paper {
    kept: Mutex<Option<KeptLedger>>,
    broken: AtomicBool,
}

impl Paper {
    fn find(
        &self,
        kept: Option<&KeptLedger>,
        known: Option<LedgerMark>,
    ) -> Result<LedgerFound, LedgerUnavailable> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(LedgerUnavailable::new("the paper is lost"));
        }
        Ok(match kept {
            None => LedgerFound::Nothing,
            Some(kept) if known == Some(kept.mark) => LedgerFound::Same,
            Some(kept) => LedgerFound::Other(kept.clone()),
        })
    }
}

impl LedgerStore for Paper {
    fn read(&self, _: &ConversationId, known: Option<LedgerMark>) -> Result<LedgerFound, LedgerUnavailable> {
        self.find(self.kept.lock().unwrap().as_ref(), known)
    }

    fn change(
        &self,
        _: &ConversationId,
        known: Option<LedgerMark>,
        work: &mut LedgerWork<'_>,
    ) -> Result<Option<LedgerMark>, LedgerUnavailable> {
        let mut kept = self.kept.lock().unwrap();
        let found = self.find(kept.as_ref(), known)?;
        if let Some(new) = work(found)? {
            let old = kept.as_ref().map_or(LedgerMark { row: 1, version: 0, calls: 0 }, |kept| kept.mark);
            let calls = old.calls + new.log.len() as u64;
            let mark = LedgerMark { version: old.version + 1, calls, ..old };
            *kept = Some(KeptLedger { mark, state: new.state, log: new.log });
        }
        Ok(kept.as_ref().map(|kept| kept.mark))
    }
}

struct House {
    corridor: Arc<Corridor>,
    ledgers: Ledgers,
    store: Arc<Paper>,
    started: Arc<Notify>,
    release: Arc<Notify>,
    _fixture: Fixture,
}

/// Where ledgers are.
#[derive(Debug, Clone, Copy)]
enum Memory {
    Own,
    Shared,
}

impl House {
    fn new(memory: Memory) -> Self {
        let fixture = Fixture::new("//- /a.rs\n");
        let store = Arc::new(Paper::default());
        let ledgers = match memory {
            Memory::Own => Ledgers::default(),
            Memory::Shared => Ledgers::kept(Arc::clone(&store) as Arc<dyn LedgerStore>),
        };
        let (started, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let wisher = Wisher {
            ledgers: ledgers.clone(),
            store: Arc::clone(&store),
            started: Arc::clone(&started),
            release: Arc::clone(&release),
        };
        let audit =
            Audit::open(bowline_audit::Options::at(fixture.path("audit.jsonl")), Arc::new(SystemClock));
        let corridor = Corridor::new(
            Registry::new(vec![erase(wisher)]).unwrap(),
            (Gate::new(vec![Box::new(Roots::default())]), ledgers.clone()),
            audit,
            FactFinder::new(vec![fixture.root().to_owned()], Arc::new(SystemClock)),
            Options::default(),
        );
        Self { corridor, ledgers, store, started, release, _fixture: fixture }
    }

    async fn call(&self, wish: Option<&str>, end: &str) -> Result<AnyAnswer, ToolError> {
        self.call_as(Caller::default(), wish, end).await
    }

    async fn call_as(&self, caller: Caller, wish: Option<&str>, end: &str) -> Result<AnyAnswer, ToolError> {
        let call = ToolCall {
            id: CallId::fresh(),
            conversation: talk(),
            origin: Origin::Cli,
            tool: "wisher".into(),
            arguments: json!({"wish": wish, "end": end}),
            cwd: None,
            server: None,
        };
        self.corridor.call(call, caller).await.result
    }

    /// What came true, and how many calls are remembered.
    fn remembered(&self) -> (Vec<String>, u64) {
        let ledger = self.ledgers.known(&talk());
        (ledger.grants().iter().flat_map(|grant| grant.entries.clone()).collect(), ledger.calls())
    }
}

fn talk() -> ConversationId {
    ConversationId::new("talk")
}

fn came(wishes: &[&str], calls: u64) -> (Vec<String>, u64) {
    (wishes.iter().map(|wish| (*wish).to_owned()).collect(), calls)
}

#[tokio::test]
async fn a_call_that_fails_in_whatever_way_leaves_no_wish_and_takes_none_of_others_along() {
    for memory in [Memory::Own, Memory::Shared] {
        let house = House::new(memory);
        house.call(Some("first"), "well").await.unwrap();
        house.call(Some("by failing"), "fail").await.unwrap_err();
        house.call(Some("by panicking"), "panic").await.unwrap_err();
        let hasty = Caller { patience: Some(Duration::from_millis(3)), ..Caller::default() };
        house.call_as(hasty, Some("too late"), "hang").await.unwrap_err();
        let caller = Caller::default();
        let cancellation = caller.cancellation.clone();
        let cancel = async {
            house.started.notified().await;
            // Others go on meanwhile, and what they do stays.
            house.call(Some("second"), "well").await.unwrap();
            cancellation.cancel();
        };
        house.started.notified().await;
        let (ended, ()) = tokio::join!(house.call_as(caller, Some("cancelled"), "hang"), cancel);
        assert_eq!(ended.unwrap_err(), ToolError::Cancelled);
        assert_eq!(house.remembered(), came(&["first", "second"], 6), "{memory:?}");
    }
}

#[tokio::test]
async fn a_caller_who_walks_away_takes_the_wish_along() {
    let house = House::new(Memory::Own);
    tokio::select! {
        _ = house.call(Some("gone"), "hang") => panic!("it hangs"),
        () = house.started.notified() => {}
    }
    house.call(None, "well").await.unwrap();
    assert_eq!(house.remembered(), came(&[], 1));
}

#[tokio::test]
async fn of_two_calls_with_one_wish_the_later_fails_although_it_did_not_know() {
    for memory in [Memory::Own, Memory::Shared] {
        let house = House::new(memory);
        let overtake = async {
            house.started.notified().await;
            house.call(Some("one"), "well").await.unwrap();
            house.release.notify_one();
        };
        let (ended, ()) = tokio::join!(house.call(Some("one"), "wait"), overtake);
        assert_eq!(ended.unwrap_err().to_string(), "failed: somebody else was faster");
        let ledger = house.ledgers.known(&talk());
        assert_eq!(ledger.recent().map(|entry| entry.success).collect::<Vec<_>>(), [true, false]);
    }
}

#[tokio::test]
async fn nothing_runs_where_nobody_knows_what_happened_so_far() {
    let house = House::new(Memory::Shared);
    house.call(Some("first"), "well").await.unwrap();
    house.started.notified().await;
    house.store.broken.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        let refused = house.call(None, "well").await.unwrap_err();
        let ToolError::Refused(refusal) = refused else { panic!("{refused:?}") };
        let refusal = serde_json::to_value(*refusal).unwrap();
        assert_eq!((&refusal["error"], &refusal["rule"]), (&json!("TOOL_POLICY_ERROR"), &json!("ledger")));
        assert_eq!(
            refusal["reason"],
            "what happened so far in this conversation cannot be read or written: the paper is lost"
        );
        assert!(refusal["recovery"].as_str().unwrap().contains("ask the person you work for"));
    }
    let ran = tokio::time::timeout(Duration::ZERO, house.started.notified()).await;
    assert!(ran.is_err(), "no handler was called");
    house.store.broken.store(false, Ordering::Relaxed);
    house.call(None, "well").await.unwrap();
    assert_eq!(house.remembered(), came(&["first"], 2));
}

#[tokio::test]
async fn what_could_not_be_remembered_is_learned_before_anything_else_is_let_in() {
    let house = House::new(Memory::Shared);
    let answer = house.call(None, "break").await.unwrap();
    assert!(answer.warnings[0].starts_with("this call could not be remembered: "), "{:?}", answer.warnings);
    assert!(matches!(house.call(None, "well").await, Err(ToolError::Refused(_))));
    house.store.broken.store(false, Ordering::Relaxed);
    house.call(None, "well").await.unwrap();
    assert_eq!(house.remembered(), came(&[], 2));
}

#[tokio::test]
async fn a_wish_that_could_not_be_written_down_did_not_come_true_and_the_caller_hears_it() {
    let house = House::new(Memory::Shared);
    let error = house.call(Some("lost"), "break").await.unwrap_err();
    assert!(error.to_string().contains("the paper is lost"), "{error}");
    house.store.broken.store(false, Ordering::Relaxed);
    house.call(Some("found"), "well").await.unwrap();
    assert_eq!(house.remembered(), came(&["found"], 2));
    let ledger = house.ledgers.known(&talk());
    assert_eq!(ledger.recent().map(|entry| entry.success).collect::<Vec<_>>(), [false, true]);
}
