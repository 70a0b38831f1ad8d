//! Several lists of skills made into one: who shadows whom, who may not have a name, and which names look alike.

use std::cell::LazyCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::name::{is_name, shape};
use crate::reading::FILE;
use crate::{Catalogue, Finding, Location, Rejected, Scope, Shadowed, SkillError, Summary};

/// The name that a caller means. `Err` where it cannot be one.
pub(crate) fn asked_for(name: &str) -> Result<&str, SkillError> {
    let name = name.trim_ascii();
    if name.is_empty() {
        return Err(SkillError::BadArgument("the name of the skill is empty".into()));
    }
    if name.contains('\0') {
        return Err(SkillError::BadArgument("the name of the skill has a NUL byte in it".into()));
    }
    if !is_name(name) || name.len() > crate::name::LONGEST_LENIENT {
        return Err(SkillError::NotFound { name: name.to_owned() });
    }
    Ok(name)
}

/// Why a skill that was asked for is not had.
pub(crate) fn refused(name: &str, findings: &[Finding]) -> SkillError {
    let reasons: Vec<String> = findings.iter().map(ToString::to_string).collect();
    SkillError::Rejected { name: name.to_owned(), why: reasons.join("; ") }
}

/// Whether a project must not take it: it is a built-in skill's name, or looks like one.
pub(crate) fn is_reserved(name: &str, reserved: &[String]) -> bool {
    let shape_of_it = shape(name);
    reserved.iter().any(|taken| shape(taken) == shape_of_it)
}

/// Where a skill is, for people.
pub(crate) fn place(summary: &Summary) -> String {
    match &summary.location {
        Location::File(path) => path.parent().unwrap_or(path).display().to_string(),
        Location::Embedded => "built in".into(),
    }
}

/// One list from several. Among skills of one name a project's comes first, then a user's, then the order of the parts.
pub(crate) fn merge(parts: Vec<Catalogue>, reserved: &[String]) -> Catalogue {
    let mut merged = Catalogue::default();
    let mut all: Vec<Arc<Summary>> = Vec::new();
    for part in parts {
        for root in part.roots {
            if !merged.roots.contains(&root) {
                merged.roots.push(root);
            }
        }
        all.extend(part.skills);
        merged.shadowed.extend(part.shadowed);
        merged.rejected.extend(part.rejected);
        merged.warnings.extend(part.warnings);
    }
    all.sort_by(|a, b| a.name.cmp(&b.name).then(a.scope.cmp(&b.scope)));

    // Only a project's skills are compared with these.
    let reserved: LazyCell<BTreeMap<String, &str>, _> =
        LazyCell::new(|| reserved.iter().map(|name| (shape(name), name.as_str())).collect());
    let mut skills: Vec<Arc<Summary>> = Vec::with_capacity(all.len());
    for skill in all {
        let taken = (skill.scope == Scope::Project).then(|| reserved.get(&shape(&skill.name))).flatten();
        if let Some(taken) = taken {
            let how = if *taken == skill.name { "is the name" } else { "looks like the name" };
            let message =
                format!("`{}` {how} of the built-in skill `{taken}`: a project cannot take it", skill.name);
            let findings = vec![Finding::new(FILE, None, message)];
            merged.rejected.push(Rejected { place: place(&skill), findings });
            continue;
        }
        match skills.last().filter(|last| last.name == skill.name) {
            None => skills.push(skill),
            Some(first) if first.location == skill.location && skill.location != Location::Embedded => {}
            Some(first) => merged.shadowed.push(Shadowed {
                name: skill.name.clone(),
                scope: skill.scope,
                hidden: place(&skill),
                by: place(first),
            }),
        }
    }
    warn_of_look_alikes(&skills, &mut merged.warnings);
    merged.skills = skills;
    merged
}

/// Both are names, and a person may still take one for the other.
fn warn_of_look_alikes(skills: &[Arc<Summary>], warnings: &mut Vec<(String, Finding)>) {
    // More of them are somebody's play.
    const MOST: usize = 100;
    let before = warnings.len();
    let mut shapes: HashMap<String, &str> = HashMap::with_capacity(skills.len());
    for skill in skills {
        match shapes.entry(shape(&skill.name)) {
            Entry::Vacant(free) => {
                free.insert(&skill.name);
            }
            Entry::Occupied(_) if warnings.len() - before >= MOST => return,
            Entry::Occupied(first) => {
                let message = format!("`{}` looks like the skill `{}`", skill.name, first.get());
                let warning = (place(skill), Finding::new(FILE, None, message));
                // A list that was merged before has said it already.
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
        }
    }
}
