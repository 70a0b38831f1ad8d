//! Streams of bytes, whole and broken, and what is read from them.

use proptest::prelude::*;
use tokio::io::{AsyncWriteExt, BufReader};

use super::*;

/// Everything that is read, and why it ended.
async fn read(bytes: &[u8]) -> (Vec<String>, String) {
    let mut reader = FrameReader::new(bytes);
    let mut bodies = Vec::new();
    loop {
        match reader.next().await {
            Ok(body) => bodies.push(String::from_utf8(body).unwrap()),
            Err(error) => return (bodies, error.to_string()),
        }
    }
}

async fn bodies(bytes: &[u8]) -> Vec<String> {
    read(bytes).await.0
}

#[tokio::test]
async fn reads_messages_one_after_the_other() {
    let bytes = [frame(b"{}"), frame("{\"é\":1}".as_bytes())].concat();
    let (bodies, ending) = read(&bytes).await;
    assert_eq!(bodies, ["{}", "{\"é\":1}"]);
    assert_eq!(ending, "it closed its output");
}

#[tokio::test]
async fn headers_come_in_any_case_and_order() {
    let text = "content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:2\r\n\r\n{}";
    assert_eq!(bodies(text.as_bytes()).await, ["{}"]);
    assert_eq!(bodies(b"Content-Length: 2\n\n{}").await, ["{}"], "line feeds alone");
}

#[tokio::test]
async fn a_greeting_and_a_stray_line_are_skipped() {
    let text = "Starting server …\nnote: be patient\n[info] {ready}\n\nContent-Length: 2\r\n\r\n{}oops\nContent-Length: 2\r\n\r\n[]";
    assert_eq!(bodies(text.as_bytes()).await, ["{}", "[]"]);
}

#[tokio::test]
async fn a_wrong_length_ends_the_stream() {
    let text = "Content-Length: 5\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}";
    let (bodies, ending) = read(text.as_bytes()).await;
    assert_eq!(bodies, ["{\"a\":"]);
    assert_eq!(ending, "it sent `1}Content-Length: 2` where the header of a message should be");
}

#[tokio::test]
async fn a_message_without_header_ends_the_stream() {
    let (_, ending) = read(b"{\"jsonrpc\":\"2.0\"}\n").await;
    assert_eq!(ending, "it sent `{\"jsonrpc\":\"2.0\"}` where the header of a message should be");
}

#[tokio::test]
async fn a_huge_length_is_refused_before_anything_is_read() {
    for digits in ["99999999999", "999999999999999999999999999"] {
        let (_, ending) = read(format!("Content-Length: {digits}\r\n\r\n").as_bytes()).await;
        assert!(ending.starts_with("it announced a message of "), "{ending}");
    }
}

#[tokio::test]
async fn endless_text_is_not_read_for_ever() {
    let (_, ending) = read("x".repeat(1 << 20).as_bytes()).await;
    assert!(ending.starts_with("it sent `xxxx"), "{ending}");
    let (_, ending) = read("words\n".repeat(1 << 18).as_bytes()).await;
    assert!(ending.starts_with("it sent `words`"), "{ending}");
}

#[tokio::test]
async fn an_end_inside_a_message_is_an_end_all_the_same() {
    for text in ["Content-Length: 9\r\n\r\n{}", "Content-Length: 9\r\n", "Content-Len"] {
        assert_eq!(read(text.as_bytes()).await.1, "it closed its output", "{text}");
    }
}

/// What is found behind a body that was no message, while the server says nothing more.
async fn found_in_doubt(behind: &str) -> String {
    let (mut server, client) = tokio::io::duplex(256);
    server.write_all(format!("Content-Length: 3\r\n\r\n{{\"a{behind}").as_bytes()).await.unwrap();
    let mut reader = FrameReader::new(BufReader::new(client));
    reader.next().await.unwrap();
    reader.doubt();
    match tokio::time::timeout(STALL * 2, reader.next()).await {
        Ok(Ok(body)) => String::from_utf8(body).unwrap(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "nothing".to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn the_rest_of_a_body_is_found_before_the_next_message_comes() {
    let expected = "it sent `\":1}` where the header of a message should be";
    assert_eq!(found_in_doubt("\":1}").await, expected);
    assert_eq!(found_in_doubt("\":1}\n").await, expected);
    assert_eq!(found_in_doubt("Content-Length: 2\r\n\r\n{}").await, "{}", "the length was right");
    assert_eq!(found_in_doubt("").await, "nothing");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_in_the_middle_is_given_up() {
    let (mut server, client) = tokio::io::duplex(64);
    server.write_all(b"Content-Length: 9\r\n\r\n{").await.unwrap();
    let mut reader = FrameReader::new(BufReader::new(client));
    assert!(matches!(reader.next().await, Err(FrameError::Stalled)));
    drop(server);
}

proptest! {
    #[test]
    fn pieces_of_any_size_make_the_same_messages(
        sent in prop::collection::vec("[a-z\"{}\r\n:é😀]{0,40}", 1..6),
        size in 1_usize..20,
    ) {
        let bytes: Vec<u8> = sent.iter().flat_map(|body| frame(body.as_bytes())).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let read = runtime.block_on(async {
            let mut reader = FrameReader::new(BufReader::with_capacity(size, &bytes[..]));
            let mut read = Vec::new();
            while let Ok(body) = reader.next().await {
                read.push(String::from_utf8(body).unwrap());
            }
            read
        });
        prop_assert_eq!(read, sent);
    }

    #[test]
    fn no_bytes_are_a_reason_to_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut reader = FrameReader::new(&bytes[..]);
            while reader.next().await.is_ok() {}
        });
    }
}
