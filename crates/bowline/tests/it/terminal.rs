//! Being asked at a real terminal: what is shown, and that only a yes changes the file.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};

use bowline_testkit::Fixture;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::{bowline, project};

/// A program with a terminal on stdin and stderr.
struct Terminal {
    child: Child,
    keyboard: File,
    seen: String,
}

impl Terminal {
    fn start(fixture: &Fixture, arguments: &[&str]) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs = || File::options().read(true).write(true).open(&name).unwrap();
        let child = bowline(fixture)
            .args(arguments)
            .stdin(theirs())
            .stderr(theirs())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, keyboard: File::from(ours), seen: String::new() }
    }

    /// Reads on until this was shown.
    fn wait_for(&mut self, words: &str) {
        let from = self.seen.len();
        let mut bytes = [0; 4096];
        while !self.seen[from..].contains(words) {
            match self.keyboard.read(&mut bytes) {
                Ok(count @ 1..) => self.seen.push_str(&String::from_utf8_lossy(&bytes[..count])),
                _ => panic!("it ended without `{words}`: {}", self.seen),
            }
        }
    }

    fn say(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// How it ended. What is shown until then is read, so that it can.
    fn ended(mut self) -> (Option<i32>, String) {
        let mut bytes = [0; 4096];
        // The end of a terminal is an error.
        while let Ok(count @ 1..) = self.keyboard.read(&mut bytes) {
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        (self.child.wait().unwrap().code(), std::mem::take(&mut self.seen))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const EDIT: [&str; 8] = ["call", "apply_edit", "--file-path", "a.py", "--old-text", "1", "--new-text", "2"];

fn fixture() -> Fixture {
    Fixture::new("//- /project/a.py\nx = 1\n")
}

fn text(fixture: &Fixture) -> String {
    bowline_std::fs::read_text(&project(fixture).join("a.py"), 100).unwrap().0
}

const PROMPT: &str = "anything else = no: ";

#[test]
fn a_yes_writes() {
    let fixture = fixture();
    let mut terminal = Terminal::start(&fixture, &EDIT);
    terminal.wait_for(PROMPT);
    let shown = fixture.relative(&terminal.seen);
    for line in
        ["`apply_edit` would change files", "  new_text: \"2\"", "  /project/a.py", "asked by user default: "]
    {
        assert!(shown.contains(line), "{shown}");
    }
    assert_eq!(text(&fixture), "x = 1\n");
    terminal.say("y");
    let (code, shown) = terminal.ended();
    assert_eq!((code, text(&fixture).as_str()), (Some(0), "x = 2\n"), "{shown}");
}

fn answer(fixture: &Fixture) -> String {
    let trail = bowline_std::fs::read_text(&fixture.path("state/bowline/audit.jsonl"), 1 << 20).unwrap().0;
    let records = trail.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut answers = records.filter_map(|record| record["answer"].as_str().map(str::to_owned));
    answers.next_back().unwrap_or_default()
}

#[test]
fn a_yes_for_the_conversation_is_recorded_as_one() {
    let fixture = fixture();
    let mut terminal = Terminal::start(&fixture, &EDIT);
    terminal.wait_for("c = for this conversation");
    terminal.say("c");
    let (code, shown) = terminal.ended();
    assert_eq!((code, text(&fixture).as_str()), (Some(0), "x = 2\n"), "{shown}");
    assert_eq!(answer(&fixture), "conversation");
    assert!(!fixture.path("config/bowline/bowline.toml").exists());
}

#[test]
fn a_yes_for_ever_is_shown_before_it_is_written() {
    for (confirmed, code) in [("n", 3), ("y", 0)] {
        let fixture = fixture();
        let file = fixture.path("config/bowline/bowline.toml");
        let mut terminal = Terminal::start(&fixture, &EDIT);
        terminal.wait_for("a = always");
        terminal.say("a");
        terminal.wait_for("y = add them and run it");
        let shown = fixture.relative(&terminal.seen);
        assert!(shown.contains("these lines are added to /config/bowline/bowline.toml:"), "{shown}");
        assert!(shown.contains("  [[remembered]]") && shown.contains("  definition = \"blake3:"), "{shown}");
        assert!(!file.exists() && text(&fixture) == "x = 1\n");
        terminal.say(confirmed);
        let (ended, shown) = terminal.ended();
        assert_eq!(ended, Some(code), "{shown}");
        assert_eq!(text(&fixture) == "x = 2\n", code == 0);
        assert_eq!(file.exists(), code == 0);
        if code == 0 {
            assert_eq!(answer(&fixture), "always");
            let written = bowline_std::fs::read_text(&file, 10_000).unwrap().0;
            let lines = written.lines().filter(|line| !line.is_empty());
            for line in lines {
                assert!(shown.contains(line), "`{line}` was not shown: {shown}");
            }
        }
    }
}

#[test]
fn anything_else_is_a_no() {
    // The last one is the end of what is typed.
    for word in ["n", "", "yy", "never", "\u{4}"] {
        let fixture = fixture();
        let mut terminal = Terminal::start(&fixture, &EDIT);
        terminal.wait_for(PROMPT);
        terminal.say(word);
        let (code, shown) = terminal.ended();
        assert_eq!((code, text(&fixture).as_str()), (Some(3), "x = 1\n"), "{word:?}: {shown}");
        assert!(shown.contains("the person who was asked said no"), "{shown}");
    }
}

#[test]
fn what_is_hidden_behind_blanks_is_seen() {
    let fixture = fixture();
    let text = format!("2{}# the end", "\t".repeat(500));
    let mut arguments = EDIT;
    arguments[7] = &text;
    let mut terminal = Terminal::start(&fixture, &arguments);
    terminal.wait_for(PROMPT);
    assert!(terminal.seen.contains("new_text: \"2⟨500 blanks⟩# the end\""), "{}", terminal.seen);
}
