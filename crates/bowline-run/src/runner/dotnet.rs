//! C#: `dotnet build` and `dotnet test`.

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET: &str = "install the .NET SDK, or put `dotnet` on the PATH that bowline is started with";
const BY: &str = "`*.sln`, `*.slnx`, `*.csproj`";

pub(super) const BUILD: Runner = Runner {
    name: "dotnet build",
    task: Task::Build,
    languages: &[Language::CSharp],
    by: BY,
    proof: Proof::Recorded,
    get: GET,
    finds,
    plan: |project| {
        project.refuse_test()?;
        dotnet(project, "build").map(|step| vec![step])
    },
};

pub(super) const TEST: Runner = Runner {
    name: "dotnet test",
    task: Task::Test,
    languages: &[Language::CSharp],
    by: BY,
    proof: Proof::Recorded,
    get: GET,
    finds,
    plan: |project| {
        let step = dotnet(project, "test")?;
        let test = project.test().map(|test| format!("FullyQualifiedName~{}", escaped(test)));
        Ok(vec![match test {
            Some(test) => step.args(["--filter", &test]),
            None => step,
        }])
    },
};

fn finds(folder: Folder<'_>) -> Option<Mark> {
    Mark::of(folder.ending(&[".sln", ".slnx"]).or_else(|| folder.ending(&[".csproj"])))
}

fn dotnet(project: &Project<'_>, word: &str) -> Result<Step, PlanError> {
    // With several beside each other, dotnet wants to be told.
    let file = finds(project.folder()).map(|mark| project.inside(&project.dir.join(mark.file)));
    Ok(Step::new("dotnet", project.dir, read::dotnet::read)
        .args([word])
        .args(file)
        .args(["--nologo"])
        .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
        .env("DOTNET_CLI_UI_LANGUAGE", "en")
        .env("MSBUILDTERMINALLOGGER", "off"))
}

/// What a filter would read as a sign.
fn escaped(name: &str) -> String {
    name.chars().flat_map(|c| "\\()&|=!~".contains(c).then_some('\\').into_iter().chain([c])).collect()
}
