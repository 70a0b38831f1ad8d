//! Asking the person at the terminal. Where there is none, nobody is asked, and that is a no.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

use bowline_call::{Answered, Asker, Lasting, NobodyToAsk, Question};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::paint::{BOLD, clear_status, styled, tame};

/// The person at the terminal, if there is one at both ends.
pub(crate) fn person() -> Arc<dyn Asker> {
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        Arc::new(Person)
    } else {
        Arc::new(NobodyToAsk)
    }
}

/// So much of what a call would touch is shown.
const LISTED: usize = 20;

struct Person;

impl Asker for Person {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered> {
        let asking = tokio::task::spawn_blocking(move || put(&question));
        asking.map(|answered| answered.unwrap_or(Answered::CannotAsk)).boxed()
    }
}

/// Only a clear yes is one.
fn put(question: &Question) -> Answered {
    clear_status();
    let mut asked = format!("{}: {}", styled(BOLD, tame(&question.tool)), tame(&question.reason));
    for about in question.about.iter().take(LISTED) {
        asked.push_str(&format!("\n  {}", tame(about)));
    }
    if question.about.len() > LISTED {
        asked.push_str(&format!("\n  and {} more", question.about.len() - LISTED));
    }
    asked.push_str(" [y/N] ");
    let mut stderr = anstream::stderr();
    let mut answer = String::new();
    let put = write!(stderr, "{asked}").and_then(|()| stderr.flush());
    let read = put.and_then(|()| std::io::stdin().lock().read_line(&mut answer));
    match (read, answer.trim().to_lowercase().as_str()) {
        (Ok(1..), "y" | "yes") => Answered::Yes(Lasting::Once),
        (Ok(_), _) => Answered::No,
        (Err(_), _) => Answered::CannotAsk,
    }
}
