//! Who uses a symbol without writing its name: the language, a framework that reads attributes, whoever holds the type
//! that it belongs to. Read from syntax; where it cannot be told, that is a user.

use std::path::Path;

use bowline_code::{Encoding, IndexedSymbol, Position, SymbolKind};
use bowline_syntax::Parsed;

use super::super::Named;
use super::super::tests_for::is_test_file;

/// Attributes by which nothing finds what they are written at.
const INERT: [&str; 33] = [
    "derive",
    "allow",
    "expect",
    "warn",
    "deny",
    "forbid",
    "doc",
    "inline",
    "must_use",
    "cfg",
    "deprecated",
    "cold",
    "track_caller",
    "non_exhaustive",
    "staticmethod",
    "classmethod",
    "property",
    "dataclass",
    "dataclasses",
    "functools",
    "cache",
    "lru_cache",
    "cached_property",
    "typing",
    "overload",
    "Nullable",
    "NotNull",
    "SuppressWarnings",
    "Deprecated",
    "Obsolete",
    "nodiscard",
    "maybe_unused",
    "noreturn",
];

/// In sentences, each a reason why it may be used unseen. `inside` is the path below its root.
pub(super) fn users(parsed: &Parsed, inside: &Path, named: &Named) -> Vec<String> {
    let name = named.name.rsplit('.').next().unwrap_or(&named.name);
    let language = parsed.language().id();
    let mut users = Vec::new();
    if let Some(who) = called_by_others(language, name, named, is_test_file(inside)) {
        users.push(format!("`{name}` is called by {who}, whoever names it"));
    }
    if let Some(of) = &named.of {
        users.push(format!("it is written for `{of}`, by which others call it"));
    }
    let text = parsed.text();
    let selection = offset(parsed, named.selection.start)..offset(parsed, named.selection.end);
    let Some(parts) = parsed.parts(&selection) else {
        users.push("its parts cannot be told".to_owned());
        return users;
    };
    let head = text.get(parts.whole.start..selection.start).unwrap_or_default();
    users.extend(
        attributes(head, language)
            .into_iter()
            .map(|name| format!("whoever reads the attribute `{name}` may use it without naming it")),
    );
    let is_counted = named.kind == SymbolKind::EnumMember
        || (language == "go" && named.kind == SymbolKind::Constant && counts(text, parts.whole.start));
    if is_counted && parts.precedes {
        users.push("what stands behind it would get another value".to_owned());
    }
    let whole = text.get(parts.whole.clone()).unwrap_or_default();
    if head.contains("export default") {
        users.push("it goes by whatever name it is imported under, or by none".to_owned());
    }
    if let Some(why) = by_its_type(parsed, named, name, head, whole) {
        users.push(why);
    }
    users
}

fn offset(parsed: &Parsed, at: Position) -> usize {
    parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap_or(parsed.text().len())
}

/// Whether a constant of Go stands in a group that counts.
fn counts(text: &str, at: usize) -> bool {
    let group = text.get(..at).and_then(|before| before.rfind("const")).unwrap_or(0);
    let end = text.get(at..).and_then(|behind| behind.find("\n)")).map_or(text.len(), |end| at + end);
    text.get(group..end).is_some_and(|group| group.contains("iota"))
}

/// Names that a language, or what runs its tests, calls by itself.
fn called_by_others(language: &str, name: &str, named: &Named, in_tests: bool) -> Option<&'static str> {
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    let is_callable =
        matches!(named.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor);
    if name == "main" && is_callable {
        return Some("the system");
    }
    if named.kind == SymbolKind::Constructor || name == "constructor" {
        return Some("the language");
    }
    let (language_itself, runner) = (Some("the language"), Some("what runs the tests"));
    match language {
        "go" if name == "init" && is_callable => Some("the runtime"),
        "go" if in_tests && begins(&["Test", "Benchmark", "Example", "Fuzz"]) => runner,
        "python" if name.starts_with("__") && name.ends_with("__") => language_itself,
        "python" if begins(&["pytest_"]) => Some("pytest"),
        "python" if in_tests && begins(&["test", "Test", "setUp", "tearDown", "setup", "teardown"]) => runner,
        "ruby" if in_tests && begins(&["test_", "setup", "teardown"]) => runner,
        "php" if name.starts_with("__") => language_itself,
        "php" | "java" | "csharp" if in_tests && is_callable => runner,
        "cpp" if name.starts_with('~') || name.starts_with("operator") => language_itself,
        _ => None,
    }
}

/// Whoever holds the type that it is a member of, or a part of, may call it by another type's name.
fn by_its_type(parsed: &Parsed, named: &Named, name: &str, head: &str, whole: &str) -> Option<String> {
    let language = parsed.language().id();
    let is_member = matches!(named.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Field);
    if !is_member && !named.name.contains('.') {
        return None;
    }
    let is_own = head.contains("private") || name.starts_with('_') || name.starts_with('#');
    if language == "go" {
        let is_method = named.kind == SymbolKind::Method;
        let is_public = name.chars().next().is_some_and(char::is_uppercase);
        return (is_method && is_public)
            .then(|| "whoever has a value of its type may call it through an interface".to_owned());
    }
    if language == "rust" || is_own || !is_member {
        return None;
    }
    if language == "cpp" && ["virtual", "override", "final"].iter().any(|word| whole.contains(word)) {
        return Some("it is virtual: others call it by a type that it derives from".to_owned());
    }
    let Some(owner) = owner(parsed, named) else {
        return Some("what it belongs to has no name".to_owned());
    };
    match owner.kind {
        SymbolKind::Interface => Some(format!("whoever implements `{}` must have it", owner.name)),
        SymbolKind::Class | SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Object
            if has_supertypes(parsed, &owner) =>
        {
            Some(format!("`{}` derives from others, by which it may be called", owner.name))
        }
        _ if matches!(language, "java" | "csharp")
            && matches!(
                name,
                "equals"
                    | "hashCode"
                    | "toString"
                    | "compareTo"
                    | "run"
                    | "close"
                    | "clone"
                    | "finalize"
                    | "Equals"
                    | "GetHashCode"
                    | "ToString"
                    | "Dispose"
                    | "readObject"
                    | "writeObject"
            ) =>
        {
            Some("every type has it, and others call it".to_owned())
        }
        _ if matches!(language, "javascript" | "typescript" | "tsx")
            && matches!(name, "toString" | "toJSON" | "valueOf" | "then" | "default" | "render") =>
        {
            Some("the language, or what is built on it, calls it".to_owned())
        }
        _ if language == "ruby" => Some("whoever has such a thing may send it that message".to_owned()),
        _ => None,
    }
}

/// The innermost symbol around it.
fn owner(parsed: &Parsed, named: &Named) -> Option<IndexedSymbol> {
    let around = parsed.flat_symbols().into_iter().filter(|symbol| {
        symbol.selection != named.selection
            && symbol.range.start <= named.range.start
            && named.range.end <= symbol.range.end
    });
    around.min_by_key(|symbol| symbol.range.end.line - symbol.range.start.line)
}

/// Whether what stands between a type's name and its body names other types.
fn has_supertypes(parsed: &Parsed, owner: &IndexedSymbol) -> bool {
    let text = parsed.text();
    let from = offset(parsed, owner.selection.end);
    let rest = text.get(from..).unwrap_or_default();
    let head = match parsed.language().id() {
        "python" => {
            return rest
                .trim_start()
                .strip_prefix('(')
                .is_some_and(|bases| !bases.trim_start().starts_with(')'));
        }
        "ruby" => return rest.lines().next().is_some_and(|line| line.contains('<')),
        _ => rest.split('{').next().unwrap_or_default(),
    };
    ["extends", "implements"].iter().any(|word| head.contains(word)) || head.contains(':')
}

/// The attributes, decorators and annotations in front of a symbol that may mean something to somebody.
fn attributes(head: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_comment = false;
    for line in head.lines().map(str::trim) {
        if let Some(directive) = line.strip_prefix("//").filter(|_| language == "go") {
            if directive.starts_with("export ") || directive.starts_with("go:") {
                found.push(format!("//{}", directive.split_whitespace().next().unwrap_or_default()));
            }
            continue;
        }
        if line.starts_with("/*") {
            in_comment = !line.contains("*/");
            continue;
        }
        if in_comment {
            in_comment = !line.contains("*/");
            continue;
        }
        let is_comment = line.starts_with("//") || (line.starts_with('#') && !line.starts_with("#["));
        if !is_comment {
            found.extend(attributes_of(line, language));
        }
    }
    found.retain(|name| !INERT.contains(&name.split([':', '.', '(']).next().unwrap_or_default()));
    found
}

fn attributes_of(line: &str, language: &str) -> Vec<String> {
    let marks: &[&str] = match language {
        "rust" | "php" => &["#["],
        "csharp" => &["["],
        "c" | "cpp" => &["__attribute__((", "[[", "__declspec("],
        "go" | "bash" | "ruby" => &[],
        _ => &["@"],
    };
    let mut found = Vec::new();
    for mark in marks {
        for (at, _) in line.match_indices(mark) {
            let written = line[at + mark.len()..].trim_start();
            let name: String = written
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.'))
                .collect();
            if !name.is_empty() {
                found.push(name);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_mean_nothing_to_others_are_passed_over() {
        let none = [""; 0];
        assert_eq!(attributes("/// Says `@x`.\n#[inline]\n#[derive(Debug)]\npub ", "rust"), none);
        assert_eq!(
            attributes("#[allow(dead_code)] #[no_mangle] pub extern \"C\" fn ", "rust"),
            ["no_mangle"]
        );
        assert_eq!(attributes("#[cfg_attr(all(), no_mangle)]\nfn ", "rust"), ["cfg_attr"]);
        assert_eq!(attributes("#[test]\n#[tokio::test(flavor = \"x\")]\n", "rust"), ["test", "tokio::test"]);
        assert_eq!(
            attributes("@app.route(\"/\")\n@staticmethod\n# @not\n@functools.cache\n", "python"),
            ["app.route"]
        );
        assert_eq!(
            attributes("/**\n * @param x\n */\n@SuppressWarnings(\"x\") @org.junit.Test void ", "java"),
            ["org.junit.Test"]
        );
        assert_eq!(attributes("public @Test void ", "java"), ["Test"]);
        assert_eq!(attributes("[Fact] public void ", "csharp"), ["Fact"]);
        assert_eq!(attributes("__attribute__((constructor)) static void ", "c"), ["constructor"]);
        assert_eq!(attributes("// Exported.\n//export Cexp\nfunc ", "go"), ["//export"]);
        assert_eq!(attributes("//go:linkname a b\nfunc ", "go"), ["//go:linkname"]);
    }

    fn hidden(path: &str, text: &str, symbol: &str) -> String {
        let path = Path::new(path);
        let language = bowline_syntax::Language::of_path(path).unwrap();
        let parsed = bowline_syntax::parse(language, text, &|| false).unwrap();
        let named = crate::query::pick_numbered(crate::query::all_named(&parsed), symbol);
        users(&parsed, path, &named.first().unwrap().1).join("; ")
    }

    #[test]
    fn who_calls_without_a_name_is_known() {
        for (path, text, symbol, expected) in [
            ("a.go", "package a\n\nfunc lonely() {}\n", "lonely", ""),
            ("a.go", "package a\n\nfunc init() {}\n", "init", "called by the runtime"),
            (
                "a.go",
                "package a\n\ntype S []int\n\nfunc (s S) Len() int { return 1 }\n",
                "S.Len",
                "through an interface",
            ),
            ("a.go", "package a\n\ntype S []int\n\nfunc (s S) size() int { return 1 }\n", "S.size", ""),
            ("a.go", "package a\n\nconst (\n\tA = iota\n\tB\n\tC\n)\n", "B", "another value"),
            ("a.go", "package a\n\nconst (\n\tA = iota\n\tB\n\tC\n)\n", "C", ""),
            ("a.rs", "enum E {\n    A,\n    B,\n}\n", "E.A", "another value"),
            (
                "a.rs",
                "struct S;\nimpl Drop for S {\n    fn drop(&mut self) {}\n}\n",
                "S.drop",
                "written for `Drop`",
            ),
            ("A.java", "class A extends B {\n    void go() {}\n}\n", "A.go", "`A` derives from others"),
            ("A.java", "class A {\n    private void go() {}\n}\n", "A.go", ""),
            ("A.java", "interface A {\n    void go();\n}\n", "A.go", "whoever implements `A`"),
            (
                "a.py",
                "class V(Visitor):\n    def visit_Name(self):\n        pass\n",
                "V.visit_Name",
                "`V` derives from others",
            ),
            ("a.py", "class V:\n    def run(self):\n        pass\n", "V.run", ""),
            ("a.py", "def pytest_configure():\n    pass\n", "pytest_configure", "called by pytest"),
            ("a.cpp", "struct A {\n  virtual void go() {}\n};\n", "A.go", "it is virtual"),
            ("a.ts", "export default function page() {}\n", "page", "whatever name it is imported under"),
            ("a.ts", "class A implements B {\n  then() {}\n}\n", "A.then", "`A` derives from others"),
        ] {
            let said = hidden(path, text, symbol);
            let is_right = if expected.is_empty() { said.is_empty() } else { said.contains(expected) };
            assert!(is_right, "{symbol} of {path}: {said:?}, not {expected:?}");
        }
    }
}
