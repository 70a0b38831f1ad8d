//! `bowline skills list`.

use bowline_skills::{Catalogue, Location, Rejected, Scope, Store, Summary};
use serde_json::{Value, json};

use crate::exit::Ending;
use crate::paint::{BAD, BOLD, DIM, line, styled, tame};

pub(super) fn run(library: &dyn Store, json: bool) -> anyhow::Result<Ending> {
    let catalogue = library.list();
    if json {
        line(machine(&catalogue));
    } else {
        people(&catalogue);
    }
    Ok(Ending::Well)
}

/// Whose it is, in a word.
pub(super) fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::User => "user",
        Scope::BuiltIn => "built in",
    }
}

/// Where it is, if it is a file.
pub(super) fn location(summary: &Summary) -> Option<String> {
    match &summary.location {
        Location::File(path) => Some(path.display().to_string()),
        Location::Embedded => None,
    }
}

fn machine(catalogue: &Catalogue) -> Value {
    let skill = |summary: &Summary| {
        json!({
            "name": summary.name,
            "scope": summary.scope,
            "description": summary.description,
            "location": location(summary),
        })
    };
    let warning = |(place, finding): &(String, _)| json!({"place": place, "finding": finding});
    let rejected = |rejected: &Rejected| json!({"place": rejected.place, "errors": rejected.findings});
    json!({
        "roots": catalogue.roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>(),
        "skills": catalogue.skills.iter().map(|summary| skill(summary)).collect::<Vec<_>>(),
        "shadowed": catalogue.shadowed.iter().map(|shadowed| json!({
            "name": shadowed.name,
            "scope": shadowed.scope,
            "hidden": shadowed.hidden,
            "by": shadowed.by,
        })).collect::<Vec<_>>(),
        "rejected": catalogue.rejected.iter().map(rejected).collect::<Vec<_>>(),
        "warnings": catalogue.warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}

fn people(catalogue: &Catalogue) {
    for summary in &catalogue.skills {
        line(format_args!("{}  {}", styled(BOLD, tame(&summary.name)), styled(DIM, scope(summary.scope))));
        line(format_args!("    {}", tame(&summary.description)));
    }
    line(styled(DIM, format_args!("{} skills", catalogue.skills.len())));
    for shadowed in &catalogue.shadowed {
        line(format_args!(
            "{}  {} is hidden by {}",
            styled(BOLD, tame(&shadowed.name)),
            tame(&shadowed.hidden),
            tame(&shadowed.by)
        ));
    }
    for rejected in &catalogue.rejected {
        line(format_args!("{}  {}", styled(BAD, "left out"), tame(&rejected.place)));
        rejected.findings.iter().for_each(|finding| line(format_args!("    {}", tame(&finding.to_string()))));
    }
    for (place, finding) in &catalogue.warnings {
        line(format_args!("{}  {}", styled(DIM, "doubtful"), tame(place)));
        line(format_args!("    {}", tame(&finding.to_string())));
    }
}
