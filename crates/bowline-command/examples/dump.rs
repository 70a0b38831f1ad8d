//! scratch
use bowline_command::*;
use std::io::BufRead;
fn esc(s: &str) -> String {
    format!("{s:?}")
}
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let cwd = std::env::args().nth(1).unwrap();
        let s = read(&line, &Surroundings { cwd: Some(cwd.into()), home: Some("/home/u".into()) });
        let w = |ws: &[Word]| {
            format!(
                "[{}]",
                ws.iter()
                    .map(|x| match x {
                        Word::Literal(t) => esc(t),
                        Word::Unknown { start, splits, .. } =>
                            format!("{{\"u\":{},\"s\":{}}}", esc(start), splits),
                    })
                    .collect::<Vec<_>>()
                    .join(",")
            )
        };
        let pin = |p: &Option<Pin>| match p {
            None => "null".into(),
            Some(Pin::Words(n)) => n.to_string(),
            Some(Pin::Everything) => "\"all\"".to_string(),
        };
        let c = s
            .commands
            .iter()
            .map(|c| {
                format!(
                    "{{\"w\":{},\"core\":{},\"wrap\":{},\"pin\":{}}}",
                    w(&c.words),
                    c.core.as_ref().map_or("null".into(), |k| format!(
                        "{{\"w\":{},\"pin\":{}}}",
                        w(&k.words),
                        pin(&k.pin)
                    )),
                    c.is_wrapper,
                    pin(&c.pin)
                )
            })
            .collect::<Vec<_>>()
            .join(",");
        let t = s
            .touches
            .iter()
            .map(|t| {
                format!(
                    "{{\"a\":\"{:?}\",\"p\":[{}],\"deep\":{},\"only\":[{}]}}",
                    t.access,
                    t.paths.iter().map(|p| esc(p.to_str().unwrap())).collect::<Vec<_>>().join(","),
                    t.is_deep,
                    t.filter.only.iter().map(|x| esc(x)).collect::<Vec<_>>().join(",")
                )
            })
            .collect::<Vec<_>>()
            .join(",");
        let d = s
            .doubts
            .iter()
            .map(|d| format!("{{\"hard\":{},\"t\":{}}}", matches!(d, Doubt::Unreadable(_)), esc(d.text())))
            .collect::<Vec<_>>()
            .join(",");
        println!("{{\"c\":[{c}],\"t\":[{t}],\"d\":[{d}],\"f\":{}}}", !s.forbidden.is_empty());
    }
}
