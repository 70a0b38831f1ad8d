//! Other machines: `ssh`, `nc`.

use super::only_asks_about_itself;
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::programs::meaning::joined;
use crate::{Pin, Word};

const SSH: &str = "4 6 A a B= b= C c= D= E=> e= F=< f G g I=! i=< J= K k L= l= M m= N n O= o= P= p= Q= q R= S= s T t V v W= w= X x Y y";

/// Options of its configuration whose value is a command.
const COMMANDS: &[&str] =
    &["proxycommand", "localcommand", "knownhostscommand", "remotecommand", "pkcs11provider"];

pub(super) fn ssh(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, SSH, Order::First);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: which command `ssh` runs cannot be told"));
    }
    // It tells what it knows of a host, or which forms it knows.
    if line.has("V") || (line.has("Q") && line.operands.is_empty()) {
        return meaning;
    }
    meaning.opaque(Pin::Everything, "it runs commands on another machine");
    meaning.uses(&line, "ssh");
    for option in line.values("o") {
        let text = option.start().replacen(' ', "=", 1);
        let (name, command) = text.split_once('=').unwrap_or((&text, ""));
        if COMMANDS.contains(&name.trim().to_ascii_lowercase().as_str()) && !command.is_empty() {
            meaning.shell.push(Word::Literal(command.trim().to_owned()));
        }
    }
    // A rule against a command is against it there, too. Options may follow the name of the machine.
    let rest: Vec<Word> = line.words().skip(1).cloned().collect();
    let line = parse(&std::iter::once(words[0].clone()).chain(rest).collect::<Vec<_>>(), SSH, Order::First);
    let rest: Vec<Word> = line.words().cloned().collect();
    match joined(&rest) {
        Some(code) if !code.start().is_empty() => meaning.shell.push(code),
        Some(_) => {}
        None => meaning.unreadable("the command is known only when it runs"),
    }
    meaning
}

/// `nc -z localhost 3000` tells whether a server listens; with other options it may run a program.
pub(super) fn netcat(words: &[Word]) -> Meaning {
    let line = parse(words, "4 6 n u v w= z", Order::Anywhere);
    if only_asks_about_itself(words) || (line.unsure.is_none() && line.has("z")) {
        return Meaning::default();
    }
    Meaning::code(Pin::Everything, "it may run a program for each connection")
}
