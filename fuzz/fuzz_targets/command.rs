//! Any text is read: without a panic, and without silence where silence would be wrong.

#![no_main]

use bowline_command::{ShellKind, Surroundings, Word, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut surroundings =
        Surroundings { cwd: Some("/work".into()), home: Some("/home/me".into()), shell: ShellKind::Bash };
    let script = read(text, &surroundings);
    surroundings.shell = ShellKind::Unknown;
    let either = read(text, &surroundings);
    // What bash does counts, whichever shell it is.
    assert!(script.commands.iter().all(|command| either.commands.contains(command)));
    assert!(script.is_readable() || !either.is_readable());
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
