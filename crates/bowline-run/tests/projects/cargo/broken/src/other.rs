macro_rules! bad {
    () => {
        undefined_name
    };
}

pub fn value() -> i32 {
    bad!()
}
