//! `bowline undo`: takes a write back, through the same gate as everybody.

use bowline_workspace::WriteReceipt;
use clap::Args;
use serde_json::json;

use super::call;
use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{BOLD, DIM, NAME, line, note, styled, tame};
use crate::wiring::{Bowline, assemble};

/// So many writes are listed.
const LISTED: usize = 20;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Which write, by its receipt or the beginning of it. Default: the last one here.
    receipt: Option<String>,
    /// Show the writes that can be taken back, newest first, and take none back.
    #[arg(long)]
    list: bool,
    /// Show what was changed, too.
    #[arg(long, requires = "list")]
    diff: bool,
    /// As JSON, one line for each write.
    #[arg(long, requires = "list")]
    json: bool,
}

pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> anyhow::Result<Ending> {
    let bowline = assemble(shared)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let receipts = runtime.block_on(bowline.workspace.receipts())?;
    if arguments.list {
        list(&bowline, &receipts, arguments);
        return Ok(Ending::Well);
    }
    let Some(receipt) = chosen(&receipts, arguments.receipt.as_deref())? else {
        note("nothing was written here that could be taken back");
        return Ok(Ending::Failed);
    };
    show(&bowline, receipt);
    let json = json!({"receipt": receipt.id});
    drop(runtime);
    call::make(&bowline, "undo_write".to_owned(), json)
}

/// The write that is meant: the last one that no later one has taken back, or the one that is named.
fn chosen<'a>(
    receipts: &'a [WriteReceipt],
    named: Option<&str>,
) -> Result<Option<&'a WriteReceipt>, super::BadUsage> {
    let Some(named) = named else {
        let is_undone =
            |one: &&WriteReceipt| receipts.iter().any(|other| other.undoes.as_ref() == Some(&one.id));
        // An undo is not what people mean by the last write.
        return Ok(receipts.iter().find(|one| one.undoes.is_none() && !is_undone(one)));
    };
    let mut fitting = receipts.iter().filter(|receipt| receipt.id.starts_with(named));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(Some(only)),
        (None, _) => Err(super::BadUsage(format!("there is no receipt `{named}`; `--list` shows them"))),
        (Some(_), Some(_)) => Err(super::BadUsage(format!("several receipts begin with `{named}`"))),
    }
}

fn list(bowline: &Bowline, receipts: &[WriteReceipt], arguments: &Arguments) {
    if receipts.is_empty() {
        note("nothing was written here that could be taken back");
    }
    for receipt in receipts.iter().take(LISTED) {
        if arguments.json {
            line(json!(receipt));
            continue;
        }
        show(bowline, receipt);
        let diffs = receipt.files.iter().filter_map(|file| file.diff.as_deref());
        for diff in diffs.filter(|_| arguments.diff) {
            diff.lines().for_each(|text| line(format_args!("    {}", tame(text))));
        }
    }
    if receipts.len() > LISTED && !arguments.json {
        note(format_args!("and {} more", receipts.len() - LISTED));
    }
}

fn show(bowline: &Bowline, receipt: &WriteReceipt) {
    let undoes = receipt.undoes.as_ref().map_or_else(String::new, |id| format!("  takes back {id}"));
    line(format_args!(
        "{}  {}  {}{undoes}",
        styled(NAME, &receipt.id),
        styled(DIM, &receipt.at),
        styled(BOLD, tame(&receipt.label)),
    ));
    for file in &receipt.files {
        let root = bowline.workspace.roots().iter().find_map(|root| file.path.strip_prefix(root).ok());
        let path = root.unwrap_or(&file.path).display().to_string();
        let what = match (&file.before, &file.after) {
            (None, _) => "created",
            (_, None) => "removed",
            _ => "changed",
        };
        line(format_args!("    {what}  {}", tame(&path)));
    }
}
