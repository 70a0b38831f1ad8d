//! What a caller learns about one name in one text.

use std::ops::Range;

/// What a name is used as, as far as its surroundings say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// It stands alone.
    Plain,
    /// It stands alone and is called: `foo()`, `foo!()`, a shell command.
    Call,
    /// It names a type. Languages that write types like values (Python, Ruby) have no such names.
    Type,
    /// It belongs to a value: `x.foo`, `x->foo`.
    Member,
    /// It belongs to a value and is called: `x.foo()`.
    MemberCall,
    /// It belongs to something that has a name and is no local value: `A::foo`, `Type.foo`, `package.foo`.
    /// The string is the last name in front of it. `self.foo`, `this.foo` and `Self::foo` are qualified by
    /// the type around them.
    Qualified(String),
    /// A field in a literal, a named argument, the key of an object: a member of something not named here.
    Key,
}

/// One name in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub bytes: Range<usize>,
    pub role: Role,
}

/// One place where a certain name is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    pub bytes: Range<usize>,
    /// It is the name of a symbol's declaration, or of a local binding.
    pub declares: bool,
    /// It means a local binding, so it refers to nothing outside.
    pub local: bool,
    pub role: Role,
}

/// A binding that cannot be seen outside its scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// The name where it is first bound.
    pub declaration: Range<usize>,
    /// The text within which it can be meant.
    pub scope: Range<usize>,
    /// Every name that means this binding, in order, its declaration included.
    pub uses: Vec<Range<usize>>,
}
