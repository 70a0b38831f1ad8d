//! `find_callers` without a server.

use serde_json::json;

use crate::ask_at;

#[tokio::test]
async fn a_use_is_concurrent_where_what_holds_it_is() {
    let answer = ask_at(
        "find_callers",
        "//- /coil.cpp\nvoid co$0il() {}\n\nvoid work() {\n#pragma omp parallel\n    coil();\n}\n\nvoid idle() {\n    coil();\n}\n",
        json!({"cross_concurrent": true}),
    )
    .await;
    insta::assert_snapshot!(answer, @r##"
    {"items":[],"incoming":[{"from":{"name":"work","file":"/coil.cpp","line":5}},{"from":{"name":"idle","file":"/coil.cpp","line":9}}],"concurrent_callers":[{"caller":"work","pattern":"#pragma omp","file":"/coil.cpp","line":5}]}
    engine=syntax indexed=true
    found by name; there are no callees without a language server
    "##);
}
