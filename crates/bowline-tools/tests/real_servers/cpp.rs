//! C++, by clangd.

use super::{Case, Doing, Findings, Marks, Ready, walk};

#[tokio::test(flavor = "multi_thread")]
async fn clangd_says_the_same() {
    walk(Case {
        language: "cpp",
        column: "clangd",
        name: "clangd",
        variable: "BOWLINE_SERVER_CLANGD",
        project: "cpp",
        options: || None,
        ready: Ready::Ends("backgroundIndexProgress"),
        findings: Findings::PushedForVersion,
        extra: &[
            (
                "coil.cpp",
                "#include \"rope.hpp\"\n\n/// Lays a rope in rings.\ndouble coil(const rigging::Rope& rope) {\n    return rope.metres / 2;\n}\n\n\
                 void work(const rigging::Rope& rope) {\n#pragma omp parallel\n    coil(rope);\n}\n\n\
                 double idle(const rigging::Rope& rope) {\n    return coil(rope);\n}\n",
            ),
            ("broken.cpp", "int broken() {\n    int wrong = 1\n    return wrong;\n}\n\nint* lost = \"text\";\n"),
            ("untidy.cpp", "int  untidy( int a ){\nreturn a+1;}\n"),
        ],
        appended: &[],
        changed: ("coil.cpp", "/ 2", "/ 3"),
        sources: &[
            "coil.cpp",
            "knots.hpp",
            "main.cpp",
            "odd names/with #1 100%.cpp",
            "rope.cpp",
            "rope.hpp",
            "rope_test.cpp",
        ],
        tests: &["rope_test.cpp"],
        broken: "broken.cpp",
        untidy: "untidy.cpp",
        function: "splice",
        sentence: "Joins two ropes into one.",
        method: "Bowline.strength",
        command: Doing::Nothing("its commands only edit files"),
        marks: Marks {
            declared: ("rope.hpp", "\nRope @@splice("),
            used: ("main.cpp", "rigging::@@splice(line, spare)"),
            variable: ("main.cpp", "splice(@@line, spare)"),
            interface: ("rope.hpp", "class @@Knot"),
            hierarchy: ("rope.hpp", "class @@Knot"),
            local: ("main.cpp", "rigging::Rope @@spare{"),
            function: ("knots.hpp", "Rope @@doubled("),
            coil: ("coil.cpp", "double @@coil("),
            beside: ("coil.cpp", "parallel\n    @@coil(rope)"),
            completed: ("main.cpp", "knot.@@strength(rope)"),
            argument: ("main.cpp", "rigging::splice(@@line, spare)"),
        },
        consumer: &[(
            "use.cpp",
            "#include \"rope.hpp\"\n\ndouble used() {\n    return rigging::splice(rigging::Rope{\"a\", 1}, rigging::Rope{\"b\", 2}).metres;\n}\n",
        )],
        consumer_file: "use.cpp",
    })
    .await;
}
