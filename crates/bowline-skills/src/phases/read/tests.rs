//! Tables, right and wrong.
