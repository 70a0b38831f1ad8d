import unittest


class Sums(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(1, 2, "not the same")

    def test_error(self):
        self.helper()

    def helper(self):
        raise KeyError("gone")

    def test_cases(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(n, 1)

    @unittest.skip("later")
    def test_later(self):
        pass

    def test_fine(self):
        pass
