//! Programs that build and test what a project says, option by option.

mod golang;
mod python;
mod rust;
mod scripts;
mod targets;
