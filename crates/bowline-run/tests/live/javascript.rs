//! JavaScript and TypeScript.

use bowline_run::Task;

use crate::harness::{Live, installed};

/// With the packages of one install, and a Node that they run on.
fn with(project: &str, variable: &str) -> Live {
    let node = installed("BOWLINE_RUNNER_NODE");
    Live::of(project).linked("node_modules", &installed(variable)).with_programs(node.parent().unwrap())
}

#[tokio::test]
async fn wrong_types() {
    let ran = with("tsc", "BOWLINE_RUNNER_TYPESCRIPT").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    let item = "Type '{ amount: number; currency: string; }' is not assignable to type 'number'.";
    let missing = "Property 'price' is missing in type '{ name: string; }' but required in type 'Item'.";
    assert_eq!(
        ran.problems(),
        [
            "src/cart.ts:10:14 error [TS2322]: Type 'string' is not assignable to type 'number'.".to_owned(),
            format!("src/cart.ts:12:44 error [TS2322]: {item}"),
            "src/main.ts:1:17 error [TS2305]: Module '\"./cart\"' has no exported member 'missing'.".to_owned(),
            "src/main.ts:2:24 error [TS2307]: Cannot find module './nowhere' or its corresponding type declarations."
                .to_owned(),
            format!("src/main.ts:4:27 error [TS2741]: {missing}"),
            "src/with space (and parens)/odd.ts:2:3 error [TS2322]: Type 'number' is not assignable to type 'boolean'."
                .to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_project_that_only_refers_to_others_is_not_taken_for_checked() {
    let solution = "{\"files\": [], \"references\": [{\"path\": \"./tsconfig.src.json\"}]}";
    let part = "{\"compilerOptions\": {\"composite\": true, \"strict\": true, \"types\": []}, \"include\": [\"src/cart.ts\"]}";
    let live = with("tsc", "BOWLINE_RUNNER_TYPESCRIPT");
    let live = live.with_file("tsconfig.json", solution).with_file("tsconfig.src.json", part);
    let ran = live.run(Task::Build, None).await;
    assert_eq!(ran.problems().len(), 2, "{}", ran.log);
}

#[tokio::test]
async fn complaints_of_eslint() {
    let live = with("eslint", "BOWLINE_RUNNER_ESLINT");
    let ran = live.run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.problems(),
        [
            "src/broken.js:2:3 error: Parsing error: Unexpected keyword 'return'",
            "src/cart.js:2:9 warning [no-unused-vars]: 'unused' is assigned a value but never used.",
            "src/cart.js:3:13 error [eqeqeq]: Expected '===' and instead saw '=='.",
            "src/cart.js:6:10 error [no-undef]: 'sum' is not defined.",
        ]
    );
    assert!(!ran.log.contains("\"ruleId\""), "people read it");
    assert!(live.run(Task::Build, Some("src/fine.js")).await.outcome.success());
}

#[tokio::test]
async fn failing_tests_of_vitest() {
    let live = with("vitest", "BOWLINE_RUNNER_VITEST");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.places(),
        [
            "adds prices test/cart.test.js:6",
            "doubles 3 to 7 test/cart.test.js:30",
            "fails in a helper test/cart.test.js:34",
            "matches its snapshot test/cart.test.js:38",
            "never ends test/cart.test.js:45",
            "parse of text is not empty test/cart.test.js:20",
            "parse of text reads [lists] (in order) test/cart.test.js:16",
            "test/imports.test.js test/imports.test.js",
            "test/syntax.test.js test/syntax.test.js:4",
            "with a hook first test/hooks.test.js:5",
            "with a hook second test/hooks.test.js:5",
        ]
    );
    assert_eq!(ran.message_of("adds prices"), "AssertionError: expected 3 to be 4 // Object.is equality");
    assert_eq!(ran.counts(), Some((3, 11, 2)));
    let one = live.run(Task::Test, Some("test/cart.test.js::parse of text reads [lists] (in order)")).await;
    assert_eq!(one.places(), ["parse of text reads [lists] (in order) test/cart.test.js:16"]);
}

#[tokio::test]
async fn failing_tests_of_jest() {
    let live = with("jest", "BOWLINE_RUNNER_JEST");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.places(),
        [
            "adds prices test/cart.test.js:5",
            "doubles 3 to 7 test/cart.test.js:29",
            "fails in a helper test/cart.test.js:33",
            "matches its snapshot test/cart.test.js:37",
            "never ends test/cart.test.js:40",
            "parse of text is not empty test/cart.test.js:19",
            "parse of text reads [lists] (in order) test/cart.test.js:15",
            "test/imports.test.js test/imports.test.js:1",
            "test/syntax.test.js test/syntax.test.js:2",
            "with a hook first test/hooks.test.js:3",
            "with a hook second test/hooks.test.js:3",
        ]
    );
    assert_eq!(
        ran.message_of("adds prices"),
        "expect(received).toBe(expected) // Object.is equality\n\nExpected: 4\nReceived: 3"
    );
    assert_eq!(ran.counts(), Some((3, 11, 2)));
    assert!(!ran.log.contains("numFailedTests"), "people read it");
    let one = live.run(Task::Test, Some("test/cart.test.js::parse of text reads [lists] (in order)")).await;
    assert_eq!(one.places(), ["parse of text reads [lists] (in order) test/cart.test.js:15"]);
}

#[tokio::test]
async fn failing_tests_of_node() {
    let live = Live::of("node").with_programs(installed("BOWLINE_RUNNER_NODE").parent().unwrap());
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.places(),
        [
            "adds prices test/cart.test.js:7",
            "doubles 3 to 7 test/cart.test.js:31",
            "fails in a helper test/cart.test.js:36",
            "first test/hooks.test.js:5",
            "is not empty test/cart.test.js:21",
            "never ends test/cart.test.js:45",
            "reads [lists] (in order) test/cart.test.js:17",
            "second test/hooks.test.js:5",
            "step one test/cart.test.js:41",
            "test/imports.test.js test/imports.test.js",
            "test/syntax.test.js test/syntax.test.js:4",
        ]
    );
    assert_eq!(ran.message_of("is not empty"), "an empty cart cannot be parsed");
    let one = live.run(Task::Test, Some("test/cart.test.js::reads [lists] (in order)")).await;
    assert_eq!(one.places(), ["reads [lists] (in order) test/cart.test.js:17"]);
}

#[tokio::test]
async fn scripts_that_nobody_knows() {
    let node = installed("BOWLINE_RUNNER_NODE");
    let scripts = "{\"scripts\": {\"test\": \"echo tried; exit 3\", \"build\": \"echo 'a.ts(1,2): error TS1005: no.'; exit 1\"}}";
    let live =
        Live::of("eslint/src").with_file("package.json", scripts).with_programs(node.parent().unwrap());
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success() && ran.counts().is_none());
    let [problem] = &ran.problems()[..] else { panic!("{:?}", ran.problems()) };
    assert!(
        problem.starts_with("- error: `npm` exited with code 3:") && problem.contains("\ntried"),
        "{problem}"
    );
    let built = live.with_file("a.ts", "").run(Task::Build, None).await;
    assert_eq!(built.problems(), ["a.ts:1:2 error [TS1005]: no."]);
}

#[tokio::test]
async fn packages_that_are_not_installed_are_told_with_how_to_get_them() {
    let live = Live::of("vitest").with_file("pnpm-lock.yaml", "");
    let error = live.plan(Task::Test, None).unwrap_err().to_string();
    let root = live.root();
    assert_eq!(error, format!("`vitest` is not installed; run `pnpm install` in `{}`", root.display()));
}
