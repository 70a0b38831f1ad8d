//! `bowline skills show`.

use bowline_skills::{PhaseTable, Skill, SkillError, Store, Word};
use bowline_std::text::nearest;

use super::list::{location, scope};
use crate::commands::BadUsage;
use crate::exit::Ending;
use crate::paint::{BAD, BOLD, DIM, NAME, line, note, styled, tame};

/// More than a model is ever given.
const MOST_BYTES: usize = 200_000;

pub(super) fn run(library: &dyn Store, name: &str) -> anyhow::Result<Ending> {
    let skill = library.load(name, MOST_BYTES).map_err(|error| explained(error, library))?;
    head(&skill);
    line("");
    skill.body.lines().for_each(|text| line(tame(text)));
    if let Some(cut) = skill.truncated {
        note(format_args!("cut: {} of {} bytes", cut.kept_bytes, cut.total_bytes));
    }
    if !skill.files.is_empty() {
        line("");
        line(styled(BOLD, "Files"));
        skill.files.iter().for_each(|file| line(format_args!("  {}", tame(file))));
    }
    match library.phases(name) {
        Ok(None) => Ok(Ending::Well),
        Ok(Some(table)) => {
            phases(&table);
            Ok(Ending::Well)
        }
        Err(error) => {
            line("");
            line(styled(BAD, tame(&error.to_string())));
            Ok(Ending::Failed)
        }
    }
}

fn explained(error: SkillError, library: &dyn Store) -> anyhow::Error {
    let SkillError::NotFound { name } = &error else {
        return error.into();
    };
    let catalogue = library.list();
    let near = nearest(name, catalogue.skills.iter().map(|summary| summary.name.as_str()));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    BadUsage(format!("{error}{near}")).into()
}

fn head(skill: &Skill) {
    let summary = &skill.summary;
    line(format_args!("{}  {}", styled(BOLD, tame(&summary.name)), styled(DIM, scope(summary.scope))));
    line(tame(&summary.description));
    let field = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            line(format_args!("{} {}", styled(DIM, format_args!("{name}:")), tame(value)));
        }
    };
    field("location", location(summary).as_deref());
    field("license", summary.license.as_deref());
    field("compatibility", summary.compatibility.as_deref());
    field("allowed-tools", summary.allowed_tools.as_ref().map(|allowed| allowed.raw.as_str()));
    for (key, value) in &summary.metadata {
        field(&tame(key), Some(value));
    }
    for warning in &skill.warnings {
        field("doubtful", Some(&warning.to_string()));
    }
}

fn phases(table: &PhaseTable) {
    line("");
    line(format_args!("{} {}", styled(BOLD, "Phases"), styled(DIM, tame(&table.file))));
    for (number, phase) in table.phases.iter().enumerate() {
        let must = if phase.skippable { "" } else { "  cannot be skipped" };
        line(format_args!("  {}. {}{}", number + 1, styled(NAME, tame(&phase.name.text)), styled(DIM, must)));
        if !phase.description.is_empty() {
            line(format_args!("     {}", tame(&phase.description)));
        }
        words("allowed", &phase.allowed);
        words("forbidden", &phase.forbidden);
        words("complete when", phase.complete_when.as_deref().unwrap_or_default());
    }
    if !table.global_forbidden.is_empty() {
        line("  in every phase");
        words("forbidden", &table.global_forbidden);
    }
}

fn words(what: &str, words: &[Word]) {
    if !words.is_empty() {
        let words = words.iter().map(|word| tame(&word.text)).collect::<Vec<_>>().join(", ");
        line(format_args!("     {} {words}", styled(DIM, format_args!("{what}:"))));
    }
}
