//! What running calls want changed: the ledger is that of the calls that succeeded, in the order in which they ended.

use bowline_call::{CallId, ConversationId, ToolError};
use bowline_gate::{AllowedToolsMode, By, Guidance, KnownTools, Ledger, Ledgers, Loading, Running};
use bowline_skills::{AllowedEntry, AllowedTools, Scope};
use proptest::prelude::*;

use super::{entry, skill};

/// What a call may want.
#[derive(Debug, Clone, Copy)]
enum Wish {
    Activate(u8),
    Deactivate,
    Load(u8),
}

impl Wish {
    fn come_true(self, call: CallId, ledger: &mut Ledger) -> Result<(), ToolError> {
        let by = By { call, tool: "test" };
        match self {
            Self::Activate(number) => ledger
                .activate(by, skill(&format!("skill-{number}")))
                .map_err(|error| ToolError::bad_arguments(error.to_string())),
            Self::Deactivate => {
                ledger.deactivate(by);
                Ok(())
            }
            Self::Load(number) => {
                let tool = format!("tool_{number}");
                let allowed =
                    AllowedTools { raw: tool.clone(), entries: vec![AllowedEntry { tool, scope: None }] };
                let loading = Loading { skill: "loaded", scope: Scope::User, allowed: Some(&allowed) };
                let guidance = Guidance { allowed_tools: AllowedToolsMode::Fence, ..Guidance::default() };
                ledger.load(by, loading, guidance, &KnownTools::new([])).unwrap();
                Ok(())
            }
        }
    }
}

/// What happens to one of four calls that run at once.
#[derive(Debug, Clone, Copy)]
enum Step {
    Want(usize, Wish),
    /// It ends, well or not; another takes its place.
    End(usize, bool),
    /// Nobody waits for it any more.
    Abandon(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wish = prop_oneof![
        2 => (0..3_u8).prop_map(Wish::Activate),
        1 => Just(Wish::Deactivate),
        1 => (0..3_u8).prop_map(Wish::Load),
    ];
    let step = prop_oneof![
        4 => (0..4_usize, wish).prop_map(|(call, wish)| Step::Want(call, wish)),
        3 => (0..4_usize, any::<bool>()).prop_map(|(call, well)| Step::End(call, well)),
        1 => (0..4_usize).prop_map(Step::Abandon),
    ];
    prop::collection::vec(step, 0..40)
}

struct Call {
    id: CallId,
    running: Running,
    /// For those who do one thing after the other.
    wishes: Vec<Wish>,
}

impl Call {
    fn begin(ledgers: &Ledgers) -> Self {
        let id = CallId::fresh();
        Self { id, running: ledgers.begin(id), wishes: Vec::new() }
    }
}

/// The same, by somebody who lets one call run at a time: when it ends, if it ends well.
fn alone(ledger: &mut Ledger, call: CallId, wishes: &[Wish]) -> bool {
    let mut changed = ledger.clone();
    let came_true = wishes.iter().all(|wish| wish.come_true(call, &mut changed).is_ok());
    if came_true {
        *ledger = changed;
    }
    came_true
}

proptest! {
    #[test]
    fn calls_that_run_at_once_are_as_calls_one_after_the_other(steps in steps()) {
        let (ledgers, talk) = (Ledgers::default(), ConversationId::new("talk"));
        let mut calls: Vec<Call> = (0..4).map(|_| Call::begin(&ledgers)).collect();
        let mut model = Ledger::default();
        for step in steps {
            match step {
                Step::Want(number, wish) => {
                    let call = &mut calls[number];
                    let id = call.id;
                    let wanted = ledgers.stage(&talk, id, move |ledger| wish.come_true(id, ledger));
                    // What it hears is what would come of it now.
                    let mut now = model.clone();
                    call.wishes.push(wish);
                    prop_assert_eq!(wanted.is_ok(), alone(&mut now, id, &call.wishes));
                    if wanted.is_err() {
                        call.wishes.pop();
                    }
                }
                Step::End(number, well) => {
                    let call = std::mem::replace(&mut calls[number], Call::begin(&ledgers));
                    let (entry, changes) = (entry("test"), call.running.end());
                    let ended = ledgers.with(&talk, |ledger| {
                        let changed = !well || changes.apply(ledger).is_ok();
                        ledger.append(entry.clone());
                        changed
                    });
                    let expected = !well || alone(&mut model, call.id, &call.wishes);
                    model.append(entry);
                    prop_assert_eq!(ended, Ok(expected));
                }
                Step::Abandon(number) => drop(std::mem::replace(&mut calls[number], Call::begin(&ledgers))),
            }
            prop_assert_eq!(&*ledgers.known(&talk), &model);
        }
        let news = |ledger: &mut Ledger| ledger.take_news().into_iter().map(|news| (news.call, news.notice)).collect::<Vec<_>>();
        prop_assert_eq!(ledgers.with(&talk, news).unwrap(), news(&mut model));
    }
}

#[test]
fn a_wish_of_a_call_that_is_over_is_not_heard() {
    let (ledgers, talk) = (Ledgers::default(), ConversationId::new("talk"));
    let call = CallId::fresh();
    let activate = |ledger: &mut Ledger| Wish::Activate(1).come_true(CallId::fresh(), ledger);
    assert_eq!(ledgers.stage(&talk, call, activate), Err(ToolError::Cancelled), "it has not begun");
    let running = ledgers.begin(call);
    ledgers.stage(&talk, call, activate).unwrap();
    assert!(ledgers.known(&talk).active().is_none(), "not before it has ended");
    let changes = running.end();
    assert_eq!(ledgers.stage(&talk, call, activate), Err(ToolError::Cancelled));
    ledgers.with(&talk, |ledger| changes.apply(ledger)).unwrap().unwrap();
    assert_eq!(ledgers.known(&talk).active().unwrap().skill, "skill-1");
}

#[test]
fn of_two_that_do_not_go_together_the_one_that_ends_first_wins_and_the_other_fails_whole() {
    let (ledgers, talk) = (Ledgers::default(), ConversationId::new("talk"));
    let calls = [CallId::fresh(), CallId::fresh()];
    let running = calls.map(|call| ledgers.begin(call));
    for (number, call) in (0..).zip(calls) {
        for wish in [Wish::Load(number), Wish::Activate(number)] {
            ledgers.stage(&talk, call, move |ledger| wish.come_true(call, ledger)).unwrap();
        }
    }
    let [first, second] = running.map(Running::end);
    ledgers.with(&talk, |ledger| second.apply(ledger)).unwrap().unwrap();
    let after_one = ledgers.known(&talk);
    let conflict = ledgers.with(&talk, |ledger| first.apply(ledger)).unwrap().unwrap_err();
    assert_eq!(
        conflict.to_string(),
        "bad arguments: skill \"skill-1\" is already active; call deactivate_skill first"
    );
    assert_eq!(ledgers.known(&talk), after_one, "its fence does not stand either");
}
