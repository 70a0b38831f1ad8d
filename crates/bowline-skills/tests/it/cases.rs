//! Inputs on which three other validators were run: where they agree, we agree.

use std::path::PathBuf;

use bowline_skills::{Reading, Report, validate};
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    directory: String,
    filename: String,
    #[serde(default)]
    pub(crate) note: Option<String>,
    text: Option<String>,
    text_b64: Option<String>,
    text_gen: Option<Generated>,
    skills_ref: Verdict,
    tavernkit: TavernKit,
    wink: Verdict,
    agree: bool,
}

#[derive(Deserialize)]
struct Generated {
    head: String,
    repeat: String,
    count: usize,
    tail: String,
}

#[derive(Deserialize)]
struct Verdict {
    verdict: String,
}

#[derive(Deserialize)]
struct TavernKit {
    strict: Verdict,
}

pub(crate) fn all() -> Vec<Case> {
    serde_json::from_str::<Cases>(include_str!("skill-cases.json")).unwrap().cases
}

impl Case {
    /// What each of the others says, in their own words: skills-ref, TavernKit (strict), WINK.
    pub(crate) fn others(&self) -> [&str; 3] {
        [&self.skills_ref.verdict, &self.tavernkit.strict.verdict, &self.wink.verdict]
    }

    fn accepted_by(&self) -> usize {
        self.others().iter().filter(|verdict| matches!(**verdict, "valid" | "accept")).count()
    }

    /// Whether all three say the same.
    pub(crate) fn agreed(&self) -> Option<bool> {
        match self.accepted_by() {
            0 => Some(false),
            3 => Some(true),
            _ => None,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match (&self.text, &self.text_b64, &self.text_gen) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(coded), None) => base64(coded),
            (None, None, Some(g)) => format!("{}{}{}", g.head, g.repeat.repeat(g.count), g.tail).into_bytes(),
            _ => panic!("{} has no text, or two", self.id),
        }
    }

    pub(crate) fn report(&self, reading: Reading) -> Report {
        let keep = tempfile::tempdir().unwrap();
        let dir: PathBuf = keep.path().join(&self.directory);
        std::fs::create_dir(&dir).unwrap();
        std::fs::write(dir.join(&self.filename), self.bytes()).unwrap();
        validate(&dir, reading)
    }
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|b| *b != b'=') {
        let value = LETTERS.iter().position(|l| *l == letter).unwrap();
        bits = bits << 6 | u32::try_from(value).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).unwrap());
        }
    }
    bytes
}

#[test]
fn strict_reading_agrees_wherever_the_others_agree() {
    let cases = all();
    assert_eq!(cases.len(), 87);
    let mut agreed = 0;
    for case in &cases {
        assert_eq!(case.agreed().is_some(), case.agree, "{}", case.id);
        if let Some(verdict) = case.agreed() {
            let report = case.report(Reading::Strict);
            assert_eq!(report.valid, verdict, "{}: {report:?}", case.id);
            agreed += 1;
        }
    }
    assert_eq!(agreed, 50);
}

/// What strict reading takes, lenient reading takes; what it mends, it says.
#[test]
fn lenient_reading_is_wider_and_never_silent() {
    for case in all() {
        let (strict, lenient) = (case.report(Reading::Strict), case.report(Reading::Lenient));
        assert!(lenient.valid || !strict.valid, "{}", case.id);
        assert!(strict.valid || !lenient.valid || !lenient.warnings.is_empty(), "{}", case.id);
        assert!(lenient.valid || !lenient.errors.is_empty(), "{}", case.id);
    }
}

#[test]
fn lenient_reading_mends_these_and_no_others() {
    let mended: Vec<String> = all()
        .into_iter()
        .filter(|case| case.report(Reading::Lenient).valid && !case.report(Reading::Strict).valid)
        .map(|case| case.id)
        .collect();
    assert_eq!(
        mended,
        [
            "bad-name-dir-mismatch",
            "bad-desc-1025",
            "edge-leading-space",
            "edge-cr-only",
            "edge-duplicate-key",
            "bad-compat-501",
            "edge-compat-list",
            "edge-metadata-int",
            "edge-metadata-string",
            "at-both-keys",
            "at-map",
        ]
    );
}
