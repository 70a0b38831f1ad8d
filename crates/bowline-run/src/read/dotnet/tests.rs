//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors_are_told_once() {
    expect(
        &read(include_str!("../../../tests/recorded/dotnet/build.txt")),
        r#"
error /home/me/my shop (new)/src/Cart.cs:5:23 CS0029: Cannot implicitly convert type 'string' to 'int'
warning C:\Users\me\shop\src\Cart.cs:3:20 CS0169: The field 'Cart.unused' is never used
error - CS5001: Program does not contain a static 'Main' method suitable for an entry point
error /home/me/my shop (new)/src/Shop.csproj NU1101: Unable to find package Nowhere. No packages exist with this id in source(s): local
"#,
    );
}

#[test]
fn another_compiler() {
    expect(
        &read(include_str!("../../../tests/recorded/dotnet/mcs.txt")),
        r#"
error Cart.cs:5:23 CS0029: Cannot implicitly convert type `string' to `int'
error Cart.cs:6:20 CS0103: The name `Missing' does not exist in the current context
"#,
    );
}

#[test]
fn xunit() {
    expect(
        &read(include_str!("../../../tests/recorded/dotnet/xunit.txt")),
        r#"
failed Shop.Tests.CartTests.Doubles (/home/me/shop/tests/CartTests.cs:30): Assert.Equal() Failure: Values differ⏎Expected: 7⏎Actual:   6
failed Shop.Tests.CartTests.AddsPrices (/home/me/shop/tests/CartTests.cs:11): Assert.Equal() Failure: Values differ⏎Expected: 4⏎Actual:   3
failed Shop.Tests.CartTests.FailsInTheCart (/home/me/shop/tests/CartTests.cs:20): System.ArgumentException : an empty cart cannot be parsed
2 passed, 3 failed, 1 skipped
"#,
    );
}

#[test]
fn nunit_and_mstest() {
    expect(
        &read(include_str!("../../../tests/recorded/dotnet/nunit_mstest.txt")),
        r#"
failed Shop.NUnit.CartTests.AddsPrices (C:\shop\tests\CartTests.cs:11): Assert.That(Cart.Total(new[] { 1, 2 }), Is.EqualTo(4))⏎Expected: 4⏎But was:  3
failed Shop.NUnit.CartTests.Doubles (C:\shop\tests\CartTests.cs:18): Expected: 7⏎But was:  6
failed Shop.MSTest.TextTests.MatchesText (C:\shop\mstest\TextTests.cs:9): Assert.AreEqual failed. Expected:<tea>. Actual:<coffee>. the drink
1 passed, 3 failed, 1 skipped
"#,
    );
}

#[test]
fn the_testing_platform() {
    expect(
        &read(include_str!("../../../tests/recorded/dotnet/testing_platform.txt")),
        r#"
failed Shop.Tests.CartTests.AddsPrices (/home/me/shop/tests/CartTests.cs:11): Assert.AreEqual failed. Expected:<4>. Actual:<3>.
1 passed, 1 failed, 1 skipped
"#,
    );
}
