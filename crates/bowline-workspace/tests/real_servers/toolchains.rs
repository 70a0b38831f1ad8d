//! Documentation by the real Go and Python, which `cargo xtask test` asks for.

use std::path::Path;

use bowline_testkit::Fixture;
use bowline_workspace::DocumentedLanguage::{self, Go, Python, Rust};
use bowline_workspace::{Options, ServerOptions, Workspace};

use super::patience;

async fn said(fixture: &Fixture, language: DocumentedLanguage, symbol: &str, file: Option<&str>) -> String {
    let environment = bowline_lsp::environment::allowed(std::env::vars_os());
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs: vec![], environment });
    match workspace.documentation(symbol, language, file.map(Path::new), &patience()).await {
        Ok(found) => format!("{}\n--\n{}", found.signature, found.text),
        Err(error) => fixture.relative(&format!("error: {error}")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn go_doc() {
    let fixture = Fixture::new(
        "//- /go.mod\nmodule example.com/rigging\n\ngo 1.21\n\
         //- /main.go\npackage main\n\nfunc main() {}\n\
         //- /rope/rope.go\n// Package rope is for ropes.\npackage rope\n\n// Rope is a line.\ntype Rope struct {\n\t// Label names it.\n\tLabel string\n}\n\n\
         // Cut shortens it.\nfunc (r *Rope) Cut(by int) {}\n\n// Splice joins two.\nfunc Splice(a, b Rope) Rope { return a }\n\n\
         // hidden is not seen outside.\nfunc hidden() {}\n",
    );
    let file = Some("rope/rope.go");
    let splice = "func Splice(a, b Rope) Rope\n--\nSplice joins two.";
    assert_eq!(said(&fixture, Go, "Splice", file).await, splice);
    assert_eq!(said(&fixture, Go, "rope.Splice", None).await, splice);
    assert_eq!(said(&fixture, Go, "example.com/rigging/rope.Splice", None).await, splice);
    assert_eq!(
        said(&fixture, Go, "Rope.Cut", file).await,
        "func (r *Rope) Cut(by int)\n--\nCut shortens it."
    );
    assert_eq!(
        said(&fixture, Go, "rope.Rope.Cut", None).await,
        "func (r *Rope) Cut(by int)\n--\nCut shortens it."
    );
    assert_eq!(said(&fixture, Go, "hidden", file).await, "func hidden()\n--\nhidden is not seen outside.");
    let of_type = said(&fixture, Go, "Rope", file).await;
    assert!(
        of_type.starts_with("type Rope struct {") && of_type.contains("}\n--\nRope is a line."),
        "{of_type}"
    );
    let package = said(&fixture, Go, "rope", None).await;
    assert!(package.contains("Package rope is for ropes."), "{package}");
    let standard = said(&fixture, Go, "encoding/json.Decoder.Decode", None).await;
    assert!(standard.starts_with("func (dec *Decoder) Decode(v any) error\n--\n"), "{standard}");
    let short = said(&fixture, Go, "strings.Builder.Len", file).await;
    assert!(short.starts_with("func (b *Builder) Len() int"), "{short}");
    let missing = said(&fixture, Go, "Nothing", file).await;
    assert!(
        missing.starts_with("error: no documentation for `Nothing`: doc: no symbol Nothing in package"),
        "{missing}"
    );
    assert!(!fixture.path("go.sum").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn go_doc_stays_within_the_project() {
    let outside = Fixture::new(
        "//- /go.mod\nmodule ex.com/o\n//- /o.go\npackage o\n\nconst hidden = \"secret\"\n\n// Shown is.\nconst Shown = \"secret\"\n",
    );
    let fixture = Fixture::new(&format!(
        "//- /go.mod\nmodule ex.com/p\n\ngo 1.21\n\nrequire ex.com/o v0.0.0\n\nreplace ex.com/o => {}\n\
         //- /p.go\npackage p\n\nimport _ \"ex.com/o\"\n//- /inner/inner.go\npackage inner\n\nconst small = 1\n\
         //- /leaky/leaky.go\npackage o\n",
        outside.root().display()
    ));
    std::os::unix::fs::symlink(outside.path("o.go"), fixture.path("leaky/more.go")).unwrap();
    for symbol in ["ex.com/o.hidden", "o.hidden", "ex.com/o.Shown", "o.Shown", "ex.com/o"] {
        let refused = said(&fixture, Go, symbol, None).await;
        assert!(
            refused.contains("package `ex.com/o` lies outside of the workspace")
                && !refused.contains("secret"),
            "{refused}"
        );
    }
    for (symbol, file) in
        [("hidden", Some("leaky/leaky.go")), ("ex.com/p/leaky.Shown", None), ("leaky.Shown", None)]
    {
        let refused = said(&fixture, Go, symbol, file).await;
        assert!(
            refused.contains("`more.go` is a link that leads out of the workspace")
                && !refused.contains("secret"),
            "{refused}"
        );
    }
    assert_eq!(said(&fixture, Go, "inner.small", None).await, "const small = 1\n--\n");
    assert_eq!(said(&fixture, Go, "ex.com/p/inner.small", None).await, "const small = 1\n--\n");
    // Of what is not the project's, only what it offers.
    assert!(said(&fixture, Go, "encoding/json.Decoder", None).await.starts_with("type Decoder struct"));
    assert!(said(&fixture, Go, "encoding/json.stateInString", None).await.starts_with("error: "));
}

#[tokio::test(flavor = "multi_thread")]
async fn pydoc() {
    let fixture = Fixture::new(
        "//- /shop/__init__.py\n\"\"\"The shop.\"\"\"\n\
         //- /shop/till.py\nimport sys, threading, time\nfrom . import prices\nprint('noise')\nsys.stderr.write('noise')\n\
         threading.Thread(target=time.sleep, args=(1000,)).start()\nLIMIT = 3\n\
         def total(items, rate: float = 1.0) -> float:\n    \"\"\"Adds \x1b[1mup\x1b[0m.\"\"\"\n\
         class Basket:\n    \"\"\"Holds things.\"\"\"\n    def add(self, thing):\n        \"\"\"Puts it in.\"\"\"\n\
         async def later():\n    \"\"\"Soon.\"\"\"\n\
         //- /shop/prices.py\n\n\
         //- /json.py\nraise SystemExit('not the real one')\n\
         //- /broken.py\nraise ValueError('cannot')\n\
         //- /quits.py\nimport sys; sys.exit(3)\n\
         //- /my-script.py\ndef f(): pass\n",
    );
    let file = Some("shop/till.py");
    let total = said(&fixture, Python, "total", file).await;
    assert!(total.starts_with("def total(items, rate: float=1.0) -> float\n--\n"), "{total}");
    assert!(total.contains("Adds up.") && !total.contains("noise"), "{total}");
    assert_eq!(said(&fixture, Python, "shop.till.total", None).await, total);
    assert_eq!(said(&fixture, Python, "shop.till.total", file).await, total);
    assert!(said(&fixture, Python, "Basket.add", file).await.contains("Puts it in."));
    assert!(said(&fixture, Python, "Basket", file).await.starts_with("class Basket\n--\n"));
    assert!(said(&fixture, Python, "later", file).await.starts_with("async def later()"));
    assert_eq!(said(&fixture, Python, "LIMIT", file).await, "LIMIT = 3\n--\n");
    assert!(said(&fixture, Python, "shop", Some("shop/__init__.py")).await.starts_with("module shop\n--\n"));
    assert!(said(&fixture, Python, "str.join", file).await.contains("Concatenate"));
    let unknown = said(&fixture, Python, "nothing", file).await;
    assert_eq!(unknown, "error: no documentation for `nothing`: python knows no such name");
    // Nothing of the project is run: not what would fail, not what would quit, not what hides a module of Python's own.
    for file in ["broken.py", "quits.py"] {
        let missing = said(&fixture, Python, "x", Some(file)).await;
        assert_eq!(missing, "error: no documentation for `x`: python knows no such name");
    }
    assert!(said(&fixture, Python, "os.path.join", None).await.contains("join"));
    assert_eq!(
        said(&fixture, Python, "f", Some("my-script.py")).await,
        "error: `/my-script.py` cannot be imported, because its name is no name of Python"
    );
    assert!(!fixture.path("__pycache__").exists() && !fixture.path("shop/__pycache__").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn pydoc_stays_within_the_project() {
    let outside = Fixture::new(
        "//- /secret.py\nTOKEN = 'hidden'\n//- /site-packages/kit.py\nTOKEN = 'hidden'\n\
         //- /lib/python3/site-packages/env.py\nTOKEN = 'hidden'\n",
    );
    let fixture = Fixture::new(
        "//- /inner/shared.py\nTOKEN = 'ours'\n//- /again.py\nfrom leak import TOKEN\n\
         //- /.venv/lib/python3/site-packages/kit.py\nTOKEN = 'installed'\n//- /pack/__init__.py\n",
    );
    let link =
        |to: &str, name: &str| std::os::unix::fs::symlink(outside.path(to), fixture.path(name)).unwrap();
    link("secret.py", "leak.py");
    link("", "linked");
    link("secret.py", "pack/__init__.pyi");
    link("", "venv");
    std::fs::create_dir_all(fixture.path("sub/.venv/lib/python3")).unwrap();
    link("site-packages", "sub/.venv/lib/python3/site-packages");
    std::os::unix::fs::symlink(fixture.path("inner/shared.py"), fixture.path("beside.py")).unwrap();
    for symbol in ["leak.TOKEN", "linked.secret.TOKEN", "again.TOKEN", "env.TOKEN", "leak", "pack.TOKEN"] {
        assert_eq!(
            said(&fixture, Python, symbol, None).await,
            format!("error: no documentation for `{symbol}`: python knows no such name")
        );
    }
    assert_eq!(said(&fixture, Python, "beside.TOKEN", None).await, "TOKEN = 'ours'\n--\n");
    assert_eq!(said(&fixture, Python, "kit.TOKEN", None).await, "TOKEN = 'installed'\n--\n");
    std::fs::write(fixture.path("sub/a.py"), "").unwrap();
    std::fs::remove_dir_all(fixture.path(".venv")).unwrap();
    assert!(said(&fixture, Python, "kit.TOKEN", Some("sub/a.py")).await.starts_with("error: "));
    // A project that is itself a package has what is beside it in reach of no name.
    let parent = Fixture::new("//- /beside.py\nTOKEN = 'hidden'\n//- /pack/__init__.py\nHERE = 1\n");
    let workspace = |symbol: &'static str| {
        let environment = bowline_lsp::environment::allowed(std::env::vars_os());
        let workspace = Workspace::new(Options::default(), vec![parent.path("pack")], None)
            .unwrap()
            .with_servers(ServerOptions { specs: vec![], environment });
        async move {
            let file = Some(Path::new("__init__.py"));
            workspace.documentation(symbol, Python, file, &patience()).await.map(|found| found.signature)
        }
    };
    assert_eq!(workspace("pack.HERE").await.unwrap(), "HERE = 1");
    assert!(workspace("beside.TOKEN").await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn pydoc_runs_nothing_of_the_standard_library() {
    let fixture =
        Fixture::new("//- /posixpath.py\ndef join(): 'not this'\n//- /odd.py\ndef f(): '\\ud800 odd'\n");
    for (symbol, part) in [
        ("os.path.join", "def join(a, *p)\n--\nJoin two or more"),
        ("os.listdir", "Return a list containing the names"),
        ("json.JSONDecoder.decode", "def decode(self, s"),
        ("asyncio.run", "def run(main"),
        ("math.sqrt", "Return the square root"),
        ("collections.OrderedDict", "Dictionary that remembers insertion order"),
        ("sys.exit", "Exit the interpreter"),
        ("sys.maxsize", "maxsize = 9"),
        ("logging.handlers.RotatingFileHandler", "class RotatingFileHandler(BaseRotatingHandler)"),
        ("this", "module this\n--\n"),
        ("antigravity", "module antigravity\n--\n"),
        ("odd.f", " odd"),
        ("dict", "class dict"),
    ] {
        let said = said(&fixture, Python, symbol, None).await;
        assert!(said.contains(part) && !said.contains("Zen of Python"), "{symbol}: {said}");
    }
    for value in ["sys.path", "posix.environ", "sys.modules"] {
        let said = said(&fixture, Python, value, None).await;
        assert!(said.contains("\n--\na value of type ") && !said.contains('/'), "{said}");
    }
    assert!(said(&fixture, Python, "site.nothing", None).await.starts_with("error: "));
}

/// The rust-docs component may be installed or not; either answer must be right.
#[tokio::test(flavor = "multi_thread")]
async fn the_real_standard_library() {
    let fixture = Fixture::new("//- /a.rs\n");
    let push = said(&fixture, Rust, "std::vec::Vec::push", None).await;
    if push.starts_with("error: ") {
        assert!(push.contains("rustup component add rust-docs"), "{push}");
        return;
    }
    assert!(
        push.contains("pub fn push(&mut self, value: T)") && push.contains("Appends an element"),
        "{push}"
    );
    let next = said(&fixture, Rust, "std::iter::Iterator::next", None).await;
    assert!(next.contains("fn next(&mut self) -> Option<Self::Item>"), "{next}");
    assert!(said(&fixture, Rust, "std::println!", None).await.contains("macro_rules! println"));
    assert!(said(&fixture, Rust, "std::collections", None).await.contains("Collection types"));
}
