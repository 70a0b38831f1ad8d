//! Whatever a file holds, forwards and backwards give the same lines.

use std::io::Write;

use proptest::prelude::*;

use super::*;

type Seen = (u64, Vec<u8>, Size, End);

fn both(content: &[u8]) -> (Vec<Seen>, Vec<Seen>) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content).unwrap();
    let seen = |line: Line| (line.offset, line.bytes, line.size, line.end);

    let mut lines = Lines::new(content, 0);
    let forwards = std::iter::from_fn(|| lines.next().unwrap()).map(seen).collect();
    let mut lines = Backward::new(file).unwrap();
    let mut backwards: Vec<_> = std::iter::from_fn(|| lines.next().unwrap()).map(seen).collect();
    backwards.reverse();
    (forwards, backwards)
}

#[test]
fn an_empty_file_has_no_lines() {
    assert_eq!(both(b""), (vec![], vec![]));
}

#[test]
fn a_line_without_an_end_is_told_apart() {
    let (forwards, backwards) = both(b"a\n\nbc");
    assert_eq!(
        forwards,
        [
            (0, b"a".to_vec(), Size::Fits, End::Newline),
            (2, vec![], Size::Fits, End::Newline),
            (3, b"bc".to_vec(), Size::Fits, End::File),
        ]
    );
    assert_eq!(forwards, backwards);
}

#[test]
fn what_is_too_long_is_passed_over() {
    let long = [b"short\n".as_slice(), &b"x".repeat(300_000), b"\nlast"].concat();
    let (forwards, backwards) = both(&long);
    assert_eq!(forwards[1], (6, vec![], Size::TooLong, End::Newline));
    assert_eq!(forwards.len(), 3);
    assert_eq!(forwards, backwards);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn forwards_and_backwards_agree(lengths in prop::collection::vec(prop_oneof![0usize..50, 16_000usize..17_000, 60_000usize..70_000], 0..8), ended in any::<bool>()) {
        let mut content = lengths.iter().map(|length| "x".repeat(*length)).collect::<Vec<_>>().join("\n").into_bytes();
        if ended {
            content.push(b'\n');
        }
        let (forwards, backwards) = both(&content);
        prop_assert_eq!(forwards, backwards);
    }
}
