//! Agent Skills as a library: what a skill is, where skills come from, and what is wrong with one.
//!
//! It scans only directories that it is given, runs nothing, and knows neither tools nor a gate: names of tools and tables
//! of phases are words here, with the line that each stands in.
//!
//! - [`FileSystemStore`], [`EmbeddedStore`] and [`Library`] are where skills come from; each is a [`Store`].
//! - [`available_skills`] is what a model is told of them, [`prompt`] makes one of them a prompt.
//! - [`validate`] tells an author everything that is wrong with a skill, [`validate_root`] with each of a directory.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Arc;
//!
//! use bowline_skills::{
//!     EmbeddedSkill, EmbeddedStore, FileSystemStore, Library, Locations, Reading, Scope, Store, available_skills,
//!     prompt, validate,
//! };
//!
//! let root = tempfile::tempdir()?;
//! let skill = root.path().join("greet");
//! std::fs::create_dir_all(skill.join("references"))?;
//! std::fs::write(skill.join("SKILL.md"), "---\nname: greet\ndescription: Greets people.\n---\nSay hello.\n")?;
//! std::fs::write(skill.join("references/words.md"), "hello, good day")?;
//! std::fs::create_dir(root.path().join("Broken"))?;
//! std::fs::write(root.path().join("Broken/SKILL.md"), "---\nname: Broken\n---\n")?;
//!
//! let store = FileSystemStore::new([(root.path().to_owned(), Scope::User)], Reading::Strict);
//! let catalogue = store.list();
//! assert_eq!(catalogue.skills[0].description, "Greets people.");
//! assert_eq!(catalogue.rejected[0].findings[1].to_string(), "SKILL.md:1: `description` is missing");
//!
//! let greet = store.load("greet", 200_000)?;
//! assert_eq!(greet.body, "Say hello.\n");
//! assert_eq!(greet.files, ["references/words.md"]);
//! assert_eq!(store.read_file("greet", "references/words.md", 200_000)?, "hello, good day");
//!
//! let block = available_skills(&catalogue.skills, Locations::Hidden).unwrap();
//! assert!(block.contains("<name>greet</name>"));
//!
//! // Together with a skill that is compiled in, which is a prompt with an argument.
//! const OWN: &[EmbeddedSkill] = &[EmbeddedSkill {
//!     name: "part",
//!     files: &[("SKILL.md", b"---\nname: part\ndescription: Parts.\nmetadata:\n  argument-hint: \"[who]\"\n---\nSay bye.\n")],
//! }];
//! let library = Library::new(vec![Arc::new(store), Arc::new(EmbeddedStore::new(OWN))]);
//! let names: Vec<String> = library.list().skills.iter().map(|skill| skill.name.clone()).collect();
//! assert_eq!(names, ["greet", "part"]);
//! let part = library.load("part", 200_000)?;
//! let who = BTreeMap::from([("who".to_owned(), "Ada".to_owned())]);
//! assert_eq!(prompt::render(&part, &who)?, "Arguments:\n- who: Ada\n\nSay bye.\n");
//!
//! let report = validate(&root.path().join("Broken"), Reading::Strict);
//! assert!(!report.valid && report.errors.len() == 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod finding;
mod skill;
mod store;

mod allowed;
mod body;
mod bundled;
mod head;
mod lines;
mod local;
mod name;
mod phases;
mod reading;
mod yaml;

mod disk;
mod embedded;
mod file_system;
mod library;
mod merge;

mod block;
pub mod prompt;
mod validate;

pub use block::{Locations, available_skills};
pub use embedded::{EmbeddedSkill, EmbeddedStore};
pub use error::SkillError;
pub use file_system::FileSystemStore;
pub use finding::Finding;
pub use library::Library;
pub use phases::{PhaseSpec, PhaseTable, Word};
pub use reading::Reading;
pub use skill::{AllowedEntry, AllowedTools, Location, Scope, Skill, Summary, Truncation};
pub use store::{Catalogue, PhasesError, Rejected, Shadowed, Store};
pub use validate::{Report, RootReport, validate, validate_root};
