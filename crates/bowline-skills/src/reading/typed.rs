//! What other readers take a value for that was written without quotes.

/// What readers that guess types make of a value without quotes.
pub(super) fn typed(text: &str) -> Option<&'static str> {
    const EMPTY: [&str; 5] = ["", "~", "null", "Null", "NULL"];
    const TRUTH: [&str; 6] = ["true", "false", "yes", "no", "on", "off"];
    if EMPTY.contains(&text) {
        return Some("nothing");
    }
    // Nearly every text is neither, and is done with here.
    let first = text.as_bytes()[0];
    if text.len() > 64 || !(first.is_ascii_digit() || b"+-.tTfFyYnNoO".contains(&first)) {
        return None;
    }
    let low = text.to_ascii_lowercase();
    let one_case = text == low || text == text.to_ascii_uppercase() || {
        let mut rest = text.chars();
        rest.next();
        rest.as_str().chars().all(|c| c.is_ascii_lowercase())
    };
    if one_case && TRUTH.contains(&low.as_str()) {
        return Some("a truth value");
    }
    if is_date(text) {
        return Some("a date");
    }
    is_number(text).then_some("a number")
}

/// `2024-01-01`, with or without a time after it.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (day, time) = day.split_at(day.bytes().take_while(u8::is_ascii_digit).count());
    year.len() == 4
        && digits(year)
        && (1..=2).contains(&month.len())
        && digits(month)
        && (1..=2).contains(&day.len())
        && (time.is_empty() || time.starts_with(['T', 't', ' ']))
}

/// Decimal, octal, hexadecimal and binary numbers, with `_` between digits and sixties with `:`, as YAML 1.1 has them.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(digits.to_ascii_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = digits.strip_prefix(prefix) {
            return !rest.is_empty() && rest.chars().all(|c| c == '_' || c.is_digit(radix));
        }
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !digits.contains(|c: char| c.is_ascii_digit())
    {
        return false;
    }
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let counts = |part: &str, also: &[char]| part.chars().all(|c| c.is_ascii_digit() || also.contains(&c));
    mantissa.matches('.').count() <= 1
        && counts(mantissa, &['.', '_', ':', ','])
        && !exponent.is_empty()
        && counts(exponent, &[])
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn knows_what_others_make_of_a_plain_value() {
        for number in ["1", "1.0", "-3", "010", "0x1F", "1_000", "1e3", "1.5E-3", ".5", ".inf", "12:30"] {
            assert_eq!(typed(number), Some("a number"), "{number}");
        }
        for truth in ["true", "False", "NO", "on"] {
            assert_eq!(typed(truth), Some("a truth value"), "{truth}");
        }
        for date in ["2024-01-01", "2024-1-1", "2024-01-01T10:00:00Z"] {
            assert_eq!(typed(date), Some("a date"), "{date}");
        }
        for text in
            ["1.0.0", "v1", "e3", ".", "-", "+", "tRUE", "noo", "1 2", "1e", "0x", "2024-01-01x", "a:b"]
        {
            assert_eq!(typed(text), None, "{text}");
        }
    }
}
