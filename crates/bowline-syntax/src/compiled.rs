//! A language's table with every name replaced by the grammar's number, so that the walks compare integers.

use tree_sitter::Node;

use crate::{
    grammar::{Again, ChildRule, Does, Grammar, NameAt, ScopeRule, SymbolRule},
    site::Site,
    walk::FieldId,
};

pub(crate) struct Compiled {
    pub(crate) parser: tree_sitter::Language,
    pub(crate) ascii: bool,
    /// By kind id. Errors have an id beyond all of them.
    rows: Vec<Row>,
    error: Row,
    pub(crate) binds: fn(&str) -> bool,
    pub(crate) again: Again,
    pub(crate) owners: &'static [&'static str],
    pub(crate) qualifies: fn(&str) -> bool,
    pub(crate) constructors: &'static [&'static str],
    /// Some symbols are symbols only once.
    pub(crate) once: bool,
    /// Some declarations hold their attributes.
    pub(crate) decorated: bool,
    pub(crate) type_fields: Vec<FieldId>,
    /// Fields that end a declaration's head.
    pub(crate) body: Vec<FieldId>,
    /// Fields that may hold a function, which has a body.
    pub(crate) value: Vec<FieldId>,
    /// Kinds and fields that the grammar does not have: mistakes in the table.
    pub(crate) unknown: Vec<&'static str>,
}

type SetFlag = fn(&mut Row);

/// What is known about one kind of node.
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) token: bool,
    pub(crate) type_name: bool,
    pub(crate) raw: bool,
    pub(crate) loose: bool,
    pub(crate) silent: bool,
    pub(crate) pattern: bool,
    pub(crate) wrapper: bool,
    pub(crate) decoration: bool,
    pub(crate) modifiers: bool,
    pub(crate) unbound: bool,
    pub(crate) hoisting: bool,
    pub(crate) around: bool,
    pub(crate) beside: bool,
    pub(crate) list: bool,
    pub(crate) splits: bool,
    pub(crate) expression: bool,
    pub(crate) body: bool,
    pub(crate) suite: bool,
    pub(crate) closes: bool,
    pub(crate) verbatim: bool,
    /// The kinds of its items, if it is a group.
    pub(crate) items: Vec<u16>,
    pub(crate) scope: Option<ScopeRule>,
    pub(crate) symbol: Option<CompiledSymbol>,
    children: Vec<CompiledChild>,
}

pub(crate) struct CompiledSymbol {
    pub(crate) rule: SymbolRule,
    /// The field or kind that the rule's `NameAt` speaks of.
    pub(crate) field: Option<FieldId>,
    pub(crate) kind: u16,
}

pub(crate) struct CompiledChild {
    field: Option<FieldId>,
    pub(crate) rule: ChildRule,
    /// The field that the rule's `Does` speaks of.
    pub(crate) of: Option<FieldId>,
}

impl Compiled {
    pub(crate) fn new(grammar: &'static Grammar) -> Self {
        let parser = (grammar.parser)();
        let mut compiled = Self {
            rows: (0..parser.node_kind_count()).map(|_| Row::default()).collect(),
            error: Row::default(),
            ascii: grammar.ascii,
            binds: grammar.binds,
            again: grammar.again,
            owners: grammar.owners,
            qualifies: grammar.qualifies,
            constructors: grammar.constructors,
            body: ["body", "accessors"].iter().filter_map(|name| parser.field_id_for_name(name)).collect(),
            once: false,
            decorated: false,
            type_fields: Vec::new(),
            value: ["value", "right"].iter().filter_map(|name| parser.field_id_for_name(name)).collect(),
            unknown: Vec::new(),
            parser,
        };
        compiled.add(grammar);
        // A base may speak of kinds that only its own grammar has.
        if let Some(base) = grammar.base {
            let known = compiled.unknown.len();
            compiled.add(base);
            compiled.unknown.truncate(known);
        }
        compiled
    }

    pub(crate) fn row(&self, kind: u16) -> &Row {
        self.rows.get(usize::from(kind)).unwrap_or(&self.error)
    }

    fn add(&mut self, grammar: &'static Grammar) {
        let flags: [(&[&str], SetFlag); 20] = [
            (grammar.tokens, |row| row.token = true),
            (grammar.types, |row| row.type_name = true),
            (grammar.raw, |row| row.raw = true),
            (grammar.loose, |row| row.loose = true),
            (grammar.silent, |row| row.silent = true),
            (grammar.patterns, |row| row.pattern = true),
            (grammar.wrappers, |row| row.wrapper = true),
            (grammar.decorations, |row| row.decoration = true),
            (grammar.modifiers, |row| row.modifiers = true),
            (grammar.unbound, |row| row.unbound = true),
            (grammar.hoisting, |row| row.hoisting = true),
            (grammar.around, |row| row.around = true),
            (grammar.beside, |row| row.beside = true),
            (grammar.lists, |row| row.list = true),
            (grammar.splits, |row| row.splits = true),
            (grammar.expressions, |row| row.expression = true),
            (grammar.bodies, |row| row.body = true),
            (grammar.suites, |row| row.suite = true),
            (grammar.closes, |row| row.closes = true),
            (grammar.verbatim, |row| row.verbatim = true),
        ];
        for (kinds, set) in flags {
            for kind in kinds {
                self.change(kind, set);
            }
        }
        self.decorated |= !grammar.decorations.is_empty();
        self.once |= grammar.symbols.iter().any(|rule| rule.once);
        for (group, item) in grammar.groups {
            let items = self.kind(item);
            self.change(group, |row| row.items.push(items));
        }
        for rule in grammar.scopes {
            self.change(rule.node, |row| {
                row.scope.get_or_insert(*rule);
            });
        }
        for rule in grammar.children {
            let field = self.field(rule.field);
            let of = match rule.does {
                Does::Member(of) | Does::Method(of) | Does::Path(of) => self.field(of),
                _ => None,
            };
            // A misspelt field would turn the rule into one for children without a field.
            if field.is_some() || rule.field.is_empty() {
                self.change(rule.parent, |row| {
                    row.children.push(CompiledChild { field, rule: *rule, of });
                });
            }
        }
        for field in grammar.type_fields {
            let id = self.field(field);
            self.type_fields.extend(id);
        }
        for rule in grammar.symbols {
            let (field, kind) = match rule.name {
                NameAt::Field(name) | NameAt::Whole(name) | NameAt::Pattern(name) => (self.field(name), 0),
                NameAt::Child(kind) => (None, self.kind(kind)),
                NameAt::Ask(_) => (None, 0),
            };
            self.change(rule.node, |row| {
                row.symbol.get_or_insert(CompiledSymbol { rule: *rule, field, kind });
            });
        }
    }

    fn change(&mut self, kind: &'static str, set: impl FnOnce(&mut Row)) {
        let id = self.kind(kind);
        if id != 0
            && let Some(row) = self.rows.get_mut(usize::from(id))
        {
            set(row);
        }
    }

    /// Zero, which is the end of the text and no node, for what does not exist.
    fn kind(&mut self, kind: &'static str) -> u16 {
        let id = self.parser.id_for_node_kind(kind, true);
        if id == 0 {
            self.unknown.push(kind);
        }
        id
    }

    fn field(&mut self, field: &'static str) -> Option<FieldId> {
        let id = self.parser.field_id_for_name(field);
        if id.is_none() && !field.is_empty() {
            self.unknown.push(field);
        }
        id
    }

    /// The last name of a path or member expression, with the node in front of it.
    pub(crate) fn last_name<'t>(&self, mut node: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
        let mut before = None;
        // Real paths are short; whatever is deeper is no plain name.
        for _ in 0..16 {
            let row = self.row(node.kind_id());
            if row.token {
                return Some((node, before));
            }
            if let Some((name, of)) = row.path() {
                if let Some(front) = of.and_then(|of| node.child_by_field_id(of.get())) {
                    before = Some(front);
                }
                node = match name {
                    Some(name) => node.child_by_field_id(name.get())?,
                    None => {
                        node.named_child(u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?)?
                    }
                };
            } else if row.wrapper {
                node = node.named_child(0)?;
            } else {
                return None;
            }
        }
        None
    }
}

impl Row {
    /// The rule for a child, if any fits.
    pub(crate) fn child(&self, field: Option<FieldId>, site: &Site<'_, '_>) -> Option<&CompiledChild> {
        self.children
            .iter()
            .find(|child| child.field == field && child.rule.when.is_none_or(|test| test(site)))
    }

    /// Whether names in this field are left out of a pattern.
    pub(crate) fn leaves_pattern(&self, field: Option<FieldId>) -> bool {
        self.children.iter().any(|child| child.field == field && !matches!(child.rule.does, Does::Bind(_)))
    }

    /// The field that holds the last name, and the one that holds what is before it. Without a field, the
    /// last name is the last child.
    fn path(&self) -> Option<(Option<FieldId>, Option<FieldId>)> {
        self.children.iter().find_map(|child| match child.rule.does {
            Does::Member(_) | Does::Method(_) | Does::Path(_) => Some((child.field, child.of)),
            _ => None,
        })
    }
}
