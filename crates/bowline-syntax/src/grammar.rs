//! The words in which one language's table is written: kinds and fields by name, rules as data, and a small
//! function where data will not do.

use bowline_code::SymbolKind;
use tree_sitter::Node;

use crate::site::{Site, SymbolSite};

/// All that the walks need to know about one language.
pub(crate) struct Grammar {
    pub(crate) parser: fn() -> tree_sitter::Language,
    /// The grammar may only be shown ASCII: its scanner looks up other characters behind the end of a table.
    pub(crate) ascii: bool,
    /// A table whose rules hold here too, where this one has none that fits.
    pub(crate) base: Option<&'static Grammar>,
    /// Nodes that are names. Nothing inside them is looked at.
    pub(crate) tokens: &'static [&'static str],
    /// Those of them that can only name types.
    pub(crate) types: &'static [&'static str],
    /// Those of them that never mean a local variable.
    pub(crate) unbound: &'static [&'static str],
    /// Fields whose names are types, where no rule says otherwise.
    pub(crate) type_fields: &'static [&'static str],
    /// Leaves whose text was not taken apart, but holds names.
    pub(crate) raw: &'static [&'static str],
    /// Nodes whose names were told from punctuation but not put into a tree: macro arguments.
    pub(crate) loose: &'static [&'static str],
    /// Nodes whose names mean nothing that is tracked here: lifetimes, labels.
    pub(crate) silent: &'static [&'static str],
    /// Nodes through which a binding reaches the names inside.
    pub(crate) patterns: &'static [&'static str],
    /// Nodes around a name that do not change what it is used as: `foo::<T>`.
    pub(crate) wrappers: &'static [&'static str],
    /// Attributes that the grammar puts inside the declaration they stand before.
    pub(crate) decorations: &'static [&'static str],
    /// Nodes that hold such attributes together with keywords.
    pub(crate) modifiers: &'static [&'static str],
    /// Declarations that may hold several items: with only one, they are that symbol's range.
    pub(crate) groups: &'static [(&'static str, &'static str)],
    /// Nodes inside which a binding belongs to the function, not to the block.
    pub(crate) hoisting: &'static [&'static str],
    /// Nodes that are there for the sake of the one declaration inside: `export`, decorators.
    pub(crate) around: &'static [&'static str],
    /// Attributes that the grammar puts beside the declaration they stand before.
    pub(crate) beside: &'static [&'static str],
    /// Nodes whose elements have commas between them.
    pub(crate) lists: &'static [&'static str],
    /// Declarations of several names that can be taken apart at their commas.
    pub(crate) splits: &'static [&'static str],
    /// Symbols that are expressions, and statements of their own only where statements are.
    pub(crate) expressions: &'static [&'static str],
    /// Bodies that their declaration has no field for.
    pub(crate) bodies: &'static [&'static str],
    /// Bodies that are a list of statements without braces.
    pub(crate) suites: &'static [&'static str],
    /// Declarations that end with a word.
    pub(crate) closes: &'static [&'static str],
    /// Literals that may go over several lines, whose white space is their own.
    pub(crate) verbatim: &'static [&'static str],
    pub(crate) scopes: &'static [ScopeRule],
    pub(crate) children: &'static [ChildRule],
    pub(crate) symbols: &'static [SymbolRule],
    /// Whether a name in a pattern is bound by it; some name a constant.
    pub(crate) binds: fn(&str) -> bool,
    /// How a second binding of one name in one scope relates to the first.
    pub(crate) again: Again,
    /// Names for the type or value that a method belongs to.
    pub(crate) owners: &'static [&'static str],
    /// Whether a name before a dot, if it is no local value, says to what the name behind it belongs.
    pub(crate) qualifies: fn(&str) -> bool,
    /// Methods of these names are constructors.
    pub(crate) constructors: &'static [&'static str],
}

impl Grammar {
    /// What a table leaves out.
    pub(crate) const NONE: Grammar = Grammar {
        parser: || tree_sitter_rust::LANGUAGE.into(),
        ascii: false,
        base: None,
        tokens: &[],
        types: &[],
        unbound: &[],
        type_fields: &[],
        raw: &[],
        loose: &[],
        silent: &[],
        patterns: &[],
        wrappers: &[],
        decorations: &[],
        modifiers: &[],
        groups: &[],
        hoisting: &[],
        around: &[],
        beside: &[],
        lists: &[],
        splits: &[],
        expressions: &[],
        bodies: &[],
        suites: &[],
        closes: &[],
        verbatim: &[],
        scopes: &[],
        children: &[],
        symbols: &[],
        binds: |_| true,
        again: Again::Same,
        owners: &[],
        qualifies: |_| true,
        constructors: &[],
    };
}

/// What a second binding of one name in one scope is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// The same variable, assigned or declared again.
    Same,
    /// A new one that hides the first from there on.
    New,
}

/// A node that opens a scope.
#[derive(Clone, Copy)]
pub(crate) struct ScopeRule {
    pub(crate) node: &'static str,
    pub(crate) kind: ScopeKind,
    /// Values of the scopes around cannot be used inside.
    pub(crate) barrier: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// Its names can be reached from outside: a file, a module.
    Open,
    /// Its names are members.
    Members,
    /// As `Members`, but functions inside do not see them unqualified.
    HiddenMembers,
    /// Parameters and body of something callable.
    Function,
    Block,
}

pub(crate) const fn scope(node: &'static str, kind: ScopeKind) -> ScopeRule {
    ScopeRule { node, kind, barrier: false }
}

impl ScopeRule {
    pub(crate) const fn barrier(mut self) -> Self {
        self.barrier = true;
        self
    }
}

/// What a node means for the names in one of its children.
#[derive(Clone, Copy)]
pub(crate) struct ChildRule {
    pub(crate) parent: &'static str,
    /// The child's field; empty for children without one.
    pub(crate) field: &'static str,
    pub(crate) does: Does,
    /// The child belongs to the scope around the one it is written in.
    pub(crate) outside: bool,
    pub(crate) when: Option<fn(&Site<'_, '_>) -> bool>,
}

/// The first rule that fits decides.
pub(crate) const fn child(parent: &'static str, field: &'static str, does: Does) -> ChildRule {
    ChildRule { parent, field, does, outside: false, when: None }
}

impl ChildRule {
    pub(crate) const fn outside(mut self) -> Self {
        self.outside = true;
        self
    }

    pub(crate) const fn when(mut self, test: fn(&Site<'_, '_>) -> bool) -> Self {
        self.when = Some(test);
        self
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Does {
    /// Names in it are bound.
    Bind(Bind),
    /// Names in it are uses, even inside a pattern.
    Use,
    /// Names in it mean nothing that is tracked.
    Silent,
    /// Names in it mean the file's variables, wherever this scope uses them.
    Global,
    /// Names in it mean the variables of the scope around, wherever this scope uses them.
    Outer,
    /// A member of what is in the given field of the parent; of its first child, if no field is given.
    Member(&'static str),
    /// As `Member`, and called. Without anything in front it is a plain call.
    Method(&'static str),
    /// A name inside what the given field of the parent names.
    Path(&'static str),
    Key,
    Type,
    Call,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bind {
    pub(crate) from: Visible,
    pub(crate) to: Target,
    pub(crate) what: What,
}

/// From where on a binding can be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visible {
    WholeScope,
    /// Behind the node that binds it.
    After,
    /// From its own name on.
    Name,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Nearest,
    Function,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Value,
    /// A type parameter. Like an item it is not hidden by a barrier.
    Type,
    /// A function, type or constant.
    Item,
}

const VALUE: Bind = Bind { from: Visible::WholeScope, to: Target::Nearest, what: What::Value };
/// A parameter, or any variable that its whole scope sees.
pub(crate) const BIND: Does = Does::Bind(VALUE);
pub(crate) const BIND_AFTER: Does = Does::Bind(Bind { from: Visible::After, ..VALUE });
pub(crate) const BIND_FROM_NAME: Does = Does::Bind(Bind { from: Visible::Name, ..VALUE });
pub(crate) const BIND_IN_FUNCTION: Does = Does::Bind(Bind { to: Target::Function, ..VALUE });
pub(crate) const BIND_TYPE: Does = Does::Bind(Bind { what: What::Type, ..VALUE });
pub(crate) const BIND_ITEM: Does = Does::Bind(Bind { what: What::Item, ..VALUE });

/// A node that declares a symbol.
#[derive(Clone, Copy)]
pub(crate) struct SymbolRule {
    pub(crate) node: &'static str,
    pub(crate) kind: Kind,
    pub(crate) name: NameAt,
    pub(crate) nests: Nests,
    /// Inside a function it is a local variable and no symbol.
    pub(crate) not_local: bool,
    /// Without a body, it contains what follows it, up to the end of its parent.
    pub(crate) rest: bool,
    /// It belongs to the symbol around the callable it is written in.
    pub(crate) lifted: bool,
    /// It is a symbol only where its container has none of this name yet: the first assignment.
    pub(crate) once: bool,
    /// The container that the declaration itself names: a receiver.
    pub(crate) owner: Option<fn(&Site<'_, '_>) -> Option<String>>,
    /// It is no symbol of its own: its children belong to the type named by `owner`, and it is shown under
    /// the name this makes.
    pub(crate) stands_for: Option<fn(&Site<'_, '_>) -> String>,
}

/// Whether symbols inside are its children.
#[derive(Clone, Copy)]
pub(crate) enum Nests {
    Never,
    Always,
    When(fn(&Site<'_, '_>) -> bool),
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Is(SymbolKind),
    /// `Function`, or inside a type `Method` or `Constructor`.
    Callable,
    /// No symbol if the answer is `None`.
    Ask(fn(&SymbolSite<'_, '_>) -> Option<SymbolKind>),
}

/// Where a declaration's names are.
#[derive(Clone, Copy)]
pub(crate) enum NameAt {
    /// Each child in this field; of a path, its last name.
    Field(&'static str),
    /// The whole text of the child in this field.
    Whole(&'static str),
    /// Every name that the pattern in this field binds.
    Pattern(&'static str),
    /// The first child of this kind.
    Child(&'static str),
    Ask(for<'t> fn(&Site<'_, 't>) -> Vec<Named<'t>>),
}

/// One name that a declaration declares.
pub(crate) struct Named<'t> {
    pub(crate) node: Node<'t>,
    /// What stands before it: `A` of `A::b`.
    pub(crate) owner: Option<String>,
    pub(crate) callable: bool,
    /// Its own part of a declaration that declares several.
    pub(crate) whole: Option<Node<'t>>,
}

impl<'t> Named<'t> {
    pub(crate) fn plain(node: Node<'t>) -> Self {
        Self { node, owner: None, callable: false, whole: None }
    }

    pub(crate) fn part(node: Node<'t>, whole: Node<'t>) -> Self {
        Self { whole: Some(whole), ..Self::plain(node) }
    }
}

pub(crate) const fn symbol(node: &'static str, kind: Kind, name: NameAt) -> SymbolRule {
    SymbolRule {
        node,
        kind,
        name,
        nests: Nests::Never,
        not_local: false,
        rest: false,
        lifted: false,
        once: false,
        owner: None,
        stands_for: None,
    }
}

impl SymbolRule {
    pub(crate) const fn nests(mut self) -> Self {
        self.nests = Nests::Always;
        self
    }

    pub(crate) const fn nests_when(mut self, test: fn(&Site<'_, '_>) -> bool) -> Self {
        self.nests = Nests::When(test);
        self
    }

    pub(crate) const fn not_local(mut self) -> Self {
        self.not_local = true;
        self
    }

    pub(crate) const fn rest(mut self) -> Self {
        self.rest = true;
        self
    }

    pub(crate) const fn lifted(mut self) -> Self {
        self.lifted = true;
        self
    }

    pub(crate) const fn once(mut self) -> Self {
        self.once = true;
        self
    }

    pub(crate) const fn owner(mut self, owner: fn(&Site<'_, '_>) -> Option<String>) -> Self {
        self.owner = Some(owner);
        self
    }

    pub(crate) const fn stands_for(mut self, shown: fn(&Site<'_, '_>) -> String) -> Self {
        self.stands_for = Some(shown);
        self
    }
}
