//! The questions about names: which one is here, where else is it written, what does it mean.

use std::collections::HashSet;

use bowline_code::SymbolKind;

use crate::{
    Local, Name, Occurrence, Parsed, Role,
    outline::Found,
    resolve::{Bound, Resolver},
    scopes::{Token, Written},
    site::is_type,
};

impl Parsed {
    /// The name that touches a byte offset; a cursor right behind it counts.
    pub fn name_at(&self, offset: usize) -> Option<Name> {
        let tokens = &self.scopes().tokens;
        let next = tokens.partition_point(|token| token.bytes.start <= offset);
        let token = tokens[..next].last().filter(|token| offset <= token.bytes.end)?;
        let text = self.text().get(token.bytes.clone())?.to_owned();
        Some(Name { text, bytes: token.bytes.clone(), role: self.role(token) })
    }

    /// Every place where the name is written as a name, in order: not in comments, not in strings.
    pub fn occurrences(&self, name: &str) -> Vec<Occurrence> {
        let resolver = self.resolver(name);
        let declared: HashSet<usize> = (self.outline().symbols.iter())
            .filter(|found| found.name == name && !found.stand_in)
            .map(|found| found.selection.start)
            .collect();
        self.written(name)
            .map(|token| Occurrence {
                bytes: token.bytes.clone(),
                declares: token.bound.is_some() || declared.contains(&token.bytes.start),
                local: resolver.token(token).is_some(),
                role: self.role(token),
            })
            .collect()
    }

    /// The local binding that a name means: a parameter, a variable, a type parameter, a local function.
    /// `None` if it means something that other code can see, or something this text does not bind.
    pub fn local(&self, name: &Name) -> Option<Local> {
        let tokens = &self.scopes().tokens;
        let index = tokens.binary_search_by_key(&name.bytes.start, |token| token.bytes.start).ok()?;
        let text = self.text().get(tokens[index].bytes.clone())?;
        let resolver = self.resolver(text);
        let bound = resolver.token(&tokens[index])?;
        let uses: Vec<_> = self
            .written(text)
            .filter(|token| resolver.token(token) == Some(bound))
            .map(|token| token.bytes.clone())
            .collect();
        let declaration = bound.start..bound.start + text.len();
        Some(Local { declaration, scope: resolver.scope_bytes(bound), uses })
    }

    fn resolver<'a>(&'a self, name: &'a str) -> Resolver<'a> {
        Resolver::new(self.language().compiled(), self.scopes(), self.text(), name)
    }

    fn written<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Token> {
        self.scopes().tokens.iter().filter(move |token| self.text().get(token.bytes.clone()) == Some(name))
    }

    fn role(&self, token: &Token) -> Role {
        match &token.written {
            Written::Plain => Role::Plain,
            Written::Call => Role::Call,
            Written::Type => Role::Type,
            Written::Key => Role::Key,
            Written::Path { of } => {
                let qualifier = self.text().get(of.clone()).unwrap_or_default();
                let owner = self.is_owner(qualifier).then(|| self.type_around(of.start)).flatten();
                Role::Qualified(owner.unwrap_or(qualifier).to_owned())
            }
            Written::Member { of, called } => {
                let member = if *called { Role::MemberCall } else { Role::Member };
                let Some(of) = of else { return member };
                let qualifier = self.text().get(of.clone()).unwrap_or_default();
                let owner = if self.is_owner(qualifier) {
                    self.type_around(of.start)
                } else if let Some(bound) = self.resolver(qualifier).name(token.scope, of.start, false) {
                    self.receiver(bound)
                } else {
                    Some(qualifier).filter(|word| (self.language().compiled().qualifies)(word))
                };
                owner.map_or(member, |owner| Role::Qualified(owner.to_owned()))
            }
        }
    }

    fn is_owner(&self, word: &str) -> bool {
        self.language().compiled().owners.contains(&word)
    }

    /// The type whose method is written at an offset.
    fn type_around(&self, offset: usize) -> Option<&str> {
        let names_owner =
            |found: &Found| found.stand_in || (found.kind.is_callable() && found.owner.is_some());
        let found = self.around(offset, |found| is_type(found.kind) || names_owner(found))?;
        let owner = found.owner.as_deref().filter(|_| names_owner(found)).unwrap_or(&found.name);
        owner.rsplit("::").next().and_then(|last| last.split('<').next())
    }

    /// The type of a method's receiver: Go writes it before the method's name.
    fn receiver(&self, bound: Bound) -> Option<&str> {
        let method = self.around(bound.start, |found| found.kind == SymbolKind::Method)?;
        method.owner.as_deref().filter(|_| bound.start < method.selection.start)
    }

    /// The innermost symbol around an offset that passes a test.
    fn around(&self, offset: usize, test: impl Fn(&Found) -> bool) -> Option<&Found> {
        let found = &self.outline().symbols;
        let mut at = found.partition_point(|found| found.range.start <= offset).checked_sub(1);
        while let Some(index) = at {
            let symbol = &found[index];
            if symbol.range.contains(&offset) && test(symbol) {
                return Some(symbol);
            }
            at = symbol.parent;
        }
        None
    }
}
