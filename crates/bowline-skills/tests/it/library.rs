//! Several stores as one: who shadows whom, and what a project may not do.

use std::sync::Arc;

use bowline_skills::{
    EmbeddedSkill, EmbeddedStore, FileSystemStore, Library, Location, Reading, Scope, SkillError, Store,
};

use super::{Skills, head, names, said};

const BUILT_IN: &[EmbeddedSkill] = &[
    EmbeddedSkill {
        name: "rename",
        files: &[
            ("SKILL.md", b"---\nname: rename\ndescription: Built in.\nmetadata:\n  phases: phases.yaml\n---\nThe built-in text.\n"),
            ("phases.yaml", b"phases:\n  look:\n    allowed: [find]\n"),
            ("references/b.md", b"b"),
            ("references/a.md", b"a"),
            ("references/.hid", b"h"),
            ("references/sub/c.md", b"c"),
            ("notes.md", b"n"),
        ],
    },
    EmbeddedSkill { name: "explore", files: &[("SKILL.md", b"---\nname: explore\ndescription: Looks.\n---\n")] },
    EmbeddedSkill { name: "broken", files: &[("SKILL.md", b"---\nname: other\ndescription: x\n---\n")] },
    EmbeddedSkill { name: "bare", files: &[] },
];

fn built_in() -> Arc<dyn Store> {
    Arc::new(EmbeddedStore::new(BUILT_IN))
}

fn library(project: &Skills, user: &Skills) -> Library {
    let project = Arc::new(project.store_of(Scope::Project, Reading::Strict));
    let user = Arc::new(user.store_of(Scope::User, Reading::Strict));
    // The scopes decide, not the order.
    Library::new(vec![built_in(), user, project])
}

fn scopes(store: &dyn Store) -> Vec<String> {
    store.list().skills.iter().map(|skill| format!("{} {:?}", skill.name, skill.scope)).collect()
}

#[test]
fn built_in_skills_are_skills_like_others() {
    let store = built_in();
    let listed = store.list();
    assert_eq!(names(&listed), ["explore", "rename"]);
    assert_eq!(
        said(&listed, "/none".as_ref()),
        [
            "! built in: broken: SKILL.md:2: `name` is `other`, but the directory is `broken`",
            "! built in: bare: SKILL.md:1: it is empty"
        ]
    );
    let skill = store.load("rename", 9).unwrap();
    assert_eq!((skill.body.as_str(), skill.truncated.unwrap().total_bytes), ("The built", 19));
    assert_eq!(skill.files, ["references/a.md", "references/b.md"]);
    assert_eq!(skill.summary.location, Location::Embedded);
    assert_eq!(store.read_file("rename", "references/a.md", 1).unwrap(), "a");
    for (path, code) in [
        ("references/.hid", "FILE_NOT_FOUND"),
        ("references/c.md", "FILE_NOT_FOUND"),
        ("references/sub/c.md", "INVALID_PATH"),
        ("notes.md", "INVALID_PATH"),
        ("", "ARGUMENT_ERROR"),
    ] {
        assert_eq!(store.read_file("rename", path, 10).unwrap_err().code(), code, "{path}");
    }
    assert_eq!(store.phases("rename").unwrap().unwrap().phases[0].name.text, "look");
    assert_eq!(store.phases("explore").unwrap(), None);
    assert_eq!(store.load("none", 1), Err(SkillError::NotFound { name: "none".into() }));
    assert_eq!(store.load("broken", 1).unwrap_err().code(), "SKILL_NOT_FOUND");
}

#[test]
fn a_project_shadows_a_user_and_a_user_shadows_what_is_built_in() {
    let (project, user) = (Skills::with(&["notes", "ours"]), Skills::with(&["notes", "explore", "mine"]));
    let library = library(&project, &user);
    assert_eq!(
        scopes(&library),
        ["explore User", "mine User", "notes Project", "ours Project", "rename BuiltIn"]
    );
    let listed = library.list();
    let (p, u) = (project.root.display(), user.root.display());
    let shadowed: Vec<String> = listed
        .shadowed
        .iter()
        .map(|s| format!("{} {:?} {} by {}", s.name, s.scope, s.hidden, s.by))
        .collect();
    assert_eq!(
        shadowed,
        [format!("explore BuiltIn built in by {u}/explore"), format!("notes User {u}/notes by {p}/notes")]
    );
    assert_eq!(listed.roots, [user.root.clone(), project.root.clone()]);
    for skill in &listed.skills {
        let loaded = library.load(&skill.name, 1000).unwrap().summary;
        assert_eq!(&loaded, skill.as_ref(), "what is listed is what is loaded");
    }
}

#[test]
fn a_project_cannot_take_the_name_of_a_built_in_skill() {
    let (project, user) = (Skills::with(&["rename", "rena1ne", "exp1ore", "renarne"]), Skills::new());
    let library = library(&project, &user);
    let listed = library.list();
    assert_eq!(scopes(&library), ["explore BuiltIn", "rena1ne Project", "rename BuiltIn"]);
    let told: Vec<String> =
        said(&listed, &project.root).into_iter().filter(|l| l.starts_with("! /")).collect();
    assert_eq!(
        told,
        [
            "! /exp1ore: SKILL.md: `exp1ore` looks like the name of the built-in skill `explore`: a project cannot take it",
            "! /rename: SKILL.md: `rename` is the name of the built-in skill `rename`: a project cannot take it",
            "! /renarne: SKILL.md: `renarne` looks like the name of the built-in skill `rename`: a project cannot take it",
        ]
    );
    assert_eq!(library.load("rename", 1000).unwrap().body, "The built-in text.\n");
    assert_eq!(library.load("exp1ore", 1000).unwrap_err().code(), "SKILL_NOT_FOUND");
    assert_eq!(library.read_file("rename", "references/a.md", 10).unwrap(), "a");
    assert!(library.phases("rename").unwrap().is_some());
}

/// One store with both roots: the project's must not hide the user's and then fall.
#[test]
fn a_project_cannot_hide_a_users_skill_behind_a_forbidden_name() {
    let (project, user) = (Skills::with(&["rename"]), Skills::new());
    user.write("rename/SKILL.md", head("rename", "license: mine\n"));
    let roots = [(project.root.clone(), Scope::Project), (user.root.clone(), Scope::User)];
    let built_in = built_in();
    let store = FileSystemStore::new(roots, Reading::Strict).reserving(built_in.reserved());
    let library = Library::new(vec![Arc::new(store), built_in]);
    assert_eq!(library.load("rename", 10).unwrap().summary.license.as_deref(), Some("mine"));
    assert_eq!(scopes(&library), ["explore BuiltIn", "rename User"]);
}

#[test]
fn a_skill_that_is_rejected_shadows_nothing() {
    let (project, user) = (Skills::new(), Skills::with(&["notes"]));
    project.write("notes/SKILL.md", "---\nname: notes\n---\n");
    project.write("alone/SKILL.md", "---\nname: alone\n---\n");
    let library = library(&project, &user);
    assert_eq!(library.load("notes", 10).unwrap().summary.scope, Scope::User);
    let told = library.load("alone", 10).unwrap_err();
    assert!(told.to_string().ends_with("`description` is missing"), "{told}");
}

#[test]
fn the_first_of_two_roots_of_a_scope_is_used() {
    let (one, two) = (Skills::with(&["a", "b"]), Skills::with(&["b", "c"]));
    let roots =
        [(one.root.clone(), Scope::User), (two.root.clone(), Scope::User), (one.root.clone(), Scope::User)];
    let store = FileSystemStore::new(roots, Reading::Strict);
    let listed = store.list();
    assert_eq!(names(&listed), ["a", "b", "c"]);
    let hidden: Vec<&str> = listed.shadowed.iter().map(|s| s.hidden.as_str()).collect();
    assert_eq!(hidden, [two.root.join("b").to_str().unwrap()]);
    assert_eq!(store.load("b", 10).unwrap().summary.location, Location::File(one.root.join("b/SKILL.md")));
}

#[test]
fn a_projects_copy_of_a_built_in_skill_is_no_offence() {
    let (project, user) = (Skills::new(), Skills::new());
    for skill in &BUILT_IN[..2] {
        project.write(&format!("{}/SKILL.md", skill.name), skill.files[0].1);
    }
    let built_in = Arc::new(EmbeddedStore::new(BUILT_IN));
    let roots = [(project.root.clone(), Scope::Project), (user.root.clone(), Scope::User)];
    let on_disk = FileSystemStore::new(roots, Reading::Strict).beside(&built_in);
    let library = Library::new(vec![Arc::new(on_disk), built_in]);
    let told = || -> Vec<String> {
        said(&library.list(), &project.root).into_iter().filter(|line| !line.contains("built in: ")).collect()
    };
    assert_eq!(scopes(&library), ["explore BuiltIn", "rename BuiltIn"]);
    assert_eq!(told(), [""; 0]);
    project.write("explore/SKILL.md", head("explore", ""));
    assert_eq!(
        told(),
        [
            "! /explore: SKILL.md: `explore` is the name of the built-in skill `explore`: a project cannot take it"
        ]
    );
    assert_eq!(library.summary("explore").unwrap().scope, Scope::BuiltIn);
}
