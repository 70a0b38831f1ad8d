//! Several processes in one conversation, with a store that is a map.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bowline_call::ConversationId;
use bowline_gate::{
    KeptLedger, Ledger, LedgerFound, LedgerMark, LedgerStore, LedgerUnavailable, LedgerWork, Ledgers,
    RECENT_CALLS,
};

use super::{by, entry, grant, skill};

#[derive(Default)]
struct Map {
    kept: Mutex<HashMap<String, KeptLedger>>,
    rows: AtomicUsize,
    written: AtomicUsize,
    shown: AtomicUsize,
    broken: AtomicBool,
}

impl Map {
    fn find(
        &self,
        kept: Option<&KeptLedger>,
        known: Option<LedgerMark>,
    ) -> Result<LedgerFound, LedgerUnavailable> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(LedgerUnavailable::new("the disk is upside down"));
        }
        Ok(match kept {
            None => LedgerFound::Nothing,
            Some(kept) if known == Some(kept.mark) => LedgerFound::Same,
            Some(kept) => {
                self.shown.fetch_add(1, Ordering::Relaxed);
                let seen = known.filter(|known| known.row == kept.mark.row).map_or(0, |known| known.calls);
                let new = usize::try_from(kept.mark.calls - seen).unwrap().min(RECENT_CALLS);
                let log = kept.log[kept.log.len() - new..].to_vec();
                LedgerFound::Other(KeptLedger { log, ..kept.clone() })
            }
        })
    }

    fn edit(&self, edit: impl FnOnce(&mut KeptLedger)) {
        let mut all = self.kept.lock().unwrap();
        let kept = all.get_mut("talk").unwrap();
        kept.mark.version += 1;
        edit(kept);
    }

    fn counts(&self) -> (usize, usize) {
        (self.written.load(Ordering::Relaxed), self.shown.load(Ordering::Relaxed))
    }
}

impl LedgerStore for Map {
    fn read(
        &self,
        conversation: &ConversationId,
        known: Option<LedgerMark>,
    ) -> Result<LedgerFound, LedgerUnavailable> {
        self.find(self.kept.lock().unwrap().get(conversation.as_str()), known)
    }

    fn change(
        &self,
        conversation: &ConversationId,
        known: Option<LedgerMark>,
        work: &mut LedgerWork<'_>,
    ) -> Result<Option<LedgerMark>, LedgerUnavailable> {
        let mut all = self.kept.lock().unwrap();
        let before = all.get(conversation.as_str()).cloned();
        let Some(new) = work(self.find(before.as_ref(), known)?)? else {
            return Ok(before.map(|kept| kept.mark));
        };
        self.written.fetch_add(1, Ordering::Relaxed);
        let fresh = || KeptLedger {
            mark: LedgerMark {
                row: i64::try_from(self.rows.fetch_add(1, Ordering::Relaxed)).unwrap(),
                version: 0,
                calls: 0,
            },
            state: String::new(),
            log: Vec::new(),
        };
        let mut kept = before.filter(|_| !new.cleared).unwrap_or_else(fresh);
        kept.mark.version += 1;
        kept.mark.calls += new.log.len() as u64;
        kept.log.extend(new.log);
        kept.state = new.state;
        let mark = kept.mark;
        all.insert(conversation.as_str().to_owned(), kept);
        Ok(Some(mark))
    }
}

fn talk() -> ConversationId {
    ConversationId::new("talk")
}

/// Two processes.
fn two() -> (Arc<Map>, Ledgers, Ledgers) {
    let map = Arc::new(Map::default());
    let process = || Ledgers::kept(Arc::clone(&map) as Arc<dyn LedgerStore>);
    (Arc::clone(&map), process(), process())
}

#[test]
fn what_one_does_the_other_sees_and_nothing_is_lost() {
    let (_, one, other) = two();
    one.with(&talk(), |ledger| ledger.activate(by(), skill("demo"))).unwrap().unwrap();
    other.with(&talk(), |ledger| ledger.grants_mut().add(grant("Bash(make:*)"))).unwrap();
    one.with(&talk(), |ledger| ledger.append(entry("first"))).unwrap();
    other.with(&talk(), |ledger| ledger.append(entry("second"))).unwrap();
    let seen = |ledger: &Ledger| {
        let tools: Vec<_> = ledger.recent().map(|entry| entry.tool.to_string()).collect();
        (ledger.active().unwrap().skill.clone(), ledger.grants().iter().count(), ledger.calls(), tools)
    };
    let expected = ("demo".to_owned(), 1, 2, vec!["first".to_owned(), "second".to_owned()]);
    assert_eq!(one.look(&talk(), seen).unwrap(), expected);
    assert_eq!(other.look(&talk(), seen).unwrap(), expected);
    assert_eq!(one.known(&talk()), other.known(&talk()));
    let taken = other.with(&talk(), |ledger| ledger.activate(by(), skill("another"))).unwrap();
    assert!(taken.is_err());
}

#[test]
fn who_looks_writes_nothing_and_reads_only_what_is_new() {
    let (map, one, other) = two();
    one.with(&talk(), |ledger| ledger.append(entry("first"))).unwrap();
    for _ in 0..3 {
        one.look(&talk(), |_| ()).unwrap();
        other.look(&talk(), |_| ()).unwrap();
    }
    assert_eq!(map.counts(), (1, 1));
    // Neither does one who might have changed something, and has not.
    other.with(&talk(), Ledger::take_news).unwrap();
    assert_eq!(map.counts(), (1, 1));
}

#[test]
fn a_fresh_process_takes_up_only_the_end_of_a_long_log() {
    let (map, one, other) = two();
    for number in 0..RECENT_CALLS + 50 {
        one.with(&talk(), |ledger| ledger.append(entry(&format!("tool_{number}")))).unwrap();
    }
    assert_eq!(other.look(&talk(), Ledger::clone).unwrap(), *one.known(&talk()));
    assert_eq!(map.counts().1, 1);
    // And one that was away for long.
    for number in 0..RECENT_CALLS + 50 {
        one.with(&talk(), |ledger| ledger.append(entry(&format!("later_{number}")))).unwrap();
    }
    assert_eq!(other.look(&talk(), Ledger::clone).unwrap(), *one.known(&talk()));
}

#[test]
fn a_reset_is_seen_by_all_and_the_old_calls_do_not_come_back() {
    let (map, one, other) = two();
    for ledgers in [&one, &other, &one] {
        ledgers.with(&talk(), |ledger| ledger.append(entry("old"))).unwrap();
    }
    one.reset(&talk()).unwrap();
    for _ in 0..4 {
        one.with(&talk(), |ledger| ledger.append(entry("new"))).unwrap();
    }
    let seen =
        other.look(&talk(), |ledger| ledger.recent().map(|entry| entry.tool.to_string()).collect::<Vec<_>>());
    assert_eq!(seen.unwrap(), ["new", "new", "new", "new"]);
    // Somebody threw it away, as happens to old ones.
    map.kept.lock().unwrap().clear();
    assert_eq!(one.look(&talk(), Ledger::clone).unwrap(), Ledger::default());
}

#[test]
fn what_cannot_be_read_or_written_is_an_error_and_changes_nothing() {
    let (map, one, other) = two();
    one.with(&talk(), |ledger| ledger.activate(by(), skill("demo"))).unwrap().unwrap();
    map.broken.store(true, Ordering::Relaxed);
    let told = "what happened so far in this conversation cannot be read or written: the disk is upside down";
    assert_eq!(one.look(&talk(), |_| ()).unwrap_err().to_string(), told);
    assert_eq!(one.with(&talk(), |ledger| ledger.deactivate(by())).unwrap_err().to_string(), told);
    assert!(one.known(&talk()).active().is_some());
    map.broken.store(false, Ordering::Relaxed);
    assert!(one.look(&talk(), |ledger| ledger.active().is_some()).unwrap());

    map.edit(|kept| kept.state = kept.state.replace("\"version\":1", "\"version\":7"));
    for ledgers in [&one, &other] {
        let error = ledgers.look(&talk(), |_| ()).unwrap_err().to_string();
        assert!(error.contains("another version of bowline (form 7"), "{error}");
        assert!(ledgers.with(&talk(), |ledger| ledger.append(entry("x"))).is_err());
    }
    map.edit(|kept| kept.state = "{}".into());
    assert!(other.look(&talk(), |_| ()).unwrap_err().to_string().contains("no snapshot"));
}

#[test]
fn work_that_panics_leaves_what_was_there() {
    let (_, one, _) = two();
    one.with(&talk(), |ledger| ledger.append(entry("first"))).unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        one.with(&talk(), |ledger| {
            ledger.append(entry("half"));
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(one.known(&talk()).calls(), 1);
}
