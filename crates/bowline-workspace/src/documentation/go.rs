//! `go doc`. It reads source and runs none of it.

use super::{Documentation, DocumentationError, LIMIT, Question};
use crate::program::Run;

pub(super) async fn ask(question: &Question<'_>) -> Result<Documentation, DocumentationError> {
    let inside = question.dir().ancestors().take_while(|dir| dir.starts_with(&question.root));
    let vendored = inside.into_iter().any(|dir| dir.join("vendor/modules.txt").is_file());
    let modules = if vendored { "-mod=vendor" } else { "-mod=readonly" };
    let mut complaints: Vec<String> = Vec::new();
    for [package, symbol] in attempts(question.symbol) {
        let said = Run::new("go", question.dir(), question.workspace.fleet.environment(), LIMIT)
            // Exact letters, and also what is not exported.
            .args(["doc", "-c", "-u", "--", package])
            .args((!symbol.is_empty()).then_some(symbol))
            // Nothing is fetched, neither modules nor a newer Go, and `go.mod` stays as it is.
            .env("GOPROXY", "off")
            .env("GOTOOLCHAIN", "local")
            .env("GOFLAGS", modules)
            .output(question.patience)
            .await?;
        let why = said.complaint();
        match said.successful() {
            Ok(text) => return Ok(read(&String::from_utf8_lossy(&text))),
            Err(_) if complaints.contains(&why) => {}
            Err(_) => complaints.push(why),
        }
    }
    Err(question.not_found(complaints.join("; ")))
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
