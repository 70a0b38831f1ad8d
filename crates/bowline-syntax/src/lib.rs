//! One file's structure without any language server: symbols, bodies, names and their scopes.
