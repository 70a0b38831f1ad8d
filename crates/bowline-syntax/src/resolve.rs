//! Which binding a name means.

use std::ops::Range;

use crate::{
    compiled::Compiled,
    grammar::{Again, ScopeKind, What},
    scopes::{Binding, Redirect, Scopes, Token, Written},
    word::word_hash,
};

/// Scopes searched outwards before giving up. No program nests this deep, and text made to be slow may nest
/// a thousand times deeper.
const MOST_SCOPES: usize = 500;

/// One name to be found, or the same name in many places.
pub(crate) struct Resolver<'a> {
    compiled: &'a Compiled,
    scopes: &'a Scopes,
    text: &'a str,
    /// All bindings that may be of this name.
    bindings: &'a [Binding],
    name: &'a str,
}

/// A binding that the rest of the program cannot see. Equal for two names that mean the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    scope: usize,
    /// Where the binding's first name starts.
    pub(crate) start: usize,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(compiled: &'a Compiled, scopes: &'a Scopes, text: &'a str, name: &'a str) -> Self {
        let hash = word_hash(name);
        let all = &scopes.bindings;
        let start = all.partition_point(|binding| binding.hash < hash);
        let end = all.partition_point(|binding| binding.hash <= hash);
        Self { compiled, scopes, text, bindings: &all[start..end], name }
    }

    /// What one written name means, if that is local.
    pub(crate) fn token(&self, token: &Token) -> Option<Bound> {
        if let Some((scope, from)) = token.bound {
            return self.name(scope, from, false);
        }
        match token.written {
            _ if token.unbound => None,
            Written::Plain | Written::Call => self.name(token.scope, token.bytes.start, false),
            Written::Type => self.name(token.scope, token.bytes.start, true),
            Written::Key | Written::Member { .. } | Written::Path { .. } => None,
        }
    }

    /// What the name would mean at an offset in a scope.
    pub(crate) fn name(&self, scope: usize, offset: usize, is_type: bool) -> Option<Bound> {
        if self.bindings.is_empty() {
            return None;
        }
        let mut behind_barrier = false;
        let mut at = Some(scope);
        for _ in 0..MOST_SCOPES {
            let index = at?;
            let around = &self.scopes.scopes[index];
            let skipped = around.kind == ScopeKind::HiddenMembers && index != scope;
            let here = self.in_scope(index);
            match here.first().and_then(|binding| binding.redirect) {
                Some(Redirect::Global) => return None,
                // Its variables are let through, even where nothing else would be.
                Some(Redirect::Outer) => {
                    at = around.parent;
                    continue;
                }
                None => {
                    let fits = |binding: &&Binding| {
                        self.is_named(binding)
                            && (!is_type || binding.what != What::Value)
                            && (!skipped || binding.what == What::Type)
                            && (!behind_barrier || binding.what != What::Value)
                    };
                    if let Some(first) = self.pick(here, offset, fits) {
                        // A type's parameters are no members of it.
                        let local = matches!(around.kind, ScopeKind::Function | ScopeKind::Block)
                            || first.what == What::Type;
                        return local.then_some(Bound { scope: index, start: first.bytes.start });
                    }
                }
            }
            behind_barrier |= around.barrier;
            at = around.parent;
        }
        None
    }

    pub(crate) fn scope_bytes(&self, bound: Bound) -> Range<usize> {
        self.scopes.scopes[bound.scope].bytes.clone()
    }

    /// The first place of the binding that is meant at an offset, among those of one scope.
    fn pick(
        &self,
        here: &'a [Binding],
        offset: usize,
        fits: impl Fn(&&Binding) -> bool,
    ) -> Option<&'a Binding> {
        let visible = &here[..here.partition_point(|binding| binding.from <= offset)];
        match self.compiled.again {
            Again::Same => visible.iter().find(fits),
            // Two names bound at once, as in `A(x) | B(x)`, are one binding.
            Again::New => {
                let last = visible.iter().rev().find(fits)?;
                let first = visible.partition_point(|binding| binding.from < last.from);
                visible[first..].iter().find(|binding| self.is_named(binding))
            }
        }
    }

    /// Different names may have the same hash.
    fn is_named(&self, binding: &Binding) -> bool {
        self.text.get(binding.bytes.clone()) == Some(self.name)
    }

    fn in_scope(&self, scope: usize) -> &'a [Binding] {
        let start = self.bindings.partition_point(|binding| binding.scope < scope);
        let end = self.bindings.partition_point(|binding| binding.scope <= scope);
        &self.bindings[start..end]
    }
}
