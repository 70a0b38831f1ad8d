//! One project: its roots, its files, its symbol index, and the answers drawn from them.
