mod other;

fn main() {
    let unused = 1;
    let text: String = 5;
    other::missing(text);
}
