//! Policies: an order is kept, files are known before they are changed, and whatever goes wrong refuses.

use bowline_call::{Effect, Intent, RefusalCode, Targets, ToolIdentity};
use bowline_command::{Access, Script};
use bowline_gate::{
    BadDependencies, Budget, CommandFact, Deadline, Facts, PathFact, PathKind, PolicyContext, PolicyDecision,
    Profile, ReadBeforeWrite, RuleFailed, SequentialDependency, ToolPolicy, TouchFact,
};
use serde_json::Value;
use std::time::Duration;

use super::{Talk, against_writing, holding, missing};
use crate::{intent, leads};

fn order() -> SequentialDependency {
    SequentialDependency::new([("deploy", vec!["test", "build"]), ("build", vec!["lint"])]).unwrap()
}

#[test]
fn a_tool_waits_for_those_that_it_needs() {
    let mut talk = Talk::of(Profile::new("careful").policy(order()));
    let refusal = talk.against("deploy").unwrap();
    assert_eq!(refusal.code, RefusalCode::PolicyDenied);
    assert_eq!(refusal.rule, "policy sequential_dependency of the profile careful");
    assert_eq!(refusal.reason, "`deploy` needs `build`, `test` to have succeeded first");
    assert_eq!(talk.against("other"), None);
    // One that failed does not count; every spelling of one that succeeded does.
    talk.ends("test", false);
    assert!(talk.against("deploy").unwrap().reason.contains("`test`"));
    talk.ends("mcp__bowline__test", true);
    assert_eq!(talk.against("deploy").unwrap().reason, "`deploy` needs `build` to have succeeded first");
    talk.ends("lint", true);
    assert_eq!(talk.against("bowline.build"), None);
    talk.ends("build", true);
    assert_eq!(talk.against("deploy"), None);
    // Once is enough, as it is elsewhere.
    talk.ends("build", false);
    assert_eq!(talk.against("deploy"), None);
}

#[test]
fn tools_of_other_servers_are_the_same_however_they_are_spelt() {
    let policy = SequentialDependency::new([("Bash", vec!["ci.check"])]).unwrap();
    let mut talk = Talk::of(Profile::new("p").policy(policy));
    talk.ends("mcp__other__check", true);
    talk.ends("check", true);
    assert!(talk.against("Bash").is_some(), "another server's, and our own, are other tools");
    talk.ends("mcp__ci__check", true);
    assert_eq!(talk.against("Bash"), None);
}

#[test]
fn an_order_that_nobody_can_keep_is_refused() {
    let new = |pairs: &[(&str, &[&str])]| {
        SequentialDependency::new(pairs.iter().map(|(tool, needs)| (*tool, needs.to_vec()))).map(drop)
    };
    assert_eq!(
        new(&[("deploy", &["bowline.deploy"])]),
        Err(BadDependencies::OnItself { tool: "deploy".into() })
    );
    let circle = new(&[("a", &["b", "x"]), ("b", &["c"]), ("mcp__bowline__c", &["a"])]).unwrap_err();
    assert_eq!(circle.to_string(), "`a` could never be called: a needs b needs mcp__bowline__c needs a");
    // A diamond is no circle, and a long way no reason to fall over.
    assert_eq!(new(&[("a", &["b", "c"]), ("b", &["d"]), ("c", &["d"])]), Ok(()));
    let long: Vec<_> = (0..5_000).map(|n| (format!("t{n}"), vec![format!("t{}", n + 1)])).collect();
    assert!(SequentialDependency::new(long).is_ok());
}

#[test]
fn two_instances_know_nothing_of_each_other() {
    let one = || SequentialDependency::new([("b", vec!["a"])]).unwrap();
    let mut talk = Talk::of(Profile::new("p").policy(one()));
    talk.ends("a", true);
    // The same ledger under a profile that has another policy in its place, and this one behind it.
    let mut later = Talk::of(Profile::new("p").policy(ReadBeforeWrite).policy(one()));
    later.ledger = talk.ledger;
    assert!(later.against("b").is_some());
}

#[test]
fn a_snapshot_holds_what_was_learned_and_a_reset_forgets_it() {
    let mut talk = Talk::of(Profile::new("p").policy(order()));
    talk.ends("lint", true);
    let snapshot = serde_json::to_string(&talk.ledger.snapshot()).unwrap();
    talk.ledger.reset();
    assert!(talk.against("build").is_some());
    talk.ledger.restore(serde_json::from_str(&snapshot).unwrap());
    assert_eq!(talk.against("build"), None);
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let more = SequentialDependency::new([("deploy", vec!["sign"])]).unwrap();
    let talk = Talk::new(vec![
        Profile::new("ours").policy(order()).budget(Budget { calls: Some(0), ..Budget::default() }),
        Profile::new("theirs").policy(more),
    ]);
    let refusal = talk.against("deploy").unwrap();
    assert_eq!(
        refusal.reason,
        "`deploy` needs `build`, `test` to have succeeded first; and `deploy` needs `sign` to have succeeded first; and the \
         budget is used up: 0 calls"
    );
}

struct Broken(&'static str);

impl ToolPolicy for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn check(
        &self,
        _tool: &ToolIdentity,
        _params: &Value,
        _context: &PolicyContext<'_>,
    ) -> Result<PolicyDecision, RuleFailed> {
        match self.0 {
            "errs" => Err(RuleFailed("out of order".into())),
            "panics" => panic!("on purpose"),
            "silent" => Ok(PolicyDecision { allowed: false, reason: None }),
            _ => Ok(PolicyDecision::allow()),
        }
    }

    fn on_result(
        &self,
        _tool: &ToolIdentity,
        _params: &Value,
        _result: &Value,
        context: &mut PolicyContext<'_>,
    ) -> Result<(), RuleFailed> {
        context.state_mut().set_note("half", "done");
        if self.0 == "forgets" { panic!("on purpose") } else { Ok(()) }
    }
}

#[test]
fn a_policy_that_fails_refuses() {
    let of = |how| Talk::of(Profile::new("p").policy(Broken(how)));
    for how in ["errs", "panics"] {
        let refusal = of(how).against("x").unwrap();
        assert_eq!(refusal.code, RefusalCode::RuleFailed, "{how}");
        assert!(refusal.reason.starts_with("the policy could not be checked: "), "{}", refusal.reason);
    }
    assert_eq!(of("silent").code("x"), Some(RefusalCode::PolicyDenied));
    // One that could not learn does not know any more what has happened.
    let mut talk = of("forgets");
    assert_eq!(talk.against("x"), None);
    talk.ends("x", false);
    assert_eq!(talk.against("x"), None);
    talk.ends("x", true);
    let refusal = talk.against("x").unwrap();
    assert_eq!(refusal.reason, "the policy could not learn from an earlier call: it panicked");
    assert_eq!(refusal.code, RefusalCode::RuleFailed);
}

fn careful() -> Talk {
    Talk::of(Profile::new("careful").policy(ReadBeforeWrite))
}

fn reads(talk: &mut Talk, paths: Vec<PathFact>, success: bool) {
    let facts = Facts { shows_content: true, ..talk.facts(paths) };
    let intent = intent(Effect::Read, &facts.paths);
    talk.happened("Read", &intent, &facts, success);
}

#[test]
fn a_call_that_only_names_a_file_has_not_read_it() {
    let mut talk = careful();
    for tool in ["close_document", "get_tests_for_file", "LS"] {
        let facts = talk.facts(vec![holding(FILE, 1)]);
        let intent = intent(Effect::Read, &facts.paths);
        talk.happened(tool, &intent, &facts, true);
        assert!(against_writing(&talk, vec![holding(FILE, 1)]).unwrap().contains("was not read"), "{tool}");
    }
    reads(&mut talk, vec![holding(FILE, 1)], true);
    assert_eq!(against_writing(&talk, vec![holding(FILE, 1)]), None);
}

fn writes(talk: &mut Talk, before: PathFact, after: PathFact, success: bool) {
    let facts = Facts { after: vec![after], ..talk.facts(vec![before]) };
    let intent = intent(Effect::Write, &facts.paths);
    talk.happened("Edit", &intent, &facts, success);
}

const FILE: &str = "/project/config.yaml";

#[test]
fn a_file_is_read_before_it_is_written() {
    let mut talk = careful();
    let not_read = "`/project/config.yaml` exists and was not read: read it first";
    assert_eq!(against_writing(&talk, vec![holding(FILE, 1)]).as_deref(), Some(not_read));
    assert_eq!(against_writing(&talk, vec![missing("/project/new.txt")]), None);
    reads(&mut talk, vec![holding(FILE, 1)], false);
    assert_eq!(against_writing(&talk, vec![holding(FILE, 1)]).as_deref(), Some(not_read), "it failed");
    reads(&mut talk, vec![holding(FILE, 1)], true);
    assert_eq!(against_writing(&talk, vec![holding(FILE, 1)]), None);
    // By whatever way it is reached.
    let by_link = PathFact { hash: Some([1; 32]), ..leads("/project/link", Ok(FILE)) };
    assert_eq!(against_writing(&talk, vec![by_link]), None);
    assert_eq!(
        against_writing(&talk, vec![holding(FILE, 2)]).as_deref(),
        Some("`/project/config.yaml` has changed since it was read: read it again")
    );
    let unknown = PathFact { hash: None, ..holding(FILE, 1) };
    assert!(against_writing(&talk, vec![unknown]).unwrap().contains("cannot be compared"));
    // All of several must be known.
    let all = vec![holding(FILE, 1), holding("/project/a", 1), holding("/project/b", 1)];
    assert_eq!(
        against_writing(&talk, all).as_deref(),
        Some("`/project/a` exists and was not read: read it first (and 1 more of its kind)")
    );
}

#[test]
fn whoever_wrote_a_file_knows_it() {
    let mut talk = careful();
    let new = "/project/new.txt";
    writes(&mut talk, missing(new), holding(new, 7), true);
    assert_eq!(against_writing(&talk, vec![holding(new, 7)]), None);
    assert!(against_writing(&talk, vec![holding(new, 8)]).unwrap().contains("read it again"));
    // A write that failed is no knowledge; nor is one whose outcome nobody could look at.
    writes(&mut talk, missing("/project/x"), holding("/project/x", 1), false);
    assert!(against_writing(&talk, vec![holding("/project/x", 1)]).is_some());
    writes(&mut talk, holding(new, 7), PathFact { hash: None, ..holding(new, 9) }, true);
    assert!(against_writing(&talk, vec![holding(new, 7)]).unwrap().contains("was not read"));
}

#[test]
fn what_leads_out_or_nowhere_is_not_new() {
    let talk = careful();
    let outside = PathFact { kind: PathKind::Missing, ..leads("/project/../etc/passwd", Ok("/etc/none")) };
    assert!(against_writing(&talk, vec![outside]).unwrap().contains("outside the workspace"));
    let nowhere = PathFact { kind: PathKind::Other, ..leads("/project/loop", Err("too many links")) };
    assert!(against_writing(&talk, vec![nowhere]).unwrap().contains("cannot be told"));
    // Facts that do not cover the call.
    let facts = talk.facts(Vec::new());
    let verdict = talk.judge("Edit", &Intent::write([FILE]), &facts);
    assert_eq!(verdict.objection().unwrap().code, RefusalCode::RuleFailed);
    // Our own tools are judged again when they know; those of others are not.
    let unknown = Intent { effect: Effect::Write, targets: Targets::Unknown };
    assert_eq!(talk.judge("rename_symbol", &unknown, &facts).word(), "allow");
    assert_eq!(talk.judge("apply_patch", &unknown, &facts).word(), "refuse");
}

fn touched(access: Access, readings: Vec<PathFact>, is_deep: bool) -> CommandFact {
    CommandFact {
        script: Script { shown: vec![FILE.into()], ..Script::default() },
        touched: vec![TouchFact {
            access,
            is_deep,
            may_be_fewer: false,
            tracked_only: false,
            is_copy: false,
            readings,
        }],
    }
}

#[test]
fn what_commands_read_and_write_counts_alike() {
    let mut talk = careful();
    let run = Intent::new(Effect::Run, []);
    let with = |talk: &Talk, fact| Facts { commands: vec![fact], ..talk.facts(Vec::new()) };
    let write = |talk: &Talk, readings, is_deep| {
        let facts = with(talk, touched(Access::Write, readings, is_deep));
        talk.judge("Bash", &run, &facts).word()
    };
    assert_eq!(write(&talk, vec![holding(FILE, 1)], false), "refuse");
    assert_eq!(write(&talk, vec![missing("/project/new")], false), "allow");
    // A file that is touched and not shown is not known.
    let two = || vec![holding(FILE, 1), holding("/project/sub/config.yaml", 1)];
    let facts = with(&talk, touched(Access::Read, vec![holding("/project/sub/config.yaml", 1)], false));
    talk.happened("Bash", &run, &facts, true);
    assert_eq!(
        write(&talk, vec![holding("/project/sub/config.yaml", 1)], false),
        "refuse",
        "it was not shown"
    );
    assert_eq!(write(&talk, vec![holding(FILE, 1)], false), "refuse");
    let facts = with(&talk, touched(Access::Read, vec![holding(FILE, 1)], false));
    talk.happened("Bash", &run, &facts, true);
    assert_eq!(write(&talk, vec![holding(FILE, 1)], false), "allow");
    assert_eq!(write(&talk, two(), false), "refuse", "it may be the other one");
    let directory = || vec![PathFact { kind: PathKind::Directory, ..holding("/project/src", 1) }];
    assert_eq!(write(&talk, directory(), false), "allow");
    assert_eq!(write(&talk, directory(), true), "refuse");
    let device = PathFact { kind: PathKind::Other, hash: None, ..holding("/dev/null", 1) };
    assert_eq!(write(&talk, vec![device], false), "allow");
}

#[test]
fn time_and_budget_end_everything_but_the_end() {
    let limited = |profile: Profile| {
        let mut talk = Talk::of(profile);
        assert_eq!(talk.code("x"), None, "the first call is always in time");
        talk.ends("x", true);
        talk.later(9);
        assert_eq!(talk.code("x"), None);
        talk.ledger.spend_tokens(4);
        talk.ends("x", false);
        talk
    };
    let mut timed = limited(Profile::new("p").deadline(Deadline::After(Duration::from_secs(10))));
    assert_eq!(timed.later(1).code("x"), Some(RefusalCode::Deadline));
    for open in ["update_plan", "finish_task", "get_skill_phase", "mcp__bowline__deactivate_skill"] {
        assert_eq!(timed.code(open), None, "{open}");
    }
    assert_eq!(timed.code("mcp__other__finish_task"), Some(RefusalCode::Deadline));

    let budget = |budget| Profile::new("p").budget(budget);
    let mut slow = limited(budget(Budget { time: Some(Duration::from_secs(10)), ..Budget::default() }));
    assert_eq!(slow.later(1).code("x"), Some(RefusalCode::Budget));
    let many = limited(budget(Budget { calls: Some(2), ..Budget::default() }));
    assert_eq!(many.against("x").unwrap().reason, "the budget is used up: 2 calls");
    let mut long = limited(budget(Budget { tokens: Some(5), ..Budget::default() }));
    assert_eq!(long.code("x"), None);
    long.ledger.spend_tokens(1);
    assert_eq!(long.code("x"), Some(RefusalCode::Budget));
    // A call that nobody understood is a call.
    let mut talk = Talk::of(budget(Budget { calls: Some(1), ..Budget::default() }));
    let now = talk.now;
    talk.ledger.miscalled("fnd_symbol", now);
    assert_eq!(talk.code("x"), Some(RefusalCode::Budget));
    let past = Talk::of(Profile::new("p").deadline(Deadline::At(talk.now - Duration::from_secs(1))));
    assert_eq!(past.code("x"), Some(RefusalCode::Deadline));
}
