//! The skills that this bowline has: those of the project, of the user, and its own.

mod recorded;

use std::sync::Arc;

use bowline_config::SkillSettings;
use bowline_mcp::Prompts;
use bowline_skills::{FileSystemStore, Library, Locations, Reading, Store};
use bowline_tools::{SkillLister, SkillNeeds};

pub(crate) use recorded::Recorded;

/// All of them, those of the project first.
pub(crate) fn library(settings: &SkillSettings) -> Arc<dyn Store> {
    let reading = if settings.strict { Reading::Strict } else { Reading::Lenient };
    let ours = bowline_guide::ours();
    let on_disk =
        FileSystemStore::new(settings.roots.clone(), reading).within(&settings.projects).beside(&ours);
    Arc::new(Library::new(vec![Arc::new(on_disk), Arc::new(ours)]))
}

/// As the prompts that a client may have.
pub(crate) fn prompts(library: Arc<dyn Store>, settings: &SkillSettings) -> Prompts {
    let locations = if settings.include_location { Locations::Shown } else { Locations::Hidden };
    Prompts::new(library, settings.max_bytes, locations)
}

/// What each needs of language servers.
pub(crate) fn needs(library: Arc<dyn Store>) -> SkillLister {
    Arc::new(move || {
        let library = Arc::clone(&library);
        Box::pin(async move {
            // Without an answer nothing is said of skills, which is no reason to say nothing of servers.
            tokio::task::spawn_blocking(move || needed(&*library)).await.unwrap_or_default()
        })
    })
}

fn needed(library: &dyn Store) -> Vec<SkillNeeds> {
    let skills = library.list().skills;
    let words = |text: Option<&String>| {
        text.map(|text| text.split_whitespace().map(str::to_owned).collect()).unwrap_or_default()
    };
    let needs = skills.iter().map(|skill| SkillNeeds {
        name: skill.name.clone(),
        required: words(skill.metadata.get("required-capabilities")),
        optional: words(skill.metadata.get("optional-capabilities")),
    });
    needs.collect()
}
