//! Containers: what only looks at them, and what runs in them.

use super::{inner, only_asks_about_itself};
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::{Pin, Word};

const WHY: &str = "it runs commands elsewhere, with files that may be ours";

fn hidden(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, format!("`{}`: {WHY}", words[0].shown()));
    inner(words, &mut meaning);
    for pair in words.windows(2) {
        // Files that it writes here, whatever else it does.
        let name = pair[0].literal().unwrap_or_default();
        if matches!(name, "-o" | "--output" | "--iidfile" | "--cidfile" | "--metadata-file") {
            meaning.writes(&pair[1], true);
        }
    }
    for word in words {
        for name in ["--output=", "--iidfile=", "--cidfile=", "--metadata-file="] {
            if word.start().starts_with(name) {
                meaning.writes(&word.after(name.len()), true);
            }
        }
    }
    meaning
}

/// Subcommands that only look, by what they are about.
const DOCKER_LOOKS: &[(&str, &str)] = &[
    ("", "ps images version info logs top history port stats inspect events diff search"),
    ("container", "ls list ps inspect logs top port stats diff"),
    ("image", "ls list inspect history"),
    ("volume network node service stack plugin secret config", "ls list inspect ps logs"),
    ("context", "ls list inspect show"),
    ("system", "df info events"),
    ("buildx builder", "ls inspect du version"),
    ("manifest trust", "inspect"),
];

pub(super) fn docker(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(
        words,
        "D/debug H/host= c/context= l/log-level= tls tlscacert=< tlscert=< tlskey=< tlsverify v/version help connection= url=",
        Order::First,
    );
    let rest: Vec<Word> = line.words().cloned().collect();
    let sub = |at: usize| rest.get(at).and_then(Word::literal).unwrap_or_default();
    // An option in another place, or a plugin in another directory, is not looked through.
    if line.unsure.is_some() || rest.is_empty() {
        return hidden(words);
    }
    if sub(0) == "compose" {
        return compose(&rest);
    }
    let has = |list: &str, name: &str| list.split(' ').any(|each| each == name && !name.is_empty());
    let looks = DOCKER_LOOKS.iter().any(|(about, looks)| match *about {
        "" => has(looks, sub(0)),
        about => has(about, sub(0)) && has(looks, sub(1)),
    });
    if looks { Meaning::default() } else { hidden(words) }
}

/// `compose [options] ps`.
pub(super) fn compose(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "all-resources ansi= compatibility dry-run env-file=< f/file=< p/project-name= parallel= profile= progress= \
            project-directory= verbose v/version help",
        Order::First,
    );
    let mut meaning = Meaning::default();
    let sub = line.operand(0).and_then(Word::literal);
    match sub {
        _ if line.unsure.is_some() => return hidden(words),
        None if line.has("v help") => {}
        Some(
            "ps" | "logs" | "ls" | "images" | "top" | "version" | "port" | "events" | "stats" | "volumes",
        ) => {}
        // It shows its files with the values of variables, which come from another file.
        Some("config" | "convert")
            if words.iter().all(|word| {
                !word.start().starts_with("-o")
                    && !word.start().starts_with("--o")
                    && !word.start().starts_with("--lock")
            }) =>
        {
            meaning.reads(&Word::Literal(".env".to_owned()));
        }
        _ => return hidden(words),
    }
    meaning.uses(&line, "docker");
    meaning
}

const KUBECTL: &str = "A/all-namespaces L/label-columns= R/recursive all-containers c/container= chunk-size= cluster= containers \
    context= f/filename/follow? field-selector= for= help ignore-not-found ignore-errors l/selector= limit-bytes= \
    max-log-requests= n/namespace= no-headers o/output= p/previous prefix raw= request-timeout= show-events? show-kind \
    show-labels show-managed-fields since= since-time= sort-by= api-group= namespaced? verbs= short client output-watch-events \
    tail= timestamps types= user= v= w/watch watch-only revision= no-pager subresource= list minify";

const KUBECTL_LOOKS: &str =
    "get describe logs top explain api-resources api-versions version events cluster-info options";

const KUBECTL_LOOKS_INTO: &[(&str, &str)] = &[
    ("config", "view get-contexts current-context get-clusters get-users"),
    ("auth", "can-i whoami"),
    ("rollout", "status history"),
];

pub(super) fn kubectl(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, KUBECTL, Order::Anywhere);
    let has =
        |list: &str, name: Option<&str>| name.is_some_and(|name| list.split(' ').any(|each| each == name));
    let sub = |at: usize| line.operand(at).and_then(Word::literal);
    let looks = has(KUBECTL_LOOKS, sub(0)) && sub(1) != Some("dump")
        || KUBECTL_LOOKS_INTO.iter().any(|(about, looks)| sub(0) == Some(about) && has(looks, sub(1)));
    if line.unsure.is_some() || !looks {
        return hidden(words);
    }
    let mut meaning = Meaning::default();
    for form in line.values("o").filter(|form| form.start().contains("file=") || form.literal().is_none()) {
        let at = form.start().find("file=").map_or(0, |at| at + "file=".len());
        meaning.reads(&form.after(at));
    }
    // To `logs` it means to go on, to others a file.
    if line.has("f") && sub(0) != Some("logs") {
        line.words().skip(1).for_each(|path| meaning.reads(path));
        line.values("f").for_each(|path| meaning.reads(path));
    }
    meaning
}

/// Others, of which the first word says enough.
pub(super) fn other(words: &[Word]) -> Meaning {
    const LOOKS: &str = "ps images version info list ls status history stats";
    let sub = words.get(1).and_then(Word::literal);
    let is_plain = words[1..]
        .iter()
        .all(|word| word.literal().is_some_and(|text| !text.starts_with("--") || text == "--all"));
    let looks = is_plain && sub.is_some_and(|sub| LOOKS.split(' ').any(|each| each == sub));
    if looks || only_asks_about_itself(words) { Meaning::default() } else { hidden(words) }
}
