//! Cases about what a conversation remembers: policies, feedback, questions.

use serde_json::json;

use crate::house::House;
use crate::{Case, Outcome};

pub(crate) fn state(cases: &[Case]) -> Vec<(String, Outcome)> {
    cases.iter().map(|case| (case.id.clone(), one(case))).collect()
}

const READ_FIRST: &str = "use_profile = \"p\"\n[rules]\nallow = [\"@write\", \"@run\"]\n[profile.p]\npolicies = [\"read_before_write\"]\n";

fn one(case: &Case) -> Outcome {
    let project = "//- /project/c\nold\n";
    match case.id.as_str() {
        "st-self-dep" => {
            let config = "[profile.default]\npolicies = [{ sequential_dependency = { run_tests = [\"run_tests\"] } }]\n";
            let (code, said) = House::new(project, config).complaint();
            assert!(said.contains("rules.toml:2:"), "{said}");
            Outcome::new(if code == 2 { "load error" } else { "allow" }, "the configuration")
        }
        "st-rbw-escape" => {
            let house = House::new(project, READ_FIRST);
            house
                .verdict(&json!({"tool": "Write", "args": {"file_path": "../../etc/passwd", "content": "x"}}))
        }
        "st-rbw-changed" => {
            let house = House::new(project, READ_FIRST);
            let mut gate = house.gate();
            let write = json!({"tool": "Write", "args": {"file_path": "c", "content": "x"}});
            let read = json!({"tool": "Read", "args": {"file_path": "c"}});
            assert_eq!(gate.ask(&write).0.verdict, "refuse", "not read yet");
            assert_eq!(gate.ask(&read).0.verdict, "allow");
            std::fs::write(house.root().join("c"), "changed by another").unwrap();
            let refused = gate.ask(&write).0;
            assert_eq!(gate.ask(&read).0.verdict, "allow");
            assert_eq!(gate.ask(&write).0.verdict, "allow", "read again");
            refused
        }
        "st-stderr" => {
            // Only the outcome counts, whatever was printed on the way.
            let config = "[rules]\nallow = [\"Bash\"]\n[profile.default]\npolicies = [{ sequential_dependency = { Bash = [\"Read\"] } }]\n";
            let house = House::new(project, config);
            let mut gate = house.gate();
            let push = json!({"tool": "Bash", "args": {"command": "git push"}, "outcome": "success"});
            assert_eq!(gate.ask(&push).0.verdict, "refuse");
            gate.ask(&json!({"tool": "Read", "args": {"file_path": "c"}, "outcome": "success"}));
            let verdict = gate.ask(&push).0;
            Outcome::new(if verdict.verdict == "allow" { "success" } else { "refuse" }, verdict.by)
        }
        "st-static-starve" => {
            let config = "[profile.default]\n[[profile.default.feedback]]\nstatic = \"two\"\nevery_n_calls = 2\n\
                          [[profile.default.feedback]]\nstatic = \"three\"\nevery_n_calls = 3\n";
            let house = House::new(project, config);
            let mut gate = house.gate();
            let read = json!({"tool": "Read", "args": {"file_path": "c"}});
            let told: Vec<String> = (0..6).map(|_| gate.ask(&read).1["feedback"].to_string()).collect();
            let fires = |word: &str| told.iter().filter(|text| text.contains(word)).count();
            let both = fires("two") == 3 && fires("three") == 2;
            Outcome::new(if both { "both fire" } else { "starved" }, "every provider has its own cadence")
        }
        "st-feedback-injection" => {
            let summary = case.input["summary"].as_str().unwrap();
            let config = format!(
                "[profile.default]\n[[profile.default.feedback]]\nstatic = {}\nevery_n_calls = 1\n",
                json!(summary)
            );
            let house = House::new(project, &config);
            let said = house.gate().ask(&json!({"tool": "Read", "args": {"file_path": "c"}})).1;
            let text = said["feedback"].to_string();
            let escaped = text.matches("</feedback>").count() == 1 && !text.contains("<system>");
            Outcome::new(if escaped { "escape" } else { "allow" }, "feedback")
        }
        "st-confirm-blind" => {
            // The question itself is shown on a real terminal in `tests/it`; here, that what it is made of has the arguments.
            let house = House::new(project, "");
            let output = house.command(&["gate", "explain", "Bash", "rm -r x"]).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Outcome::new(if text.contains("rm -r x") { "show arguments" } else { "allow" }, "the question")
        }
        other => panic!("{other}"),
    }
}
