//! What other files can use, as each language says it.

use std::path::Path;

use bowline_code::{Symbol, SymbolKind};

use crate::Document;

/// Whether anybody could use a symbol but the function that it stands in.
pub(super) fn is_somebodys(around: &[&Symbol], symbol: &Symbol) -> bool {
    let is_local = around.iter().any(|outer| outer.kind.is_callable());
    let holds = matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Package);
    is_name(&symbol.name)
        && !is_impl(symbol)
        && !holds
        && (!is_local || symbol.kind.is_callable() || is_type(symbol.kind))
}

/// Whether a symbol can be used from other files. What stands inside a function cannot; fields and such count only
/// where everything is asked for.
pub(super) fn is_exported(document: &Document, around: &[&Symbol], symbol: &Symbol) -> bool {
    if !is_name(&symbol.name) || around.iter().any(|outer| outer.kind.is_callable()) {
        return false;
    }
    // Everything in it counts by itself.
    if matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Package)
        || is_impl(symbol)
    {
        return false;
    }
    let is_member = around.iter().any(|outer| is_type(outer.kind));
    let counts = if is_member {
        symbol.kind.is_callable()
    } else {
        !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Property | SymbolKind::TypeParameter)
            || around.is_empty()
    };
    counts && visible(document, around, symbol)
}

/// Servers invent names like `<unknown>` for what has none, and nobody can use that by its name.
fn is_name(name: &str) -> bool {
    let invented = name.starts_with('<') && name.ends_with('>');
    !invented && name.contains(char::is_alphabetic)
}

/// A block of methods, which its servers name after what it is for.
pub(super) fn is_impl(symbol: &Symbol) -> bool {
    symbol.name.starts_with("impl ") || symbol.name.starts_with("impl<")
}

fn is_type(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Interface
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Object
            | SymbolKind::TypeParameter
    )
}

fn visible(document: &Document, around: &[&Symbol], symbol: &Symbol) -> bool {
    let declared = declaration(document, symbol);
    let outer_is_visible =
        |rule: fn(&Document, &Symbol) -> bool| around.iter().all(|outer| rule(document, outer));
    match extension(document.path()) {
        "go" => is_upper(&symbol.name),
        "rs" => {
            let in_trait = around.last().is_some_and(|outer| {
                outer.kind == SymbolKind::Interface || of_trait(&declaration(document, outer))
            });
            in_trait || is_public(&declared) || declared.starts_with("macro_rules!")
        }
        "py" | "pyi" => {
            let is_dunder = symbol.name.starts_with("__") && symbol.name.ends_with("__");
            !symbol.name.starts_with('_') || is_dunder && !around.is_empty()
        }
        "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" => {
            let is_hidden = declared.starts_with("private ") || symbol.name.starts_with('#');
            !is_hidden
                && (around.is_empty() && exports(document, symbol)
                    || !around.is_empty() && outer_is_visible(exports))
        }
        // What says nothing belongs to the package, and so to other files.
        "java" => !around.iter().copied().chain([symbol]).any(|one| is_private(&declaration(document, one))),
        "cs" => {
            declared.contains("public ")
                || declared.contains("protected ")
                || declared.contains("internal ")
                || in_interface(around)
        }
        "kt" | "kts" | "scala" | "swift" | "php" | "rb" => !declared.contains("private "),
        "c" | "cc" | "cpp" | "cxx" => !declared.starts_with("static ") && !symbol.name.contains("(anonymous"),
        _ => true,
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn in_interface(around: &[&Symbol]) -> bool {
    around.last().is_some_and(|outer| outer.kind == SymbolKind::Interface)
}

/// The line on which its name stands: what comes before may be a comment or an attribute.
fn declaration(document: &Document, symbol: &Symbol) -> String {
    document.line(symbol.selection.start.line).trim_start().to_owned()
}

/// By its own name alone: what is returned as an interface has its methods called, whether its type can be named or
/// not. A method is called `(T).M` by its server.
fn is_upper(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|own| own.starts_with(char::is_uppercase))
}

/// Whether this modifier stands before the name and its parameters.
fn is_private(declared: &str) -> bool {
    let modifiers = declared.split(['(', '{', '=']).next().unwrap_or(declared);
    modifiers.split_whitespace().any(|word| word == "private")
}

fn is_public(declared: &str) -> bool {
    declared.starts_with("pub ") || declared.starts_with("pub(")
}

fn of_trait(declared: &str) -> bool {
    declared.starts_with("impl") && declared.contains(" for ")
}

/// Whether a file of JavaScript or TypeScript exports a name. One that exports nothing is a script, whose names are
/// everybody's.
fn exports(document: &Document, symbol: &Symbol) -> bool {
    let text = document.text();
    let line = document.line(symbol.selection.start.line).trim_start();
    let first = document.line(symbol.range.start.line).trim_start();
    if line.starts_with("export ") || first.starts_with("export ") {
        return true;
    }
    let lists = text.split("export").skip(1).filter_map(|rest| {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("type").map_or(rest, str::trim_start);
        rest.strip_prefix('{')?.split_once('}').map(|(list, _)| list)
    });
    let named = |list: &str| {
        list.split(',').any(|item| item.split_whitespace().next().is_some_and(|name| name == symbol.name))
    };
    let is_default = || {
        text.split("export default").skip(1).any(|rest| {
            rest.trim_start()
                .strip_prefix(symbol.name.as_str())
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let by_common_js = || {
        let mut lists = text.split("exports").skip(1).filter_map(common_js_list);
        if lists.any(|list| names_one(list, &symbol.name)) {
            return true;
        }
        text.lines().any(|line| {
            line.contains("exports")
                && line
                    .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
                    .any(|word| word == symbol.name)
        })
    };
    let exports_nothing = || !text.contains("export");
    lists.into_iter().any(named) || is_default() || by_common_js() || exports_nothing()
}

/// What stands in the braces of `exports = { … }`, given what follows the word.
fn common_js_list(rest: &str) -> Option<&str> {
    let inner = rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('{')?;
    let mut depth = 0_usize;
    let end = inner.char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
        None
    })?;
    Some(&inner[..end])
}

/// Whether an object has something by its name: `{ a }`, `{ b: a }`. What stands in its functions does not count.
fn names_one(list: &str, name: &str) -> bool {
    let (mut depth, mut start, mut items) = (0_usize, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' | '\n' if depth == 0 => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items.iter().any(|item| {
        let (key, value) = item.split_once(':').unwrap_or((item, ""));
        key.trim().trim_start_matches("...") == name || value.trim() == name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_js_names_what_it_exports() {
        let named = |text: &str, name: &str| {
            text.split("exports").skip(1).filter_map(common_js_list).any(|list| names_one(list, name))
        };
        let text =
            "module.exports = {\n  foo,\n  // bar\n  key: bar,\n  run() { helper(), other },\n  ...rest\n}";
        for name in ["foo", "bar", "key", "rest"] {
            assert!(named(text, name), "{name}");
        }
        for name in ["helper", "other", "nothing", "fo"] {
            assert!(!named(text, name), "{name}");
        }
        assert!(named("exports={a,b}", "b") && !named("exports = {", "a") && !named("exports.a = 1", "a"));
    }

    #[test]
    fn names_that_can_be_used() {
        assert!(is_upper("(*box).Open") && is_upper("(Stack[pkg.T]).Push") && is_upper("New"));
        assert!(!is_upper("(*Box).open") && !is_upper("new"));
        assert!(is_name("a") && is_name("_x1") && is_name("operator<") && is_name("größe"));
        for none in ["<unknown>", "<function>", "_", "", "{}", "[0]"] {
            assert!(!is_name(none), "{none}");
        }
    }

    #[test]
    fn a_modifier_stands_before_the_name() {
        assert!(is_private("private static void x()") && is_private("private class X {"));
        assert!(!is_private("void x() { /* private */ }") && !is_private("String privates = \"private x\";"));
    }
}
