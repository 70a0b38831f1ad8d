//! What may be a skill's name, and which names a person would take for one another.

/// The longest name of the format.
pub(crate) const LONGEST: usize = 64;
/// The longest that lenient reading takes: what a directory can be called.
pub(crate) const LONGEST_LENIENT: usize = 255;

/// Whether it has the form of a name: small letters and digits of ASCII, in groups with one `-` between them.
pub(crate) fn is_name(text: &str) -> bool {
    text.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// Why it has not the form of a name. The length is not looked at.
pub(crate) fn fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("`name` is empty".into());
    }
    if let Some(odd) = text.chars().find(|c| !c.is_ascii_lowercase() && !c.is_ascii_digit() && *c != '-') {
        return Some(format!(
            "`name` is {}: {}; only a-z, 0-9 and single hyphens between them may stand in a name",
            shown(text),
            about(odd)
        ));
    }
    if is_name(text) {
        return None;
    }
    let what = if text.starts_with('-') || text.ends_with('-') {
        "begins or ends with a hyphen"
    } else {
        "has two hyphens in a row"
    };
    Some(format!("`name` is {}, which {what}", shown(text)))
}

/// A character that may not be there, so that a person knows which: some cannot be seen, some look like another.
fn about(odd: char) -> String {
    let code = format!("U+{:04X}", odd as u32);
    if odd.is_ascii_uppercase() {
        format!("`{odd}` is a capital letter")
    } else if is_unseen(odd) {
        format!("it has the invisible character {code}")
    } else if let Some(like) = look_alike(odd) {
        format!("`{odd}` ({code}) is not the letter `{like}` that it looks like")
    } else if odd == ' ' {
        "it has a blank in it".into()
    } else {
        format!("`{odd}` ({code}) is no letter of a name")
    }
}

/// For messages: at most so much of it, with what cannot be seen written out.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let mut out = String::from("`");
    for (at, c) in text.chars().enumerate() {
        if at == MOST {
            out.push('…');
            break;
        }
        if is_unseen(c) {
            out.push_str(&format!("\\u{{{:x}}}", c as u32));
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

/// Control characters, and those that take no room or turn the direction of what follows. The two that say how a sign is
/// drawn (U+FE0E, U+FE0F) are in every other emoji, and hide nothing.
pub(crate) fn is_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c as u32,
            0x00AD | 0x034F | 0x061C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0D | 0xFEFF
            | 0xFFA0 | 0xFFF0..=0xFFFB | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// The letter or digit of ASCII that a letter of another script passes for.
fn look_alike(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    // Full width, mathematical bold to monospace, and circled letters are the same alphabet in another dress.
    let code = c as u32;
    let latin = |offset: u32| char::from_u32(u32::from('a') + offset % 26);
    match code {
        0xFF10..=0xFF19 => return char::from_u32(code - 0xFF10 + 0x30),
        0xFF21..=0xFF3A => return latin(code - 0xFF21),
        0xFF41..=0xFF5A => return latin(code - 0xFF41),
        0x1D400..=0x1D6A3 => return latin(code - 0x1D400),
        0x24B6..=0x24E9 => return latin(code - 0x24B6),
        0x1D7CE..=0x1D7FF => return char::from_u32((code - 0x1D7CE) % 10 + 0x30),
        _ => {}
    }
    const ALIKE: [(&str, char); 31] = [
        ("аɑαᎪΑАạàáâãäåā", 'a'),
        ("ВΒᏴвḅ", 'b'),
        ("сϲСᏟçć", 'c'),
        ("ԁᏧḍď", 'd'),
        ("еҽЕΕᎬẹèéêëē", 'e'),
        ("ғḟ", 'f'),
        ("ɡԍɢğġ", 'g'),
        ("һНΗᎻḥ", 'h'),
        ("іıΙІᎥịìíîï", 'i'),
        ("јЈʝ", 'j'),
        ("кΚКκḳ", 'k'),
        ("ⅼӀⵏļł", 'l'),
        ("мΜМᎷṃ", 'm'),
        ("ոΝпņñ", 'n'),
        ("оοσОΟօọòóôõöøō", 'o'),
        ("рρРΡᏢ", 'p'),
        ("ԛգ", 'q'),
        ("гᎡŗ", 'r'),
        ("ѕЅᏚṣşś", 's'),
        ("тΤТτţ", 't'),
        ("υսцụùúûüū", 'u'),
        ("ѵνᏙṿ", 'v'),
        ("ԝѡᎳẉ", 'w'),
        ("хχХΧ", 'x'),
        ("уүУΥγýÿ", 'y'),
        ("ᴢΖᏃżź", 'z'),
        ("‐‑‒–—−﹣－⁃ー", '-'),
        ("О०০", '0'),
        ("²", '2'),
        ("З³з", '3'),
        ("¹", '1'),
    ];
    ALIKE.iter().find(|(letters, _)| letters.contains(c)).map(|(_, like)| *like)
}

/// Two names with the same shape are taken for one another: letters of other scripts, capitals, and `1` for `l`, `0` for
/// `o`, `rn` for `m`, `vv` for `w`.
pub(crate) fn shape(name: &str) -> String {
    let mut shape = String::with_capacity(name.len());
    for c in name.chars().filter(|c| !is_unseen(*c)) {
        for c in look_alike(c).unwrap_or(c).to_lowercase() {
            let (before, c) = match c {
                'n' if shape.ends_with('r') => ("r", 'm'),
                'v' if shape.ends_with('v') => ("v", 'w'),
                '1' => ("", 'l'),
                '0' => ("", 'o'),
                '_' | '.' | ' ' => ("", '-'),
                c => ("", c),
            };
            shape.truncate(shape.len() - before.len());
            shape.push(c);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_digits_and_single_hyphens_are_a_name() {
        for name in ["x", "demo", "1e3", "123", "a-b-c", "lsp-rename"] {
            assert!(is_name(name) && fault(name).is_none(), "{name}");
        }
        for name in ["", "-a", "a-", "a--b", "Demo", "a_b", "a.b", "../a", "a b", "dеmo", "a\n"] {
            assert!(!is_name(name) && fault(name).is_some(), "{name}");
        }
    }

    #[test]
    fn says_which_character_is_wrong() {
        let tail = "; only a-z, 0-9 and single hyphens between them may stand in a name";
        for (name, message) in [
            ("dеmo", "`name` is `dеmo`: `е` (U+0435) is not the letter `e` that it looks like"),
            ("ｄemo", "`name` is `ｄemo`: `ｄ` (U+FF44) is not the letter `d` that it looks like"),
            ("de\u{200b}mo", "`name` is `de\\u{200b}mo`: it has the invisible character U+200B"),
            ("demo\u{202e}", "`name` is `demo\\u{202e}`: it has the invisible character U+202E"),
            ("Demo", "`name` is `Demo`: `D` is a capital letter"),
            ("a b", "`name` is `a b`: it has a blank in it"),
            ("技能", "`name` is `技能`: `技` (U+6280) is no letter of a name"),
            ("a/b", "`name` is `a/b`: `/` (U+002F) is no letter of a name"),
        ] {
            assert_eq!(fault(name).unwrap(), format!("{message}{tail}"));
        }
        assert_eq!(fault("a--b").unwrap(), "`name` is `a--b`, which has two hyphens in a row");
        assert_eq!(fault("a-").unwrap(), "`name` is `a-`, which begins or ends with a hyphen");
    }

    #[test]
    fn names_that_look_alike_have_one_shape() {
        for other in ["Deploy", "DEPLOY", "dep1oy", "dерlоy", "ｄｅｐｌｏｙ", "dep\u{200d}loy", "𝐝𝐞𝐩𝐥𝐨𝐲"]
        {
            assert_eq!(shape(other), shape("deploy"), "{other}");
        }
        assert_eq!(shape("modern"), shape("modem"));
        assert_ne!(shape("deploy"), shape("employ"));
    }
}
