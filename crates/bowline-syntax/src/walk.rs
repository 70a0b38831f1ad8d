//! One walk over a tree with a stack of its own: text may be nested deeper than the machine's stack.

use std::num::NonZeroU16;

use tree_sitter::{Node, TreeCursor};

/// The number of a field in its grammar; numbers are only comparable within one.
pub(crate) type FieldId = NonZeroU16;

/// Where the walk is.
pub(crate) struct Place<'a, 't> {
    /// From the root down to the parent.
    pub(crate) parents: &'a [Node<'t>],
    pub(crate) node: Node<'t>,
    pub(crate) field: Option<FieldId>,
}

pub(crate) trait Visitor<'t> {
    /// What a node hands down to its children.
    type State: Copy;

    /// Called for each node before its children, which get the state it answers; `None` leaves them out.
    /// `above` is what the parent handed down; a change to it holds for the siblings that follow.
    fn enter(&mut self, place: &Place<'_, 't>, above: &mut Self::State) -> Option<Self::State>;
}

/// Visits the cursor's node and all below it, in the order of the text.
pub(crate) fn walk<'t, V: Visitor<'t>>(mut cursor: TreeCursor<'t>, root: V::State, visitor: &mut V) {
    let mut parents = Vec::new();
    let mut states = vec![root];
    while let Some(above) = states.last_mut() {
        let place = Place { parents: &parents, node: cursor.node(), field: cursor.field_id() };
        let node = place.node;
        if let Some(state) = visitor.enter(&place, above)
            && cursor.goto_first_child()
        {
            parents.push(node);
            states.push(state);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            parents.pop();
            states.pop();
        }
    }
}
