//! Where names are defined.

use insta::assert_snapshot;

use super::definition_at_cursor;

#[tokio::test]
async fn a_function_in_another_file() {
    let answer =
        definition_at_cursor("//- /lib.rs\npub fn greet() {}\n//- /main.rs\nfn main() { gr$0eet() }\n").await;
    assert_snapshot!(answer, @"/lib.rs:1:8-13 Function greet");
}

#[tokio::test]
async fn a_local_binding_hides_what_others_define() {
    let answer = definition_at_cursor(
        "//- /a.rs\npub fn total() {}\n//- /b.rs\nfn main() {\n    let total = 1;\n    print(tot$0al);\n}\n",
    )
    .await;
    assert_snapshot!(answer, @"/b.rs:2:9-14 local total");
}

#[tokio::test]
async fn the_inner_of_two_bindings() {
    let answer =
        definition_at_cursor("//- /a.rs\nfn main() {\n    let x = 1;\n    { let x = 2; use_it(x$0); }\n}\n")
            .await;
    assert_snapshot!(answer, @"/a.rs:3:11-12 local x");
}

#[tokio::test]
async fn a_declaration_is_its_own_definition() {
    let answer = definition_at_cursor("//- /a.py\ndef gre$0et(): pass\n//- /b.py\ndef greet(): pass\n").await;
    assert_snapshot!(answer, @"/a.py:1:5-10 Function greet");
}

#[tokio::test]
async fn a_qualifier_chooses_the_type() {
    let answer = definition_at_cursor(
        "//- /a.rs\nstruct A;\nimpl A { fn new() {} }\nstruct B;\nimpl B { fn new() {} }\nfn f() { B::n$0ew() }\n",
    )
    .await;
    assert_snapshot!(answer, @"/a.rs:4:13-16 Method B.new");
}

#[tokio::test]
async fn a_member_of_a_type_that_is_not_ours_is_nowhere() {
    let answer =
        definition_at_cursor("//- /a.rs\nstruct A;\nimpl A { fn new() {} }\nfn f() { Vec::n$0ew() }\n").await;
    assert_snapshot!(answer, @"nothing");
}

#[tokio::test]
async fn a_qualifier_may_be_a_module() {
    let answer = definition_at_cursor(
        "//- /left.rs\npub fn go() {}\n//- /right.rs\npub fn go() {}\n//- /main.rs\nfn main() { right::g$0o() }\n",
    )
    .await;
    assert_snapshot!(answer, @"/right.rs:1:8-10 Function go");
}

#[tokio::test]
async fn a_go_package_is_a_directory() {
    let answer = definition_at_cursor(
        "//- /util/text.go\npackage util\n\nfunc Trim() {}\n//- /other/text.go\npackage other\n\nfunc Trim() {}\n\
         //- /main.go\npackage main\n\nimport \"x/util\"\n\nfunc main() { util.Tr$0im() }\n",
    )
    .await;
    assert_snapshot!(answer, @"/util/text.go:3:6-10 Function Trim");
}

#[tokio::test]
async fn a_go_method_by_its_receiver() {
    let answer = definition_at_cursor(
        "//- /a.go\npackage a\n\ntype S struct{}\n\nfunc (s *S) Close() {}\n\nfunc Close() {}\n\n\
         func (s *S) Run() { s.Cl$0ose() }\n",
    )
    .await;
    assert_snapshot!(answer, @"/a.go:5:13-18 Method S.Close");
}

#[tokio::test]
async fn an_import_beats_a_neighbour() {
    let answer = definition_at_cursor(
        "//- /app/main.ts\nimport { greet } from '../lib/hello'\ngr$0eet()\n\
         //- /app/other.ts\nexport function greet() {}\n//- /lib/hello.ts\nexport function greet() {}\n",
    )
    .await;
    assert_snapshot!(answer, @"/lib/hello.ts:1:17-22 Function greet");
}

#[tokio::test]
async fn a_neighbour_beats_a_stranger() {
    let answer = definition_at_cursor(
        "//- /a/one.go\npackage a\n\nfunc run() { help$0() }\n//- /a/two.go\npackage a\n\nfunc help() {}\n\
         //- /b/two.go\npackage b\n\nfunc help() {}\n",
    )
    .await;
    assert_snapshot!(answer, @"/a/two.go:3:6-10 Function help");
}

#[tokio::test]
async fn all_of_the_best_kind_when_names_alone_cannot_tell() {
    let answer = definition_at_cursor(
        "//- /a/one.py\nclass A:\n    def run(self): pass\n//- /b/two.py\nclass B:\n    def run(self): pass\n\
         //- /c/three.py\ndef run(): pass\n//- /main.py\ndef f(x):\n    x.ru$0n()\n",
    )
    .await;
    assert_snapshot!(answer, @r"
    /a/one.py:2:9-12 Method A.run
    /b/two.py:2:9-12 Method B.run
    ");
}

#[tokio::test]
async fn a_call_means_the_function_and_not_the_method() {
    let answer = definition_at_cursor(
        "//- /a.py\nclass A:\n    def run(self): pass\n//- /b.py\ndef run(): pass\n//- /c.py\nru$0n()\n",
    )
    .await;
    assert_snapshot!(answer, @"/b.py:1:5-8 Function run");
}

#[tokio::test]
async fn other_languages_are_other_worlds() {
    let answer = definition_at_cursor(
        "//- /a.py\ndef greet(): pass\n//- /b.rb\ndef greet; end\n//- /c.rs\nfn main() { gr$0eet() }\n",
    )
    .await;
    assert_snapshot!(answer, @"nothing");
    let answer = definition_at_cursor("//- /a.js\nfunction greet() {}\n//- /b.tsx\ngr$0eet()\n").await;
    assert_snapshot!(answer, @"/a.js:1:10-15 Function greet");
}

#[tokio::test]
async fn says_where_the_cursor_should_be() {
    let answer = definition_at_cursor("//- /a.rs\nfn main() { 1 +$0 1; }\n").await;
    assert_snapshot!(answer, @"error: no name at line 1 column 16 of `/a.rs`; put the cursor on an identifier of `fn main() { 1 + 1; }`");
    let answer = definition_at_cursor("//- /a.txt\nhel$0lo\n").await;
    assert_snapshot!(answer, @"error: no grammar for `/a.txt`; languages with one: rust, python, go, typescript, typescriptreact, javascript, java, c, cpp, csharp, ruby, php, shellscript");
}

#[tokio::test]
async fn columns_are_utf16_and_lines_may_end_in_crlf() {
    let answer =
        definition_at_cursor("//- /a.py\n# é😀\r\ndef größe(): pass\r\n//- /b.py\nx = '😀'; grö$0ße()\r\n")
            .await;
    assert_snapshot!(answer, @"/a.py:2:5-10 Function größe");
}
