//! The second walk: every name of a text with the scope it is written in, and every binding.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::{
    compiled::{Compiled, CompiledChild},
    grammar::{Bind, Does, ScopeKind, Target, Visible, What},
    site::{Site, text_of},
    walk::{Place, Visitor, walk},
    word::{is_name_character, names_in, word_hash},
};

#[derive(Default)]
pub(crate) struct Scopes {
    /// In the order of the text.
    pub(crate) tokens: Vec<Token>,
    /// Each after the one it is inside; the first is the file.
    pub(crate) scopes: Vec<Scope>,
    /// Sorted by hash, scope and visibility; within a scope, redirections come first.
    pub(crate) bindings: Vec<Binding>,
}

pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    pub(crate) barrier: bool,
    pub(crate) bytes: Range<usize>,
    pub(crate) parent: Option<usize>,
    /// The innermost function, type or file around it, itself included.
    function: usize,
}

pub(crate) struct Token {
    pub(crate) bytes: Range<usize>,
    pub(crate) scope: usize,
    pub(crate) written: Written,
    /// It cannot mean a local variable.
    pub(crate) unbound: bool,
    /// The scope it is bound in and the offset from where it can be seen, if it binds.
    pub(crate) bound: Option<(usize, usize)>,
}

/// How a name is written; what it is used as also depends on what its qualifier means.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Plain,
    Call,
    Type,
    Key,
    Member { of: Option<Range<usize>>, called: bool },
    Path { of: Range<usize> },
}

pub(crate) struct Binding {
    pub(crate) hash: u32,
    pub(crate) scope: usize,
    /// It can be meant from this offset on.
    pub(crate) from: usize,
    pub(crate) bytes: Range<usize>,
    pub(crate) what: What,
    pub(crate) redirect: Option<Redirect>,
}

/// A scope says that it means somebody else's variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirect {
    Global,
    Outer,
}

pub(crate) fn scopes(compiled: &Compiled, tree: &Tree, text: &str) -> Scopes {
    let mut found = Scopes::default();
    found.scopes.push(Scope {
        kind: ScopeKind::Open,
        barrier: false,
        bytes: 0..text.len(),
        parent: None,
        function: 0,
    });
    let mut walker = Walker { compiled, text, found };
    walk(tree.walk(), State::default(), &mut walker);
    let mut found = walker.found;
    found.bindings.sort_by_key(|it| (it.hash, it.scope, it.redirect.is_none(), it.from, it.bytes.start));
    found
}

/// The bytes of a name. A sign that only says how it is used is no part of it: `:name` in Ruby, `$name` in PHP.
pub(crate) fn name_bytes(text: &str, node: Node<'_>) -> Range<usize> {
    let bytes = node.byte_range();
    let signed = text_of(text, node).starts_with([':', '$']);
    // The kind is only looked at where it matters: this is asked for every name of every file.
    if signed && matches!(node.kind(), "simple_symbol" | "variable_name") {
        bytes.start + 1..bytes.end
    } else {
        bytes
    }
}

/// The name itself. Empty where a masked text let a grammar cut through a character.
pub(crate) fn name_text<'a>(text: &'a str, node: Node<'_>) -> &'a str {
    text.get(name_bytes(text, node)).unwrap_or_default()
}

struct Walker<'a> {
    compiled: &'a Compiled,
    text: &'a str,
    found: Scopes,
}

#[derive(Clone, Copy, Default)]
struct State {
    scope: usize,
    /// Names here are bound.
    bind: Option<Binds>,
    /// Bindings here belong to the function.
    hoist: bool,
    /// What a rule said about the name to come, and how many nodes are around the one it said it for.
    role: Option<(Does, usize)>,
    called: bool,
    loose: bool,
}

#[derive(Clone, Copy)]
enum Binds {
    Name { scope: usize, from: Option<usize>, what: What },
    Redirect(Redirect),
}

impl<'t> Visitor<'t> for Walker<'_> {
    type State = State;

    fn enter(&mut self, place: &Place<'_, 't>, above: &mut State) -> Option<State> {
        let compiled = self.compiled;
        let node = place.node;
        let row = compiled.row(node.kind_id());
        if row.silent {
            return None;
        }
        let mut state = *above;
        let mut rule = None;
        if let Some(parent) = place.parents.last() {
            let parent_row = compiled.row(parent.kind_id());
            let site = Site { parents: place.parents, node, text: self.text };
            rule = parent_row.child(place.field, &site);
            let names_it = rule.is_some_and(|rule| {
                matches!(rule.rule.does, Does::Member(_) | Does::Method(_) | Does::Path(_))
            });
            state.called &= parent_row.wrapper || names_it;
        }
        if let Some(rule) = rule
            && !self.apply(rule, place, &mut state)
        {
            return None;
        }
        if row.token {
            let is_type = row.type_name
                || (rule.is_none() && place.field.is_some_and(|field| compiled.type_fields.contains(&field)));
            self.token(place, name_bytes(self.text, node), is_type, &state);
            return None;
        }
        if row.raw {
            let start = node.start_byte();
            state.loose = true;
            for bytes in names_in(text_of(self.text, node)) {
                self.token(place, start + bytes.start..start + bytes.end, false, &state);
            }
            return None;
        }
        if !row.pattern {
            state.bind = None;
        }
        if !row.wrapper {
            state.role = None;
        }
        state.loose = row.loose;
        state.hoist |= row.hoisting;
        if let Some(scope) = row.scope {
            let index = self.found.scopes.len();
            let function = match scope.kind {
                ScopeKind::Block => self.found.scopes[state.scope].function,
                _ => index,
            };
            self.found.scopes.push(Scope {
                kind: scope.kind,
                barrier: scope.barrier,
                bytes: node.byte_range(),
                parent: Some(state.scope),
                function,
            });
            state.scope = index;
            state.hoist = false;
        }
        Some(state)
    }
}

impl Walker<'_> {
    /// What a rule changes for the child it fits; `false` if nothing in there counts.
    fn apply(&self, rule: &CompiledChild, place: &Place<'_, '_>, state: &mut State) -> bool {
        if rule.rule.outside {
            state.scope = self.found.scopes[state.scope].parent.unwrap_or(0);
        }
        let parent_end = place.parents.last().map_or(0, Node::end_byte);
        match rule.rule.does {
            Does::Silent => return false,
            Does::Use => state.bind = None,
            Does::Call => state.called = true,
            Does::Global => state.bind = Some(Binds::Redirect(Redirect::Global)),
            Does::Outer => state.bind = Some(Binds::Redirect(Redirect::Outer)),
            Does::Bind(Bind { from, to, what }) => {
                let function = to == Target::Function || state.hoist;
                let scope = if function { self.found.scopes[state.scope].function } else { state.scope };
                let from = match from {
                    Visible::WholeScope => Some(0),
                    Visible::After => Some(parent_end),
                    Visible::Name => None,
                };
                state.bind = Some(Binds::Name { scope, from, what });
            }
            does @ (Does::Member(_) | Does::Method(_) | Does::Path(_) | Does::Key | Does::Type) => {
                state.bind = None;
                state.role = Some((does, place.parents.len()));
            }
        }
        true
    }

    fn token(&mut self, place: &Place<'_, '_>, bytes: Range<usize>, type_name: bool, state: &State) {
        let name = self.text.get(bytes.clone()).unwrap_or_default();
        if name.is_empty() {
            return;
        }
        let written = match state.role {
            Some((does, depth)) => self.written(does, place, depth, state.called),
            None if state.loose => self.loosely_written(&bytes),
            None if type_name => Written::Type,
            None if state.called => Written::Call,
            None => Written::Plain,
        };
        let mut bound = None;
        let hash = word_hash(name);
        match state.bind {
            Some(Binds::Name { scope, from, what }) if what != What::Value || (self.compiled.binds)(name) => {
                let from = from.unwrap_or(bytes.start);
                bound = Some((scope, from));
                self.found.bindings.push(Binding {
                    hash,
                    scope,
                    from,
                    bytes: bytes.clone(),
                    what,
                    redirect: None,
                });
            }
            Some(Binds::Redirect(redirect)) => {
                let scope = self.found.scopes[state.scope].function;
                let (from, what) = (0, What::Value);
                let redirect = Some(redirect);
                self.found.bindings.push(Binding { hash, scope, from, bytes: bytes.clone(), what, redirect });
            }
            _ => {}
        }
        let unbound = self.compiled.row(place.node.kind_id()).unbound;
        self.found.tokens.push(Token { bytes, scope: state.scope, written, unbound, bound });
    }

    /// `depth` nodes are around the one that the rule was for.
    fn written(&self, does: Does, place: &Place<'_, '_>, depth: usize, called: bool) -> Written {
        let front = |of: &str| {
            let parent = depth.checked_sub(1).and_then(|index| place.parents.get(index))?;
            let front = if of.is_empty() { parent.named_child(0) } else { parent.child_by_field_name(of) };
            front.filter(|front| front.end_byte() <= place.node.start_byte())
        };
        match does {
            Does::Method(of) if front(of).is_none() => Written::Call,
            Does::Member(of) | Does::Method(of) => {
                let of = front(of).and_then(|front| {
                    if self.compiled.owners.contains(&text_of(self.text, front)) {
                        return Some(front.byte_range());
                    }
                    let (name, before) = self.compiled.last_name(front)?;
                    // Of `a.b.c`, only a `b` that looks like a type says where `c` belongs.
                    let is_type = text_of(self.text, name).starts_with(char::is_uppercase);
                    (before.is_none() || is_type).then(|| name_bytes(self.text, name))
                });
                Written::Member { of, called: called || matches!(does, Does::Method(_)) }
            }
            Does::Path(of) => match front(of).and_then(|front| self.path_end(front)) {
                Some(of) => Written::Path { of },
                None if called => Written::Call,
                None => Written::Plain,
            },
            Does::Type => Written::Type,
            _ => Written::Key,
        }
    }

    fn path_end(&self, front: Node<'_>) -> Option<Range<usize>> {
        match self.compiled.last_name(front) {
            Some((name, _)) => Some(name.byte_range()),
            None => self.compiled.owners.contains(&text_of(self.text, front)).then(|| front.byte_range()),
        }
    }

    /// Without a tree, the characters around a name must do.
    fn loosely_written(&self, bytes: &Range<usize>) -> Written {
        let before = self.text[..bytes.start].trim_end();
        let after = self.text[bytes.end..].trim_start();
        let called = after.starts_with('(');
        if let Some(front) = before.strip_suffix("::") {
            let start = front
                .rfind(|c| !is_name_character(c))
                .map_or(0, |at| at + front[at..].chars().next().map_or(0, char::len_utf8));
            return if start < front.len() {
                Written::Path { of: start..front.len() }
            } else {
                Written::Plain
            };
        }
        if (before.ends_with('.') && !before.ends_with("..")) || before.ends_with("->") {
            return Written::Member { of: None, called };
        }
        if called || (after.starts_with('!') && !after.starts_with("!=")) {
            return Written::Call;
        }
        if after.starts_with(':') && !after.starts_with("::") { Written::Key } else { Written::Plain }
    }
}
