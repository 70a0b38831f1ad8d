use rigging::rope::{Rope, splice};

#[test]
fn splicing_adds_lengths() {
    let joined = splice(&Rope::new("a", 2.0), &Rope::new("b", 3.0));
    assert_eq!(joined.metres, 5.0);
}
