//! What `read` makes of shell text, and whether bash agrees.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod attacks;
mod bash;
mod bounds;
mod by_hand;
mod descriptors;
mod entries;
mod environment;
mod generated;
mod generator;
mod generator_leaves;
mod git;
mod grammar;
mod help;
mod hostile;
mod names;
#[cfg(target_os = "linux")]
mod options;
mod ordinary;
mod toolchains;
mod variables;
mod words;

use bowline_command::{Access, Script, ShellKind, Surroundings, Word};

/// Where all texts of these tests would run.
fn surroundings() -> Surroundings {
    Surroundings { cwd: Some("/proj".into()), home: Some("/home/me".into()), shell: ShellKind::Bash }
}

fn read(text: &str) -> Script {
    bowline_command::read(text, &surroundings())
}

/// Commands, files and doubts in lines.
fn shown(text: &str) -> String {
    let script = read(text);
    let mut lines = Vec::new();
    for command in &script.commands {
        let words: Vec<String> = command.words.iter().map(word).collect();
        lines.push(words.join(" "));
    }
    for touch in &script.touches {
        let paths: Vec<String> = touch.paths.iter().map(|path| path.display().to_string()).collect();
        let access = match (touch.access, touch.is_deep) {
            (Access::Read, _) => "reads",
            (Access::Write, false) => "writes",
            (Access::Write, true) => "writes below",
            (Access::Execute, _) => "runs code in",
        };
        lines.push(format!("{access} {}", paths.join(" or ")));
    }
    for doubt in &script.doubts {
        lines.push(format!("? {}", doubt.text()));
    }
    lines.join("\n")
}

fn word(word: &Word) -> String {
    match word {
        Word::Literal(text) if text.is_empty() || text.contains([' ', '\n', '<']) => format!("{text:?}"),
        Word::Literal(text) => text.clone(),
        Word::Unknown { text, .. } => format!("<{}>", text.escape_debug()),
    }
}

/// Does any touch of this kind mean this file?
fn touches(script: &Script, access: Access, path: &str) -> bool {
    let path = std::path::Path::new(path);
    script.touches.iter().any(|touch| {
        touch.access == access
            && touch.paths.iter().any(|touched| touched == path || touch.is_deep && path.starts_with(touched))
    })
}

/// Does any command run a program of this name?
fn runs(script: &Script, name: &str) -> bool {
    script.commands.iter().any(|command| {
        command
            .words
            .first()
            .and_then(Word::literal)
            .is_some_and(|program| program.rsplit('/').next() == Some(name))
    })
}
