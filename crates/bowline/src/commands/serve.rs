//! `bowline serve`: one conversation on stdin and stdout.

mod desertion;

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::roster::Roster;
use crate::skills;
use crate::wiring::assemble;

/// What is being written when the conversation ends is waited for.
const SETTLING: Duration = Duration::from_secs(5);

pub(crate) fn run(shared: &Shared) -> anyhow::Result<Ending> {
    let bowline = assemble(shared)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(async {
        let _listed = Roster::keep(bowline.state_dir.as_deref(), Arc::clone(&bowline.workspace));
        let stop = CancellationToken::new();
        tokio::spawn(stop_on_signals(stop.clone()));
        desertion::watch(stop.clone());
        // For the record. Nobody waits for it but the end, which closes the record.
        let library = Arc::clone(&bowline.library);
        let looked = tokio::task::spawn_blocking(move || library.list());
        let prompts = skills::prompts(Arc::clone(&bowline.library), &bowline.settings.skills);
        let options = bowline_mcp::Options {
            prompts: Some(prompts),
            ..bowline_mcp::Options::new(bowline.conversation.clone())
        };
        let pipe = (tokio::io::stdin(), tokio::io::stdout());
        let served =
            bowline_mcp::serve(bowline.corridor.clone(), options, bowline.logs.clone(), pipe, stop).await;
        bowline.corridor.settle(SETTLING).await;
        bowline.workspace.stop_servers().await;
        let _ = tokio::time::timeout(SETTLING, looked).await;
        served
    });
    bowline.audit.close();
    // A thread may still be waiting for the next line of stdin, which may never come.
    runtime.shutdown_background();
    served?;
    Ok(Ending::Well)
}

async fn stop_on_signals(stop: CancellationToken) {
    // A file that may not grow any more is a full disk to us, and not the end: the write fails, and says so.
    let too_large = signal(SignalKind::from_raw(libc::SIGXFSZ));
    let (Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup), Ok(mut too_large)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
        signal(SignalKind::hangup()),
        too_large,
    ) else {
        tracing::warn!("signals cannot be heard; they end the process at once");
        return;
    };
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            // A terminal that closes takes the client along, and the end of the pipe will say so.
            _ = hangup.recv() => {}
            _ = too_large.recv() => {}
        }
    }
    stop.cancel();
}
