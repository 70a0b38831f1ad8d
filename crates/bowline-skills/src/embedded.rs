//! Skills that are compiled into the program.

use std::sync::{Arc, OnceLock};

use crate::reading::{self, Document, FILE, Reading};
use crate::{
    Catalogue, Location, PhaseTable, PhasesError, Rejected, Scope, Skill, SkillError, Store, Summary, body,
    bundled, head, merge, phases,
};

/// One skill: the name of its directory, and its files by their paths in it (`SKILL.md`, `references/patterns.md`).
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedSkill {
    pub name: &'static str,
    pub files: &'static [(&'static str, &'static [u8])],
}

impl EmbeddedSkill {
    pub(crate) fn file(&self, path: &str) -> Option<&'static [u8]> {
        self.files.iter().find(|(known, _)| *known == path).map(|(_, bytes)| *bytes)
    }

    fn read(&self) -> (Document, &'static [u8]) {
        let bytes = self.file(FILE).unwrap_or_default();
        (reading::read(bytes, head::split_all(bytes), self.name, Reading::Strict), bytes)
    }

    fn place(&self) -> String {
        format!("built in: {}", self.name)
    }
}

/// Skills in the program itself. They are read strictly.
#[derive(Debug)]
pub struct EmbeddedStore {
    skills: &'static [EmbeddedSkill],
    listed: OnceLock<Catalogue>,
}

impl EmbeddedStore {
    pub const fn new(skills: &'static [EmbeddedSkill]) -> Self {
        Self { skills, listed: OnceLock::new() }
    }

    /// The skills as files, for whoever writes them to a disk.
    pub fn skills(&self) -> &'static [EmbeddedSkill] {
        self.skills
    }

    fn find(
        &self,
        name: &str,
    ) -> Result<(&'static EmbeddedSkill, reading::Fields, Document, &'static [u8]), SkillError> {
        let name = merge::asked_for(name)?;
        let skill = self.skills.iter().find(|skill| skill.name == name);
        let skill = skill.ok_or_else(|| SkillError::NotFound { name: name.to_owned() })?;
        let (mut document, bytes) = skill.read();
        match document.fields.take() {
            Some(fields) => Ok((skill, fields, document, bytes)),
            None => Err(merge::refused(skill.name, &document.errors)),
        }
    }
}

impl Store for EmbeddedStore {
    fn list(&self) -> Catalogue {
        let read = || {
            let mut part = Catalogue::default();
            for skill in self.skills {
                let (document, _) = skill.read();
                part.warnings.extend(document.warnings.into_iter().map(|finding| (skill.place(), finding)));
                match document.fields {
                    Some(fields) => {
                        part.skills.push(Arc::new(fields.summary(Scope::BuiltIn, Location::Embedded)));
                    }
                    None => part.rejected.push(Rejected { place: skill.place(), findings: document.errors }),
                }
            }
            merge::merge(vec![part], &[])
        };
        self.listed.get_or_init(read).clone()
    }

    fn load(&self, name: &str, max_bytes: usize) -> Result<Skill, SkillError> {
        body::check_limit(max_bytes)?;
        let (skill, fields, document, bytes) = self.find(name)?;
        let (start, line) = document.body.unwrap_or_default();
        let text = &bytes[start..];
        let body = body::read(text, text.len() as u64, line, max_bytes);
        let listed = |path: &str| bundled::parse(name, path).is_ok();
        let mut files: Vec<String> =
            skill.files.iter().map(|(path, _)| (*path).to_owned()).filter(|path| listed(path)).collect();
        files.sort_unstable();
        Ok(body.of(fields.summary(Scope::BuiltIn, Location::Embedded), files, document.warnings))
    }

    fn read_file(&self, name: &str, path: &str, max_bytes: usize) -> Result<String, SkillError> {
        body::check_limit(max_bytes)?;
        let (folder, file) = bundled::parse(name.trim_ascii(), path)?;
        let (skill, ..) = self.find(name)?;
        let bytes =
            skill.file(&format!("{folder}/{file}")).ok_or_else(|| bundled::missing(skill.name, path))?;
        if bytes.len() > max_bytes {
            return Err(SkillError::TooLarge { path: path.to_owned(), max_bytes });
        }
        Ok(bundled::text(bytes.to_vec()))
    }

    fn phases(&self, name: &str) -> Result<Option<PhaseTable>, PhasesError> {
        let (skill, fields, ..) = self.find(name)?;
        let read =
            |file: &str| skill.file(file).map(<[u8]>::to_vec).ok_or_else(|| format!("there is no `{file}`"));
        phases::of(&fields, read).map_err(PhasesError::Table)
    }

    fn summary(&self, name: &str) -> Result<Summary, SkillError> {
        let (_, fields, ..) = self.find(name)?;
        Ok(fields.summary(Scope::BuiltIn, Location::Embedded))
    }

    fn is_quick(&self) -> bool {
        self.listed.get().is_some()
    }

    fn reserved(&self) -> Vec<String> {
        self.skills.iter().map(|skill| skill.name.to_owned()).collect()
    }
}
