package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CartTest {
    @Test
    void addsPrices() {
        assertEquals(4, Cart.total(List.of(1, 2)), "the sum");
    }

    @Test
    void passes() {
        assertEquals(0, Cart.total(List.of()));
    }

    @Test
    void failsInTheCart() {
        Cart.parse("");
    }

    @Test
    void failsInAHelper() {
        Totals.expect(2, List.of(1));
    }

    @Test
    void saysMuch() {
        assertTrue(false, "first line\nsecond line");
    }

    @Test
    @Disabled("not yet")
    void isSkipped() {}

    @Nested
    class OfText {
        @Test
        void readsNumbers() {
            assertEquals(3, Cart.parse("2"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "3, 7"})
    void doubles(int one, int two) {
        assertEquals(two, one * 2);
    }
}
