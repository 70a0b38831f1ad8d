//! In which order symbols are found.

use super::{file, store, written};

fn found(files: &[(&str, &str)], query: &str) -> Vec<String> {
    let files: Vec<_> = files.iter().map(|(path, symbols)| file(path, symbols)).collect();
    let (rows, total) = store(&files).search(query, 100, 0).unwrap();
    assert_eq!(rows.len(), total);
    rows.iter().map(written).collect()
}

#[test]
fn the_very_name_comes_first_then_beginnings_then_middles() {
    let files = [("/b", "regreet greeter Greet greet"), ("/a", "greet greeting x")];
    assert_eq!(
        found(&files, "greet"),
        ["/a:1 greet", "/b:4 greet", "/b:3 Greet", "/b:2 greeter", "/a:2 greeting", "/b:1 regreet"]
    );
}

#[test]
fn letters_in_order_count_only_where_no_name_holds_the_query() {
    let files = [("/a", "find_references far find")];
    assert_eq!(found(&files, "fdr"), ["/a:1 find_references"]);
    assert_eq!(found(&files, "fr"), [""; 0]);
    assert_eq!(found(&files, "zzz"), [""; 0]);
}

#[test]
fn case_folds_beyond_ascii_and_wildcards_mean_nothing() {
    let files = [("/a", "Größe a_b axb a%b")];
    assert_eq!(found(&files, "GRÖSSE"), [""; 0]);
    assert_eq!(found(&files, "GRÖß"), ["/a:1 Größe"]);
    assert_eq!(found(&files, "a_b"), ["/a:2 a_b"]);
    assert_eq!(found(&files, "%"), ["/a:4 a%b"]);
    assert_eq!(found(&files, "'; DROP TABLE symbol"), [""; 0]);
}

#[test]
fn pages_join_without_gap_or_overlap() {
    let store = store(&[file("/a", "get1 get2 get3 get4 get5")]);
    let pages: Vec<String> = (0..6)
        .step_by(2)
        .flat_map(|offset| {
            let (rows, total) = store.search("get", 2, offset).unwrap();
            assert_eq!(total, 5);
            rows
        })
        .map(|row| row.2.name)
        .collect();
    assert_eq!(pages, ["get1", "get2", "get3", "get4", "get5"]);
}

#[test]
fn an_empty_query_finds_everything() {
    assert_eq!(found(&[("/a", "b a")], ""), ["/a:2 a", "/a:1 b"]);
}

#[test]
fn exact_names_heed_case() {
    let store = store(&[file("/b", "New"), file("/a", "T.new U.new")]);
    let rows: Vec<String> = store.named("new").unwrap().iter().map(written).collect();
    assert_eq!(rows, ["/a:1 new", "/a:2 new"]);
}
