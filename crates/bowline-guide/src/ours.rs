//! The skills of the house, compiled in.

use bowline_skills::{EmbeddedSkill, EmbeddedStore};

const SKILLS: &[EmbeddedSkill] = &[
    EmbeddedSkill {
        name: "lsp-placeholder",
        files: &[
            (
                "SKILL.md",
                b"---\nname: lsp-placeholder\ndescription: Stands where the skills of the house will be.\n\
                  metadata:\n  phases: phases.yaml\n---\n# Placeholder\n\nDo nothing.\n",
            ),
            ("references/patterns.md", b"# Patterns\n\nNone.\n"),
            (
                "phases.yaml",
                b"phases:\n  look:\n    description: Look first.\n    allowed: [find_references]\n    forbidden: [\"@write\"]\n",
            ),
        ],
    },
    EmbeddedSkill {
        name: "lsp-second",
        files: &[(
            "SKILL.md",
            b"---\nname: lsp-second\ndescription: Stands beside it.\n---\n# Second\n\nDo nothing, too.\n",
        )],
    },
];

/// Our own skills.
pub fn ours() -> EmbeddedStore {
    EmbeddedStore::new(SKILLS)
}
