//! JSON-RPC messages: the envelope is read once, what is inside stays raw until somebody knows its type.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What a server sent.
#[derive(Debug)]
pub(crate) enum Message {
    Request { id: Value, method: String, params: Option<Box<RawValue>> },
    Notification { method: String, params: Option<Box<RawValue>> },
    Response { id: Value, result: Result<Box<RawValue>, Refusal> },
}

/// An error in place of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) data: Value,
}

/// What an error without a code counts as: the protocol's "internal error".
const NO_CODE: i64 = -32603;

impl Refusal {
    /// From any shape: whoever waits for the answer is better off with a poor error than with none.
    fn read(error: &Value) -> Self {
        let text = error.get("message").unwrap_or(error);
        let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
        Self {
            code: error.get("code").and_then(Value::as_i64).unwrap_or(NO_CODE),
            message: text,
            data: error.get("data").cloned().unwrap_or_default(),
        }
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self { code: -32601, message: format!("`{method}` is not known to this client"), data: Value::Null }
    }
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Option<Box<RawValue>>,
    #[serde(default)]
    result: Option<Box<RawValue>>,
    #[serde(default)]
    error: Option<Value>,
}

impl Message {
    /// `None` for what is no message at all.
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let envelope: Envelope = serde_json::from_slice(body).ok()?;
        match (envelope.method, envelope.id) {
            (Some(method), Some(id)) => Some(Self::Request { id, method, params: envelope.params }),
            (Some(method), None) => Some(Self::Notification { method, params: envelope.params }),
            (None, Some(id)) => {
                let result = match envelope.error {
                    Some(error) => Err(Refusal::read(&error)),
                    // Serde takes `"result": null` for a missing one.
                    None => Ok(envelope.result.unwrap_or_else(|| RawValue::NULL.to_owned())),
                };
                Some(Self::Response { id, result })
            }
            (None, None) => None,
        }
    }
}

/// A request. No parameters means that the member is left out, as the protocol asks.
pub(crate) fn request(id: i64, method: &str, params: &Value) -> Vec<u8> {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
    with_params(&mut message, params);
    message.to_string().into_bytes()
}

pub(crate) fn notification(method: &str, params: &Value) -> Vec<u8> {
    let mut message = json!({"jsonrpc": "2.0", "method": method});
    with_params(&mut message, params);
    message.to_string().into_bytes()
}

pub(crate) fn response(id: &Value, result: Result<Value, Refusal>) -> Vec<u8> {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
    .to_string()
    .into_bytes()
}

fn with_params(message: &mut Value, params: &Value) {
    if !params.is_null() {
        message["params"] = params.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(body: &str) -> String {
        match Message::parse(body.as_bytes()) {
            None => "nothing".into(),
            Some(Message::Request { id, method, .. }) => format!("request {id} {method}"),
            Some(Message::Notification { method, .. }) => format!("notification {method}"),
            Some(Message::Response { id, result: Ok(result) }) => format!("response {id} {result}"),
            Some(Message::Response { id, result: Err(error) }) => format!("error {id} {}", error.code),
        }
    }

    #[test]
    fn tells_messages_apart() {
        assert_eq!(kind(r#"{"id":1,"method":"a"}"#), "request 1 a");
        assert_eq!(kind(r#"{"method":"a","params":[1]}"#), "notification a");
        assert_eq!(kind(r#"{"id":"x","result":{"b":2}}"#), r#"response "x" {"b":2}"#);
        assert_eq!(kind(r#"{"id":1,"result":null}"#), "response 1 null");
        assert_eq!(kind(r#"{"id":1}"#), "response 1 null");
        assert_eq!(kind(r#"{"id":1,"error":{"code":-32601}}"#), "error 1 -32601");
        for nothing in ["{}", "[]", "null", "{", "", "\"a\""] {
            assert_eq!(kind(nothing), "nothing", "{nothing}");
        }
    }

    #[test]
    fn an_error_of_any_shape_is_an_answer() {
        let read = |error: &str| match Message::parse(format!(r#"{{"id":1,"error":{error}}}"#).as_bytes()) {
            Some(Message::Response { result: Err(error), .. }) => format!("{} {}", error.code, error.message),
            other => format!("{other:?}"),
        };
        assert_eq!(read(r#"{"code":-32601,"message":"no"}"#), "-32601 no");
        assert_eq!(read(r#"{"code":1,"message":null}"#), "1 null");
        assert_eq!(read(r#"{"code":"E1","message":"no"}"#), "-32603 no");
        assert_eq!(read(r#""no""#), "-32603 no");
    }

    #[test]
    fn leaves_out_what_is_not_there() {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert_eq!(
            text(request(1, "shutdown", &Value::Null)),
            r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#
        );
        assert_eq!(
            text(response(&json!("a"), Ok(Value::Null))),
            r#"{"jsonrpc":"2.0","id":"a","result":null}"#
        );
    }
}
