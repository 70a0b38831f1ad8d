//! A node with its surroundings, as the tables' functions see it.

use bowline_code::SymbolKind;
use tree_sitter::Node;

/// One node and the nodes around it. Asking tree-sitter for a parent means searching from the root, so the
/// walk lends its own stack.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a, 't> {
    /// From the root down to the parent.
    pub(crate) parents: &'a [Node<'t>],
    pub(crate) node: Node<'t>,
    pub(crate) text: &'a str,
}

impl<'a, 't> Site<'a, 't> {
    /// The node `steps` above: 1 is the parent.
    pub(crate) fn above(&self, steps: usize) -> Option<Node<'t>> {
        self.parents.len().checked_sub(steps).and_then(|index| self.parents.get(index)).copied()
    }

    pub(crate) fn above_is(&self, steps: usize, kind: &str) -> bool {
        self.above(steps).is_some_and(|node| node.kind() == kind)
    }

    /// The sibling before. tree-sitter would search it from the root, through every long list on the way.
    pub(crate) fn before(&self) -> Option<Node<'t>> {
        sibling_before(self.above(1)?, self.node)
    }

    /// It stands right behind this keyword or operator.
    pub(crate) fn follows(&self, token: &str) -> bool {
        self.before().is_some_and(|before| before.kind() == token)
    }

    /// The parent has an unnamed child of this kind, such as a keyword or an operator.
    pub(crate) fn parent_has(&self, token: &str) -> bool {
        self.above(1).is_some_and(|parent| has_child(parent, token))
    }

    pub(crate) fn text_of(&self, node: Node<'_>) -> &'a str {
        text_of(self.text, node)
    }

    pub(crate) fn field(&self, name: &str) -> Option<Node<'t>> {
        self.node.child_by_field_name(name)
    }
}

/// A declaration whose name is known, but not yet its kind.
pub(crate) struct SymbolSite<'a, 't> {
    pub(crate) site: Site<'a, 't>,
    pub(crate) name: &'a str,
    /// What was found out about the name: it is followed by parameters.
    pub(crate) callable: bool,
    /// What stands before the name: `A` of `A::b`.
    pub(crate) owner: Option<&'a str>,
    /// The kind of the symbol around.
    pub(crate) enclosing: Option<SymbolKind>,
    pub(crate) in_function: bool,
}

impl SymbolSite<'_, '_> {
    pub(crate) fn in_type(&self) -> bool {
        self.enclosing.is_some_and(is_type) && !self.in_function
    }
}

const MOST_CHILDREN: usize = 16;

/// Kinds whose functions are methods.
pub(crate) fn is_type(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Enum
            | SymbolKind::Object
    )
}

pub(crate) fn text_of<'a>(text: &'a str, node: Node<'_>) -> &'a str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// Searched among the first children only, as below.
pub(crate) fn sibling_before<'t>(parent: Node<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut cursor = parent.walk();
    let mut before = None;
    for child in parent.children(&mut cursor).take(MOST_CHILDREN) {
        if child.id() == node.id() {
            return before;
        }
        before = Some(child);
    }
    None
}

/// Searched among the first children only: keywords stand in front, and a list may be very long.
pub(crate) fn has_child(node: Node<'_>, kind: &str) -> bool {
    first_child(node, kind).is_some()
}

pub(crate) fn first_child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).take(MOST_CHILDREN).find(|child| child.kind() == kind)
}
