"""The knots themselves."""

from rope import Knot, Rope, splice


class Bowline(Knot):
    """A loop that does not slip."""

    def name(self) -> str:
        return "bowline"

    def strength(self, rope: Rope) -> float:
        return rope.metres * 0.65


def doubled(rope: Rope) -> Rope:
    """A rope spliced to itself."""
    return splice(rope, rope)
