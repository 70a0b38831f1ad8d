//! C++.

use bowline_code::Engine;

use super::{Bench, Case, exercise};

fn case() -> Case {
    Case {
        language: "cpp",
        variable: "BOWLINE_SERVER_CLANGD",
        project: "cpp",
        library: ("rope.hpp", "Joins two ropes into one.\nRope "),
        main: "main.cpp",
        name: "splice",
        uses: &["knots.hpp:15", "main.cpp:11", "odd names/with #1 100%.cpp:5", "rope_test.cpp:4"],
        mistake: "\nint wrong = \"text\";\n",
        breaking: (
            "const Rope& first, const Rope& second",
            "const Rope& first, const Rope& second, const Rope& third",
        ),
        newcomer: ("new.cpp", "#include \"rope.hpp\"\n\nauto made = rigging::splice;\n"),
        named_in: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_cpp() {
    exercise(case()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_compile_commands_it_does_not_claim_to_know_all() {
    let bench = Bench::new(case());
    std::fs::remove_file(bench.root.join("compile_commands.json")).unwrap();
    let found = bench.references().await;
    assert!(found.engine == Engine::Syntax || !found.indexed, "{found:?}");
    assert_eq!(found.value.total, bench.case.uses.len(), "syntax knows the files that it does not");
    bench.workspace.stop_servers().await;
}
