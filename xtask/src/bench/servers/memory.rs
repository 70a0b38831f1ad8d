//! What ten thousand calls leave behind in us.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::through::{Through, Who};
use crate::bench::Effort;
use crate::bench::table::Table;
use crate::home::Home;
use crate::processes;
use crate::projects::Project;
use crate::questions::{Question, call};

const PATIENCE: Duration = Duration::from_secs(30);

struct Look {
    calls: usize,
    kibibytes: u64,
    descriptors: usize,
}

pub(crate) fn report(
    ours: &Path,
    project: &'static Project,
    spec: &str,
    effort: Effort,
) -> Result<(Table, Value)> {
    let (first, last) = match effort {
        Effort::Quick => (100, 1_000),
        Effort::Full => (1_000, 10_000),
    };
    let home = Home::new()?;
    let copy = project.copy_to(&home.path()?)?;
    let (mut through, _) = Through::start(Who::Ours, ours, &home, &copy, spec)?;
    let mut looks = Vec::new();
    for count in 1..=last {
        let question = if count % 2 == 0 { Question::Definition } else { Question::Hover };
        let (tool, arguments) = call(&copy, question);
        let Some(timed) = through.mcp.call(tool, &arguments, PATIENCE)? else {
            bail!("call {count}: no answer");
        };
        if timed.answer.is_error {
            bail!("call {count}: {}", timed.answer.text());
        }
        if count == first || count == last {
            looks.push(look(&through, count).context("this system does not tell how large a process is")?);
        }
    }
    through.close();
    Ok(compare(project, &looks))
}

fn look(through: &Through<'_>, calls: usize) -> Option<Look> {
    let process = through.mcp.talk.id();
    Some(Look {
        calls,
        kibibytes: processes::resident(process)?,
        descriptors: processes::descriptors(process)?,
    })
}

fn compare(project: &Project, looks: &[Look]) -> (Table, Value) {
    let rows = looks.iter().map(|look| {
        vec![
            format!("after {} calls", look.calls),
            format!("{:.1} MiB", look.kibibytes as f64 / 1024.0),
            look.descriptors.to_string(),
        ]
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    let mut values = json!({ "server": project.server });
    if let [first, .., last] = looks {
        let growth = last.kibibytes as f64 / first.kibibytes as f64;
        let more = last.descriptors as i64 - first.descriptors as i64;
        rows.push(vec!["growth".into(), format!("{growth:.2}"), format!("{more:+}")]);
        values = json!({
            "server": project.server,
            "calls": [first.calls, last.calls],
            "resident_kib": [first.kibibytes, last.kibibytes],
            "growth": growth,
            "descriptors": [first.descriptors, last.descriptors],
        });
    }
    let table = Table {
        title: format!("bowline's own memory, hover and definition by turns with {}", project.server),
        columns: vec!["", "resident", "descriptors"],
        rows,
    };
    (table, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::PROJECTS;

    #[test]
    fn growth_is_the_last_look_over_the_first() {
        let look = |calls, kibibytes, descriptors| Look { calls, kibibytes, descriptors };
        let (table, values) = compare(&PROJECTS[0], &[look(100, 20_480, 20), look(1_000, 30_720, 19)]);
        assert_eq!(table.rows[2], ["growth", "1.50", "-1"]);
        assert_eq!(values["growth"], 1.5);
    }
}
