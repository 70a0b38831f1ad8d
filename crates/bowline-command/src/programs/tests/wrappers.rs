//! x
use super::check;
#[test]
fn scratch() {
    let text = std::fs::read_to_string("/tmp/wt-programs-scratch.txt").unwrap();
    for row in text.lines() {
        let row = row.split(" => ").next().unwrap();
        if row.trim().is_empty() || row.starts_with('#') {
            println!("{row}");
            continue;
        }
        println!("{row} => {}", super::shown(&super::meaning(&super::words(row))));
    }
    check("");
}
