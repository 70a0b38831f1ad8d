//! What the process of a server sees of our environment.

use std::ffi::OsString;
use std::sync::Arc;

use bowline_lsp::{Reach, Server, environment};
use bowline_testkit::{Fixture, fake_ls};

use super::spec;

#[tokio::test]
async fn it_sees_what_it_needs_and_no_keys() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let ours = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/home/somebody"),
        ("LC_ALL", "C"),
        ("GOPATH", "/go"),
        ("ANTHROPIC_API_KEY", "sk-1"),
        ("OPENAI_API_KEY", "sk-2"),
        ("AWS_SECRET_ACCESS_KEY", "sk-3"),
        ("LD_PRELOAD", "/evil.so"),
    ];
    let ours = ours.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let mut spec = spec(fake_ls().as_path(), &[]);
    if let Reach::Program { program, args } = &mut spec.reach {
        let server = std::mem::replace(program, "sh".into());
        *args = ["-c", r#"env > seen; pwd -P > where; exec "$0""#, &server].map(str::to_owned).to_vec();
    }
    spec.env = [("GOPATH", "/other"), ("FAKE_LEVEL", "3")].map(|(n, v)| (n.to_owned(), v.to_owned())).into();
    let given: Arc<[_]> = environment::allowed(ours).into();
    let server = Server::new(Arc::new(spec), fixture.root().to_owned(), given);
    server.life().await.unwrap();
    let read = |name: &str| bowline_std::fs::read_text(&fixture.path(name), 1 << 16).unwrap().0;
    let seen = read("seen");
    // Set by the shell itself.
    let mut seen: Vec<&str> = seen
        .lines()
        .filter(|line| !["PWD=", "SHLVL=", "_=", "OLDPWD="].iter().any(|own| line.starts_with(own)))
        .collect();
    seen.sort_unstable();
    let expected = ["FAKE_LEVEL=3", "GOPATH=/other", "HOME=/home/somebody", "LC_ALL=C", "PATH=/usr/bin:/bin"];
    assert_eq!(seen, expected);
    assert_eq!(read("where").trim_end(), fixture.root().to_str().unwrap());
}
