//! What a call occupies while it runs: a place among those that run at once, and its turn among those that change
//! things. Both are given back while a person thinks, so that nobody waits for that.

use std::sync::Arc;

use bowline_call::{ToolError, Turn};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

pub(crate) struct Hold {
    changing: Arc<Semaphore>,
    running: Arc<Semaphore>,
    held: Mutex<Holding>,
}

#[derive(Default)]
struct Holding {
    turn: Option<Turn>,
    place: Option<OwnedSemaphorePermit>,
}

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) turn: bool,
    pub(crate) place: bool,
}

impl Hold {
    pub(crate) fn new(changing: Arc<Semaphore>, running: Arc<Semaphore>) -> Self {
        Self { changing, running, held: Mutex::default() }
    }

    /// Takes what is not held yet. The turn first: whoever waits for it takes no place from those that could run.
    pub(crate) async fn take(&self, wanted: Held) -> Result<(), ToolError> {
        if wanted.turn {
            self.turn().await?;
        }
        if wanted.place && self.held.lock().await.place.is_none() {
            let place = Arc::clone(&self.running).acquire_owned().await.map_err(|_| shutting_down())?;
            self.held.lock().await.place = Some(place);
        }
        Ok(())
    }

    /// The turn among those that change things, one at a time. It lasts until the last who holds it lets go, also when
    /// the call is over by then.
    pub(crate) async fn turn(&self) -> Result<Turn, ToolError> {
        let mut held = self.held.lock().await;
        if let Some(turn) = &held.turn {
            return Ok(Arc::clone(turn));
        }
        let turn = Arc::clone(&self.changing).acquire_owned().await.map_err(|_| shutting_down())?;
        let turn: Turn = Arc::new(turn);
        held.turn = Some(Arc::clone(&turn));
        Ok(turn)
    }

    /// Gives both back, and says what was. A turn that something of this call still writes under is kept: nobody may see
    /// what is half done.
    pub(crate) async fn let_go(&self) -> Held {
        let mut held = self.held.lock().await;
        let place = held.place.take().is_some();
        let is_alone = held.turn.as_ref().is_some_and(|turn| Arc::strong_count(turn) == 1);
        let turn = is_alone && held.turn.take().is_some();
        Held { turn, place }
    }
}

fn shutting_down() -> ToolError {
    ToolError::internal("bowline is shutting down")
}
