//! What one line is, before anything believes it: a request, a notification, a response, or a fault with the
//! JSON-RPC code that answers it.

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage};
use serde_json::Value;

use crate::head::{find_id, find_last_id};
use crate::recorder::What;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;
const METHOD_NOT_FOUND: i32 = -32601;

/// A line that is what it should be.
#[derive(Debug)]
pub(crate) enum Envelope {
    /// Something that wants an answer under this id.
    Request {
        id: Value,
        what: What,
        request: Box<ClientRequest>,
    },
    /// The client no longer wants the answer to this id.
    Cancelled {
        id: Value,
    },
    Notification(Box<ClientNotification>),
    /// An answer to a request of ours.
    Response(Box<ClientJsonRpcMessage>),
    /// A request without an id: nobody can be answered, but it is remembered.
    Unanswerable {
        what: What,
    },
    /// Nothing: a blank line, or a notification that says nothing we understand.
    Nothing,
}

/// A line that is not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) id: Option<Value>,
    pub(crate) message: String,
    pub(crate) what: What,
}

impl Fault {
    fn new(code: i32, id: Option<Value>, what: What, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, id, what, message: message.into() })
    }

    pub(crate) fn oversized(head: &[u8], tail: &[u8], bytes: u64, max: usize) -> Box<Self> {
        let message = format!("the message has {bytes} bytes; at most {max} are read");
        let id = find_id(head).or_else(|| find_last_id(tail));
        Self::new(PARSE_ERROR, id, What::default(), message)
    }

    pub(crate) fn duplicate(id: Value, what: What) -> Box<Self> {
        let message = format!("a request with the id {} is still being answered", shorten(&id.to_string()));
        Self::new(INVALID_REQUEST, Some(id), what, message)
    }
}

/// MCP allows strings and whole numbers.
pub(crate) fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64() || value.is_u64()
}

/// Says what a line is.
pub(crate) fn open(line: &[u8]) -> Result<Envelope, Box<Fault>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Envelope::Nothing);
    }
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        let message = format!("not a JSON message: {error}");
        Fault::new(PARSE_ERROR, find_id(line), What::default(), message)
    })?;
    let object = match &value {
        Value::Object(object) => object,
        other => {
            let why =
                if other.is_array() { "batches are not supported" } else { "a message is a JSON object" };
            return Err(Fault::new(INVALID_REQUEST, None, What::default(), why));
        }
    };
    let id = object.get("id");
    let good_id = id.filter(|id| is_id(id)).cloned();
    let method = object.get("method").and_then(Value::as_str).map(str::to_owned);
    // Other methods have names in their parameters too; theirs are not tools.
    let named = value.pointer("/params/name").and_then(Value::as_str);
    let tool = named.filter(|_| method.as_deref() == Some("tools/call"));
    let what = What { method: method.as_deref().map(shorten), tool: tool.map(shorten) };
    let fault = |code, message: &str| Fault::new(code, good_id.clone(), what.clone(), message);
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(fault(INVALID_REQUEST, "`jsonrpc` must be \"2.0\""));
    }
    if id.is_some() && good_id.is_none() && !object.contains_key("error") {
        return Err(fault(INVALID_REQUEST, "`id` must be a string or a whole number"));
    }
    let answers = object.contains_key("result") || object.contains_key("error");
    let has_object = object.get("params").is_none_or(Value::is_object);
    match (&method, &good_id) {
        (None, _) if answers => Ok(response(value)),
        (None, _) => Err(fault(INVALID_REQUEST, "`method` must be a string")),
        (Some(name), Some(_)) if !is_known(name) => {
            Err(fault(METHOD_NOT_FOUND, &format!("there is no method `{}` here", shorten(name))))
        }
        (Some(_), Some(_)) if !has_object => Err(fault(INVALID_PARAMS, "`params` must be an object")),
        // Lists take any parameters they do not understand for none at all, and would begin anew for ever.
        (Some(name), Some(_)) if name.ends_with("/list") && !has_text_or_none(&value, "/params/cursor") => {
            Err(fault(INVALID_PARAMS, "`cursor` must be a string"))
        }
        (Some(name), Some(id)) => request(id, value, &what).ok_or_else(|| {
            fault(INVALID_PARAMS, &format!("these are not the parameters of `{}`", shorten(name)))
        }),
        (Some(name), None) if is_known(name) => Ok(Envelope::Unanswerable { what }),
        (Some(name), None) => Ok(notification(name, value)),
    }
}

fn has_text_or_none(value: &Value, pointer: &str) -> bool {
    value.pointer(pointer).is_none_or(|found| found.is_string() || found.is_null())
}

fn request(id: &Value, value: Value, what: &What) -> Option<Envelope> {
    let request = match frequent(value, what) {
        Ok(request) => request?,
        Err(mut value) => {
            // The library numbers its requests with 64 bits; ours are renumbered behind this door anyway.
            value["id"] = Value::from(0);
            match serde_json::from_value::<ClientJsonRpcMessage>(value).ok()? {
                JsonRpcMessage::Request(parsed) => parsed.request,
                _ => return None,
            }
        }
    };
    match request {
        // A known method whose parameters do not fit is taken for a foreign one; it must not slip through.
        ClientRequest::CustomRequest(_) => None,
        request => Some(Envelope::Request { id: id.clone(), what: what.clone(), request: Box::new(request) }),
    }
}

/// The requests that come again and again, read as what they are: the library compares each message with every kind of
/// message there is. `Err` gives back what it has to read.
fn frequent(value: Value, what: &What) -> Result<Option<ClientRequest>, Value> {
    let is_plain = |name: &String| matches!(name.as_str(), "jsonrpc" | "id" | "method" | "params");
    if !value.as_object().is_some_and(|object| object.keys().all(is_plain)) {
        return Err(value);
    }
    Ok(match what.method.as_deref() {
        Some("tools/call") => serde_json::from_value(value).ok().map(ClientRequest::CallToolRequest),
        Some("tools/list") => serde_json::from_value(value).ok().map(ClientRequest::ListToolsRequest),
        Some("ping") => serde_json::from_value(value).ok().map(ClientRequest::PingRequest),
        _ => return Err(value),
    })
}

fn notification(method: &str, value: Value) -> Envelope {
    if method == "notifications/cancelled" {
        return match value.pointer("/params/requestId").filter(|id| is_id(id)) {
            Some(id) => Envelope::Cancelled { id: id.clone() },
            None => Envelope::Nothing,
        };
    }
    match serde_json::from_value::<ClientJsonRpcMessage>(value) {
        Ok(JsonRpcMessage::Notification(parsed)) => Envelope::Notification(Box::new(parsed.notification)),
        // Nobody waits for an answer to a notification, so a bad one can only be left alone.
        _ => Envelope::Nothing,
    }
}

fn response(value: Value) -> Envelope {
    match serde_json::from_value::<ClientJsonRpcMessage>(value) {
        Ok(message) => Envelope::Response(Box::new(message)),
        Err(_) => Envelope::Nothing,
    }
}

/// Names are the client's; records and messages are ours.
fn shorten(name: &str) -> String {
    name.chars().take(100).collect()
}

/// Every request method that we answer, of either era; lists of what we do not have are empty.
fn is_known(method: &str) -> bool {
    matches!(
        method,
        "initialize"
            | "server/discover"
            | "ping"
            | "tools/list"
            | "tools/call"
            | "prompts/list"
            | "prompts/get"
            | "resources/list"
            | "resources/templates/list"
            | "logging/setLevel"
    )
}

#[cfg(test)]
mod tests;
