//! From the queue to the wire, with the frames that the script asks for.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::sync::mpsc::UnboundedReceiver;

use super::fault::Fault;
use super::frame;
use super::post::Out;
use super::script::Script;

/// Begins with what a header can be mistaken for, and has no empty line before the first one.
const RUBBISH: &[u8] = b"Starting fake-ls 1.0\nnote: no configuration found\n[info] listening on stdio\r\n";

const HUGE: usize = 99_999_999_999;

/// Writes until told to exit, and returns the exit code.
pub(crate) async fn write(
    script: &Script,
    writer: impl AsyncWrite + Unpin,
    outbox: &mut UnboundedReceiver<Out>,
) -> io::Result<i32> {
    let mut writer = BufWriter::new(writer);
    let mut frames = Frames { script, sent: 0 };
    if script.has(&Fault::RubbishFirst) {
        writer.write_all(RUBBISH).await?;
        writer.flush().await?;
    }
    while let Some(out) = outbox.recv().await {
        match out {
            Out::Message(message) => writer.write_all(&frames.next(&message)).await?,
            Out::Many(count, make) => {
                for index in 0..count {
                    writer.write_all(&frames.next(&make(index))).await?;
                }
            }
            Out::Raw(bytes) => writer.write_all(&bytes).await?,
            Out::Exit(code) => {
                writer.flush().await?;
                return Ok(code);
            }
        }
        if outbox.is_empty() {
            writer.flush().await?;
        }
    }
    Ok(0)
}

struct Frames<'s> {
    script: &'s Script,
    sent: usize,
}

impl Frames<'_> {
    /// The first message is the answer to `initialize`, and goes well where the fault permits it.
    fn next(&mut self, message: &Value) -> Vec<u8> {
        let body = message.to_string().into_bytes();
        self.sent += 1;
        let has = |fault: Fault| self.script.has(&fault);
        if has(Fault::NoHeader) {
            return [&body[..], b"\n"].concat();
        }
        if self.sent == 1 {
            return frame::bytes(&body);
        }
        if has(Fault::WrongLength) {
            return frame::with_length(body.len() - 2, &body);
        }
        if has(Fault::HugeLength) {
            return frame::with_length(HUGE, &body);
        }
        let mut whole = frame::bytes(&body);
        if has(Fault::Silent) || (has(Fault::HalfFrame) && self.sent > 2) {
            whole.clear();
        } else if has(Fault::HalfFrame) {
            whole.truncate(whole.len() - body.len() / 2);
        }
        whole
    }
}
