//! What other files can use, as each language says it.

use std::path::Path;

use bowline_code::{Symbol, SymbolKind};

use crate::Document;

/// Whether anybody could use a symbol but the function that it stands in.
pub(super) fn is_somebodys(around: &[&Symbol], symbol: &Symbol) -> bool {
    let is_local = around.iter().any(|outer| outer.kind.is_callable());
    let holds = matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Package);
    !is_impl(symbol) && !holds && (!is_local || symbol.kind.is_callable() || is_type(symbol.kind))
}

/// Whether a symbol can be used from other files. What stands inside a function cannot; fields and such count only
/// where everything is asked for.
pub(super) fn is_exported(document: &Document, around: &[&Symbol], symbol: &Symbol) -> bool {
    if around.iter().any(|outer| outer.kind.is_callable()) {
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
        "go" => {
            // A method is called `(T).M` by its server.
            let names = symbol.name.split('.').map(|part| part.trim_matches(|c: char| "()*".contains(c)));
            names.clone().all(|name| name.chars().next().is_some_and(char::is_uppercase))
        }
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
            let is_private = declared.starts_with("private ") || symbol.name.starts_with('#');
            !is_private
                && (around.is_empty() && exports(document, symbol)
                    || !around.is_empty() && outer_is_visible(exports))
        }
        "java" => declared.contains("public ") || declared.contains("protected ") || in_interface(around),
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
