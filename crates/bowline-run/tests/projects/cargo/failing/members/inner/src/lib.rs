/// Adds.
///
/// ```
/// assert_eq!(inner::add(1, 2), 4);
/// ```
pub fn add(a: i32, b: i32) -> i32 {
    a - b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        println!("before");
        assert_eq!(add(1, 2), 3, "one and two");
    }

    #[test]
    fn fine() {
        assert_eq!(add(1, 1), 0);
    }

    #[test]
    #[ignore]
    fn later() {}

    #[test]
    fn errs() -> Result<(), String> {
        Err("no luck".into())
    }
}
