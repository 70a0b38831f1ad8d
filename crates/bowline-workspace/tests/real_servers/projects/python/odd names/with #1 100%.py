"""Two ropes in one, under a path that no import can name."""

from rope import Rope, splice


def lengthened(rope: Rope) -> Rope:
    return splice(rope, Rope("more", 1))
