#[test]
fn outer() {
    let none: Option<i32> = None;
    none.unwrap();
}
