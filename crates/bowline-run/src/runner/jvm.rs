//! Java and Kotlin: Maven and Gradle, by the project's own wrapper where it has one.

use std::path::{Path, PathBuf};

use super::{Mark, Printed, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::{Project, Target};
use crate::{Language, PlanError, Report, read};

const GET_MAVEN: &str = "install Maven and a JDK, or add Maven's wrapper `mvnw` to the project";
const GET_GRADLE: &str = "install Gradle and a JDK, or add Gradle's wrapper `gradlew` to the project";
const GRADLE: [&str; 4] = ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"];
/// Where sources are, in every module. What is printed of a failure starts there.
const SOURCES: [&str; 4] = ["src/test/java", "src/test/kotlin", "src/main/java", "src/main/kotlin"];
/// Modules are looked for this deep, in so many folders.
const DEPTH: usize = 4;
const MOST_FOLDERS: usize = 500;

pub(super) const MAVEN_BUILD: Runner = Runner {
    name: "mvn test-compile",
    task: Task::Build,
    languages: &[Language::Java, Language::Kotlin],
    by: "`pom.xml`",
    proof: Proof::Live,
    get: GET_MAVEN,
    finds: |folder| Mark::of(folder.first(&["pom.xml"])),
    plan: |project| {
        project.refuse_test()?;
        Ok(vec![maven(project, &["test-compile"])])
    },
};

pub(super) const MAVEN_TEST: Runner = Runner {
    name: "mvn test",
    task: Task::Test,
    languages: &[Language::Java, Language::Kotlin],
    by: "`pom.xml`",
    proof: Proof::Live,
    get: GET_MAVEN,
    finds: |folder| Mark::of(folder.first(&["pom.xml"])),
    plan: maven_test,
};

pub(super) const GRADLE_BUILD: Runner = Runner {
    name: "gradle assemble",
    task: Task::Build,
    languages: &[Language::Kotlin, Language::Java],
    by: "`build.gradle`, `settings.gradle`, also with `.kts`",
    proof: Proof::Recorded,
    get: GET_GRADLE,
    finds: |folder| Mark::of(folder.first(&GRADLE)),
    plan: |project| {
        project.refuse_test()?;
        Ok(vec![gradle(project, "assemble")])
    },
};

pub(super) const GRADLE_TEST: Runner = Runner {
    name: "gradle test",
    task: Task::Test,
    languages: &[Language::Kotlin, Language::Java],
    by: "`build.gradle`, `settings.gradle`, also with `.kts`",
    proof: Proof::Recorded,
    get: GET_GRADLE,
    finds: |folder| Mark::of(folder.first(&GRADLE)),
    plan: gradle_test,
};

/// The wrapper, if it is a file of the workspace; nothing outside is run by its mere name in a folder.
fn wrapper(project: &Project<'_>, name: &str) -> Option<PathBuf> {
    let path = project.around().map(|folder| folder.join(name)).find(|path| path.is_file())?;
    path.canonicalize().ok().filter(|real| real.starts_with(project.root))
}

/// Where the modules come together: as far up as each folder is named as a module by the one above it.
fn reactor<'a>(project: &Project<'a>) -> &'a Path {
    let mut top = project.dir;
    for folder in project.around().skip(1) {
        let module = top.strip_prefix(folder.path()).unwrap_or(top).to_string_lossy();
        let named = |text: &str| text.contains(&format!("<module>{module}</module>"));
        if folder.text("pom.xml").is_some_and(|text| named(&text)) {
            top = folder.path();
        }
    }
    top
}

fn maven(project: &Project<'_>, words: &[&str]) -> Step {
    let top = reactor(project);
    let program = wrapper(project, "mvnw").unwrap_or_else(|| "mvn".into());
    let mut step = Step::new(program, top, read::maven::read)
        .args(["-B", "-ntp", "-fae", "-Dstyle.color=never"])
        .args(words);
    // One module needs those that it depends on.
    if let Ok(module) = project.dir.strip_prefix(top)
        && !module.as_os_str().is_empty()
    {
        step = step.args(["-am".into(), "-pl".into(), Path::new(".").join(module).into_os_string()]);
    }
    sources(top).into_iter().fold(step, Step::base)
}

fn maven_test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let which = match &project.target {
        Some(target) if !target.is_dir => {
            let test = target.test.as_deref();
            let class = class(target);
            Some(match test.map(|test| test.rsplit_once('#').map_or(test, |(_, method)| method)) {
                Some(method) => format!("-Dtest={class}#{method}"),
                None => format!("-Dtest={class}"),
            })
        }
        Some(_) if project.test().is_some() => {
            return Err(PlanError::Unfit(
                "name the file of the test: `src/test/java/a/BTest.java::adds`".into(),
            ));
        }
        _ => None,
    };
    let step = maven(project, &["test"]);
    // Other modules have no such test, and that is no failure of theirs.
    let alone = which.is_some().then_some("-Dsurefire.failIfNoSpecifiedTests=false");
    Ok(vec![step.args(which).args(alone)])
}

fn gradle(project: &Project<'_>, task: &str) -> Step {
    let program = wrapper(project, "gradlew").unwrap_or_else(|| "gradle".into());
    let step =
        Step::new(program, project.dir, read::gradle::read).args(["--console=plain", "--continue", task]);
    let mut step = step.leaving("test-results").reading(gradle_report);
    // Compilers complain on the other pipe, between the tasks.
    step.apart = false;
    sources(project.dir).into_iter().fold(step, Step::base)
}

/// What it prints of a failure is often only its name; its files have the message, and how many tests ran.
fn gradle_report(printed: &Printed) -> Report {
    let mut report = read::gradle::read(&printed.both);
    let files = read::junit_xml::read(&printed.report);
    for failure in &mut report.failures {
        let same = files.failures.iter().find(|other| other.test_name == failure.test_name);
        if let Some(same) = same.filter(|_| failure.message.is_empty()) {
            failure.message.clone_from(&same.message);
            failure.line = failure.line.or(same.line);
            failure.file = failure.file.take().or_else(|| same.file.clone());
        }
    }
    if !printed.report.is_empty() {
        report.counts = files.counts.or(report.counts);
    }
    report
}

fn gradle_test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let which = project.target.as_ref().filter(|target| !target.is_dir).map(|target| {
        let class = class(target);
        match &target.test {
            // A whole name is taken as it is.
            Some(test) if test.contains(&format!("{class}.")) => test.clone(),
            Some(test) => format!("*{class}.{test}"),
            None => format!("*{class}"),
        }
    });
    let step = gradle(project, "test");
    Ok(vec![match which {
        Some(which) => step.args(["--tests", &which]),
        None => step,
    }])
}

/// A class is called as its file.
fn class(target: &Target) -> String {
    target.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folders of sources of all modules.
fn sources(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut queue = vec![(top.to_owned(), 0)];
    let mut looked_at = 0;
    while let Some((dir, depth)) = queue.pop() {
        looked_at += 1;
        let folder = Folder::new(&dir);
        found.extend(SOURCES.iter().filter(|name| folder.has_dir(name)).map(|name| dir.join(name)));
        if depth == DEPTH || looked_at >= MOST_FOLDERS {
            continue;
        }
        for name in folder.names() {
            let inside = dir.join(&name);
            let skipped =
                name.starts_with('.') || matches!(name.as_str(), "src" | "target" | "build" | "node_modules");
            if !skipped && inside.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
                queue.push((inside, depth + 1));
            }
        }
    }
    found.sort_unstable();
    found
}
