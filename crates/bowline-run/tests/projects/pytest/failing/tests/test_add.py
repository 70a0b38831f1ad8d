import pytest

from sums import add


def test_add():
    assert add(1, 2) == 3, "one and two"


@pytest.mark.parametrize("a", [1, 2])
def test_many(a):
    assert add(a, 0) == 1


class TestThing:
    def test_raises(self):
        helper()

    def test_ok(self):
        pass


def helper():
    raise ValueError("two\nlines")


@pytest.fixture
def broken():
    raise RuntimeError("no fixture")


def test_fixture(broken):
    pass


@pytest.mark.skip(reason="later")
def test_later():
    pass
