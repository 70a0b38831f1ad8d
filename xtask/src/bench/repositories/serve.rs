//! A language server, or bowline with one, at work on a copy of a repository.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Language, Repository};
use crate::bench::drafts::open::Open;
use crate::bench::servers::raw::client::Client;
use crate::bench::servers::raw::{Ready, habits};
use crate::home::Home;
use crate::mcp::Mcp;
use crate::servers;

/// Until a cold server knows everything, on a busy machine.
const READY: Duration = Duration::from_secs(600);
/// A server with something to read has begun by then.
const BEGIN: Duration = Duration::from_secs(20);
/// For one call meanwhile.
const LIMIT: Duration = Duration::from_secs(120);

impl Repository {
    /// The program that is the language server.
    pub(in crate::bench) fn program(&self) -> Result<String> {
        let variable = self.language.variable();
        let mut places = servers::environment()?.into_iter();
        let place = places.find(|(name, _)| *name == variable);
        Ok(place.with_context(|| format!("`{variable}` is not known"))?.1)
    }

    /// The server by itself, which was shown one file and has read the rest.
    pub(in crate::bench) fn serve(
        &self,
        home: &Home,
        root: &Path,
        first: &Path,
        limit: Duration,
    ) -> Result<Open> {
        let program = self.program()?;
        let mut command = home.command(Path::new(&program), root);
        // The habits of clangd are told of by one name.
        let habit = if self.language == Language::C { "cpp" } else { self.language.name() };
        let client = Client::start(command.args(self.language.arguments()), habit, root)?;
        let (ready, diagnoses) = habits(habit);
        let mut open = Open::new(client, self.language.name(), diagnoses, limit);
        open.open(first)?;
        let has_work = match ready {
            // One that finds its index on disk has nothing to do, and says nothing.
            Ready::Ends(token) => {
                open.errors(&[first], &[])?;
                open.client.until(Instant::now() + BEGIN, |heard| heard.has_begun(token))?
            }
            _ => true,
        };
        let is_ready =
            !has_work || open.client.until(Instant::now() + READY, |heard| ready.is_heard(heard))?;
        ensure!(is_ready, "the server was not ready in time");
        open.errors(&[first], &[])?;
        Ok(open)
    }

    /// bowline as people start it: it finds the servers by itself, and a header of C++ or a file of JavaScript has one, too.
    /// It has read nothing yet.
    pub(in crate::bench) fn through(&self, ours: &Path, home: &Home, root: &Path) -> Result<Mcp> {
        let mut command = home.command(ours, root);
        self.program()?;
        command.arg("--root").arg(root);
        Mcp::start(&mut command).with_context(|| format!("`{}`", ours.display()))
    }
}

/// Asks for the uses of what stands at a place, both counted from one, until the server behind bowline has read everything.
/// A server that answers and never says that it has is taken as it is. False: it was not ready in time.
pub(in crate::bench) fn warm_up(mcp: &mut Mcp, file: &Path, line: u64, column: u64) -> Result<bool> {
    let began = Instant::now();
    let arguments = json!({ "file_path": file, "line": line, "column": column });
    let mut in_a_row = 0;
    while began.elapsed() < READY {
        let timed = mcp.call("find_references", &arguments, LIMIT)?;
        let remark = |key: &str| timed.as_ref().and_then(|timed| timed.answer.remark(key));
        let is_served = remark("engine").as_deref() == Some("server");
        // A file that is built under other conditions alone is refused for ever.
        let is_refused =
            timed.as_ref().is_some_and(|it| it.answer.is_error && it.answer.text().contains("refused"));
        in_a_row = if is_served || is_refused { in_a_row + 1 } else { 0 };
        if in_a_row == 3 || (is_served && remark("indexed").as_deref() != Some("false")) {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(false)
}
