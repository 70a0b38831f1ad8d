import unittest

from rope import Rope, splice


class SpliceTest(unittest.TestCase):
    def test_adds_lengths(self) -> None:
        joined = splice(Rope("a", 2), Rope("b", 3))
        self.assertEqual(joined.metres, 5)


if __name__ == "__main__":
    unittest.main()
