//! The format and the cases as `docs/reference/skill-format.md` has them. `UPDATE_TABLE=1` writes it anew.

use bowline_skills::{Reading, Report};

use super::cases::{self, Case};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/skill-format.md");

const HEAD: &str = "\
# The format of skills

Written by `UPDATE_TABLE=1 cargo test -p bowline-skills --test it reference`, and checked by every run of it.

A skill is a directory with a file `SKILL.md`: a head between two lines `---`, in YAML, and a text in Markdown. There are two \
ways to read it. **Strict** reading refuses what is not right, with every reason and its line; it is what `validate` does and \
what skills that are built in must pass. **Lenient** reading mends what can be mended and says what it did. What neither reads is \
left out with its reason, and never hides another skill.

## The head

- The first line is `---`, at the margin. The next line that is `---` alone and at the margin ends the head; blanks may follow on \
it. `---` inside a value, indented, or with text behind it does not. Strict refuses a byte-order mark, blanks before the first \
`---`, and lines that end with a lone CR; lenient reads past them. CRLF is an ordinary line end.
- The head ends within 50 000 bytes and is UTF-8 without NUL.
- Every value is the text that was written: `123`, `no` and `2024-01-01` are text. Where others guess a type, there is a warning.
- Anchors, aliases, tags, directives and a second document are not read, nor is anything nested more than 16 deep or with more \
than 2 000 values.
- A key that is there twice is refused; lenient uses the last one. `allowed_tools` is `allowed-tools`.
- Lenient reads `key: text: more text` at the margin as if the value had quotes.
- Control characters and those that cannot be seen or turn the direction of a text are left out of every value, with a warning that \
says which; an entry of `allowed-tools` that has one names no tool. A tab and the end of a line are blanks; joiners stay.
- At most 50 errors and 50 warnings are told of one head.

| key | | strict | lenient |
|---|---|---|---|
| `name` | required | a-z and 0-9 in groups with single hyphens between, at most 64 characters, the directory's name exactly | may differ \
from the directory's, and be longer (at most 255) |
| `description` | required | text, 1 to 1024 characters after trimming | may be longer |
| `license` | | text | a list or map is written as text |
| `compatibility` | | text, at most 500 characters | may be longer; a list or map is written as text |
| `allowed-tools` | | text, or a list of text, at most 500 entries | anything else names no tool; of more entries the first 500 count |
| `metadata` | | a map of text to text: what others would take for a number, a truth value, a date or nothing needs quotes | made \
text; what is no map is left out |
| `metadata.argument-hint` | | the arguments of the skill as a prompt: `[file] [optional: line]` | also beside `metadata` |
| `metadata.phases` | | the name of a YAML file beside `SKILL.md` with the table of phases | also the table itself as a map, \
`metadata.tool_permissions` |
| others | | a warning | a warning |

Blanks around names and texts do not count (a blank is one of ASCII: a no-break space is a character like any other), lengths are in characters, an empty optional text is an absent one. `hooks`, `shell`, \
and commands in the text (`` !`command` ``) are code on other hosts. They are told in warnings and never run.

`allowed-tools` is read with an eye on parentheses: blanks and commas outside of them stand between entries, and \
`Bash(git add:*)` is one entry.

The text is read as UTF-8. What is not, and NUL, is replaced by U+FFFD and told with its line. Where a text is cut to a limit, what is \
told counts bytes of the file.

A name with a letter of another script, a capital, or a character that cannot be seen is refused, and the message says which. Two \
names that look alike (`deploy`, `dep1oy`) are told in a warning.

## Where skills come from

- The immediate subdirectories of each root, in the order of their names; names that begin with `.` and files are passed over. A \
directory without `SKILL.md` is no skill. At most 20 000 directories of a root are read.
- A link may lead anywhere inside: a directory's link inside the root, a file's inside the skill. One that leads out is refused. A \
directory that several names of a root lead to is read once, under the name that the skill has. A project's root is read only while it \
lies in the project itself.
- A project's skill shadows a user's, a user's shadows one that is built in, and each is told. A project's skill with the name of \
one that is built in, or a name that looks like it, is refused; a copy of the built-in `SKILL.md`, byte for byte, is left out \
without a word.
- Files beside `SKILL.md` are those one level below `scripts/`, `references/` and `assets/`, without names that begin with `.`; \
at most 1 000 of each are listed.

## The table of phases

A map with `phases` and, if need be, `global_forbidden`. Each phase has, all of them optional, `description` (text), `allowed`, \
`forbidden`, `complete_when` (lists of text) and `skippable` (`true`, which is the default, or `false`). Any other key is refused \
with its line, and so are a phase that is there twice, a table without phases, more than 64 phases or 1 000 words, and an item with \
half of a pair of parentheses: an item with a comma needs quotes.

## Where others disagree

Three other validators were run on 87 inputs: skills-ref 0.1.1 (the reference), TavernKit (strict) and WINK. They agree on 50 of \
them, and there strict reading says the same. Here are the others. The inputs are in \
`crates/bowline-skills/tests/it/skill-cases.json`.

";

/// Why we say what we say where the others do not agree.
const REASONS: [(&str, &str); 37] = [
    ("ok-no-final-newline", "the last line of a file need not end"),
    ("edge-name-int", "a value is the text that was written"),
    ("edge-name-no", "a value is the text that was written; the warning helps readers that guess"),
    ("edge-name-null", "a value is the text that was written; the warning helps readers that guess"),
    ("edge-name-cjk", "names are ASCII: everybody can type them, and none looks like another"),
    ("edge-name-superscript", "names are ASCII: two spellings of one name are a trap"),
    ("edge-name-homoglyph", "names are ASCII: this one would pass for another skill"),
    ("bad-desc-blank", "blanks describe nothing"),
    ("edge-desc-1025-padded", "blanks around a text do not count"),
    ("edge-desc-int", "a value is the text that was written"),
    ("edge-desc-date", "a value is the text that was written"),
    ("edge-leading-space", "the first line is `---` alone, at the margin"),
    ("edge-open-trailing-space", "blanks that nobody sees do no harm"),
    ("edge-four-dashes-close", "four dashes are not three"),
    ("edge-inline-frontmatter", "`---` stands alone on its line"),
    ("edge-invalid-utf8-in-body", "the head can be read; what cannot is replaced in the text"),
    ("edge-cr-only", "no system ends lines so; a reader that does not know it sees one long line"),
    ("edge-duplicate-key", "nobody can say which one is meant"),
    ("edge-anchor-alias", "aliases are how small files become large ones"),
    ("edge-merge-key", "aliases are how small files become large ones"),
    ("edge-tag-python", "a tag asks the reader to make something; text is all there is"),
    ("edge-flow-root", "it is a map, and says the same"),
    ("edge-key-padded", "a key is what was written: this one is not `name`"),
    ("edge-skill-md-lowercase", "one name for the file, on every disk"),
    ("edge-compat-list", "the format says text"),
    ("edge-license-int", "a value is the text that was written"),
    ("edge-unknown-field", "a key of tomorrow must not break the reader of today"),
    ("edge-claude-fields", "keys of other hosts do nothing here, and no harm"),
    ("edge-hooks-field", "told, and not run"),
    ("edge-tool-permissions", "the table is not read at this place, and the warning says where it is"),
    ("edge-metadata-int", "metadata is text: two of three would make it a number"),
    ("edge-metadata-flow", "it is a map, and says the same"),
    ("edge-metadata-string", "metadata is a map"),
    ("at-list", "a list says the same as a line"),
    ("at-both-keys", "nobody can say which one is meant"),
    ("at-map", "a map names no tools"),
    ("big-frontmatter", "a head of that size is not a head"),
];

#[test]
fn the_page_has_every_case_in_which_the_others_differ() {
    let text = page(&cases::all());
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap_or_default();
    assert_eq!(written, text, "the page is not what is read (UPDATE_TABLE=1)");
}

fn page(cases: &[Case]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(
        "| case | skills-ref | TavernKit | WINK | strict | lenient | why |\n|---|---|---|---|---|---|---|\n",
    );
    let mut reasons = REASONS.iter();
    for case in cases.iter().filter(|case| case.agreed().is_none()) {
        let [skills_ref, tavernkit, wink] = case.others();
        let (strict, lenient) = (word(&case.report(Reading::Strict)), word(&case.report(Reading::Lenient)));
        let why = match reasons.next() {
            Some((id, why)) if *id == case.id => why,
            other => panic!("the reason for {} is missing, or out of order: {other:?}", case.id),
        };
        let note =
            case.note.as_deref().map_or(String::new(), |note| format!(": {}", note.replace('|', "\\|")));
        text.push_str(&format!(
            "| `{}`{note} | {skills_ref} | {tavernkit} | {wink} | {strict} | {lenient} | {why} |\n",
            case.id
        ));
    }
    assert_eq!(reasons.next(), None, "a reason for a case that is not there");
    text
}

fn word(report: &Report) -> &'static str {
    match (report.valid, report.warnings.is_empty()) {
        (true, true) => "valid",
        (true, false) => "valid, warns",
        (false, _) => "rejected",
    }
}
