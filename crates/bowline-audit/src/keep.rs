//! The writer: one thread that turns queued records into lines, and says what was lost when it could not.

mod file;

use std::sync::Arc;

use bowline_std::clock::Clock;

use self::file::TrailFile;
use crate::AuditError;
use crate::chain::Chain;
use crate::health::{News, Pulse};
use crate::options::Options;
use crate::queue::{Durability, Job, Queue};
use crate::record::{Event, Record};

/// What the writer's thread owns.
pub(crate) struct Keeper {
    file: TrailFile,
    chain: Chain,
    clock: Arc<dyn Clock>,
    pulse: Arc<Pulse>,
}

impl Keeper {
    pub(crate) fn new(options: Options, clock: Arc<dyn Clock>, pulse: Arc<Pulse>) -> Self {
        Self { file: TrailFile::new(options.path, options.max_bytes), chain: Chain::new(), clock, pulse }
    }

    /// Writes until nobody is left who could add anything.
    pub(crate) fn run(mut self, queue: &Queue) {
        // Also on the way out of a panic: whoever waits must not wait for ever.
        let _leave = Leave(queue);
        while let Some(job) = queue.next() {
            match job {
                Job::Write(mut work) => {
                    let result = self.remember(&mut work.record, work.durability);
                    drop(work.slot.take());
                    if let Some(reply) = work.reply {
                        // Whoever asked may have left.
                        let _ = reply.send(result);
                    }
                }
                Job::Flush(done) => {
                    let _ = done.send(());
                }
            }
        }
        if !self.chain.is_empty() {
            let mut end = Record::new(Event::End, self.clock.now());
            let _ = self.remember(&mut end, Durability::Written);
        }
    }

    fn remember(&mut self, record: &mut Record, durability: Durability) -> Result<(), AuditError> {
        let (result, lost) = match self.write(record) {
            Ok(()) if durability == Durability::Synced => (self.file.sync(), 0),
            Ok(()) => (Ok(()), 0),
            Err(error) => (Err(error), 1),
        };
        match &result {
            Ok(()) => self.pulse.mend(),
            Err(error) => {
                if self.pulse.fail(self.clock.now(), error.to_string(), lost) == News::New {
                    tracing::warn!("{error}; calls that only read go on, calls that write are refused");
                }
            }
        }
        result
    }

    /// The record, after what has to be said before it.
    fn write(&mut self, record: &mut Record) -> Result<(), AuditError> {
        if self.chain.is_empty() {
            self.append(&mut Record::start(self.clock.now()))?;
        }
        if let Some((lost, since)) = self.pulse.lost() {
            self.append(&mut Record::gap(self.clock.now(), lost, since))?;
            self.pulse.mend();
            tracing::info!("the audit trail can be written again; {lost} records were lost");
        }
        self.append(record)
    }

    fn append(&mut self, record: &mut Record) -> Result<(), AuditError> {
        let sealed = self.chain.seal(record)?;
        self.file.append(&sealed.line, self.clock.now())?;
        self.chain.advance(sealed);
        Ok(())
    }
}

struct Leave<'a>(&'a Queue);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}
