//! What a language server does not check, and a build does: told by syntax, so that nobody calls it safe.

mod conditional;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Encoding, IndexedSymbol, SymbolKind};
use bowline_syntax::{Language, Parsed, parse, same_code, word_hash};

use super::{Drafted, Files};
use crate::{Patience, Workspace, WorkspaceError};

/// Endings of C and C++ that are compiled by themselves; the rest is included.
const COMPILED: [&str; 7] = ["c", "cc", "cpp", "cxx", "c++", "m", "mm"];

/// What a build may find beyond what is checked, in sentences for a reader.
#[derive(Debug, Default)]
pub(super) struct Unchecked {
    /// The build of the project as it is, and what is changed without being known to be built at all.
    pub(super) doubts: BTreeSet<String>,
    /// Builds under other conditions: other features, other systems.
    pub(super) limits: BTreeSet<String>,
}

impl Workspace {
    pub(super) async fn unchecked(
        &self,
        files: &Files,
        patience: &Patience<'_>,
    ) -> Result<Unchecked, WorkspaceError> {
        let Unchecked { mut doubts, mut limits } = Unchecked::default();
        for (path, file) in files.iter().filter(|(_, file)| file.is_changed()) {
            doubts.extend(self.of_changed_conditions(path, file, patience).await?);
            match Language::of_path(path) {
                Some(Language::Go) => doubts.extend(of_go(path, file)),
                Some(Language::C | Language::Cpp) if is_compiled(path) => {
                    doubts.extend(self.of_linking(files, path, file, patience).await?);
                }
                Some(Language::Rust) => {
                    let text = |side: &Option<Arc<str>>| side.clone().unwrap_or_else(|| "".into());
                    if foreign(&text(&file.before)) != foreign(&text(&file.after)) {
                        doubts.insert(
                            "it names functions that only the linker can find, and it is not asked".into(),
                        );
                    }
                    limits.extend(self.of_conditions(path, file, patience).await?);
                }
                _ => {}
            }
        }
        Ok(Unchecked { doubts, limits })
    }

    /// Changed code that may not be compiled here at all: it stands under a condition.
    async fn of_changed_conditions(
        &self,
        path: &Path,
        file: &Drafted,
        patience: &Patience<'_>,
    ) -> Result<Option<String>, WorkspaceError> {
        let Some(language @ (Language::Rust | Language::C | Language::Cpp)) = Language::of_path(path) else {
            return Ok(None);
        };
        let text = |side: &Option<Arc<str>>| side.clone().unwrap_or_else(|| "".into());
        let (path, before, after) = (path.to_owned(), text(&file.before), text(&file.after));
        let may_cross_compile = self.is_told_a_target();
        self.blocking(patience, move |_| {
            let same = parsed(&path, &before).zip(parsed(&path, &after));
            if same.is_some_and(|(before, after)| same_code(&path, &before, &after)) {
                return Ok(None);
            }
            let changed = if language == Language::Rust {
                let is_for_host = !may_cross_compile && !is_configured_for_a_target(&path);
                let is_known = |condition: &str| conditional::holds(condition, is_for_host) == Some(true);
                conditional::first_changed(&before, &after, |text| conditional::of_rust(text, &is_known))
            } else {
                conditional::first_changed(&before, &after, conditional::of_c)
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok(changed.map(|(line, condition)| {
                format!(
                    "line {line} of `{name}` stands under `{condition}`, and whether it is compiled here is not known"
                )
            }))
        })
        .await
    }

    /// Whether the environment or the settings of the Rust server name a system to compile for.
    fn is_told_a_target(&self) -> bool {
        let specs = self.fleet.specs().iter();
        let speaks_rust = |spec: &&Arc<bowline_lsp::ServerSpec>| {
            spec.languages.iter().any(|language| language.id == Language::Rust.id())
        };
        let told = specs.filter(speaks_rust).any(|spec| {
            let settings = [&spec.settings, &spec.initialization_options];
            settings.into_iter().flatten().any(|told| told.to_string().contains("target\""))
        });
        told || self.environment().iter().any(|(name, _)| name == "CARGO_BUILD_TARGET")
    }

    /// Code that is compiled under other conditions than those at hand, other features or another system, and names
    /// what was changed.
    async fn of_conditions(
        &self,
        path: &Path,
        file: &Drafted,
        patience: &Patience<'_>,
    ) -> Result<Option<String>, WorkspaceError> {
        let text = |side: &Option<Arc<str>>| side.clone().unwrap_or_else(|| "".into());
        let (before, after) = (text(&file.before), text(&file.after));
        let (Some(old), Some(new)) = (parsed(path, &before), parsed(path, &after)) else { return Ok(None) };
        let is_seen_elsewhere = bowline_syntax::extent(path, &old, &new) == bowline_syntax::Extent::Anywhere;
        for name in touched(&old, &new) {
            let mut holding = vec![path.to_owned()];
            if is_seen_elsewhere {
                let hash = word_hash(&name);
                holding.extend(self.ask(patience, move |store| store.holding(hash)).await?.0);
            }
            let (own, after) = (path.to_owned(), after.to_string());
            let conditional = self.blocking(patience, move |work| {
                let is_conditional = |other: &PathBuf| {
                    if *other == own {
                        return has_conditions(&after);
                    }
                    let text = work.read_in_passing(other);
                    let is_rust = Language::of_path(other) == Some(Language::Rust);
                    is_rust && (text.is_ok_and(|text| has_conditions(text.text())) || is_optional(other))
                };
                Ok(holding.into_iter().find(is_conditional))
            });
            if let Some(other) = conditional.await? {
                let other = other.file_name().unwrap_or_default().to_string_lossy().into_owned();
                return Ok(Some(format!(
                    "`{other}` names `{name}`, and holds code for other features or systems, which is not compiled here"
                )));
            }
        }
        Ok(None)
    }

    /// Which definitions there are is the linker's business: no server looks at it.
    async fn of_linking(
        &self,
        files: &Files,
        path: &Path,
        file: &Drafted,
        patience: &Patience<'_>,
    ) -> Result<Option<String>, WorkspaceError> {
        let (before, after) = (definitions(path, &file.before), definitions(path, &file.after));
        for definition in before.symmetric_difference(&after) {
            let (name, is_new) = (&definition.0, after.contains(definition));
            let hash = word_hash(name);
            let (holding, _) = self.ask(patience, move |store| store.holding(hash)).await?;
            // What follows the draft names it no more; what calls it now did not define it before.
            let is_left = |other: &PathBuf| is_new || files.get(other).is_none_or(|file| names(file, name));
            let defines = |(other, file): &(&PathBuf, &Drafted)| {
                is_new && definitions(other, &file.after).iter().any(|(defined, _)| defined == name)
            };
            let on_disk = holding.into_iter().filter(is_left);
            let also = files.iter().filter(defines).map(|(other, _)| other.clone());
            if let Some(other) = on_disk.chain(also).find(|other| other != path) {
                let what = if is_new { "new" } else { "gone" };
                let other = other.file_name().unwrap_or_default().to_string_lossy();
                return Ok(Some(format!(
                    "a definition of `{name}` is {what} here, and `{other}` names it: what the linker says is not known"
                )));
            }
        }
        Ok(None)
    }
}

fn definitions(path: &Path, text: &Option<Arc<str>>) -> BTreeSet<(String, String)> {
    let parsed = text.as_ref().and_then(|text| parsed(path, text));
    parsed.map(|parsed| linked(&parsed)).unwrap_or_default()
}

/// Whether a drafted file still has the word.
fn names(file: &Drafted, name: &str) -> bool {
    let mut words =
        file.after.as_deref().unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name)
}

/// Whether a text has code that is left out under conditions other than those of tests.
fn has_conditions(text: &str) -> bool {
    let after = |part: &str| part.trim_start().to_owned();
    text.split("cfg(")
        .skip(1)
        .chain(text.split("cfg!(").skip(1))
        .map(after)
        .any(|rest| !rest.starts_with("test)") && !rest.starts_with("debug_assertions)"))
        || text.contains("cfg_attr(")
}

/// Whether a configuration of cargo around a file names a system to compile for.
fn is_configured_for_a_target(path: &Path) -> bool {
    let names_one = |text: &str| {
        text.lines().any(|line| {
            let key = line.split('=').next().unwrap_or_default().trim();
            line.contains('=') && (key == "target" || key == "build.target")
        })
    };
    let files = path
        .ancestors()
        .skip(1)
        .flat_map(|directory| [".cargo/config.toml", ".cargo/config"].map(|name| directory.join(name)));
    files.filter_map(|file| bowline_std::fs::read_text(&file, 1 << 20).ok()).any(|(text, _)| names_one(&text))
}

/// Whether the package of a file has targets that are built only with certain features.
fn is_optional(path: &Path) -> bool {
    let manifest =
        path.ancestors().skip(1).map(|directory| directory.join("Cargo.toml")).find(|file| file.is_file());
    let text = manifest.and_then(|manifest| bowline_std::fs::read_text(&manifest, 1 << 20).ok());
    text.is_some_and(|(text, _)| text.contains("required-features"))
}

/// What a text says of functions that are defined elsewhere, in whatever language.
fn foreign(text: &str) -> Vec<String> {
    let blocks = text.split("extern \"").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split_once('{'));
    // `extern "C" fn f() {…}` is defined here.
    let blocks = blocks.filter(|(head, _)| !head.contains("fn "));
    blocks.map(|(_, block)| block.split('}').next().unwrap_or_default().to_owned()).collect()
}

/// The names of what differs: the innermost symbols whose text is not the same.
fn touched(before: &Parsed, after: &Parsed) -> BTreeSet<String> {
    let of = |parsed: &Parsed| -> Vec<(String, std::ops::Range<usize>, String)> {
        let symbols = parsed.flat_symbols().into_iter().map(|symbol| {
            let bytes = bytes_of(parsed, &symbol);
            let text = parsed.text().get(bytes.clone()).unwrap_or_default().to_owned();
            (symbol.name, bytes, text)
        });
        symbols.collect()
    };
    let (old, new) = (of(before), of(after));
    let mut names = BTreeSet::new();
    for (these, those) in [(&old, &new), (&new, &old)] {
        let differs = |(name, _, text): &&(String, std::ops::Range<usize>, String)| {
            !those.iter().any(|(other, _, same)| other == name && same == text)
        };
        let differing: Vec<_> = these.iter().filter(differs).collect();
        let is_innermost = |bytes: &std::ops::Range<usize>| {
            !differing
                .iter()
                .any(|(_, inner, _)| bytes.start <= inner.start && inner.end <= bytes.end && inner != bytes)
        };
        names.extend(
            differing.iter().filter(|(_, bytes, _)| is_innermost(bytes)).map(|(name, ..)| name.clone()),
        );
    }
    names
}

fn is_compiled(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    COMPILED.contains(&ending.to_ascii_lowercase().as_str())
}

fn parsed(path: &Path, text: &str) -> Option<Parsed> {
    parse(Language::of_path(path)?, text, &|| false).ok()
}

/// What only `go build` finds: a function without a body, a program without `main`, and what the linker is told.
fn of_go(path: &Path, file: &Drafted) -> Option<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = |side: &Option<Arc<str>>| side.as_deref().map(str::to_owned).unwrap_or_default();
    let (before, after) = (text(&file.before), text(&file.after));
    let told = |text: &str| -> Vec<String> {
        let speaks = |line: &&str| line.contains("//go:linkname") || line.trim() == "import \"C\"";
        text.lines().filter(speaks).map(str::to_owned).collect()
    };
    if told(&before) != told(&after) {
        return Some(format!("`{name}` talks to the linker, which is not asked"));
    }
    let has_main = |text: &str| {
        let symbols = parsed(path, text).map(|parsed| parsed.flat_symbols()).unwrap_or_default();
        let is_main = |symbol: &IndexedSymbol| symbol.name == "main" && symbol.kind == SymbolKind::Function;
        symbols.iter().any(is_main)
    };
    if before.contains("package main") && has_main(&before) && !has_main(&after) {
        return Some(format!("`{name}` no longer holds `func main`"));
    }
    let bodiless = bodiless(&parsed(path, &after)?);
    (!bodiless.is_empty()).then(|| format!("`{}` in `{name}` has no body", bodiless.join("`, `")))
}

/// Functions without a body.
fn bodiless(parsed: &Parsed) -> Vec<String> {
    let functions = parsed.flat_symbols().into_iter().filter(|symbol| symbol.kind.is_callable());
    let in_an_interface = |symbol: &IndexedSymbol| {
        // Methods of interfaces are declared, not defined.
        let line = parsed.lines().line_bytes(parsed.text(), symbol.range.start.line);
        let text = line.and_then(|bytes| parsed.text().get(bytes)).unwrap_or_default();
        !text.trim_start().starts_with("func")
    };
    functions
        .filter(|symbol| !in_an_interface(symbol))
        .filter(|symbol| parsed.body_within(bytes_of(parsed, symbol)).is_none())
        .map(|symbol| symbol.name)
        .collect()
}

/// What other files can link with: the name, and everything before the body.
fn linked(parsed: &Parsed) -> BTreeSet<(String, String)> {
    let functions = parsed.flat_symbols().into_iter().filter(|symbol| symbol.kind.is_callable());
    let defined = functions.filter_map(|symbol| {
        let bytes = bytes_of(parsed, &symbol);
        let body = parsed.body_within(bytes.clone())?;
        let head = parsed.text().get(bytes.start..body.start)?;
        let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_own = head.starts_with("static ") || head.contains(" static ");
        (!is_own).then(|| (symbol.name, format!("{} {head}", symbol.container)))
    });
    defined.collect()
}

fn bytes_of(parsed: &Parsed, symbol: &IndexedSymbol) -> std::ops::Range<usize> {
    let offset =
        |at| parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap_or(parsed.text().len());
    offset(symbol.range.start)..offset(symbol.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(before: &str, after: &str) -> Option<String> {
        let side = |text: &str| Some(text.into());
        of_go(Path::new("/a.go"), &Drafted { before: side(before), after: side(after), like: None })
    }

    #[test]
    fn what_go_build_alone_finds() {
        let whole =
            "package main\n\ntype T interface{ M() }\n\nfunc main() {}\n\nfunc f() int { return 1 }\n";
        assert_eq!(go(whole, &whole.replace("return 1", "return 2")), None);
        let told = go(whole, &whole.replace("func f() int { return 1 }", "func f() int"));
        assert_eq!(told.as_deref(), Some("`f` in `a.go` has no body"));
        let told = go(whole, &whole.replace("func main()", "func Main()"));
        assert_eq!(told.as_deref(), Some("`a.go` no longer holds `func main`"));
        let told = go(whole, &whole.replace("func f()", "//go:linkname f runtime.f\nfunc f()"));
        assert_eq!(told.as_deref(), Some("`a.go` talks to the linker, which is not asked"));
    }

    #[test]
    fn conditions_of_rust() {
        assert!(has_conditions("#[cfg(feature = \"x\")]") && has_conditions("if cfg!(windows) {}"));
        assert!(!has_conditions("#[cfg(test)]\nmod tests {}"));
        assert!(foreign("extern \"C\" fn f() {}").is_empty());
        assert_eq!(foreign("extern \"C\" { fn f(); }"), [" fn f(); "]);
        let of = |text: &str| parsed(Path::new("/a.rs"), text).unwrap();
        let text = "struct S;\nimpl S {\n    fn a(&self) {}\n    fn b(&self) {}\n}\nfn c() {}\n";
        let touched = touched(&of(text), &of(&text.replace("b(&self)", "b(self)")));
        assert_eq!(touched.into_iter().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn what_other_files_link_with() {
        let of = |text: &str| linked(&parsed(Path::new("/a.cpp"), text).unwrap());
        let names = |text: &str| of(text).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names("int f(int a) { return a; }\nstatic int g() { return 1; }\nint h();\n"), ["f"]);
        assert_eq!(of("int f(int a) { return a; }"), of("int f(int a)\n{\n  return a + 1;\n}"));
        assert_ne!(of("int f(int a) { return a; }"), of("int f(long a) { return a; }"));
        assert_ne!(of("int f() { return 1; }"), of("namespace n { int f() { return 1; } }"));
    }
}
