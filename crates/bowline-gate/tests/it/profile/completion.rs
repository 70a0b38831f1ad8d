//! Completion: what is left is said, whatever cannot be known is not done, and nobody is held when time is up.

use bowline_gate::{
    Budget, CommandEnd, CommandNeed, CommandSucceeds, CompletionChecker, CompletionContext, CompletionResult,
    Composite, Deadline, FilesExist, Layer, Need, NothingToCheck, Plan, PlanChecker, Profile, RuleFailed,
    Step, StepStatus,
};
use std::sync::Arc;
use std::time::Duration;

use super::Talk;

fn plan(steps: &[(&str, StepStatus)]) -> Plan {
    let steps = steps.iter().map(|(title, status)| Step { title: (*title).into(), status: *status });
    Plan { steps: steps.collect(), explanation: None }
}

use StepStatus::{Done, InProgress, Pending};

#[test]
fn every_step_of_a_plan_must_be_done() {
    let mut talk = Talk::of(Profile::new("p").completion(PlanChecker));
    let none = "there is no plan yet: call update_plan with its steps";
    assert_eq!(talk.end(), none);
    talk.ledger.set_plan(plan(&[]));
    assert_eq!(talk.end(), none, "a plan without steps is none");
    talk.ledger.set_plan(plan(&[("a", Done), ("b", InProgress)]));
    assert_eq!(talk.end(), "1 of 2 steps of the plan is not done: `b`");
    talk.ledger.set_plan(plan(&[
        ("a", Pending),
        ("b", Pending),
        ("c", Pending),
        ("d", Pending),
        ("e", Done),
    ]));
    assert_eq!(talk.end(), "4 of 5 steps of the plan are not done: `a`, `b`, `c`, ...");
    talk.ledger.set_plan(plan(&[("a", Done), ("b", Done)]));
    assert_eq!(talk.end(), "complete");
}

#[test]
fn files_must_be_there() {
    let files = FilesExist::new(["a", "b", "c", "d"]).unwrap();
    let mut talk = Talk::of(Profile::new("p").completion(files));
    assert_eq!(talk.end(), "4 files are missing: `a`, `b`, `c`, ...", "what nobody looked for is not there");
    talk.file("a", true).file("b", true).file("c", true).file("d", false);
    assert_eq!(talk.end(), "a file is missing: `d`");
    assert_eq!(talk.file("d", true).end(), "complete");
    for bad in ["/etc/passwd", "../x", "", "~/x", "a/../../b"] {
        assert!(FilesExist::new([bad]).is_err(), "{bad}");
    }
}

#[test]
fn a_command_must_exit_with_0() {
    let need = CommandNeed { line: "make test".into(), timeout: Duration::from_secs(5) };
    let command = CommandSucceeds::new("make test", Duration::from_secs(5));
    assert_eq!(command.needs(), [Need::Command(need.clone())]);
    let mut talk = Talk::of(Profile::new("p").completion(command.clone()));
    assert_eq!(talk.end(), "whether it is complete could not be checked: nobody could run `make test`");
    let end = |well, tail: &str| CommandEnd { well, how: "exited with code 2".into(), tail: tail.into() };
    talk.files.add_command(need.clone(), end(false, "no rule"));
    assert_eq!(talk.end(), "`make test` exited with code 2:\nno rule");
    talk.files.add_command(need, end(true, ""));
    assert_eq!(talk.end(), "complete");
    let withheld = command.withheld("the project is not trusted");
    assert_eq!(withheld.needs(), []);
    talk = Talk::of(Profile::new("p").completion(withheld));
    assert_eq!(talk.end(), "`make test` was not run: the project is not trusted");
}

struct Says(Result<CompletionResult, &'static str>);

impl CompletionChecker for Says {
    fn check(&self, _context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
        self.0.clone().map_err(|why| RuleFailed(why.into()))
    }
}

fn ok() -> Arc<dyn CompletionChecker> {
    Arc::new(Says(Ok(CompletionResult::ok())))
}

fn left(what: &str) -> Arc<dyn CompletionChecker> {
    Arc::new(Says(Ok(CompletionResult::incomplete(what))))
}

#[test]
fn several_checks_are_all_asked() {
    let end = |checker: Composite| Talk::of(Profile::new("p").completion(checker)).end();
    let all = |checkers| end(Composite::all(checkers).unwrap());
    let any = |checkers| end(Composite::any(checkers).unwrap());
    assert_eq!(all(vec![ok(), ok()]), "complete");
    assert_eq!(all(vec![left("a"), ok(), left("b")]), "a\nb");
    assert_eq!(any(vec![left("a"), ok()]), "complete");
    assert_eq!(any(vec![left("a"), left("b")]), "a\nor: b");
    let failing: Arc<dyn CompletionChecker> = Arc::new(Says(Err("lost")));
    assert_eq!(all(vec![ok(), Arc::clone(&failing)]), "a checker failed: lost");
    assert_eq!(any(vec![failing, ok()]), "complete");
    let nested: Arc<dyn CompletionChecker> = Arc::new(Composite::any(vec![left("a"), ok()]).unwrap());
    assert_eq!(all(vec![nested, left("c")]), "c");
    assert_eq!(Composite::all(Vec::new()).err(), Some(NothingToCheck));
    assert_eq!(Composite::any(Vec::new()).err(), Some(NothingToCheck));
}

#[test]
fn a_checker_that_fails_or_says_nothing_is_not_content() {
    struct Panics;
    impl CompletionChecker for Panics {
        fn check(&self, _context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
            panic!("on purpose")
        }
    }
    assert_eq!(
        Talk::of(Profile::new("p").completion(Panics)).end(),
        "whether it is complete could not be checked: it panicked"
    );
    let silent = Says(Ok(CompletionResult { complete: false, feedback: None }));
    assert_eq!(Talk::of(Profile::new("p").completion(silent)).end(), "the task is not complete");
}

#[test]
fn without_a_checker_everybody_may_end() {
    assert_eq!(Talk::new(Vec::new()).end(), "complete");
    assert_eq!(Talk::of(Profile::new("p")).end(), "complete");
}

#[test]
fn nobody_is_held_when_time_or_budget_is_used_up() {
    let mut talk = Talk::of(
        Profile::new("p").completion(PlanChecker).deadline(Deadline::After(Duration::from_secs(10))),
    );
    talk.ends("x", true);
    assert!(talk.end().starts_with("there is no plan"));
    assert_eq!(talk.later(10).end(), "skipped (deadline)");
    assert!(talk.profiles.needs(&talk.ledger, talk.now).unwrap().is_empty());
    let budget = Budget { calls: Some(1), ..Budget::default() };
    let mut talk = Talk::of(Profile::new("p").completion(PlanChecker).budget(budget));
    talk.ends("x", true);
    assert_eq!(talk.end(), "skipped (budget)");
}

#[test]
fn a_project_cannot_excuse_anybody_from_what_the_user_asks() {
    let used_up = Budget { calls: Some(1), ..Budget::default() };
    let project = || Profile::new("team").of(Layer::Project).completion(FilesExist::new(["a"]).unwrap());
    let mut talk = Talk::new(vec![Profile::new("mine").completion(PlanChecker), project().budget(used_up)]);
    talk.ends("x", true);
    assert!(talk.end().starts_with("there is no plan yet"), "{}", talk.end());
    assert!(!talk.end().contains("missing"), "its own check is skipped: {}", talk.end());
    // The user's limits hold for all.
    let mut talk = Talk::new(vec![Profile::new("mine").budget(used_up), project()]);
    talk.ends("x", true);
    assert_eq!(talk.end(), "skipped (budget)");
}
