//! The tools that guide a conversation: skills are listed, loaded and activated here, plans are told and ends are asked for.
//!
//! A tool here reads skills from a [`Store`], and changes what the ledger of its conversation says about them; what that
//! means for other calls is the gate's business. bowline's own skills are compiled in: see [`ours`].

mod activate_skill;
mod bounded;
mod deactivate_skill;
mod finish_task;
mod get_skill_phase;
mod guide;
mod ours;
mod skills_list;
mod skills_load;
mod skills_read_file;
mod skills_run_script;
mod update_plan;

use std::sync::Arc;

use bowline_call::{AnyTool, erase};

pub use finish_task::Finisher;
pub use guide::Guide;
pub use ours::{OURS, ours};

/// Tools that change what later calls of the same conversation get.
pub const LASTING: [&str; 4] = ["activate_skill", "deactivate_skill", "skills_load", "update_plan"];

/// Every tool of this room.
pub fn all(guide: &Arc<Guide>) -> Vec<Arc<dyn AnyTool>> {
    let guide = || Arc::clone(guide);
    vec![
        erase(activate_skill::ActivateSkill { guide: guide() }),
        erase(deactivate_skill::DeactivateSkill { guide: guide() }),
        erase(finish_task::FinishTask { guide: guide() }),
        erase(get_skill_phase::GetSkillPhase { guide: guide() }),
        erase(skills_list::SkillsList { guide: guide() }),
        erase(skills_load::SkillsLoad { guide: guide() }),
        erase(skills_read_file::SkillsReadFile { guide: guide() }),
        erase(skills_run_script::SkillsRunScript),
        erase(update_plan::UpdatePlan { guide: guide() }),
    ]
}
