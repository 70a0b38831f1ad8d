use bowline_syntax::*;
use std::io::Write;
fn main() {
    let which: Vec<String> = std::env::args().skip(1).collect();
    let pairs = [("(", ")"), ("[", "]"), ("{", "}"), ("if (x) {", "}"), ("x => {", "}"), ("a.b(", ")"), ("-", "")];
    let l = Language::ALL[which[0].parse::<usize>().unwrap()];
    let (o,c) = pairs[which[1].parse::<usize>().unwrap()];
    let t = if which[2]=="0" { o.repeat(100_000) } else { format!("{}{}", o.repeat(20000), c.repeat(20000)) };
    print!("{l:?} {o} {} ", which[2]); std::io::stdout().flush().unwrap();
    let n=std::time::Instant::now();
    let calls = std::cell::Cell::new(0usize);
    let r = std::thread::Builder::new().stack_size(2<<20).spawn(move || {
    let calls = std::cell::Cell::new(0usize);
    match parse(l, t, &|| { calls.set(calls.get()+1); false }) {
        Ok(p) => { print!("parsed {:?} calls {} ", n.elapsed(), calls.get()); std::io::stdout().flush().unwrap(); p.symbols(); p.flat_symbols(); p.words(); p.name_at(0); print!("ok {:?} ", n.elapsed()); std::io::stdout().flush().unwrap(); drop(p); println!("dropped {:?}", n.elapsed()) }
        Err(e) => println!("{e} {:?} calls {}", n.elapsed(), calls.get()),
    }}).unwrap().join(); let _ = calls; r.unwrap();
}
