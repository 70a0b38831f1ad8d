//! `get_tests_for_file`

use insta::assert_snapshot;
use serde_json::json;

use crate::ask;

#[tokio::test]
async fn finds_tests_by_convention() {
    let text = "//- /pkg/cart.py\ndef add(): pass\n//- /pkg/test_cart.py\n//- /tests/test_cart.py\n//- /tests/test_other.py\n";
    assert_snapshot!(ask("get_tests_for_file", text, json!({"file_path": "pkg/cart.py"})).await, @r#"
    {"source_file":"/pkg/cart.py","test_files":["/pkg/test_cart.py","/tests/test_cart.py"]}
    engine=syntax
    named after it, or known to use it; blast_radius finds tests by what they call
    "#);
}
