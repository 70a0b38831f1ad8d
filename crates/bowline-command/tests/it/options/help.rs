//! Which options a program lists when it is asked for help.

use std::collections::BTreeSet;

/// An option, by all its names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// With their dashes.
    pub(crate) names: Vec<String>,
    pub(crate) takes_value: bool,
    /// Words that the help puts between quotes: values that mean something.
    pub(crate) choices: Vec<String>,
}

/// The options that a help text lists, each once. What looks like one and is none does no harm: it is tried.
pub(crate) fn options(help: &str) -> Vec<Listed> {
    let mut found: Vec<Listed> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        if text.starts_with('-') && text.len() > 1 {
            let end = text.find("  ").or_else(|| text.find('\t')).unwrap_or(text.len());
            let option = listed(&text[..end]);
            if !option.names.is_empty() {
                found.push(option);
            }
        }
        if let Some(option) = found.last_mut() {
            option.choices.extend(quoted(line));
        }
        // `usage: cmd [-abc] [-f file] [--long]`
        if line.contains('[') || line.starts_with("usage") || line.starts_with("Usage") {
            for group in line.split(['[', ']', '|']) {
                if let Some(letters) = group.strip_prefix('-')
                    && let Some(first) = letters.split([' ', '=']).next()
                {
                    found.extend(bare(first, letters.len() > first.len()));
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    found.retain_mut(|option| {
        option.names.retain(|name| seen.insert(name.clone()));
        option.choices.sort_unstable();
        option.choices.dedup();
        !option.names.is_empty()
    });
    found
}

/// `-f, --file=FILE`, `-w[NUM], --wide[=NUM]`, `--color WHEN`, `-n|--name <x>`.
fn listed(text: &str) -> Listed {
    let mut option = Listed::default();
    for part in text.split([',', '|', ' ', '\t']).filter(|part| !part.is_empty()) {
        let is_name = part.starts_with('-') && part.len() > 1;
        if !is_name {
            option.takes_value = true;
            continue;
        }
        let end = part.find(['=', '[', '<', ':', '(', ')', '.', '/']).unwrap_or(part.len());
        option.takes_value |= end < part.len();
        let name = &part[..end];
        let is_long = name.starts_with("--") && name.len() > 2;
        let is_word = name.trim_start_matches('-').chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if is_long && is_word {
            option.names.push(name.to_owned());
        } else if let Some(letter) = name.chars().nth(1).filter(|_| is_word && !name.starts_with("--")) {
            option.takes_value |= name.len() > 2;
            option.names.push(format!("-{letter}"));
        }
    }
    option
}

/// The letters of a cluster, or a long name.
fn bare(text: &str, takes_value: bool) -> Vec<Listed> {
    let is_word = |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let option = |name: String| Listed { names: vec![name], takes_value, choices: Vec::new() };
    match text.strip_prefix('-') {
        Some(long) if !long.is_empty() && is_word(long) => vec![option(format!("--{long}"))],
        None if is_word(text) => text.chars().map(|letter| option(format!("-{letter}"))).collect(),
        _ => Vec::new(),
    }
}

/// Words between quotes: `'always'`, `"never"`.
fn quoted(line: &str) -> Vec<String> {
    let is_choice = |text: &&str| {
        (2..=20).contains(&text.len())
            && text.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
            && !text.starts_with('-')
    };
    let mut words = Vec::new();
    for quote in ['\'', '"', '`'] {
        words.extend(line.split(quote).skip(1).step_by(2).filter(is_choice).map(str::to_owned));
    }
    words
}

#[test]
fn a_help_text_is_read() {
    let options = options(
        "Usage: x [-ab] [-c file] [FILE]\n  -f, --file=FILE   read 'all' or 'none'\n  --wide[=N]\n  -o FILE  output\n",
    );
    let shown: Vec<String> = options
        .iter()
        .map(|option| {
            format!(
                "{}{} {:?}",
                option.names.join("/"),
                if option.takes_value { "=" } else { "" },
                option.choices
            )
        })
        .collect();
    assert_eq!(shown, ["-a []", "-b []", "-c= []", "-f/--file= [\"all\", \"none\"]", "--wide= []", "-o= []"]);
}
