//! What nobody writes by accident: links that lead out, files that are none, names that pass for others, far too much.

use std::time::Instant;

use bowline_skills::{Reading, Scope, Store, validate};

use super::{Skills, head, names, said};

const BOTH: [Reading; 2] = [Reading::Strict, Reading::Lenient];

#[test]
fn links_out_of_the_root_or_the_skill_are_refused_and_told() {
    let outside = Skills::with(&["evil"]);
    let skills = Skills::with(&["good", "real"]);
    skills.link("evil", outside.root.join("evil"));
    skills.link("loop", "loop");
    skills.link("up", "..");
    skills.link("file/SKILL.md", outside.root.join("evil/SKILL.md"));
    skills.link("sibling/SKILL.md", "../good/SKILL.md");
    skills.write("inside/text.md", head("inside", ""));
    skills.link("inside/SKILL.md", "text.md");
    skills.write("nested/deep/one/SKILL.md", head("one", ""));
    skills.link("one", "nested/deep/one");
    for reading in BOTH {
        let store = skills.store(reading);
        let listed = store.list();
        assert_eq!(names(&listed), ["good", "inside", "one", "real"]);
        assert_eq!(
            said(&listed, &skills.root),
            [
                "! /evil: SKILL.md: the directory is a link that leads out",
                "! /file: SKILL.md: SKILL.md is a link that leads out",
                "! /loop: SKILL.md: the directory cannot be read: Too many levels of symbolic links (os error 40)",
                "! /sibling: SKILL.md: SKILL.md is a link that leads out",
                "! /up: SKILL.md: the directory is a link that leads out",
            ]
        );
        for name in ["evil", "file", "loop", "sibling", "up"] {
            let error = store.load(name, 10).unwrap_err();
            assert_eq!(error.code(), "SKILL_NOT_FOUND", "{name}: {error}");
            assert!(error.to_string().starts_with(&format!("the skill `{name}` is rejected: ")), "{error}");
            assert!(!error.to_string().contains('/'), "{error}");
        }
        assert_eq!(store.load("inside", 100).unwrap().body, "# inside\n");
        assert_eq!(store.load("one", 100).unwrap().body, "# one\n");
    }
}

#[test]
fn a_link_to_another_skill_is_no_second_skill() {
    let skills = Skills::with(&["real"]);
    skills.link("alias", "real");
    skills.write("work/SKILL.md", head("tool", ""));
    skills.link("tool", "work");
    skills.write("nothing/README.md", "");
    skills.link("void", "nothing");
    for reading in BOTH {
        let store = skills.store(reading);
        let listed = store.list();
        assert_eq!(names(&listed), ["real", "tool"]);
        assert_eq!(
            said(&listed, &skills.root),
            [
                "! /alias: .: it leads to the same directory as `/real`",
                "! /work: .: it leads to the same directory as `/tool`"
            ]
        );
        assert_eq!(store.load("tool", 10).unwrap().body, "# tool\n");
    }
}

#[test]
fn very_many_links_to_one_directory_are_one_skill() {
    let skills = Skills::many();
    let keys: String = (0..900).map(|n| format!("k{n}: v\n")).collect();
    skills.write("real/SKILL.md", head("real", &keys));
    for n in 0..5_000 {
        skills.link(&format!("alias-{n}"), "real");
    }
    let started = Instant::now();
    let listed = skills.store(Reading::Lenient).list();
    assert_eq!(names(&listed), ["real"]);
    assert_eq!((listed.rejected.len(), listed.warnings.len()), (5_000, 51));
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

#[test]
fn a_root_that_leads_out_of_its_project_by_now_is_not_read() {
    let outside = Skills::with(&["stolen"]);
    let skills = Skills::with(&["mine"]);
    let project = skills.root.parent().unwrap().to_owned();
    for reading in BOTH {
        let store = skills.store_of(Scope::Project, reading).within(std::slice::from_ref(&project));
        assert_eq!(names(&store.list()), ["mine"]);
        let moved = project.join("moved");
        std::fs::rename(&skills.root, &moved).unwrap();
        std::os::unix::fs::symlink(&outside.root, &skills.root).unwrap();
        let listed = store.list();
        assert_eq!(names(&listed), [""; 0]);
        let told = said(&listed, &skills.root);
        assert!(told[0].contains(": .: it leads out of the project"), "{told:?}");
        assert!(!told[0].contains(&outside.root.display().to_string()), "{told:?}");
        assert_eq!(store.load("stolen", 10).unwrap_err().code(), "SKILL_NOT_FOUND");
        std::fs::remove_file(&skills.root).unwrap();
        // Inside the project a link may lead anywhere.
        std::os::unix::fs::symlink("moved", &skills.root).unwrap();
        assert_eq!(names(&store.list()), ["mine"]);
        assert_eq!(store.load("mine", 10).unwrap().body, "# mine\n");
        std::fs::remove_file(&skills.root).unwrap();
        std::fs::rename(&moved, &skills.root).unwrap();
    }
    let elsewhere =
        skills.store_of(Scope::Project, Reading::Strict).within(std::slice::from_ref(&outside.root));
    assert_eq!(said(&elsewhere.list(), &project), ["! /skills: .: it lies in no project"]);
    assert_eq!(elsewhere.load("mine", 10).unwrap_err().code(), "SKILL_NOT_FOUND");
}

#[test]
fn nothing_but_a_regular_file_is_read() {
    let skills = Skills::with(&["good"]);
    std::fs::create_dir_all(skills.root.join("fifo")).unwrap();
    std::fs::create_dir_all(skills.root.join("folder/SKILL.md")).unwrap();
    std::fs::create_dir_all(skills.root.join("good/scripts")).unwrap();
    for fifo in ["fifo/SKILL.md", "good/scripts/fifo", "good/phases.yaml"] {
        let made = std::process::Command::new("mkfifo").arg(skills.root.join(fifo)).status().unwrap();
        assert!(made.success());
    }
    skills.link("device/SKILL.md", "/dev/zero");
    for reading in BOTH {
        let store = skills.store(reading);
        assert_eq!(names(&store.list()), ["good"]);
        assert_eq!(
            said(&store.list(), &skills.root),
            [
                "! /device: SKILL.md: SKILL.md is a link that leads out",
                "! /fifo: SKILL.md: SKILL.md is not a file",
                "! /folder: SKILL.md: SKILL.md is not a file"
            ]
        );
        assert_eq!(store.load("good", 10).unwrap().files, [""; 0]);
        assert_eq!(store.read_file("good", "scripts/fifo", 10).unwrap_err().code(), "FILE_NOT_FOUND");
        assert!(store.load("fifo", 10).is_err());
    }
}

#[test]
fn names_that_pass_for_others_are_told() {
    let skills = Skills::with(&["deploy", "dep1oy", "Deploy", "dерloy", "ｄｅｐｌｏｙ", "de\u{200b}ploy"]);
    let listed = skills.store(Reading::Strict).list();
    assert_eq!(names(&listed), ["dep1oy", "deploy"]);
    let told = said(&listed, &skills.root);
    let tail = "only a-z, 0-9 and single hyphens between them may stand in a name";
    assert_eq!(
        told,
        [
            format!("! /Deploy: SKILL.md:2: `name` is `Deploy`: `D` is a capital letter; {tail}"),
            "! /Deploy: SKILL.md: `Deploy` differs from the skill `deploy` only in case".into(),
            format!("! /de\u{200b}ploy: SKILL.md:2: `name` is `de\\u{{200b}}ploy`: it has the invisible character U+200B; {tail}"),
            "! /de\u{200b}ploy: SKILL.md: `de\\u{200b}ploy` differs from the skill `deploy` only by letters that look alike".into(),
            format!("! /dерloy: SKILL.md:2: `name` is `dерloy`: `е` (U+0435) is not the letter `e` that it looks like; {tail}"),
            "! /dерloy: SKILL.md: `dерloy` differs from the skill `deploy` only by letters that look alike".into(),
            format!("! /ｄｅｐｌｏｙ: SKILL.md:2: `name` is `ｄｅｐｌｏｙ`: `ｄ` (U+FF44) is not the letter `d` that it looks like; {tail}"),
            "! /ｄｅｐｌｏｙ: SKILL.md: `ｄｅｐｌｏｙ` differs from the skill `deploy` only by letters that look alike".into(),
            "? /deploy: SKILL.md: `deploy` looks like the skill `dep1oy`".into(),
        ]
    );
}

#[test]
fn a_directory_whose_name_is_no_text_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let skills = Skills::with(&["good"]);
    let odd = skills.root.join(std::ffi::OsStr::from_bytes(b"b\xffd"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("SKILL.md"), head("bad", "")).unwrap();
    let listed = skills.store(Reading::Lenient).list();
    assert_eq!(names(&listed), ["good"]);
    assert_eq!(
        said(&listed, &skills.root),
        ["! /b\u{fffd}d: SKILL.md: the name of the directory is not UTF-8"]
    );
}

#[test]
fn bytes_that_are_no_head_are_told() {
    let skills = Skills::with(&["good"]);
    let files: [(&str, &[u8], &str); 6] = [
        (
            "bom",
            b"\xef\xbb\xbf---\nname: bom\ndescription: x\n---\n",
            "1: the file begins with a byte-order mark",
        ),
        ("cr", b"---\rname: cr\rdescription: x\r---\r", "1: a line ends with a lone carriage return (CR)"),
        ("latin", b"---\nname: latin\ndescription: caf\xe9\n---\n", "3: the head is not UTF-8"),
        ("nul", b"---\nname: nul\ndescription: a\0\n---\n", "3: there is a NUL byte in the head"),
        ("open", b"---\nname: open\n", "1: the head has no end: no line after the first is `---` alone"),
        ("void", b"", "1: it is empty"),
    ];
    for (name, bytes, _) in files {
        skills.write(&format!("{name}/SKILL.md"), bytes);
    }
    let strict = skills.store(Reading::Strict).list();
    assert_eq!(names(&strict), ["good"]);
    let expected: Vec<String> =
        files.iter().map(|(name, _, says)| format!("! /{name}: SKILL.md:{says}")).collect();
    assert_eq!(said(&strict, &skills.root), expected);
    assert_eq!(names(&skills.store(Reading::Lenient).list()), ["bom", "cr", "good"]);
}

#[test]
fn a_head_of_ten_megabytes_is_not_read_through() {
    let skills = Skills::with(&["good"]);
    skills.write("huge/SKILL.md", format!("---\nname: huge\ndescription: {}\n---\n", "x".repeat(10_000_000)));
    skills.write("lines/SKILL.md", format!("---\n{}---\n", "a: b\n".repeat(2_000_000)));
    for reading in BOTH {
        let started = Instant::now();
        let listed = skills.store(reading).list();
        assert_eq!(names(&listed), ["good"]);
        assert_eq!(
            said(&listed, &skills.root),
            [
                "! /huge: SKILL.md:1: the head does not end within 50000 bytes",
                "! /lines: SKILL.md:1: the head does not end within 50000 bytes"
            ]
        );
        assert!(!validate(&skills.root.join("huge"), reading).valid);
        assert!(started.elapsed().as_secs() < 5);
    }
}

#[test]
fn heads_longer_than_the_first_look_are_read() {
    let skills = Skills::new();
    for length in [2000, 2030, 2031, 2032, 2047, 2048, 2049, 4096, 49_800] {
        let name = format!("s{length}");
        let pad = length - head(&name, "license: \n").find("---\n#").unwrap();
        skills.write(&format!("{name}/SKILL.md"), head(&name, &format!("license: {}\n", "l".repeat(pad))));
    }
    let listed = skills.store(Reading::Strict).list();
    assert_eq!((listed.skills.len(), listed.rejected.len()), (9, 0), "{listed:?}");
    assert_eq!(skills.store(Reading::Strict).load("s49800", 100).unwrap().body, "# s49800\n");
}

#[test]
fn ten_thousand_skills_are_listed_and_one_of_them_is_loaded() {
    let skills = Skills::many();
    for n in 0..10_000 {
        skills.good(&format!("skill-{n}"));
    }
    let store = skills.store(Reading::Strict);
    let listed = store.list();
    assert_eq!((listed.skills.len(), listed.rejected.len()), (10_000, 0));
    assert!(listed.skills.is_sorted_by(|a, b| a.name < b.name));
    assert_eq!(store.load("skill-9999", 100).unwrap().body, "# skill-9999\n");
}
