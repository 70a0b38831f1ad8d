//! Questions about real repositories: what an agent reads of bowline's answers, beside what it reads with a search and
//! files, with agent-lsp and with serena.
//!
//! A token is four bytes, on every side. All texts of all answers to a question are counted; what is asked is not. Each
//! side answers on a copy of its own, with the same language server. An answer that says that it is not complete, or that
//! lacks what is expected of it, is asked for again while the server may still be reading, and only the last one counts.
//! The search is `grep -rnw`, its first 100 lines in the order of file names; files are opened to their 2000th line.
//! An answer without the expected words is wrong on every side, and no ratio is made of it.

mod figures;
mod products;
mod questions;
pub(super) mod reading;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::Report;
use super::repositories::Repository;
use crate::home::Home;
use crate::mcp::{Answer, Mcp};
use products::{Call, Product};
use questions::{QUESTIONS, Question};
use reading::tokens;

/// For one call.
const LIMIT: Duration = Duration::from_secs(180);
/// From its start, a side is asked for a better answer for so long. Not every side says that its answer is not complete,
/// and some say it for ever.
const SETTLES: Duration = Duration::from_secs(90);
/// The same for an answer that is wrong, and says that it is not complete. Nothing here is timed.
const INCOMPLETE: Duration = Duration::from_secs(180);

/// What is read for a part of an answer: a call, a search, a file.
struct Part {
    what: String,
    tokens: usize,
}

/// What one side made of a question.
enum Outcome {
    /// With what is wrong about it.
    Answer { parts: Vec<Part>, fault: Option<String> },
    /// Why the side was not asked.
    Absent(String),
}

/// One question, with an outcome for each of [`SIDES`].
struct Row {
    question: &'static Question,
    outcomes: Vec<Outcome>,
}

/// The list of tools of one side, which is read once in a conversation.
struct Listing {
    side: &'static str,
    tokens: usize,
}

/// The order of columns. The first is what the others are compared with.
const SIDES: [&str; 4] = ["bowline", "grep and read", "agent-lsp", "serena"];

pub(crate) fn report(ours: &Path, only: Option<&str>) -> Result<Report> {
    let words: Vec<&str> = only.map_or(Vec::new(), |only| only.split(',').collect());
    let products = Product::all(ours)?;
    let (mut rows, mut listings, mut repositories) = (Vec::new(), Vec::new(), Vec::new());
    for repository in Repository::chosen(&words)? {
        let questions: Vec<&'static Question> =
            QUESTIONS.iter().filter(|question| question.repository == repository.short()).collect();
        if questions.is_empty() {
            continue;
        }
        let began = Instant::now();
        let source = match repository.source() {
            Ok(source) => source,
            Err(error) => {
                println!("  {} is left out: {error:#}", repository.short());
                continue;
            }
        };
        let mut answers: Vec<_> = products
            .iter()
            .map(|product| ask_all(product, repository, &questions, &mut listings).into_iter())
            .collect();
        for question in questions {
            let mut outcomes: Vec<Outcome> = answers.iter_mut().filter_map(Iterator::next).collect();
            outcomes.insert(1, reading::read(question, repository.language.endings(), &source)?);
            rows.push(Row { question, outcomes });
        }
        repositories.push(format!("{} {}", repository.name, repository.version));
        println!("  {}: {:.0} s", repository.short(), began.elapsed().as_secs_f64());
    }
    if rows.is_empty() {
        bail!("there are no questions about these repositories");
    }
    Ok(figures::report(&rows, &listings, repositories))
}

/// The answers of one product to all questions about a repository. One that does not start answers none of them.
fn ask_all(
    product: &Product,
    repository: &Repository,
    questions: &[&'static Question],
    listings: &mut Vec<Listing>,
) -> Vec<Outcome> {
    match try_all(product, repository, questions, listings) {
        Ok(outcomes) => outcomes,
        Err(error) => {
            println!("  {}, {} was not asked: {error:#}", repository.short(), product.name());
            questions.iter().map(|_| Outcome::Absent(format!("{error:#}"))).collect()
        }
    }
}

fn try_all(
    product: &Product,
    repository: &Repository,
    questions: &[&'static Question],
    listings: &mut Vec<Listing>,
) -> Result<Vec<Outcome>> {
    let home = Home::new()?;
    let root = home.path()?.join(repository.short());
    repository.copy_to(&root)?;
    let began = Instant::now();
    let mut mcp = product.start(repository, &home, &root)?;
    if !listings.iter().any(|listing| listing.side == product.name()) {
        listings.push(Listing { side: product.name(), tokens: tokens(mcp.list(LIMIT)?.len()) });
    }
    let mut outcomes = Vec::new();
    for question in questions {
        let calls = product.calls(question, &root)?;
        outcomes.push(ask(&mut mcp, question, &calls, began));
    }
    let _ = mcp.talk.close(Duration::from_secs(20));
    Ok(outcomes)
}

/// Asks again while the server may still be reading, and the answer is not what it will be.
fn ask(mcp: &mut Mcp, question: &Question, calls: &[Call], began: Instant) -> Outcome {
    loop {
        let (outcome, is_partial) = match ask_once(mcp, question, calls) {
            Ok(answered) => answered,
            Err(error) => {
                let fault = Some(format!("{error:#}"));
                return Outcome::Answer { parts: Vec::new(), fault };
            }
        };
        let is_right = outcome.tokens().is_some();
        let patience = if is_partial && !is_right { INCOMPLETE } else { SETTLES };
        if (is_right && !is_partial) || began.elapsed() > patience {
            return outcome;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// The outcome, and whether an answer says that it is not complete.
fn ask_once(mcp: &mut Mcp, question: &Question, calls: &[Call]) -> Result<(Outcome, bool)> {
    let (mut parts, mut text) = (Vec::new(), String::new());
    let (mut fault, mut is_partial) = (None, false);
    for call in calls {
        let Some(timed) = mcp.call(call.tool, &call.arguments, LIMIT)? else {
            bail!("{}: no answer in {} s", call.tool, LIMIT.as_secs());
        };
        let answer = timed.answer;
        if answer.is_error {
            fault.get_or_insert(format!("{}: {}", call.tool, answer.text()));
        }
        is_partial |= says_partial(&answer);
        let bytes = answer.texts.iter().map(String::len).sum();
        parts.push(Part { what: call.tool.to_owned(), tokens: tokens(bytes) });
        text += &answer.texts.join("\n");
        text.push('\n');
    }
    let fault = fault.or_else(|| question.missing(&text));
    Ok((Outcome::Answer { parts, fault }, is_partial))
}

fn says_partial(answer: &Answer) -> bool {
    answer.remark("indexed").as_deref() == Some("false")
        || answer.remark("engine").as_deref() == Some("syntax")
}

impl Outcome {
    /// Of an answer that is right.
    fn tokens(&self) -> Option<usize> {
        match self {
            Self::Answer { parts, fault: None } => Some(sum(parts)),
            _ => None,
        }
    }
}

fn sum(parts: &[Part]) -> usize {
    parts.iter().map(|part| part.tokens).sum()
}
