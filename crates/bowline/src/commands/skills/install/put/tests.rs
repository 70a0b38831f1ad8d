//! What is done about each thing that may be there already.
#![expect(clippy::disallowed_methods, reason = "fixtures")]

use std::os::unix::fs::symlink;

use super::*;

const SKILL: EmbeddedSkill =
    EmbeddedSkill { name: "demo", files: &[("SKILL.md", b"text"), ("references/a.md", b"more")] };

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn with<T>(&self, force: bool, what: impl FnOnce(Put<'_>) -> T) -> T {
        let (directory, aside) = (self.path("skills"), self.path("aside"));
        what(Put { directory: &directory, aside: Some(&aside), force })
    }

    fn install(&self, force: bool) -> Result<Outcome, String> {
        self.with(force, |put| put.install(&SKILL)).map_err(|error| format!("{error:#}"))
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Everything that is in the directory of skills.
    fn listing(&self) -> Vec<String> {
        let entries = self.path("skills").read_dir().unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }
}

#[test]
fn it_appears_whole_and_a_second_time_nothing_happens() {
    let place = Place::new();
    assert_eq!(place.with(false, |put| put.foresee(&SKILL)).unwrap(), Outcome::Installed);
    assert!(!place.path("skills").exists());
    assert_eq!(place.install(false).unwrap(), Outcome::Installed);
    assert_eq!(place.text("skills/demo/references/a.md"), "more");
    assert_eq!(place.install(true).unwrap(), Outcome::UpToDate);
    assert_eq!(place.listing(), ["demo"]);
    assert!(!place.path("aside").exists());
}

#[test]
fn whatever_differs_is_left_alone_or_kept() {
    let changes: [fn(&Place); 5] = [
        |place| std::fs::write(place.path("skills/demo/SKILL.md"), "texts").unwrap(),
        |place| std::fs::write(place.path("skills/demo/SKILL.md"), "tex").unwrap(),
        |place| std::fs::write(place.path("skills/demo/mine.md"), "").unwrap(),
        |place| std::fs::remove_file(place.path("skills/demo/references/a.md")).unwrap(),
        |place| {
            std::fs::remove_dir_all(place.path("skills/demo/references")).unwrap();
            symlink("/etc", place.path("skills/demo/references")).unwrap();
        },
    ];
    for change in changes {
        let place = Place::new();
        place.install(false).unwrap();
        change(&place);
        std::fs::write(place.path("skills/demo/note"), "mine").unwrap();
        assert_eq!(place.install(false).unwrap(), Outcome::LeftAlone);
        assert_eq!(place.text("skills/demo/note"), "mine");
        let Outcome::Replaced { kept } = place.install(true).unwrap() else { panic!("not replaced") };
        assert!(kept.starts_with(place.path("aside")) && kept.ends_with("demo"), "{}", kept.display());
        assert_eq!(std::fs::read_to_string(kept.join("note")).unwrap(), "mine");
        assert_eq!(place.install(false).unwrap(), Outcome::UpToDate);
        assert_eq!(place.listing(), ["demo"]);
    }
}

#[test]
fn links_and_files_in_the_way_are_not_touched() {
    for force in [false, true] {
        let place = Place::new();
        std::fs::create_dir(place.path("skills")).unwrap();
        std::fs::create_dir(place.path("elsewhere")).unwrap();
        symlink(place.path("elsewhere"), place.path("skills/demo")).unwrap();
        let said = place.install(force).unwrap_err();
        assert!(said.starts_with("a link to `") && said.ends_with("elsewhere` is in the way"), "{said}");
        assert_eq!(place.path("elsewhere").read_dir().unwrap().count(), 0);
        std::fs::remove_file(place.path("skills/demo")).unwrap();
        std::fs::write(place.path("skills/demo"), "mine").unwrap();
        assert_eq!(place.install(force).unwrap_err(), "a file is in the way");
        assert_eq!(place.text("skills/demo"), "mine");
    }
}

#[test]
fn without_a_place_to_keep_it_nothing_is_replaced() {
    let place = Place::new();
    place.install(false).unwrap();
    std::fs::write(place.path("skills/demo/SKILL.md"), "mine").unwrap();
    let put = Put { directory: &place.path("skills"), aside: None, force: true };
    assert!(put.install(&SKILL).unwrap_err().to_string().contains("no place to keep the old one"));
    assert_eq!(place.text("skills/demo/SKILL.md"), "mine");
}

#[test]
fn a_path_that_leaves_the_skill_is_not_written() {
    let place = Place::new();
    std::fs::create_dir(place.path("skills")).unwrap();
    let bad = EmbeddedSkill { name: "bad", files: &[("../../escaped", b"x")] };
    let put = Put { directory: &place.path("skills"), aside: None, force: false };
    assert!(put.install(&bad).unwrap_err().to_string().contains("is not a path in a skill"));
    assert!(!place.path("escaped").exists());
    assert_eq!(place.listing(), [""; 0]);
}

#[test]
fn a_rehearsal_says_what_could_not_be_done() {
    let place = Place::new();
    place.install(false).unwrap();
    std::fs::write(place.path("skills/demo/SKILL.md"), "mine").unwrap();
    std::fs::write(place.path("aside"), "a file").unwrap();
    let said = place.with(true, |put| put.rehearse(&SKILL)).unwrap_err();
    assert!(format!("{said:#}").contains("aside` is not a directory"), "{said:#}");
    assert!(place.install(true).is_err());
    assert_eq!(place.text("skills/demo/SKILL.md"), "mine");
    let below = place.path("aside/deep");
    let put = Put { directory: &below, aside: None, force: false };
    let said = format!("{:#}", put.rehearse(&SKILL).unwrap_err());
    assert!(said.contains("Not a directory"), "{said}");
    let fine = place.path("new/deep");
    let put = Put { directory: &fine, aside: None, force: false };
    assert_eq!(put.rehearse(&SKILL).unwrap(), Outcome::Installed);
    assert!(!place.path("new").exists());
}
