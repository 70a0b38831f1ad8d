//! One identity for each tool, however a host spells its name.
//!
//! Hosts put the name of an MCP server before the name of its tool, each in its own way; people write rules, tables and
//! lists in any of these ways. Both sides are brought to the same few spellings here, and compared as those.

/// The names that our server goes by.
const OURS: [&str; 3] = ["bowline", "agent-lsp", "lsp"];

/// A name to be compared with patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    /// It had several dots: `a.b.delete` is of the server `a.b`, which a pattern for the server `a` must not reach.
    deep: bool,
    /// It had a dot.
    dotted: bool,
}

impl Name {
    fn plain(text: String) -> Self {
        Self { text, deep: false, dotted: false }
    }

    /// Whether another server and another tool would have this very name: `mcp__a___b` is `a_`'s `b` and `a`'s `_b`.
    pub fn is_ambiguous(&self) -> bool {
        let Some(rest) = self.text.strip_prefix("mcp__") else { return false };
        let bytes = rest.as_bytes();
        bytes.windows(2).filter(|pair| *pair == b"__").count() > 1
    }
}

/// A tool that was called, by every name that a pattern may mean it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolIdentity {
    names: Vec<Name>,
    /// It is of our own server, as far as its name can tell.
    is_own: bool,
}

impl ToolIdentity {
    pub fn of(name: &str) -> Self {
        let plain = Name::plain;
        if let Some(bare) = ours(name) {
            let bare = bare.replace('.', "_");
            let long = format!("mcp__bowline__{bare}");
            return Self { names: vec![plain(bare), plain(long)], is_own: true };
        }
        let flat = name.replace('.', "_");
        if name.starts_with("mcp__") {
            return Self { names: vec![plain(flat)], is_own: false };
        }
        match name.rsplit_once('.') {
            Some((server, tool)) => {
                let long = format!("mcp__{}__{tool}", server.replace('.', "_"));
                let flat = Name { text: flat, deep: server.contains('.'), dotted: true };
                let names = vec![flat, plain(long)];
                Self { names, is_own: false }
            }
            // One of our own, or of the host: both are called by their bare names.
            None if crate::host_tool(name).is_some() => Self { names: vec![plain(flat)], is_own: false },
            None => {
                let long = format!("mcp__bowline__{flat}");
                Self { names: vec![plain(flat), plain(long)], is_own: true }
            }
        }
    }

    /// The shortest name, for comparing and for telling people.
    pub fn bare(&self) -> &str {
        self.names.first().map_or("", |name| &name.text)
    }

    /// The bare name, if it is a tool of ours. Neither a host's nor another server's of the same name is meant.
    pub fn own(&self) -> Option<&str> {
        self.is_own.then(|| self.bare())
    }

    pub fn names(&self) -> &[Name] {
        &self.names
    }
}

/// One way to write a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    pub text: String,
    /// It was written with a dot.
    dotted: bool,
}

impl Spelling {
    /// Whether it was written with a dot, and so stands beside one with the server before it.
    pub fn is_dotted(&self) -> bool {
        self.dotted
    }

    /// Whether an allowing pattern may be compared with that name. `git.*` is about the server `git`: a name without a dot does not
    /// say which server it is of, and `git_hub_delete` may be of `git_hub`.
    pub fn reaches_surely(&self, name: &Name) -> bool {
        let names_server = self.dotted && !self.text.starts_with("mcp__");
        let may_mean_another = names_server && self.text.contains(['*', '?', '[', '{']) && !name.dotted;
        self.reaches(name) && !may_mean_another
    }

    /// Whether this pattern may be compared with that name at all.
    pub fn reaches(&self, name: &Name) -> bool {
        !(self.dotted && name.deep)
    }
}

/// A pattern over names of tools, in every way that a name may be spelt.
pub fn spellings(pattern: &str) -> Vec<Spelling> {
    let plain = |text: String| Spelling { text, dotted: false };
    if let Some(bare) = ours(pattern) {
        return vec![plain(format!("mcp__bowline__{}", bare.replace('.', "_")))];
    }
    if let Some(server) = whole_server(pattern) {
        return vec![plain(format!("mcp__{server}__*"))];
    }
    let flat = pattern.replace('.', "_");
    match pattern.rsplit_once('.') {
        Some((server, tool)) if !pattern.starts_with("mcp__") => {
            let long = format!("mcp__{}__{tool}", server.replace('.', "_"));
            vec![Spelling { text: flat, dotted: true }, Spelling { text: long, dotted: true }]
        }
        _ => vec![plain(flat)],
    }
}

/// `mcp__github` is every tool of that server.
fn whole_server(pattern: &str) -> Option<&str> {
    let server = pattern.strip_prefix("mcp__")?;
    let is_name = !server.is_empty() && !server.contains("__") && !server.contains(['*', '?', '[', '{', '.']);
    is_name.then(|| if OURS.contains(&server) { OURS[0] } else { server })
}

/// What follows the name of our server, in any host's way of putting it there, however often.
fn ours(name: &str) -> Option<&str> {
    let mut rest = after_ours(name)?;
    while let Some(more) = after_ours(rest) {
        rest = more;
    }
    Some(rest)
}

fn after_ours(name: &str) -> Option<&str> {
    if let Some(rest) = name.strip_prefix("MCP:") {
        return Some(rest).filter(|rest| !rest.is_empty());
    }
    OURS.iter().find_map(|server| {
        let after = |before: &str, behind: &str| {
            name.strip_prefix(before).and_then(|name| name.strip_prefix(server))?.strip_prefix(behind)
        };
        after("mcp__", "__")
            .or_else(|| after("mcp_", "_"))
            .or_else(|| after("", "."))
            .filter(|rest| !rest.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: &str) -> Vec<String> {
        ToolIdentity::of(name).names.into_iter().map(|name| name.text).collect()
    }

    fn spelt(pattern: &str) -> Vec<String> {
        spellings(pattern).into_iter().map(|spelling| spelling.text).collect()
    }

    #[test]
    fn every_host_means_the_same_tool() {
        let hosts = [
            "apply_edit",
            "mcp__lsp__apply_edit",
            "mcp__agent-lsp__apply_edit",
            "mcp__bowline__apply_edit",
            "mcp_bowline_apply_edit",
            "mcp_agent-lsp_apply_edit",
            "lsp.apply_edit",
            "bowline.apply_edit",
            "agent-lsp.apply_edit",
            "MCP:apply_edit",
            "MCP:lsp.apply_edit",
            "mcp__lsp__mcp__lsp__apply_edit",
        ];
        for host in hosts {
            assert_eq!(names(host), ["apply_edit", "mcp__bowline__apply_edit"], "{host}");
        }
    }

    #[test]
    fn tools_of_others_keep_their_server() {
        assert_eq!(names("mcp__memory__store"), ["mcp__memory__store"]);
        assert_eq!(names("files.read"), ["files_read", "mcp__files__read"]);
        assert_eq!(names("mcp__lsp2__apply_edit"), ["mcp__lsp2__apply_edit"]);
        assert_eq!(names("Edit"), ["Edit"]);
        assert_eq!(names("mcp__lsp__"), ["mcp__lsp__"]);
        for other in ["skills.load", "mcp__skills__load", "Edit", "mcp__evil__skills_load"] {
            assert_eq!(ToolIdentity::of(other).own(), None, "{other}");
        }
        assert_eq!(ToolIdentity::of("MCP:skills_load").own(), Some("skills_load"));
    }

    #[test]
    fn a_pattern_is_spelt_as_names_are() {
        assert_eq!(spelt("apply_edit"), ["apply_edit"]);
        assert_eq!(spelt("mcp__lsp__simulate_*"), ["mcp__bowline__simulate_*"]);
        assert_eq!(spelt("MCP:*"), ["mcp__bowline__*"]);
        assert_eq!(spelt("state.get"), ["state_get", "mcp__state__get"]);
        assert_eq!(spelt("files.read_*"), ["files_read_*", "mcp__files__read_*"]);
        assert_eq!(spelt("mcp__*"), ["mcp__*"]);
        assert_eq!(spelt("mcp__github"), ["mcp__github__*"]);
        assert_eq!(spelt("mcp__agent-lsp"), ["mcp__bowline__*"]);
    }

    #[test]
    fn a_server_whose_name_has_a_dot_is_not_another_server() {
        let (deep, dotted) = (ToolIdentity::of("a.b.delete"), spellings("a.*"));
        assert_eq!(names("a.b.delete"), ["a_b_delete", "mcp__a_b__delete"]);
        assert!(!dotted[0].reaches(&deep.names()[0]), "`a_*` would cover the server `a.b`");
        assert!(spellings("a_b_*")[0].reaches(&deep.names()[0]));
    }
}
