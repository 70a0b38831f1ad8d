//! `get_tests_for_file`

use insta::assert_snapshot;
use serde_json::json;

use crate::ask;

#[tokio::test]
async fn tells_how_each_test_is_known() {
    let text = "//- /pkg/cart.py\ndef add(): pass\n//- /pkg/shop.py\nfrom .cart import add\n//- /pkg/test_cart.py\n\
        import os\n//- /tests/test_total.py\nfrom pkg.cart import add\n//- /tests/test_shop.py\nimport pkg.shop\n\
        //- /tests/test_other.py\n";
    assert_snapshot!(ask("get_tests_for_file", text, json!({"file_path": "pkg/cart.py"})).await, @r#"
    {"source_file":"/pkg/cart.py","test_files":["/tests/test_total.py","/tests/test_shop.py","/pkg/test_cart.py"],"known_by":{"/tests/test_total.py":"imports it","/tests/test_shop.py":"imports it through pkg/shop.py","/pkg/test_cart.py":"named after it"}}
    engine=syntax
    known_by tells how each is known; blast_radius finds tests by what they call
    "#);
    assert_snapshot!(ask("get_tests_for_file", text, json!({"file_path": "pkg/cart.py", "limit": 1})).await, @r#"
    {"source_file":"/pkg/cart.py","test_files":["/tests/test_total.py"],"known_by":{"/tests/test_total.py":"imports it"}}
    engine=syntax
    and 2 more; offset=1 shows the next
    "#);
}
