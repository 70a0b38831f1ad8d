from knots import Bowline, doubled
from rope import Knot, Rope, splice


def describe(knot: Knot, rope: Rope) -> str:
    return f"{knot.name()} holds {knot.strength(rope):.1f}"


def main() -> None:
    line = Rope("main", 10)
    spare = Rope("spare", 5)
    print("é 😀", splice(line, spare).metres, describe(Bowline(), spare))
    print(doubled(line).label)


if __name__ == "__main__":
    main()
