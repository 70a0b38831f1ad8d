//! Any text is read: without a panic, and without silence where silence would be wrong.

#![no_main]

use bowline_command::{Surroundings, Word, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let surroundings = Surroundings { cwd: Some("/work".into()), home: Some("/home/me".into()) };
    let script = read(text, &surroundings);
    for command in &script.commands {
        assert!(!command.words.is_empty());
    }
    for touch in &script.touches {
        assert!(!touch.paths.is_empty());
        assert!(touch.paths.iter().all(|path| !path.as_os_str().is_empty()));
    }
    if text.contains('\0') {
        assert!(!script.is_readable());
    }
    if let Some(Word::Unknown { .. }) = script.commands.first().and_then(|command| command.words.first()) {
        assert!(!script.is_readable());
    }
});
