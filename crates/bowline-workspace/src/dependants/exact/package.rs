//! `import` of Python, followed: relative ones to their place, others to the nearest file whose path ends so.

use std::path::{Path, PathBuf};

use super::Importers;
use crate::dependants::family::name_of;
use crate::dependants::python::listed;

/// One statement: from how many packages up, which module, and what of it.
#[derive(Debug, PartialEq, Eq)]
struct Import<'a> {
    dots: usize,
    module: Vec<&'a str>,
    names: Vec<&'a str>,
}

/// The path of a module: without its ending, and a package's is its directory.
pub(super) fn module_of(path: &Path) -> PathBuf {
    let name = name_of(path);
    let stem = name.split('.').next().unwrap_or_default();
    if stem == "__init__" { path.parent().unwrap_or(path).to_owned() } else { path.with_file_name(stem) }
}

pub(super) fn brings_in(importers: &Importers, file: &Path, text: &str, other: &Path) -> bool {
    let target = module_of(other);
    let is_package = name_of(other).starts_with("__init__.");
    imports(text).iter().any(|import| {
        let Import { dots, module, names } = import;
        let tail: PathBuf = module.iter().collect();
        let leads = |tail: &Path| match dots {
            0 => {
                let could_be_meant = |path: &Path| module_of(path).ends_with(tail);
                !tail.as_os_str().is_empty()
                    && target.ends_with(tail)
                    && importers.is_nearest(file, other, could_be_meant)
            }
            dots => file.ancestors().nth(*dots).is_some_and(|package| package.join(tail) == target),
        };
        // What is taken from a package may be a module in it, and then the package itself says nothing of it.
        let is_module = |name: &&&str| {
            let inside = target.join(name);
            ["py", "pyi"].iter().any(|ending| importers.holds(&inside.with_extension(ending)))
                || importers.holds(&inside.join("__init__.py"))
        };
        let takes_something = names.is_empty() || !is_package || !names.iter().all(|name| is_module(&name));
        (leads(&tail) && takes_something) || names.iter().any(|name| leads(&tail.join(name)))
    })
}

fn imports(text: &str) -> Vec<Import<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.trim_start_matches([' ', '\t', '\u{feff}']);
        if let Some(list) = line.strip_prefix("import").filter(|list| list.starts_with([' ', '\t', '\\'])) {
            let end = list.find('\n').unwrap_or(list.len());
            found.extend(list[..end].split('#').next().unwrap_or_default().split(',').map(|one| {
                let dotted = one.split_whitespace().find(|word| *word != "\\").unwrap_or_default();
                Import {
                    dots: 0,
                    module: dotted.split('.').filter(|part| !part.is_empty()).collect(),
                    names: Vec::new(),
                }
            }));
        } else if let Some(from) = line.strip_prefix("from").filter(|from| from.starts_with([' ', '\t', '.']))
            && let Some((module, list)) = from.split_once("import")
            && !module.contains('\n')
        {
            let module = module.trim();
            let dots = module.len() - module.trim_start_matches('.').len();
            let module = module.split('.').map(str::trim).filter(|part| !part.is_empty()).collect();
            found.push(Import { dots, module, names: listed(list) });
        }
        if let Some(end) = line.find('\n') {
            rest = &line[end + 1..];
        } else {
            break;
        }
    }
    for (at, call) in text.match_indices("import_module(") {
        let argument = text[at + call.len()..].trim_start();
        let quoted = argument.strip_prefix('"').and_then(|text| text.split_once('"'));
        let quoted = quoted.or_else(|| argument.strip_prefix('\'').and_then(|text| text.split_once('\'')));
        found.extend(quoted.filter(|(dotted, _)| !dotted.starts_with('.')).map(|(dotted, _)| Import {
            dots: 0,
            module: dotted.split('.').collect(),
            names: Vec::new(),
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_apart() {
        let shown = |text: &str| {
            let one = |import: &Import<'_>| {
                let (dots, module) = (".".repeat(import.dots), import.module.join("."));
                format!("{dots}{module}:{}", import.names.join(","))
            };
            imports(text).iter().map(one).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("import a.b as c, d\nimportant = 1\n"), "a.b: d:");
        assert_eq!(
            shown("from a.b import (c, d as e,\n  f)\nfrom . import g\nfrom ..h import i\n"),
            "a.b:c,d,f .:g ..h:i"
        );
        assert_eq!(shown("x = import_module('a.b')\nfrom x\nimport"), "a.b:");
    }
}
