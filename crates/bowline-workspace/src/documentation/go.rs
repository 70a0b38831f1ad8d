//! `go doc`. It reads source and runs none of it.

use std::path::{Path, PathBuf};

use super::{Documentation, DocumentationError, LIMIT, Question};
use crate::program::{Output, Run};

pub(super) async fn ask(question: &Question<'_>) -> Result<Documentation, DocumentationError> {
    let mut complaints: Vec<String> = Vec::new();
    for [package, symbol] in attempts(question.symbol) {
        match attempt(question, package, symbol).await? {
            Ok(found) => return Ok(found),
            Err(why) if complaints.contains(&why) => {}
            Err(why) => complaints.push(why),
        }
    }
    Err(question.not_found(complaints.join("; ")))
}

/// What is said of one package's symbol, or why nothing is.
async fn attempt(
    question: &Question<'_>,
    package: &str,
    symbol: &str,
) -> Result<Result<Documentation, String>, DocumentationError> {
    let (package, ours) = if package == "." {
        (package.to_owned(), Some(question.dir().to_owned()))
    } else {
        let found = match directory(question, package).await? {
            Some(dir) => Some((package.to_owned(), dir)),
            // A short name, which `go doc` alone knows to make a whole one from.
            None => {
                let said = doc(question, true, package, symbol).await?;
                let why = said.complaint();
                let Ok(text) = said.successful() else {
                    return Ok(Err(why));
                };
                match import_path(&String::from_utf8_lossy(&text)) {
                    Some(path) => directory(question, path).await?.map(|dir| (path.to_owned(), dir)),
                    None => None,
                }
            }
        };
        let Some((package, dir)) = found else {
            return Ok(Err(format!("it is not known where package `{package}` lies")));
        };
        let real = dir.canonicalize().unwrap_or(dir);
        if is_inside(question, &real) {
            (package, Some(real))
        } else if installed(question).await?.iter().any(|place| real.starts_with(place)) {
            (package, None)
        } else {
            return Ok(Err(format!(
                "package `{package}` lies outside of the workspace, where nothing is read"
            )));
        }
    };
    if let Some(link) = ours.as_deref().and_then(|dir| leading_out(question, dir)) {
        return Ok(Err(format!("`{link}` is a link that leads out of the workspace, where nothing is read")));
    }
    let said = doc(question, ours.is_some(), &package, symbol).await?;
    let why = said.complaint();
    Ok(said.successful().map(|text| read(&String::from_utf8_lossy(&text))).map_err(|_| why))
}

/// With exact letters; of the project also what is not exported.
async fn doc(
    question: &Question<'_>,
    ours: bool,
    package: &str,
    symbol: &str,
) -> Result<Output, DocumentationError> {
    let run = go(question).args(["doc", "-c"]).args(ours.then_some("-u")).args(["--", package]);
    Ok(run.args((!symbol.is_empty()).then_some(symbol)).output(question.patience).await?)
}

/// Where a package lies, if its name is a whole one.
async fn directory(question: &Question<'_>, package: &str) -> Result<Option<PathBuf>, DocumentationError> {
    // Neither what it imports is looked at, nor is a version control asked, which might run what its settings say.
    let arguments = ["list", "-buildvcs=false", "-e", "-find", "-f", "{{.Dir}}", "--", package];
    let said = go(question).args(arguments).output(question.patience).await?;
    Ok(said.successful().ok().and_then(|text| lines(&text).next()))
}

/// Where Go keeps its own packages and those it has fetched.
async fn installed(question: &Question<'_>) -> Result<Vec<PathBuf>, DocumentationError> {
    let said = go(question).args(["env", "GOROOT", "GOMODCACHE"]).output(question.patience).await?;
    let text = said.successful()?;
    Ok(lines(&text).filter_map(|place| place.canonicalize().ok()).collect())
}

fn lines(text: &[u8]) -> impl Iterator<Item = PathBuf> {
    let text = String::from_utf8_lossy(text).into_owned();
    let paths: Vec<PathBuf> = text.lines().map(PathBuf::from).filter(|path| path.is_absolute()).collect();
    paths.into_iter()
}

fn go(question: &Question<'_>) -> Run {
    let inside = question.dir().ancestors().take_while(|dir| dir.starts_with(&question.root));
    let vendored = inside.into_iter().any(|dir| dir.join("vendor/modules.txt").is_file());
    let modules = if vendored { "-mod=vendor" } else { "-mod=readonly" };
    Run::new("go", question.dir(), question.workspace.fleet.environment(), LIMIT)
        // Nothing is fetched, neither modules nor a newer Go, and `go.mod` stays as it is.
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOFLAGS", modules)
}

fn is_inside(question: &Question<'_>, real: &Path) -> bool {
    question.workspace.roots().iter().any(|root| real.starts_with(root))
}

/// A file of a package that is not really there.
fn leading_out(question: &Question<'_>, dir: &Path) -> Option<String> {
    let files =
        dir.read_dir().ok()?.flatten().filter(|file| file.file_type().is_ok_and(|kind| kind.is_symlink()));
    let mut sources =
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "go"));
    let out = sources.find(|path| path.canonicalize().is_ok_and(|real| !is_inside(question, &real)))?;
    out.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// The whole name of the package that `go doc` has found, which it says first.
fn import_path(said: &str) -> Option<&str> {
    let (_, path) = said.lines().next()?.split_once(" // import \"")?;
    path.strip_suffix('"').filter(|path| !path.starts_with('-'))
}

/// The ways to read a symbol, as package and name: in the package of the directory, then in another.
fn attempts(symbol: &str) -> Vec<[&str; 2]> {
    // A path with slashes is a package's, up to the first dot behind the last slash.
    let after_slash = symbol.rfind('/').map_or(0, |slash| slash + 1);
    let (package, name) = match symbol[after_slash..].find('.') {
        Some(dot) => (&symbol[..after_slash + dot], &symbol[after_slash + dot + 1..]),
        None => (symbol, ""),
    };
    let elsewhere = [package, name];
    if after_slash > 0 { vec![elsewhere] } else { vec![[".", symbol], elsewhere] }
}

/// Takes the declaration out of what `go doc` writes:
///
/// ```text
/// package rope // import "example.com/rope"
///
/// func Splice(first, second Rope) Rope
///     Splice joins two ropes into one.
/// ```
fn read(said: &str) -> Documentation {
    let lines: Vec<&str> = said.lines().collect();
    let head = usize::from(lines.first().is_some_and(|line| line.starts_with("package ")));
    let is_blank = |line: &&&str| line.trim().is_empty();
    let start = head + lines[head..].iter().take_while(is_blank).count();
    let declaration = &lines[start.min(lines.len())..];
    let opens = declaration.first().is_some_and(|line| line.ends_with(['{', '(']));
    let count = if opens {
        let close = declaration.iter().position(|line| matches!(line.trim_end(), "}" | ")"));
        close.map_or(1, |at| at + 1)
    } else {
        declaration.iter().take_while(|line| !line.is_empty() && !line.starts_with("    ")).count()
    };
    // What is said of a whole package has no declaration but its name.
    let is_code = ["func ", "type ", "var ", "const "]
        .iter()
        .any(|word| declaration.first().is_some_and(|line| line.trim_start_matches('\t').starts_with(word)));
    let (signature, rest) = if is_code { declaration.split_at(count) } else { (&lines[..head], declaration) };
    Documentation::new(&signature.join("\n"), &rest.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_of_this_package_or_of_another() {
        assert_eq!(attempts("Splice"), [[".", "Splice"], ["Splice", ""]]);
        assert_eq!(attempts("Rope.Cut"), [[".", "Rope.Cut"], ["Rope", "Cut"]]);
        assert_eq!(
            attempts("json.Decoder.Decode"),
            [[".", "json.Decoder.Decode"], ["json", "Decoder.Decode"]]
        );
        assert_eq!(attempts("encoding/json.Decoder.Decode"), [["encoding/json", "Decoder.Decode"]]);
        assert_eq!(attempts("example.com/x/rope.Splice"), [["example.com/x/rope", "Splice"]]);
        assert_eq!(attempts("encoding/json"), [["encoding/json", ""]]);
    }

    #[test]
    fn the_package_is_named_whole() {
        assert_eq!(import_path("package o // import \"ex.com/o\"\n\nconst X = 1\n"), Some("ex.com/o"));
        assert_eq!(import_path("package o\n\nconst X = 1 // import \"x\"\n"), None);
        assert_eq!(import_path("package o // import \"-x\"\n"), None);
    }

    #[test]
    fn the_declaration_is_told_apart() {
        let of = |said: &str| {
            let read = read(said);
            (read.signature, read.text)
        };
        assert_eq!(
            of(
                "package rope // import \"x/rope\"\n\nfunc Splice(a, b Rope) Rope\n    Splice joins.\n\n    Twice.\n"
            ),
            ("func Splice(a, b Rope) Rope".into(), "Splice joins.\n\n    Twice.".into())
        );
        assert_eq!(
            of(
                "package rope\n\ntype Rope struct {\n\tLabel string\n\n\tMetres float64\n}\n    Rope is.\n\nfunc Splice() Rope\n"
            ),
            (
                "type Rope struct {\n\tLabel string\n\n\tMetres float64\n}".into(),
                "Rope is.\n\nfunc Splice() Rope".into()
            )
        );
        assert_eq!(of("package rope // x\n\nPackage rope is.\n\nfunc A()\n").0, "package rope // x");
        assert_eq!(of(""), (String::new(), String::new()));
    }
}
