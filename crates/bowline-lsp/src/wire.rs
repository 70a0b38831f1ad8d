//! Bytes to messages and back. What a message means is not known here.

mod frame;
mod message;

pub(crate) use frame::{FrameError, FrameReader, frame};
pub(crate) use message::{Message, Refusal, notification, request, response};
