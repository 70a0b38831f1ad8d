//! Which tests belong to a file. The conventions themselves are tested beside their table.

use bowline_testkit::Fixture;
use insta::assert_snapshot;

use super::{error, open, patient, relative};

async fn tests_for(text: &str, path: &str) -> String {
    let fixture = Fixture::new(text);
    match open(&fixture).tests_for(path.as_ref(), &patient()).await {
        Ok(found) => relative(&fixture, &found.value),
        Err(failed) => error(&fixture, &failed),
    }
}

#[tokio::test]
async fn rust_tests_are_inside_beside_and_in_the_crates_tests() {
    let text = "//- /Cargo.toml\n//- /src/gate.rs\npub fn decide() {}\n#[cfg(test)]\nmod tests;\n\
        //- /src/gate/tests.rs\n//- /src/inline.rs\nfn a() {}\n#[cfg(test)]\nmod tests {}\n\
        //- /tests/it/one.rs\nfn t() { decide() }\n//- /tests/it/two.rs\nfn t() { other() }\n";
    assert_snapshot!(tests_for(text, "src/gate.rs").await, @r"
    /src/gate/tests.rs
    /tests/it/one.rs
    ");
    assert_snapshot!(tests_for(text, "src/inline.rs").await, @"/src/inline.rs");
    assert_snapshot!(tests_for(text, "tests/it/one.rs").await, @"/tests/it/one.rs");
}

#[tokio::test]
async fn ignored_tests_do_not_count_and_none_is_an_answer() {
    let text = "//- /.gitignore\ndist/\n//- /a.ts\n//- /a.test.ts\n//- /dist/a.test.ts\n//- /b.kt\n//- /BTest.kt\n//- /c.md\n";
    assert_snapshot!(tests_for(text, "a.ts").await, @"/a.test.ts");
    assert_snapshot!(tests_for(text, "c.md").await, @"");
    assert_snapshot!(tests_for(text, "none.ts").await, @"error: no such file: `/none.ts`");
}
