//! Documentation by rustdoc, and by programs that are not what they seem. Go and Python are in `real_servers`.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use bowline_testkit::Fixture;
use bowline_workspace::DocumentedLanguage::{self, Go, Python, Rust};
use bowline_workspace::{Options, Patience, ServerOptions, Workspace};

use super::patient;

fn workspace(fixture: &Fixture, environment: Vec<(OsString, OsString)>, cache: Option<&Path>) -> Workspace {
    Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs: vec![], environment })
        .with_cache(cache.map(Path::to_owned))
}

fn environment() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

async fn said(
    workspace: &Workspace,
    language: DocumentedLanguage,
    symbol: &str,
    file: Option<&str>,
) -> String {
    match workspace.documentation(symbol, language, file.map(Path::new), &patient()).await {
        Ok(found) => format!("{}\n--\n{}", found.signature, found.text),
        Err(error) => format!("error: {error}"),
    }
}

const SHOP: &str = r#"
//- /Cargo.toml
[package]
name = "shop-floor"
version = "0.1.0"
edition = "2021"
[[bin]]
name = "till"
path = "src/till.rs"
//- /src/lib.rs
//! The shop.

/// A basket & its things.
///
/// ```
/// let basket = shop_floor::Basket::<u8>::new();
/// ```
pub struct Basket<T> {
    /// What is in it.
    pub items: Vec<T>,
}
impl<T: Copy> Basket<T> {
    /// An empty one.
    pub fn new() -> Self { Self { items: vec![] } }
}
/// Kinds.
pub enum Kind { /** First. */ One }
/// Can be sold.
pub trait Sale { /// The price.
    fn price(&self) -> u32; }
/// Nobody outside sees it.
fn private(number: u32) -> u32 { number }
/// The most.
pub const MOST: usize = 3;
/// Says it.
#[macro_export] macro_rules! say { () => {} }
pub mod left { /// On the left.
    pub struct Same; }
/// The right side.
pub mod right { pub struct Same; }
//- /src/till.rs
/// Takes money.
fn take(money: u64) { let _ = money; }
fn main() { take(1) }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn rustdoc_of_the_project() {
    let fixture = Fixture::new(SHOP);
    let cache = tempfile::tempdir().unwrap();
    let workspace = workspace(&fixture, environment(), Some(cache.path()));
    let rust = async |symbol: &str| said(&workspace, Rust, symbol, None).await;

    assert_eq!(
        rust("Basket").await,
        "pub struct Basket<T> {\n    pub items: Vec<T>,\n}\n--\nA basket & its things.\n\n```rust\nlet basket = \
         shop_floor::Basket::<u8>::new();\n```"
    );
    let new = "pub fn new() -> Self\n--\nAn empty one.";
    for symbol in ["Basket::new", "Basket.new", "shop_floor::Basket::new", "crate::Basket::new"] {
        assert_eq!(rust(symbol).await, new, "{symbol}");
    }
    assert_eq!(rust("Basket::items").await, "items: Vec<T>\n--\nWhat is in it.");
    assert_eq!(rust("Kind::One").await, "One\n--\nFirst.");
    assert_eq!(rust("Sale::price").await, "fn price(&self) -> u32\n--\nThe price.");
    assert_eq!(
        rust("private").await,
        "pub(crate) fn private(number: u32) -> u32\n--\nNobody outside sees it."
    );
    assert_eq!(rust("MOST").await, "pub const MOST: usize = 3;\n--\nThe most.");
    assert!(rust("say!").await.ends_with("--\nSays it."));
    assert_eq!(rust("left::Same").await, "pub struct Same;\n--\nOn the left.");
    assert_eq!(rust("right").await, "Module right\n--\nThe right side.");
    assert_eq!(rust("shop_floor").await, "Crate shop_floor\n--\nThe shop.");
    assert_eq!(
        rust("Same").await,
        "error: `Same` is the name of several things: `shop_floor::left::Same` (struct), \
         `shop_floor::right::Same` (struct); write one of these"
    );
    let missing = rust("Baskte").await;
    assert!(missing.starts_with("error: no documentation for `Baskte`"), "{missing}");
    assert!(missing.ends_with("is `Basket` meant?"), "{missing}");
    assert_eq!(
        said(&workspace, Rust, "take", Some("src/till.rs")).await,
        "pub(crate) fn take(money: u64)\n--\nTakes money."
    );
    assert!(!fixture.path("target").exists(), "the project's own directory is not built in");

    std::fs::write(fixture.path("src/lib.rs"), "/// Changed.\npub struct Basket;\n").unwrap();
    assert_eq!(rust("Basket").await, "pub struct Basket;\n--\nChanged.");
    std::fs::write(fixture.path("src/lib.rs"), "pub struct {").unwrap();
    let broken = rust("Basket").await;
    assert!(broken.starts_with("error: `cargo` exited with code 101"), "{broken}");
    assert!(broken.contains("unclosed delimiter"), "{broken}");
}

#[tokio::test(flavor = "multi_thread")]
async fn which_package_is_meant() {
    let fixture = Fixture::new(
        "//- /Cargo.toml\n[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n\
         //- /one/Cargo.toml\n[package]\nname = \"one-package\"\nversion = \"0.1.0\"\n\
         //- /one/src/lib.rs\n/// In one.\npub struct Thing;\n\
         //- /two/Cargo.toml\n[package]\nname = \"two\"\nversion = \"0.1.0\"\n\
         //- /two/src/main.rs\n/// In two.\nstruct Thing;\nfn main() {}\n",
    );
    // Without a cache it works as well.
    let workspace = workspace(&fixture, environment(), None);
    assert_eq!(
        said(&workspace, Rust, "Thing", None).await,
        "error: there are several packages: one_package; give `file_path`, or write the crate before the symbol"
    );
    assert_eq!(said(&workspace, Rust, "one_package::Thing", None).await, "pub struct Thing;\n--\nIn one.");
    assert_eq!(
        said(&workspace, Rust, "Thing", Some("two/src/main.rs")).await,
        "pub(crate) struct Thing;\n--\nIn two."
    );
    let nowhere = Fixture::new("//- /a.rs\nfn a() {}\n");
    let nothing = super::documentation::workspace(&nowhere, environment(), None);
    let text = nowhere.relative(&said(&nothing, Rust, "a", Some("a.rs")).await);
    assert_eq!(text, "error: `` belongs to no Cargo package; give the `file_path` of a file that does");
}

/// The sysroot is a fake one, so that it does not matter what is installed here.
#[tokio::test]
async fn the_standard_library_where_it_is_installed() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n");
    let bin = fixture.path("bin");
    let sysroot = fixture.path("sysroot");
    program(&bin, "rustc", &format!("[ \"$*\" = '--print sysroot' ] && echo {}", sysroot.display()));
    let path = vec![("PATH".into(), format!("{}:/usr/bin:/bin", bin.display()).into())];
    let workspace = workspace(&fixture, path, None);
    let text = said(&workspace, Rust, "std::vec::Vec", None).await;
    assert!(text.contains("`rustup component add rust-docs`") && text.contains("inspect_symbol"), "{text}");
    let pages = "sysroot/share/doc/rust/html/std";
    fixture.write_bytes(
        &format!("{pages}/all.html"),
        br#"<ul class="all-items"><li><a href="vec/struct.Vec.html">vec::Vec</a></li></ul>"#,
    );
    fixture.write_bytes(
        &format!("{pages}/vec/struct.Vec.html"),
        br#"<pre class="rust item-decl"><code>pub struct Vec;</code></pre><details class="toggle top-doc"><div class="docblock"><p>Grows.</p></div></details><section id="method.push"><h4 class="code-header">pub fn push()</h4></section>"#,
    );
    assert_eq!(said(&workspace, Rust, "std::vec::Vec", None).await, "pub struct Vec;\n--\nGrows.");
    assert_eq!(said(&workspace, Rust, "std::vec::Vec::push", Some("a.rs")).await, "pub fn push()\n--\n");
}

fn program(dir: &Path, name: &str, script: &str) {
    std::fs::create_dir_all(dir).unwrap();
    let file = dir.join(name);
    std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn a_toolchain_that_is_missing_is_named() {
    let fixture = Fixture::new("//- /a.py\n");
    for environment in [vec![("PATH".into(), "/nonexistent".into())], vec![("PATH".into(), OsString::new())]]
    {
        let workspace = workspace(&fixture, environment, None);
        for (language, program, symbol) in
            [(Go, "go", "X"), (Python, "python3", "x"), (Rust, "cargo", "x"), (Rust, "rustc", "std::x")]
        {
            assert_eq!(
                said(&workspace, language, symbol, None).await,
                format!("error: no program `{program}` was found; install it or correct its path")
            );
        }
    }
}

#[tokio::test]
async fn a_toolchain_that_hangs_is_ended_with_its_children() {
    let fixture = Fixture::new("//- /go.mod\nmodule x\n");
    let (bin, pids) = (fixture.path("bin"), fixture.path("pids"));
    program(
        &bin,
        "go",
        &format!("trap '' TERM\nsleep 1000 &\necho $$ $! > {}\nwait\nsleep 1000", pids.display()),
    );
    let path = vec![("PATH".into(), format!("{}:/usr/bin:/bin", bin.display()).into())];
    let workspace = workspace(&fixture, path, None);
    let patience =
        Patience { deadline: Some(Instant::now() + Duration::from_secs(3)), ..Patience::default() };
    let error = workspace.documentation("X", Go, None, &patience).await.unwrap_err().to_string();
    assert!(
        error.starts_with("`go` did not answer within 0.8") || error.starts_with("`go` did not answer"),
        "{error}"
    );
    for pid in std::fs::read_to_string(&pids).unwrap().split_whitespace() {
        let pid = pid.parse().unwrap();
        let until = Instant::now() + Duration::from_secs(5);
        while bowline_std::process::alive(pid) {
            assert!(Instant::now() < until, "{pid} is still there");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn a_build_that_takes_too_long_says_how_far_it_came() {
    let fixture = Fixture::new("//- /Cargo.toml\n\n//- /src/lib.rs\n\n");
    let bin = fixture.path("bin");
    let metadata = serde_json::json!({
        "workspace_root": fixture.root(),
        "packages": [{
            "name": "shop",
            "manifest_path": fixture.path("Cargo.toml"),
            "targets": [{"name": "shop", "kind": ["lib"], "src_path": fixture.path("src/lib.rs")}],
        }],
    });
    fixture.write_bytes("metadata", metadata.to_string().as_bytes());
    let script = format!(
        "[ $1 = metadata ] && exec cat {}\necho \"$*\" > {}\necho 'Checking serde' >&2; sleep 1000",
        fixture.path("metadata").display(),
        fixture.path("arguments").display()
    );
    program(&bin, "cargo", &script);
    let path = vec![("PATH".into(), format!("{}:/usr/bin:/bin", bin.display()).into())];
    for (cache, advice) in [
        (Some(fixture.path("cache")), "what it has built is kept, so ask again"),
        (None, "nothing of it is kept; inspect_symbol needs no build"),
    ] {
        let workspace = workspace(&fixture, path.clone(), cache.as_deref());
        let heard = std::sync::Mutex::new(Vec::new());
        let report = |_: u64, _: Option<u64>, what: &str| heard.lock().unwrap().push(what.to_owned());
        let deadline = Some(Instant::now() + Duration::from_secs(4));
        let patience = Patience { deadline, progress: Some(&report), ..Patience::default() };
        let error = workspace.documentation("Basket", Rust, None, &patience).await.unwrap_err().to_string();
        assert!(error.starts_with("`cargo doc` was not done after "), "{error}");
        assert!(error.ends_with(&format!(" s (Checking serde); {advice}")), "{error}");
        assert!(heard.lock().unwrap().contains(&"cargo: Checking serde".to_owned()));
    }
    let arguments = std::fs::read_to_string(fixture.path("arguments")).unwrap();
    assert!(arguments.starts_with("doc --no-deps --offline --document-private-items"), "{arguments}");
    assert!(!arguments.contains(&fixture.path("target").display().to_string()), "{arguments}");
}

#[tokio::test]
async fn what_a_program_says_is_made_readable_and_short() {
    let fixture = Fixture::new("//- /go.mod\nmodule x\n");
    let bin = fixture.path("bin");
    let script = r#"echo "$GOPROXY $GOTOOLCHAIN $GOFLAGS $PAGER" >&2
case "$*" in
"doc -c -u -- . Long") printf 'package x\n\nfunc Long()\n    '; head -c 200000 /dev/zero | tr '\0' a ;;
"doc -c -u -- . Bold") printf 'package x\n\nfunc \033[1mBold\033[0m()\n    B\bBo\bo\n' ;;
*) exit 1 ;;
esac"#;
    program(&bin, "go", script);
    let path = vec![("PATH".into(), format!("{}:/usr/bin:/bin", bin.display()).into())];
    let workspace = workspace(&fixture, path, None);
    assert_eq!(said(&workspace, Go, "Bold", None).await, "func Bold()\n--\nBo");
    let long = said(&workspace, Go, "Long", None).await;
    assert!(long.len() < (64 << 10) + 100 && long.ends_with("more bytes)"), "{}", &long[long.len() - 50..]);
    assert_eq!(
        said(&workspace, Go, "None", None).await,
        "error: no documentation for `None`: off local -mod=readonly cat"
    );
}

#[tokio::test]
async fn a_symbol_is_never_an_option_nor_a_script() {
    let fixture = Fixture::new("//- /a.py\n");
    let workspace = workspace(&fixture, vec![], None);
    for language in DocumentedLanguage::ALL {
        for symbol in ["", "-h", "$(touch x)", "a\nb", "../a", &"x".repeat(4000)] {
            let text = said(&workspace, language, symbol, None).await;
            assert!(text.contains("is not a symbol; write `") && text.len() < 300, "{text}");
        }
        let text = said(&workspace, language, "x", Some("/etc/passwd")).await;
        assert!(text.contains("is outside the workspace"), "{text}");
    }
}
