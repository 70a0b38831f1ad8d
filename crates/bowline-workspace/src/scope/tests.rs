//! What is found of packages and imports, on small projects.

use bowline_testkit::Fixture;

use super::javascript::imports as js_imports;
use super::places::{MOST_PLACES, MOST_READ};
use super::python::imports as py_imports;
use super::*;

/// The package of a file and all of its scope: `own | all`.
fn detected(tongue: Tongue, fixture: &Fixture, file: &str) -> String {
    match detect(tongue, fixture.root(), &fixture.path(file)) {
        Some(package) => format!("{} | {}", package.own.join(" "), package.all.join(" ")),
        None => "everything".to_owned(),
    }
}

fn python(tree: &str, file: &str) -> String {
    detected(Tongue::Python, &Fixture::new(tree), file)
}

fn javascript(tree: &str, file: &str) -> String {
    detected(Tongue::JavaScript, &Fixture::new(tree), file)
}

fn modules(text: &str) -> String {
    let write = |import: python::Import| {
        let names =
            if import.names.is_empty() { String::new() } else { format!(":{}", import.names.join("+")) };
        format!("{}{}{names}", ".".repeat(import.dots), import.module.join("."))
    };
    py_imports(text).into_iter().map(write).collect::<Vec<_>>().join(" ")
}

#[test]
fn python_imports_are_found_wherever_they_stand() {
    assert_eq!(modules("import a.b, c as d\nfrom a.b import c\n"), "a.b c a.b:c");
    assert_eq!(modules("from . import x\nfrom ..y import z\nfrom ... import q\n"), ".:x ..y:z ...:q");
    assert_eq!(modules("from a import (\n    b,  # first\n    c as d,\n)\nimport e\n"), "a:b+c e");
    assert_eq!(modules("try:\n    import a\nexcept E: import b\nif x: from c import d\n"), "a b c:d");
    assert_eq!(modules("import a; import b\nfrom c \\\n  import d\n"), "a b c:d");
    assert_eq!(modules("from a import *\n"), "a");
    assert_eq!(modules("\u{feff}import a\r\nfrom b import (\r\n  c,\r\n)\r\nimport d\r\n"), "a b:c d");
    assert_eq!(modules("from .a import b\nfrom.c import d\n"), ".a:b .c:d");
}

#[test]
fn what_only_looks_like_a_python_import_is_none() {
    let text = "\"\"\"\nimport a\nfrom b import c\n\"\"\"\n# import d\ns = 'import e'\nimporter = 1\nfrom_x = 2\nx = '''\nimport f\n'''\nr'\\'\nimport g\n";
    assert_eq!(modules(text), "g");
}

#[test]
fn broken_python_gives_what_can_be_read() {
    assert_eq!(
        modules("def f(:\n  x = (\nimport a\n'unclosed\nimport b\nfrom\nimport\nfrom . import\n"),
        "a b ."
    );
    assert_eq!(modules("x = \"\"\"never closed\nimport a\n"), "");
    assert_eq!(modules("\\"), "");
}

#[test]
fn a_python_package_is_the_outermost_one_and_its_direct_dependencies() {
    let tree = "//- /a/__init__.py\n\n//- /a/in/__init__.py\n\n//- /a/in/deep.py\nimport b.x\nfrom c import thing\nimport os, nowhere\nfrom ..m import y\nfrom ... import e\n\
                //- /a/m.py\ny = 1\n//- /b/__init__.py\n\n//- /b/x.py\nimport d\n//- /c/thing.py\n\n//- /d/__init__.py\n\n//- /e/__init__.py\n\n//- /f/__init__.py\n";
    assert_eq!(python(tree, "a/in/deep.py"), "a | a b c e", "not d, which only b uses");
    assert_eq!(python(tree, "b/x.py"), "b | b d");
    assert_eq!(python(tree, "c/thing.py"), "c | c", "no package, but a directory");
}

#[test]
fn python_packages_that_use_each_other_are_both_found_once() {
    let tree = "//- /a/__init__.py\nimport b\n//- /b/__init__.py\nimport a\nimport b\n";
    assert_eq!(python(tree, "a/__init__.py"), "a | a b");
    assert_eq!(python(tree, "b/__init__.py"), "b | a b");
}

#[test]
fn python_scripts_at_the_top_belong_together() {
    let tree = "//- /main.py\nimport helper, a.x\n//- /helper.py\n\n//- /a/__init__.py\nimport settings\n//- /a/x.py\n\n//- /settings.py\n\n//- /b/__init__.py\n";
    assert_eq!(python(tree, "main.py"), "helper.py main.py settings.py | a helper.py main.py settings.py");
    assert_eq!(python(tree, "a/x.py"), "a | a settings.py");
}

#[test]
fn a_python_project_may_keep_its_sources_in_a_directory() {
    let tree =
        "//- /src/a/__init__.py\nimport b.c\n//- /src/b/c.py\n\n//- /tests/test_a.py\nfrom a import x\n";
    assert_eq!(python(tree, "src/a/__init__.py"), "src/a | src/a src/b");
    assert_eq!(python(tree, "tests/test_a.py"), "tests | src/a tests");
}

#[test]
fn relative_imports_never_lead_out() {
    let tree =
        "//- /w/a/__init__.py\nfrom ..... import b\nfrom ...outside import x\n//- /outside/__init__.py\n";
    let fixture = Fixture::new(tree);
    let package = detect(Tongue::Python, &fixture.path("w"), &fixture.path("w/a/__init__.py")).unwrap();
    assert_eq!(package.all, ["a"]);
    assert_eq!(detect(Tongue::Python, &fixture.path("w"), &fixture.path("outside/__init__.py")), None);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_not_followed() {
    let tree = "//- /w/a/__init__.py\nimport out\nimport within\nimport file\n//- /w/real/__init__.py\n\n//- /out/__init__.py\n\n//- /out/x.py\n\n//- /w/package.json\n{\"workspaces\": []}\n//- /w/p/package.json\n{}\n//- /w/p/i.ts\nimport '../link/x';\nimport 'named';\nimport 'far';\n//- /w/q/package.json\n{}\n";
    let fixture = Fixture::new(tree);
    let link = |to: &str, from: &str| {
        let from = fixture.path(from);
        std::fs::create_dir_all(from.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(fixture.path(to), from).unwrap();
    };
    link("out", "w/out");
    link("out/x.py", "w/file.py");
    link("w/real", "w/within");
    link("out", "w/link");
    link("w/q", "w/node_modules/named");
    link("out", "w/node_modules/far");
    let root = fixture.path("w");
    let package = detect(Tongue::Python, &root, &root.join("a/__init__.py")).unwrap();
    assert_eq!(package.all, ["a", "real"], "a link within is what it leads to");
    let package = detect(Tongue::JavaScript, &root, &root.join("p/i.ts")).unwrap();
    assert_eq!(package.all, ["p", "q"], "a package of the workspace by its name");
}

#[test]
fn files_that_are_no_text_are_read_as_far_as_they_are() {
    let fixture = Fixture::new("//- /a/__init__.py\n\n//- /b/__init__.py\n\n//- /c/__init__.py\n");
    fixture.write_bytes("a/latin.py", b"# caf\xe9\nimport b\n");
    fixture.write_bytes("a/zeros.py", b"\0\0\0\nimport c\n");
    assert_eq!(detected(Tongue::Python, &fixture, "a/latin.py"), "a | a b c");
    fixture.write_bytes("a/huge.py", &[b'#'; 2 << 20]);
    assert_eq!(
        detected(Tongue::Python, &fixture, "a/huge.py"),
        "a | a b c",
        "one that is too large says nothing"
    );
}

#[test]
fn a_huge_package_is_read_in_part() {
    let fixture = Fixture::new("//- /a/__init__.py\n\n//- /z/__init__.py\n");
    for number in 0..10_000 {
        fixture.write_bytes(&format!("a/m{number}.py"), b"import z\n");
    }
    let began = std::time::Instant::now();
    assert_eq!(detected(Tongue::Python, &fixture, "a/m7.py"), "a | a z");
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    let mut reader = Reader::new(fixture.root()).unwrap();
    assert_eq!(reader.files(&fixture.path("a"), &|_| true, &|_| true).len(), MOST_READ);
}

#[test]
fn a_scope_has_a_bounded_number_of_places() {
    let mut fixture = Fixture::new("");
    let names: Vec<String> = (0..200).map(|number| format!("p{number:03}")).collect();
    for name in &names {
        fixture.write(&format!("{name}/__init__.py"), "");
    }
    fixture.write("zz/__init__.py", &format!("import {}\n", names.join(", ")));
    let package = detect(Tongue::Python, fixture.root(), &fixture.path("zz/__init__.py")).unwrap();
    assert_eq!((package.all.len(), package.all.last().unwrap().as_str()), (MOST_PLACES, "zz"));
}

#[test]
fn imports_of_javascript_are_found_in_all_their_forms() {
    let text = "import a from './a';\nimport {\n  b,\n} from \"../b\"\nexport * from './c';\nexport { d } from './d'\nimport './e';\nconst f = require('./f');\nconst g = await import( './g' );\nimport type { H } from './h';\nimport i = require('./i');\n";
    assert_eq!(js_imports(text).join(" "), "./a ../b ./c ./d ./e ./f ./g ./h ./i");
}

#[test]
fn what_only_looks_like_an_import_of_javascript_is_none() {
    let text = "// import './a'\n/* from './b' */\nconst s = \"import './c'\";\nconst t = `\nimport './d';\n`;\nconst r = /'/; const q = a / b / c;\nx.require('./e'); y.from('./f');\nif (/[/'\"]/.test(s)) {}\nArray.from('./g');\nimport './last';\n";
    assert_eq!(js_imports(text).join(" "), "./last");
}

#[test]
fn broken_javascript_gives_what_can_be_read() {
    assert_eq!(
        js_imports("import './a'\r\nimport 'unclosed\r\nimport './b'\r\n`never closed import './c'")
            .join(" "),
        "./a ./b"
    );
    assert_eq!(js_imports("import '\\").join(" "), "");
    assert_eq!(js_imports("<p>Don't</p>\nimport 'é😀'").join(" "), "é😀");
}

const MONOREPO: &str = "//- /package.json\n{\"workspaces\": [\"packages/*\"]}\n//- /packages/a/package.json\n{}\n//- /packages/a/src/i.ts\nimport '../../b/src/x.js'; import '../../c'; import './own'; import '../../../tools/t'; import '../../missing';\n\
    //- /packages/b/package.json\n{}\n//- /packages/b/src/x.ts\nimport '../../d/y';\n//- /packages/c/package.json\n{}\n//- /packages/c/index.jsx\n\n//- /packages/d/package.json\n{}\n//- /packages/d/y.mjs\n\n//- /tools/t.cjs\nrequire('../top')\n//- /top.d.ts\n\n//- /packages/a/nested/package.json\n{}\n//- /packages/a/nested/n.ts\nimport '../../d/y';\n";

#[test]
fn a_package_of_javascript_is_the_nearest_manifest_and_its_direct_dependencies() {
    assert_eq!(
        javascript(MONOREPO, "packages/a/src/i.ts"),
        "packages/a | packages/a packages/b packages/c tools"
    );
    assert_eq!(javascript(MONOREPO, "packages/b/src/x.ts"), "packages/b | packages/b packages/d");
    assert_eq!(
        javascript(MONOREPO, "packages/a/nested/n.ts"),
        "packages/a/nested | packages/a/nested packages/d"
    );
    assert_eq!(javascript(MONOREPO, "tools/t.cjs"), "tools | tools top.d.ts", "beside the packages");
    assert_eq!(javascript(MONOREPO, "top.d.ts"), "top.d.ts | top.d.ts");
}

#[test]
fn one_package_of_javascript_is_everything() {
    assert_eq!(javascript("//- /package.json\n{}\n//- /src/a.ts\n\n", "src/a.ts"), "everything");
    assert_eq!(javascript("//- /src/a.ts\n\n", "src/a.ts"), "everything");
}

#[test]
fn other_languages_have_no_packages_here() {
    for id in ["go", "rust", "c", "java"] {
        assert_eq!(Tongue::of_language(id), None);
    }
}
