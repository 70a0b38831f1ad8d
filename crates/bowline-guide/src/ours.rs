//! bowline's own skills, compiled in. Each is a directory below `skills/`; a test keeps this list and that tree alike.

use bowline_skills::{EmbeddedSkill, EmbeddedStore};

/// One skill, by the names of its files.
macro_rules! skill {
    ($name:literal: $($file:literal),+) => {
        EmbeddedSkill {
            name: $name,
            files: &[$(($file, include_bytes!(concat!("../../../skills/", $name, "/", $file)))),+],
        }
    };
}

/// The skills that every bowline has.
pub const OURS: &[EmbeddedSkill] = &[
    skill!("lsp-architecture": "SKILL.md"),
    skill!("lsp-concurrency-audit": "SKILL.md"),
    skill!("lsp-cross-repo": "SKILL.md"),
    skill!("lsp-dead-code": "SKILL.md", "references/patterns.md"),
    skill!("lsp-docs": "SKILL.md"),
    skill!("lsp-edit-export": "SKILL.md"),
    skill!("lsp-edit-symbol": "SKILL.md"),
    skill!("lsp-explore": "SKILL.md", "references/patterns.md"),
    skill!("lsp-extract-function": "SKILL.md", "references/patterns.md"),
    skill!("lsp-fix-all": "SKILL.md"),
    skill!("lsp-format-code": "SKILL.md"),
    skill!("lsp-generate": "SKILL.md", "references/patterns.md"),
    skill!("lsp-impact": "SKILL.md", "references/patterns.md"),
    skill!("lsp-implement": "SKILL.md"),
    skill!("lsp-inspect": "SKILL.md"),
    skill!("lsp-local-symbols": "SKILL.md"),
    skill!("lsp-onboard": "SKILL.md"),
    skill!("lsp-refactor": "SKILL.md", "phases.yaml", "references/patterns.md"),
    skill!("lsp-rename": "SKILL.md", "phases.yaml", "references/patterns.md"),
    skill!("lsp-safe-edit": "SKILL.md", "phases.yaml"),
    skill!("lsp-simulate": "SKILL.md", "references/patterns.md"),
    skill!("lsp-test-correlation": "SKILL.md"),
    skill!("lsp-understand": "SKILL.md", "references/patterns.md"),
    skill!("lsp-verify": "SKILL.md", "phases.yaml"),
];

/// As a store.
pub fn ours() -> EmbeddedStore {
    EmbeddedStore::new(OURS)
}
