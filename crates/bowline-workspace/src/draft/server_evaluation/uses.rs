//! Who uses a declaration, by the server's own references, and what the server infers of those that may change with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Location, Position};
use bowline_lsp::{Asker, Sheet, Shown};
use bowline_syntax::{Language, Mentioned, mentions_at};
use futures_util::{StreamExt, stream};

use super::MAX_CANDIDATES;
use super::session::{Ended, Session, Side};
use super::texts::DraftTexts;
use crate::WorkspaceError;
use crate::dependants::Family;
use crate::draft::affected::{
    Candidate, Spread, Step, Target, concerns, holder_step, is_type, says_the_same, step,
};
use crate::patience::until;
use crate::query::is_worth_another_life;

/// Maximum number of questions put to a server before the first is answered.
const AT_ONCE: usize = 8;
/// Questions that are put before those of others are let in.
const CHUNK: usize = 24;

/// What comes of declarations that changed.
#[derive(Default)]
pub(super) struct Used {
    /// Files that use them.
    pub(super) files: Vec<PathBuf>,
    /// Declarations that change with them.
    pub(super) targets: BTreeSet<Target>,
    /// Declarations that may change with them.
    pub(super) candidates: BTreeSet<Candidate>,
}

impl Session<'_> {
    /// Finds the uses of declarations in the files on disk.
    pub(super) async fn uses_of(&mut self, targets: &BTreeSet<Target>) -> Result<Used, Ended> {
        let there: Vec<&Target> = targets.iter().filter(|target| target.before.is_some()).collect();
        let there = &there[..];
        let mut places: Places = BTreeMap::new();
        let asked: Vec<(PathBuf, Position)> =
            there.iter().filter_map(|target| Some((target.path.clone(), target.before?))).collect();
        for (index, found) in self.ask_each(Side::Before, &asked, Question::References).await? {
            let spread = there.get(index).map_or(Spread::Value, |target| target.spread);
            let Answer::Places(found) = found else {
                self.doubt(
                    "the uses of a changed declaration are not known: the language server did not say",
                );
                continue;
            };
            for place in found {
                let of_file = places.entry(place.file.clone()).or_default();
                of_file.entry(place.span().start).or_default().insert(spread);
            }
        }
        let mentions = self.mentions(places).await?;
        let mut used = Used { files: self.unknown_users(there).await?, ..Used::default() };
        let mut loose: BTreeSet<PathBuf> = BTreeSet::new();
        for Place { path, spreads, mentioned } in mentions {
            // What cannot be read may be anything.
            let Some(mentioned) = mentioned else {
                used.files.push(path);
                continue;
            };
            if spreads.iter().any(|spread| concerns(*spread, &mentioned)) {
                used.files.push(path.clone());
            }
            let mentions = match mentioned {
                Mentioned::Hidden => continue,
                Mentioned::Loose => {
                    loose.insert(path);
                    continue;
                }
                Mentioned::By(mentions) => mentions,
            };
            for (mention, spread) in mentions.iter().flat_map(|it| spreads.iter().map(move |by| (it, *by))) {
                let target = |spread, after| Target {
                    path: path.clone(),
                    name: mention.name.clone(),
                    spread,
                    before: Some(mention.at),
                    after,
                };
                let holder = mention.holder.as_ref().zip(holder_step(&path, spread, mention));
                let holder = holder.map(|(holder, spread)| Target {
                    path: path.clone(),
                    name: holder.name.clone(),
                    spread,
                    before: Some(holder.at),
                    after: None,
                });
                match step(&path, spread, mention) {
                    Step::Stays => used.targets.extend(holder),
                    Step::Changes(spread) => {
                        used.targets.extend([target(spread, None)]);
                        used.targets.extend(holder);
                    }
                    Step::Look => {
                        let is_known = |it: &&Target| it.path == path && it.before == Some(mention.at);
                        if !there.iter().any(is_known) {
                            let after = self.in_draft(&path, mention.at, &mention.name);
                            let target = target(Spread::Value, after);
                            used.candidates.insert(Candidate { target, owner: holder });
                        }
                    }
                }
            }
        }
        used.files.extend(self.importers_of(loose).await?);
        Ok(used)
    }

    /// The files that import these, and those that import them: something that no declaration tells has changed there.
    pub(super) async fn importers_of(&self, files: BTreeSet<PathBuf>) -> Result<Vec<PathBuf>, Ended> {
        let patience = self.run_patience();
        let mut found = Vec::new();
        for path in files {
            let importers = self.workspace.importers(&path, &patience).await?;
            self.update(|findings| {
                findings.left_out += importers.left_out;
                findings.doubts.extend(importers.doubt.clone());
            });
            self.limit(importers.limit);
            found.extend(importers.files);
        }
        Ok(found)
    }

    /// Files that may use declarations without the server's knowledge: it knows a part of the project only.
    async fn unknown_users(&self, targets: &[&Target]) -> Result<Vec<PathBuf>, Ended> {
        let scope = self.life.scope();
        if scope.is_none() && self.life.knows_all_files() {
            return Ok(Vec::new());
        }
        let mut names: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        for target in targets {
            names.entry(&target.path).or_default().insert(target.name.clone());
        }
        let patience = self.run_patience();
        let mut files = Vec::new();
        for (path, names) in names {
            files.extend(self.workspace.files_naming(path, names, &patience).await?.files);
        }
        let root = self.assigned.server.root();
        let is_beyond = |path: &&PathBuf| {
            let is_script = Family::of(path) == Some(Family::Script);
            is_script && scope.as_ref().is_some_and(|scope| !scope.covers(root, path))
        };
        let beyond = files.iter().filter(is_beyond).count();
        if beyond > 0 {
            let name = self.life.name();
            self.doubt(&format!(
                "`{name}` is limited to a part of the project, and {beyond} of the files lie beyond it"
            ));
        }
        Ok(files)
    }

    /// What the server says of declarations that may have changed.
    pub(super) async fn hovers(
        &mut self,
        side: Side,
        candidates: &BTreeSet<Candidate>,
    ) -> Result<Vec<Option<String>>, Ended> {
        if candidates.len() > MAX_CANDIDATES {
            self.doubt(&format!(
                "{} declarations may have changed, and not all were looked at",
                candidates.len()
            ));
        }
        let mut said = vec![None; candidates.len()];
        let at = |target: &Target| if side == Side::Before { target.before } else { target.after };
        let (indices, asked): (Vec<usize>, Vec<(PathBuf, Position)>) = candidates
            .iter()
            .take(MAX_CANDIDATES)
            .enumerate()
            .filter_map(|(index, one)| Some((index, (one.target.path.clone(), at(&one.target)?))))
            .unzip();
        for (index, answer) in self.ask_each(side, &asked, Question::Hover).await? {
            if let Answer::Text(text) = answer {
                said[indices[index]] = Some(text);
            }
        }
        if side == Side::After && self.life.believes_hovers() {
            let paths: BTreeSet<&Path> = asked.iter().map(|(path, _)| path.as_path()).collect();
            let places: Vec<(PathBuf, Position)> =
                paths.into_iter().map(|path| (path.to_owned(), Position::new(1, 1))).collect();
            self.ask_each(side, &places, Question::Diagnostics).await?;
        }
        Ok(said)
    }

    /// Those of the candidates that are not what they were.
    pub(super) async fn changed_among(
        &mut self,
        candidates: &BTreeSet<Candidate>,
        before: &[Option<String>],
        seen: &BTreeSet<Target>,
    ) -> Result<BTreeSet<Target>, Ended> {
        if candidates.is_empty() {
            return Ok(BTreeSet::new());
        }
        let after = self.hovers(Side::After, candidates).await?;
        let types = seen.iter().filter(|target| matches!(target.spread, Spread::Structure | Spread::Uses));
        let mut names: BTreeSet<String> = types.map(|target| target.name.clone()).collect();
        names.extend(self.ambiguous_types(&after).await?);
        let mut changed = BTreeSet::new();
        for ((candidate, was), is) in candidates.iter().zip(before).zip(&after) {
            let language = Language::of_path(&candidate.target.path);
            let is_same = was
                .as_ref()
                .zip(is.as_ref())
                .is_some_and(|(was, is)| says_the_same(language, was, is, &names));
            if !is_same {
                changed.insert(candidate.target.clone());
                changed.extend(candidate.owner.clone());
            }
        }
        Ok(changed)
    }

    /// Names of types in hovers that several files declare. Hovers do not say which of them is meant.
    async fn ambiguous_types(&self, hovers: &[Option<String>]) -> Result<BTreeSet<String>, Ended> {
        let texts = hovers.iter().flatten();
        let words = texts.flat_map(|text| text.split(|c: char| !(c == '_' || c.is_alphanumeric())));
        let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
        let words: BTreeSet<String> = words.filter(is_capital).map(str::to_owned).collect();
        // Those of Go name the package.
        if words.is_empty() || !self.may_be_namesakes || self.assigned.language == "go" {
            return Ok(BTreeSet::new());
        }
        let asking = move |store: &dyn crate::store::IndexStore| {
            let mut ambiguous = BTreeSet::new();
            for word in &words {
                let rows = store.named(word)?;
                let types = rows.iter().filter(|(_, _, symbol)| is_type(symbol.kind));
                if types.map(|(path, _, _)| path).collect::<BTreeSet<_>>().len() > 1 {
                    ambiguous.insert(word.clone());
                }
            }
            Ok(ambiguous)
        };
        Ok(self.workspace.ask(&self.run_patience(), asking).await?.0)
    }

    /// Where a declaration that stands here on disk stands in the draft.
    fn in_draft(&self, path: &Path, at: Position, name: &str) -> Option<Position> {
        let Some(file) = self.files.get(path) else { return Some(at) };
        let (before, after) = (file.before.as_deref()?, file.after.as_deref()?);
        let language = Language::of_path(path)?;
        let symbols =
            |text: &str| bowline_syntax::parse(language, text, &|| false).map(|it| it.flat_symbols());
        let (old, new) = (symbols(before).ok()?, symbols(after).ok()?);
        let own = old.iter().find(|symbol| symbol.selection.start == at && symbol.name == name)?;
        let same = |symbol: &&bowline_code::IndexedSymbol| {
            symbol.name == own.name && symbol.container == own.container && symbol.kind == own.kind
        };
        let index = old.iter().filter(same).position(|symbol| symbol.selection.start == at)?;
        new.iter().filter(same).nth(index).map(|symbol| symbol.selection.start)
    }

    /// In which declarations these places are. The files are read as they are on disk.
    async fn mentions(&self, places: Places) -> Result<Vec<Place>, Ended> {
        let patience = self.run_patience();
        let found = self.workspace.blocking(&patience, move |work| {
            let mut all = Vec::new();
            for (path, ats) in places {
                let (positions, spreads): (Vec<Position>, Vec<BTreeSet<Spread>>) = ats.into_iter().unzip();
                let document = work.read(&path).ok();
                let parsed = document.as_ref().and_then(|document| document.parsed().ok());
                let mentions: Vec<Option<Mentioned>> = match parsed {
                    Some(parsed) => mentions_at(&path, parsed, &positions).into_iter().map(Some).collect(),
                    None => vec![None; positions.len()],
                };
                for (spreads, mentioned) in spreads.into_iter().zip(mentions) {
                    all.push(Place { path: path.clone(), spreads, mentioned });
                }
                if work.stopped() {
                    return Err(WorkspaceError::Cancelled);
                }
            }
            Ok(all)
        });
        Ok(found.await?)
    }

    /// Puts a question about each of these places, on one side. Questions of others are let in between.
    async fn ask_each(
        &mut self,
        side: Side,
        asked: &[(PathBuf, Position)],
        question: Question,
    ) -> Result<Vec<(usize, Answer)>, Ended> {
        let mut answers = Vec::with_capacity(asked.len());
        for (nth, chunk) in asked.chunks(CHUNK).enumerate() {
            self.give_way().await?;
            let of_chunk = self.ask_at_once(side, chunk, question).await?;
            answers.extend(of_chunk.into_iter().map(|(index, answer)| (nth * CHUNK + index, answer)));
        }
        Ok(answers)
    }

    async fn ask_at_once(
        &mut self,
        side: Side,
        asked: &[(PathBuf, Position)],
        question: Question,
    ) -> Result<Vec<(usize, Answer)>, Ended> {
        let mut answers = Vec::with_capacity(asked.len());
        self.show(side);
        let mut documents: BTreeMap<&Path, Option<Shown>> = BTreeMap::new();
        for (path, _) in asked {
            documents.entry(path).or_insert_with(|| self.shown_or_opened(path));
        }
        let lender = DraftTexts { files: self.shown_files(), disk: self.disk() };
        let stop = self.run_patience().cancellation;
        let asker = Asker { lender: &lender, stop: &stop };
        let life = &self.life;
        let asking = asked.iter().enumerate().map(|(index, (path, at))| {
            let shown = documents.get(path.as_path()).cloned().flatten();
            async move {
                let Some(shown) = shown else { return Ok((index, Answer::Unknown)) };
                let said = match question {
                    Question::References => {
                        life.references(&shown, *at, false, asker).await.map(Answer::Places)
                    }
                    Question::Diagnostics => {
                        life.diagnose_draft(&shown, asker).await.map(|_| Answer::Unknown)
                    }
                    Question::Hover => life
                        .hover(&shown, *at, asker)
                        .await
                        .map(|hover| hover.map_or(Answer::Unknown, |hover| Answer::Text(hover.text))),
                };
                match said {
                    Ok(answer) => Ok((index, answer)),
                    Err(error) if is_worth_another_life(&error.fault) => Err(error),
                    Err(_) => Ok((index, Answer::Unknown)),
                }
            }
        });
        let asking: Vec<_> = asking.collect();
        let mut asking = std::pin::pin!(stream::iter(asking).buffer_unordered(AT_ONCE));
        let deadline = self.run_patience().deadline;
        loop {
            let answer = tokio::select! {
                biased;
                answer = asking.next() => answer,
                () = stop.cancelled() => return Err(WorkspaceError::Cancelled.into()),
                () = until(deadline) => return Err(Ended::Late),
            };
            match answer {
                None => return Ok(answers),
                Some(answer) => answers.push(answer?),
            }
        }
    }

    fn shown_or_opened(&self, path: &Path) -> Option<Shown> {
        if let Some(shown) = self.life.shown(path) {
            return Some(shown);
        }
        let language = self.life.language_of(path)?;
        let text = bowline_lsp::Lender::text(&self.disk(), path)?;
        Some(self.life.show(&Sheet { path: path.to_owned(), language, text: Arc::clone(&text) }))
    }
}

/// Where changed declarations are named, and how far each of them has changed.
type Places = BTreeMap<PathBuf, BTreeMap<Position, BTreeSet<Spread>>>;

/// A place that names changed declarations.
struct Place {
    path: PathBuf,
    spreads: BTreeSet<Spread>,
    /// `None`: the file cannot be read.
    mentioned: Option<Mentioned>,
}

#[derive(Debug, Clone, Copy)]
enum Question {
    References,
    Hover,
    /// Whatever they are: so that the server forgets what it inferred.
    Diagnostics,
}

enum Answer {
    Places(Vec<Location>),
    Text(String),
    Unknown,
}
