//! Whether a text may import a file that is not on disk yet.

use std::path::Path;

use super::reach::names_in;
use crate::dependants::Family;

/// Whether a text may import a file that is new.
pub(super) fn imports_new(importer: &Path, text: &str, new: &Path) -> bool {
    if Family::of(importer) != Family::of(new) {
        return false;
    }
    match Family::of(new) {
        Some(Family::Script) => may_import(importer, text, new),
        _ => {
            let stem = new.file_stem().unwrap_or_default().to_string_lossy();
            let package = new.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let name = if stem == "__init__" { package } else { stem };
            text.lines()
                .filter(|line| line.contains("import"))
                .any(|line| names_in(line).any(|word| word == name))
        }
    }
}

/// Whether a script may import a file that is new: by a path that leads to it, or by a name that leads anywhere.
pub(super) fn may_import(importer: &Path, text: &str, new: &Path) -> bool {
    let stem = |path: &Path| {
        path.file_name().unwrap_or_default().to_string_lossy().split('.').next().map(str::to_owned)
    };
    let (directory, own) = (importer.parent().unwrap_or(importer), stem(new));
    let is_index = own.as_deref() == Some("index");
    let leads_there = |specifier: &str| {
        if !specifier.starts_with('.') {
            return Path::new(specifier).file_name().is_some() && stem(Path::new(specifier)) == own;
        }
        let target = bowline_std::fs::absolute(directory, Path::new(specifier));
        let is_file = target.parent() == new.parent() && stem(&target) == own;
        is_file || is_index && Some(target.as_path()) == new.parent()
    };
    // A word in quotes is not imported, unless that is said before it. A path may come from anywhere.
    let is_imported = |before: &str| {
        let before = before.trim_end();
        ["from", "import", "import(", "require(", "module"].iter().any(|word| before.ends_with(word))
    };
    let parts: Vec<&str> = text.split(['"', '\'', '`']).collect();
    parts.windows(2).any(|two| (two[1].starts_with('.') || is_imported(two[0])) && leads_there(two[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_script_is_imported_by_its_path() {
        let new = Path::new("/p/src/util/isEmpty.ts");
        for (importer, text, may) in [
            ("/p/src/a.ts", "import { x } from './operators/isEmpty';", false),
            ("/p/src/a.ts", "import { x } from './util/isEmpty';", true),
            ("/p/src/a.ts", "import { x } from './util/isEmpty.js';", true),
            ("/p/src/a.ts", "import { x } from '@/util/isEmpty';", true),
            ("/p/src/a.ts", "import { x } from 'rxjs';", false),
            ("/p/src/a.ts", "/** `isEmpty` is */ const a = 'isEmpty'", false),
            ("/p/src/a.ts", "const x = require('isEmpty')", true),
        ] {
            assert_eq!(may_import(Path::new(importer), text, new), may, "{text}");
        }
    }
}
