//! rustdoc's pages of one crate: which page an item has, and what is written there.

use std::path::{Path, PathBuf};

use bowline_std::fs::{ReadError, read_text};

use super::html::{Token, Tokens, attribute, code, element, find, has_class, prose};

/// The pages of the standard library's largest types have several megabytes.
const MOST_PAGE: u64 = 64 << 20;
const MOST_CANDIDATES: usize = 20;
const MOST_LINES: usize = 40;

/// What a page can be of. Names are unique among types, values and macros each.
const KINDS: [&str; 17] = [
    "struct",
    "enum",
    "union",
    "trait",
    "traitalias",
    "type",
    "fn",
    "constant",
    "static",
    "macro",
    "attr",
    "derive",
    "primitive",
    "keyword",
    "foreigntype",
    "opaque",
    "externcrate",
];

/// What may stand on the page of something else.
const MEMBERS: [&str; 7] =
    ["method", "tymethod", "variant", "structfield", "associatedconstant", "associatedtype", "field"];

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Page {
    Found {
        signature: String,
        text: String,
    },
    Ambiguous(Vec<String>),
    /// There is nothing of that name; this is near it.
    Missing(Option<String>),
}

/// An item that has a page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    /// Its modules, and its name.
    path: Vec<String>,
    kind: String,
    /// Where its page is, from the crate's directory.
    page: String,
}

impl Item {
    /// `a/struct.Same.html`
    fn from_link(link: &str) -> Option<Self> {
        let (modules, file) = link.rsplit_once('/').unwrap_or(("", link));
        let (kind, name) = file.strip_suffix(".html")?.split_once('.')?;
        let mut path: Vec<String> =
            modules.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        // The list is rustdoc's own and leads nowhere else.
        if !KINDS.contains(&kind) || link.contains("..") || link.starts_with('/') || link.contains(':') {
            return None;
        }
        path.push(name.to_owned());
        Some(Self { path, kind: kind.to_owned(), page: link.to_owned() })
    }

    fn is_called(&self, names: &[&str]) -> bool {
        let from = self.path.len().checked_sub(names.len());
        from.is_some_and(|from| self.path[from..].iter().map(String::as_str).eq(names.iter().copied()))
    }

    fn shown(&self, crate_name: &str) -> String {
        format!("`{crate_name}::{}` ({})", self.path.join("::"), self.kind)
    }
}

/// Looks for `names` (modules, a type, a member) in the pages of a crate, which are in `directory`.
pub(super) fn look_up(directory: &Path, names: &[&str]) -> Result<Page, ReadError> {
    let crate_name =
        directory.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let index = directory.join("index.html");
    if names.is_empty() {
        return Ok(whole_page(&read(&index)?));
    }
    let items = items(&read(&directory.join("all.html"))?);
    match choose(&items, names) {
        Choice::One(item) => return Ok(whole_page(&read(&directory.join(&item.page))?)),
        Choice::Several(several) => return Ok(ambiguous(&several, &crate_name)),
        Choice::None => {}
    }
    // Modules are in no list.
    let module: PathBuf = directory.join(names.join("/")).join("index.html");
    if module.is_file() {
        return Ok(whole_page(&read(&module)?));
    }
    if let [around @ .., member] = names
        && !around.is_empty()
    {
        match choose(&items, around) {
            Choice::One(item) => {
                let page = read(&directory.join(&item.page))?;
                if let Some(found) = member_of(&page, member) {
                    return Ok(found);
                }
            }
            Choice::Several(several) => return Ok(ambiguous(&several, &crate_name)),
            Choice::None => {}
        }
    }
    let last = names.last().copied().unwrap_or_default();
    let known = items.iter().filter_map(|item| item.path.last()).map(String::as_str);
    Ok(Page::Missing(bowline_std::text::nearest(last, known).filter(|near| *near != last).map(str::to_owned)))
}

fn read(path: &Path) -> Result<String, ReadError> {
    read_text(path, MOST_PAGE).map(|(text, _)| text)
}

enum Choice<'a> {
    None,
    One(&'a Item),
    Several(Vec<&'a Item>),
}

/// Who has this very path is meant; otherwise whose path ends so.
fn choose<'a>(items: &'a [Item], names: &[&str]) -> Choice<'a> {
    let ending: Vec<&Item> = items.iter().filter(|item| item.is_called(names)).collect();
    let exact: Vec<&Item> = ending.iter().copied().filter(|item| item.path.len() == names.len()).collect();
    match (exact.as_slice(), ending.as_slice()) {
        ([only], _) | ([], [only]) => Choice::One(only),
        ([], []) => Choice::None,
        ([], _) => Choice::Several(ending),
        // A trait and the macro that derives it, a type and its primitive: the first kind is what is mostly meant.
        (_, _) => exact
            .iter()
            .copied()
            .min_by_key(|item| KINDS.iter().position(|kind| *kind == item.kind))
            .map_or(Choice::None, Choice::One),
    }
}

fn ambiguous(several: &[&Item], crate_name: &str) -> Page {
    let mut shown: Vec<String> =
        several.iter().take(MOST_CANDIDATES).map(|item| item.shown(crate_name)).collect();
    if several.len() > MOST_CANDIDATES {
        shown.push(format!("and {} more", several.len() - MOST_CANDIDATES));
    }
    Page::Ambiguous(shown)
}

/// What `all.html` lists.
fn items(html: &str) -> Vec<Item> {
    let list = find(html, |_, attributes| has_class(attributes, "all-items")).unwrap_or("");
    let links = Tokens::new(list).filter_map(|(token, _)| match token {
        Token::Open("a", attributes) => attribute(attributes, "href"),
        _ => None,
    });
    links.filter_map(Item::from_link).collect()
}

/// The declaration of what the page is about, and what is said of it. Modules have none.
fn whole_page(html: &str) -> Page {
    let main =
        find(html, |_, attributes| attribute(attributes, "id") == Some("main-content")).unwrap_or(html);
    let declared = find(main, |_, attributes| has_class(attributes, "item-decl")).and_then(element);
    let signature =
        declared.map(|(declaration, _)| shortened(&code(declaration))).unwrap_or_else(|| heading(main));
    let top = find(main, |_, attributes| has_class(attributes, "top-doc")).and_then(element);
    let said = top
        .and_then(|(top, _)| find(top, |_, attributes| has_class(attributes, "docblock")))
        .and_then(element);
    let note = notes(main, top.map(|(top, _)| top));
    let text = said.map_or_else(String::new, |(said, _)| prose(said));
    Page::Found { signature, text: format!("{note}{text}") }
}

/// Deprecated, unstable: what stands between the declaration and the text.
fn notes(main: &str, top: Option<&str>) -> String {
    let head = top.and_then(|top| main.find(top)).map_or("", |at| &main[..at]);
    let info = find(head, |_, attributes| has_class(attributes, "item-info")).and_then(element);
    info.map(|(info, _)| prose(info))
        .filter(|note| !note.is_empty())
        .map_or_else(String::new, |note| format!("{note}\n\n"))
}

/// `Module a`, `Crate shop`.
fn heading(main: &str) -> String {
    let heading = find(main, |name, _| name == "h1").and_then(element);
    heading
        .map(|(heading, _)| code(heading).split_whitespace().collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}

/// A trait declares all its methods; its first lines say enough.
fn shortened(declaration: &str) -> String {
    let lines: Vec<&str> = declaration.lines().collect();
    if lines.len() <= MOST_LINES {
        return declaration.to_owned();
    }
    format!("{}\n// … {} more lines", lines[..MOST_LINES].join("\n"), lines.len() - MOST_LINES)
}

/// A method, field or variant on the page of its type.
fn member_of(html: &str, name: &str) -> Option<Page> {
    let at = MEMBERS.iter().find_map(|kind| {
        let id = format!("{kind}.{name}");
        find(html, |_, attributes| attribute(attributes, "id") == Some(&id))
    })?;
    let (inner, after) = element(at)?;
    let declared = find(inner, |_, attributes| has_class(attributes, "code-header"))
        .or_else(|| find(inner, |name, _| name == "code"))
        .and_then(element);
    let signature = declared.map_or_else(String::new, |(declaration, _)| code(declaration));
    let mut after = after.trim_start();
    after = after.strip_prefix("</summary>").unwrap_or(after).trim_start();
    let mut text = String::new();
    // Notes come first, and only what follows at once belongs to it.
    while let Some((Token::Open(_, attributes), _)) = Tokens::new(after).next()
        && (has_class(attributes, "docblock") || has_class(attributes, "item-info"))
        && let Some((said, rest)) = element(after)
    {
        text = format!("{text}{}\n\n", prose(said));
        after = rest.trim_start();
    }
    Some(Page::Found { signature, text: text.trim().to_owned() })
}

#[cfg(test)]
mod tests;
