//! Python, by pyright.

use super::{Case, Doing, Findings, Marks, Ready, walk};

#[tokio::test(flavor = "multi_thread")]
async fn pyright_says_the_same() {
    walk(Case {
        language: "python",
        column: "pyright",
        name: "pyright-langserver",
        variable: "BOWLINE_SERVER_PYRIGHT",
        project: "python",
        options: || None,
        ready: Ready::Logs("source file"),
        findings: Findings::Pulled,
        extra: &[
            (
                "coil.py",
                "\"\"\"Ropes in rings.\"\"\"\n\nfrom threading import Thread\n\nfrom rope import Rope\n\n\n\
                 def coil(rope: Rope) -> float:\n    \"\"\"Lays a rope in rings.\"\"\"\n    return rope.metres / 2\n\n\n\
                 def work(rope: Rope) -> float:\n    Thread(target=coil, args=(rope,)).start()\n    return coil(rope)\n",
            ),
            ("broken.py", "import loose\n\nwrong: int = \"text\"\n"),
            // A library without types: the one thing that it has a remedy for.
            ("pyrightconfig.json", "{\"venvPath\": \".\", \"venv\": \".venv\", \"reportMissingTypeStubs\": \"warning\"}\n"),
            (".venv/lib/python3.12/site-packages/loose/__init__.py", "def knot(a):\n    return a\n"),
            ("untidy.py", "def  untidy( a ):\n  return a+1\n"),
        ],
        appended: &[],
        changed: ("coil.py", "/ 2", "/ 3"),
        sources: &["coil.py", "knots.py", "main.py", "odd names/with #1 100%.py", "rope.py", "test_rope.py"],
        tests: &["test_rope.py"],
        broken: "broken.py",
        untidy: "untidy.py",
        function: "splice",
        sentence: "Joins two ropes into one.",
        method: "Bowline.strength",
        command: Doing::Nothing("it has no commands"),
        marks: Marks {
            declared: ("rope.py", "def @@splice("),
            used: ("main.py", "@@splice(line, spare)"),
            variable: ("main.py", "splice(@@line, spare)"),
            interface: ("rope.py", "class @@Knot("),
            hierarchy: ("rope.py", "class @@Knot("),
            local: ("main.py", "@@spare = "),
            function: ("knots.py", "def @@doubled("),
            coil: ("coil.py", "def @@coil("),
            beside: ("coil.py", "Thread(target=@@coil"),
            completed: ("main.py", "{knot.@@name()}"),
            argument: ("main.py", "splice(@@line, spare)"),
        },
        consumer: &[
            ("pyrightconfig.json", "{\"extraPaths\": [\"../python\"]}\n"),
            ("use.py", "from rope import Rope, splice\n\nprint(splice(Rope(\"a\", 1), Rope(\"b\", 2)).metres)\n"),
        ],
        consumer_file: "use.py",
    })
    .await;
}
