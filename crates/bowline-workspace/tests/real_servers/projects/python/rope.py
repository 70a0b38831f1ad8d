"""What the other modules tie knots into."""

from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass
class Rope:
    """A length of line."""

    label: str
    metres: float


class Knot(ABC):
    """Anything that can be tied into a rope."""

    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def strength(self, rope: Rope) -> float: ...


def splice(first: Rope, second: Rope) -> Rope:
    """Joins two ropes into one."""
    return Rope(first.label + "+" + second.label, first.metres + second.metres)
