//! `bowline serve`: one conversation on stdin and stdout.

mod desertion;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bowline_mcp::Workers;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::roster::Roster;
use crate::wiring::assemble;
use crate::{skills, stdio};

/// What `tools/list` says of each tool, made at build time.
const TOOLS_LIST: &str = include_str!(concat!(env!("OUT_DIR"), "/tools_list.jsonl"));

/// What is being written when the conversation ends is waited for.
const SETTLING: Duration = Duration::from_secs(5);

pub(crate) fn run(shared: &Shared) -> anyhow::Result<Ending> {
    let bowline = assemble(shared)?;
    // Messages are read and answered on this thread. One more runs the calls that have to wait.
    let messages = Builder::new_current_thread().enable_all().build()?;
    let calls = Arc::new(CallRuntime::default());
    let served = messages.block_on(async {
        let _listed = Roster::keep(bowline.state_dir.as_deref(), Arc::clone(&bowline.workspace));
        let stop = CancellationToken::new();
        tokio::spawn(stop_on_signals(stop.clone()));
        let prompts = skills::prompts(Arc::clone(&bowline.library), &bowline.settings.skills);
        let options = bowline_mcp::Options {
            prompts: Some(prompts),
            listed: TOOLS_LIST,
            workers: Workers::new({
                let (calls, here) = (Arc::clone(&calls), Handle::current());
                move || calls.handle().unwrap_or_else(|| here.clone())
            }),
            ..bowline_mcp::Options::new(bowline.conversation.clone())
        };
        // As long as it reads its answers, the end of its input is met.
        let on_full = {
            let stop = stop.clone();
            move || desertion::watch(stop)
        };
        let pipe = (stdio::input(), stdio::output(on_full));
        let served =
            bowline_mcp::serve(bowline.corridor.clone(), options, bowline.logs.clone(), pipe, stop).await;
        bowline.corridor.settle(SETTLING).await;
        bowline.workspace.stop_servers().await;
        served
    });
    bowline.audit.close();
    // A thread may still be waiting for the next line of stdin, which may never come.
    messages.shutdown_background();
    calls.shut_down();
    served?;
    Ok(Ending::Well)
}

/// The runtime of the calls that have to wait, started by the first call.
#[derive(Default)]
struct CallRuntime(Mutex<Option<Runtime>>);

impl CallRuntime {
    /// None if it cannot be started.
    fn handle(&self) -> Option<Handle> {
        let mut runtime = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if runtime.is_none() {
            let started = Builder::new_multi_thread().worker_threads(1).enable_all().build();
            *runtime = started
                .inspect_err(|error| tracing::warn!(%error, "calls and messages share one thread"))
                .ok();
        }
        runtime.as_ref().map(|runtime| runtime.handle().clone())
    }

    fn shut_down(&self) {
        if let Some(runtime) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_background();
        }
    }
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
