use rigging::knots::{Bowline, doubled};
use rigging::rope::{Knot, Rope, splice};

fn describe(knot: &impl Knot, rope: &Rope) -> String {
    format!("{} holds {:.1}", knot.name(), knot.strength(rope))
}

fn main() {
    let line = Rope::new("main", 10.0);
    let spare = Rope::new("spare", 5.0);
    let (mark, joined) = ("é 😀", splice(&line, &spare));
    println!("{mark} {} {}", joined.metres, describe(&Bowline, &spare));
    println!("{}", doubled(&line).label);
}
