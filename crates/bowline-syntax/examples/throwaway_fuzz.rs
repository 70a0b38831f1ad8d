use bowline_syntax::*;
fn main() {
    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let l = Language::ALL[std::env::args().nth(2).unwrap().parse::<usize>().unwrap()];
    let src = std::fs::read_to_string("/work/main/crates/bowline-syntax/tests/it/hostile.rs").unwrap();
    let i = src.find("const PIECES").unwrap(); let j = src[i..].find("];").unwrap()+i;
    let mut pieces: Vec<String> = vec![];
    for line in src[i..j].lines().skip(1) { for p in line.trim().split("\", \"") { let p = p.trim_start_matches('"').trim_end_matches("\","); pieces.push(p.replace("\\n","\n").replace("\\t","\t").replace("\\r","\r").replace("\\u{feff}","\u{feff}").replace("\\0","\0").replace("\\\"","\"").replace("\\\\","\\")); } }
    let mut s = seed.wrapping_mul(0x9E3779B97F4A7C15) | 1;
    let mut next = move || { s ^= s << 13; s ^= s >> 7; s ^= s << 17; s };
    for n in 0..3000 {
        let len = next() % 40;
        let text: String = (0..len).map(|_| pieces[(next() % pieces.len() as u64) as usize].clone()).collect();
        std::fs::write(format!("/tmp/fuzz_last_{:?}", l), &text).unwrap();
        match parse(l, text.as_str(), &|| false) { Ok(p) => { p.symbols(); p.name_at(0); }, Err(e) => println!("{n} {e}") }
    }
}
