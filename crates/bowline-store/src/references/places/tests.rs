//! What is written is what is read, and what was not written by us is not believed.

use std::ffi::OsString;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const KEY: ReferenceKey = ReferenceKey { world: [1; 32], question: [2; 32] };

fn place(file: &str, span: [u32; 4]) -> RelativePlace {
    let [line, column, end_line, end_column] = span;
    let span = Span::new(Position::new(line, column), Position::new(end_line, end_column));
    RelativePlace { file: file.into(), span }
}

/// Bytes of this content that carry the right checksum.
fn signed(mut content: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&KEY, &content);
    content.extend_from_slice(&sum);
    content
}

/// One place in a file of this name, as nobody would check it.
fn with_path(path: &[u8]) -> Vec<u8> {
    let mut content = vec![FORMAT, 1];
    push(&mut content, path.len() as u64);
    content.extend_from_slice(path);
    content.extend_from_slice(&[1, 1, 2, 7, 0, 3]);
    signed(content)
}

fn flaw(content: &[u8]) -> &'static str {
    decode(&KEY, &signed(content.to_vec())).unwrap_err().0
}

#[test]
fn a_place_takes_five_bytes() {
    let places: Vec<_> = (1..=1000).map(|line| place("src/lib.rs", [line, 5, line, 12])).collect();
    let bytes = encode(&KEY, &places).unwrap();
    assert_eq!(decode(&KEY, &bytes).unwrap(), places);
    assert_eq!(bytes.len(), 1 + 1 + 11 + 2 + 5 * 1000 + CHECKSUM);
}

#[test]
fn an_empty_answer_is_an_answer() {
    assert_eq!(decode(&KEY, &encode(&KEY, &[]).unwrap()).unwrap(), []);
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let bytes = encode(&KEY, &[place("a.rs", [1, 2, 3, 4]), place("b/c.rs", [9, 1, 9, 300])]).unwrap();
    for at in 0..bytes.len() {
        assert!(decode(&KEY, &bytes[..at]).is_err(), "{at}");
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            assert!(decode(&KEY, &bytes).is_err(), "{at} {bit}");
        }
    }
}

#[test]
fn an_answer_belongs_to_its_key() {
    let bytes = encode(&KEY, &[place("a.rs", [1, 2, 3, 4])]).unwrap();
    assert!(decode(&ReferenceKey { world: [2; 32], question: [1; 32] }, &bytes).is_err());
}

#[test]
fn a_path_that_leads_elsewhere_is_neither_written_nor_read() {
    let long = "x".repeat(MOST_PATH + 1);
    for path in [
        "",
        "/",
        "/etc/passwd",
        "..",
        "../a",
        "a/../b",
        "a/..",
        ".",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "a\0b",
        &long,
    ] {
        let unfit = encode(&KEY, &[place(path, [1, 1, 1, 2])]).unwrap_err();
        assert!(matches!(unfit, Unfit::Place { file, .. } if file == Path::new(path)), "{path:?}");
        assert!(decode(&KEY, &with_path(path.as_bytes())).is_err(), "{path:?}");
    }
    for path in ["a", "...", "..a/b..", "a b/c\\d", ".hidden", "ü"] {
        assert_eq!(
            decode(&KEY, &with_path(path.as_bytes())).unwrap(),
            [place(path, [1, 7, 1, 10])],
            "{path:?}"
        );
    }
}

#[test]
fn an_impossible_span_is_not_written() {
    for span in [[0, 1, 1, 1], [1, 0, 1, 1], [2, 1, 1, 1], [1, 2, 1, 1], [1, 1, 2, 0]] {
        assert!(encode(&KEY, &[place("a", span)]).is_err(), "{span:?}");
    }
    assert!(encode(&KEY, &[place("a", [u32::MAX; 4])]).is_ok());
}

#[test]
fn says_what_is_wrong() {
    assert_eq!(decode(&KEY, b"abc").unwrap_err(), Flaw("too short"));
    assert_eq!(decode(&KEY, b"abcde").unwrap_err(), Flaw("wrong checksum"));
    assert_eq!(flaw(&[]), "cut short");
    assert_eq!(flaw(&[9, 0, 0]), "unknown format");
    assert_eq!(flaw(&[FORMAT, 0, 0, 0]), "bytes left over");
    assert_eq!(flaw(&[FORMAT, 0, 0xff, 0xff, 0xff, 0xff, 0x7f]), "cut short");
    assert_eq!(flaw(&[FORMAT, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), "a number is too large");
    assert_eq!(flaw(&[FORMAT, 0, 1, 0, 2, 1, 0, 1]), "no such file");
    assert_eq!(flaw(&[FORMAT, 1, 1, b'a', 1, 2, 2, 1, 0, 1]), "no such file");
    assert_eq!(flaw(&[FORMAT, 1, 1, b'a', 1, 1, 0, 1, 0, 1]), "its span is impossible");
    assert_eq!(flaw(&[FORMAT, 1, 1, b'a', 1, 1, 1, 1, 0, 1]), "a number is too large");
}

#[test]
fn a_short_row_cannot_ask_for_gigabytes() {
    let mut content = vec![FORMAT, 1];
    push(&mut content, 4000);
    content.extend_from_slice(&[b'x'; 4000]);
    push(&mut content, 1_000_000);
    content.extend_from_slice(&[1, 2, 1, 0, 0]);
    content.extend(std::iter::repeat_n([0, 0, 1, 0, 0], 999_999).flatten());
    assert_eq!(flaw(&content), "too large");
    let long = place(&"x".repeat(4000), [1, 1, 1, 2]);
    assert_eq!(encode(&KEY, &vec![long; 40_000]).unwrap_err(), Unfit::TooLarge);
}

fn names() -> impl Strategy<Value = PathBuf> {
    #[cfg(unix)]
    let name = vec(any::<u8>(), 1..6).prop_map(|bytes| -> OsString {
        let plain = bytes.into_iter().map(|byte| if matches!(byte, 0 | b'/' | b'.') { b'_' } else { byte });
        std::os::unix::ffi::OsStringExt::from_vec(plain.collect())
    });
    #[cfg(not(unix))]
    let name = "[a-z]{1,6}".prop_map(OsString::from);
    vec(name, 1..4).prop_map(|parts| parts.into_iter().collect())
}

prop_compose! {
    fn spans()(ends in any::<[(u32, u32); 2]>(), one_line in any::<bool>()) -> Span {
        let [mut start, mut end] = ends.map(|(line, column)| Position::new(line.max(1), column.max(1)));
        if one_line {
            end.line = start.line;
        }
        if start > end {
            std::mem::swap(&mut start, &mut end);
        }
        Span::new(start, end)
    }
}

proptest! {
    #[test]
    fn any_answer_comes_back_as_it_was(
        files in vec(names(), 1..4), places in vec((any::<prop::sample::Index>(), spans()), 0..40),
        world in any::<[u8; 32]>(), question in any::<[u8; 32]>(),
    ) {
        let key = ReferenceKey { world, question };
        let places: Vec<_> =
            places.into_iter().map(|(file, span)| RelativePlace { file: file.get(&files).clone(), span }).collect();
        prop_assert_eq!(decode(&key, &encode(&key, &places).unwrap()), Ok(places));
    }

    #[test]
    fn any_bytes_are_refused_without_a_panic(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&KEY, &bytes).is_err());
    }

    /// With the right checksum and small numbers, so that the deeper parts are reached: what is read then can be
    /// written again.
    #[test]
    fn whatever_is_read_is_sound(rest in vec(prop_oneof![0u8..4, Just(b'a'), any::<u8>()], 0..60)) {
        let mut content = vec![FORMAT];
        content.extend(rest);
        if let Ok(places) = decode(&KEY, &signed(content)) {
            prop_assert_eq!(decode(&KEY, &encode(&KEY, &places).unwrap()), Ok(places));
        }
    }
}
